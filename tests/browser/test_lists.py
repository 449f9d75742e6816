"""What is typed into a list of names chooses what was typed, or nothing."""

import re
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, expect

from components.ui.forms.address import label_of_state
from tests.browser.browser_shop import settled
from tests.browser.order_desk import scan
from warranty.language import speaking
from warranty.places.countries import countries, shown_country, states

A_KEY: Final = 150
"""Milliseconds between two keys of a person."""
USUAL_NAMES: Final = {
    "UK": "GB", "USA": "US", "England": "GB", "Holland": "NL", "Turkey": "TR", "Hong Kong": "HK", "Ireland": "IE",
    "Kosovo": "XK", "XK": "XK", "korea": "KR", "fra": "FR", "Côte": "CI",
}  # fmt: skip


def type_text(page: Page, label: str, text: str, *, milliseconds: int = A_KEY) -> Locator:
    """Type into the list of this name as a person would."""
    field = page.get_by_role("combobox", name=label, exact=True)
    field.click()
    field.press_sequentially(text, delay=milliseconds)
    return field


def type_and_enter(page: Page, label: str, text: str, *, milliseconds: int = A_KEY) -> Locator:
    field = type_text(page, label, text, milliseconds=milliseconds)
    field.press("Enter")
    return field


def test_two_letters_choose_their_state_and_a_word_of_no_state_leaves_none(at_desk: Page) -> None:
    page = at_desk
    for typed, chosen in (("MA", "Massachusetts (MA)"), ("ae", "Armed Forces Europe (AE)"), ("kansas", "Kansas (KS)")):
        expect(type_and_enter(page, "State", typed)).to_have_value(chosen)
        settled(page)
    state = type_and_enter(page, "State", "armad")
    expect(page.get_by_text("Nothing in the list is called “armad”.")).to_be_visible()
    settled(page)
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text(re.compile("Choose a state")).first).to_be_visible()
    expect(state).to_have_value("armad")


@pytest.mark.long
def test_what_was_typed_whole_is_chosen_without_enter_too(at_desk: Page) -> None:
    page, state = at_desk, at_desk.get_by_role("combobox", name="State")
    row, elsewhere = page.get_by_role("option", name="New York (NY)"), page.get_by_label("First name")
    for typed, next_press in (("new y", row), ("new y", elsewhere)):
        type_text(page, "State", typed)
        next_press.click()
        expect(state).to_have_value("New York (NY)")
        settled(page)
    type_text(page, "State", "new")  # the beginning of four
    elsewhere.click()
    expect(page.get_by_text("Choose one from the list.")).to_be_visible()
    expect(state).to_have_value("new")
    settled(page)
    page.get_by_label("Scan or type a SKU").click()
    scan(page, "TV-55-OLED")
    elsewhere.fill("Ada")
    page.get_by_label("E-mail").fill("ada@example.com")
    type_text(page, "State", "ny")
    page.locator(".st-key-main-action button").click()  # which has no name while a list is open
    expect(page.get_by_role("button", name="Copy link")).to_be_visible()


@pytest.mark.long
@pytest.mark.parametrize("country", ["US", "CA", "AU"])
def test_the_code_of_each_state_chooses_it(at_desk: Page, country: str) -> None:
    page = at_desk
    type_and_enter(page, "Country", country)
    settled(page)
    label = label_of_state(country)
    for code, state in states(country).items():
        expect(type_and_enter(page, label, code)).to_have_value(f"{state.name} ({code})")


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("kind", ["two letters", "three letters", "usual names"])
def test_each_name_of_a_country_chooses_it(at_desk: Page, kind: str) -> None:
    page = at_desk
    typed = {
        "two letters": {code: code for code in countries()},
        "three letters": {country.other_names[0]: code for code, country in countries().items()},
        "usual names": USUAL_NAMES,
    }[kind]
    with speaking("en"):
        for text, code in typed.items():
            field = type_and_enter(page, "Country", text, milliseconds=A_KEY if kind == "usual names" else 10)
            expect(field).to_have_value(shown_country(countries()[code]))
