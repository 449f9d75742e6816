"""A Spanish screen has no English word of the platform left, of all that the platform has in its scripts."""

import re
from pathlib import Path
from typing import Final

import pytest
import streamlit
from playwright.sync_api import Page, expect

from components.navigation import SCREENS
from tests.browser.browser_shop import Shop, close, come, opened, settled
from tests.builders import ADMINISTRATOR, MANAGER, seen_by
from tests.dashboard import Dashboard, person
from warranty.access import Operator

COLLECT: Final = """
() => {
  const said = new Set();
  const visit = (root) => {
    for (const node of root.querySelectorAll("*:not(script, style)")) {
      if (node.checkVisibility())
        for (const name of ["aria-label", "placeholder", "title", "data-title"])
          if (node.getAttribute(name)) said.add(node.getAttribute(name));
      for (const child of node.childNodes)
        if (child.nodeType === Node.TEXT_NODE && child.data.trim().includes(" ")) said.add(child.data.trim());
      if (node.shadowRoot) visit(node.shadowRoot);
    }
  };
  visit(document.body);
  return [...said];
}
"""
BOTH: Final = frozenset({"Error", "Cerrar", "día de la semana"})
"""Words that are written alike in both languages, or that the platform has in Spanish, too."""


def of_the_platform() -> set[str]:
    """The phrases that stand in the platform's scripts as they are, or as the beginning of one with a name in it."""
    scripts = "".join(
        path.read_text(encoding="utf-8", errors="replace")
        for path in (Path(streamlit.__file__).parent / "static").rglob("*.js")
    )
    return set(re.findall(r"`([A-Za-z][^`${}\\\n]{3,80})`", scripts))


def choose(page: Page, language: str) -> None:
    person(page).click()
    page.get_by_role("radio", name=language).click()
    expect(page.locator("html")).to_have_attribute("lang", {"Español": "es", "English": "en"}[language])
    page.keyboard.press("Escape")
    settled(page)


@pytest.mark.long
@pytest.mark.parametrize("operator", [MANAGER, ADMINISTRATOR], ids=["manager", "administrator"])
def test_no_word_of_the_platform_is_left_in_english_on_a_spanish_screen(
    page: Page, dashboard: Dashboard, operator: Operator
) -> None:
    theirs, left = of_the_platform() - BOTH, dict[str, list[str]]()

    def look(where: str) -> None:
        settled(page)
        if found := {*page.evaluate(COLLECT)} & theirs:
            left[where] = sorted(found)

    come(page, dashboard, operator.username)
    choose(page, "Español")
    try:
        for screen in filter(seen_by(operator), SCREENS):
            page.goto(f"{dashboard.url}/{screen.name}")
            expect(page.get_by_role("heading", level=1)).to_be_visible()
            expect(page.locator("html")).to_have_attribute("lang", "es")
            settled(page)
            for folded in page.locator("summary").all():
                if folded.is_visible():
                    folded.click()
            expect(page.get_by_text(re.compile(r"^\d+ más$"))).to_have_count(0)  # all stand in the bar
            look(screen.name)
            for place, popover in enumerate(page.get_by_test_id("stPopoverButton").all()):
                if popover.is_visible() and popover.is_enabled():
                    popover.click()
                    look(f"{screen.name}, popover {place}")
                    page.keyboard.press("Escape")
        for name in ("Pantalla del cliente", "Cambiar mi contraseña", "Teclas"):
            person(page).click()
            page.get_by_role("button", name=name).click()
            opened(page, name)
            look(name)
            close(page)
        assert not left
    finally:
        choose(page, "English")  # it is the person's, also for other tests


def test_the_platforms_words_follow_a_change_of_language_without_a_reload(page: Page, shop: Shop) -> None:
    shop.let_in("manager", page.context)
    shop.open(page, "import_orders", "Import orders")
    for language, words in (("Español", "subir archivo"), ("English", "file upload")):
        choose(page, language)
        expect(page.get_by_label(words).first).to_be_attached()
