"""What is typed into a list of names chooses what was typed, or nothing."""

import re
import time
from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from components.ui.forms.pick_list import _LIST
from tests.browser.browser_sale import scan
from tests.browser.browser_shop import Shop, settled
from tests.components.stage import Stage, pick, pick_lists
from warranty.places.countries import countries, states

A_KEY: Final = 150
"""Milliseconds between two keys of a person."""
USUAL_NAMES: Final = {
    "UK": "GB", "USA": "US", "England": "GB", "Holland": "NL", "Turkey": "TR", "Hong Kong": "HK", "Ireland": "IE",
    "Kosovo": "XK", "korea": "KR", "XK": "XK", "fra": "FR", "Côte": "CI",
}  # fmt: skip
IN_A_TAB: Final = 25
DRAW: Final = """async ([script, data]) => {
    window.chosen = [];
    const { default: draw } = await import(`data:text/javascript,${encodeURIComponent(script)}`);
    const field = document.querySelector('input');
    draw({
        parentElement: document.querySelector('main'), data,
        setStateValue: (_, { value }) => chosen.push([value, field.value]),
    });
    field.focus();
}"""


def type_text(page: Page, label: str, text: str) -> Locator:
    field = page.get_by_role("combobox", name=label, exact=True)
    field.click()
    field.press_sequentially(text, delay=A_KEY)
    return field


def type_and_enter(page: Page, label: str, text: str) -> Locator:
    field = type_text(page, label, text)
    field.press("Enter")
    return field


def test_two_letters_choose_their_state_and_a_word_of_no_state_leaves_none(at_desk: Page) -> None:
    page = at_desk
    for typed, chosen in (("MA", "Massachusetts (MA)"), ("ae", "Armed Forces Europe (AE)"), ("kansas", "Kansas (KS)")):
        expect(type_and_enter(page, "State", typed)).to_have_value(chosen)
        settled(page)
    type_and_enter(page, "State", "armad")
    expect(page.get_by_text("Nothing in the list is called “armad”.")).to_be_visible()
    settled(page)
    state = type_text(page, "State", "new")
    page.keyboard.press("Control+Enter")  # no click elsewhere, and no Enter
    expect(page.get_by_text(re.compile("State: choose one from the list")).first).to_be_visible()
    expect(state).to_have_value("new")


@pytest.mark.long
def test_what_was_typed_whole_is_chosen_without_enter_too(at_desk: Page) -> None:
    page, state = at_desk, at_desk.get_by_role("combobox", name="State")
    row, elsewhere = page.get_by_role("option", name="New York (NY)"), page.get_by_label("First name")
    for typed, next_press in (("new y", row), ("new y", elsewhere)):
        type_text(page, "State", typed)
        next_press.click()
        expect(state).to_have_value("New York (NY)")
        settled(page)
    for typed in ("new", "olumbia"):  # the beginning of four, the end of one
        type_text(page, "State", typed)
        elsewhere.click()
        expect(page.get_by_text("Choose one from the list.")).to_be_visible()
        expect(state).to_have_value(typed)
        settled(page)
    page.get_by_label("Scan or type a SKU").click()
    scan(page, "TV-55-OLED")
    elsewhere.fill("Ada")
    page.get_by_label("E-mail").fill("ada@example.com")
    type_text(page, "State", "ny")
    page.locator(".st-key-main-action button").click()  # which has no name while a list is open
    expect(page.get_by_role("button", name="Copy link")).to_be_visible()


@pytest.fixture
def lists(shop: Shop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What New order gives to its lists: countries, and the states of three."""
    stage = Stage(shop.sandbox, tmp_path, monkeypatch)
    screen = stage.screen("submit_order")
    drawn = [each.drawn for label in ("Country", "State") for each in pick_lists(screen) if each.label == label]
    for country in ("CA", "AU"):
        others = {"Country", "Sold by"}
        drawn += [each.drawn for each in pick_lists(pick(screen, "Country", country)) if each.label not in others]
    stage.runtime.process.close()
    return drawn


@pytest.mark.long
def test_each_code_and_the_names_in_use_choose_country_or_state(browser: Browser, lists: list[dict[str, Any]]) -> None:
    """Into the list alone, on a page without a server, many side by side."""
    by_code = [{value: value for value in drawn["values"]} for drawn in lists]
    of_three = {others[0]: code for others, code in zip(lists[0]["other_names"], lists[0]["values"], strict=True)}
    known = (countries(), *(states(country) for country in ("US", "CA", "AU")))
    assert [*map(len, by_code), len(of_three)] == [*map(len, known), len(countries())]
    with browser.new_context() as context:
        tabs = []
        none = ({text: text for text in texts.split()} for texts in ("EU . united", "AB MB ON SK US . m new"))
        typed = zip((*lists, *lists[:1] * 2, *lists[:2]), (*by_code, of_three, USUAL_NAMES, *none), strict=True)
        for drawn, codes in typed:
            labels = dict(zip(drawn["values"], drawn["labels"], strict=True))
            rows = [(text, [code, labels.get(code, code)]) for text, code in codes.items()]
            for first in range(0, len(rows), IN_A_TAB):
                page = context.new_page()
                page.set_content(f"<main>{_LIST.html}</main>")
                page.evaluate(DRAW, [_LIST.js, drawn | {"chosen": ""}])
                tabs.append((page, rows[first : first + IN_A_TAB]))
        for place in range(IN_A_TAB):
            type_side_by_side([(page, rows[place][0]) for page, rows in tabs if place < len(rows)])
        for page, rows in tabs:
            assert page.evaluate("chosen") == [chosen for _, chosen in rows]


def type_side_by_side(tabs: Sequence[tuple[Page, str]]) -> None:
    """A letter into each, the next letter into each, and Enter."""
    for keys in zip_longest(*(f"{text}\n" for _, text in tabs), fillvalue=""):
        begun = time.monotonic()
        for (page, _), key in zip(tabs, keys, strict=True):
            page.keyboard.type(key)
        page.wait_for_timeout(max(0, A_KEY - 1000 * (time.monotonic() - begun)))
