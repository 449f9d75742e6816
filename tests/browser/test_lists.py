"""What is typed into a list of names chooses what was typed, or nothing."""

import re
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from components.forms.address import label_of_state
from tests.browser.browser_shop import settled
from warranty.language import speaking
from warranty.places.countries import countries, shown_country, states

A_KEY: Final = 150
"""Milliseconds between two keys of a person."""
USUAL_NAMES: Final = {
    "UK": "GB", "USA": "US", "England": "GB", "Holland": "NL", "Turkey": "TR", "Hong Kong": "HK", "Ireland": "IE",
    "Kosovo": "XK", "XK": "XK", "korea": "KR", "fra": "FR", "Côte": "CI",
}  # fmt: skip


def type_and_enter(page: Page, label: str, text: str, *, milliseconds: int = A_KEY) -> Any:
    """Type into the list of this name as a person would, and press Enter."""
    field = page.get_by_role("combobox", name=label, exact=True)
    field.click()
    field.press_sequentially(text, delay=milliseconds)
    field.press("Enter")
    return field


def test_two_letters_choose_their_state_and_a_word_of_no_state_leaves_none(at_desk: Page) -> None:
    page = at_desk
    for typed, chosen in (
        ("MA", "Massachusetts (MA)"),
        ("ae", "Armed Forces Europe (AE)"),
        ("kansas", "Kansas (KS)"),
    ):
        expect(type_and_enter(page, "State", typed)).to_have_value(chosen)
        settled(page)
    state = type_and_enter(page, "State", "armad")
    expect(page.get_by_text("Nothing in the list is called “armad”.")).to_be_visible()
    settled(page)
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text(re.compile("Enter a state")).first).to_be_visible()
    expect(state).to_have_value("armad")


@pytest.mark.long
@pytest.mark.parametrize("way", ["a click on the row", "a tap elsewhere"])
def test_what_was_typed_whole_is_chosen_without_enter_too(at_desk: Page, way: str) -> None:
    page = at_desk
    state = page.get_by_role("combobox", name="State")
    state.click()
    state.press_sequentially("new y", delay=A_KEY)
    if way == "a click on the row":
        page.get_by_role("option", name="New York (NY)").click()
    else:
        page.get_by_label("First name").click()
    expect(state).to_have_value("New York (NY)")
    settled(page)
    state.click()
    state.press_sequentially("new", delay=A_KEY)
    page.get_by_label("First name").click()
    expect(page.get_by_text("Choose one from the list.")).to_be_visible()


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
