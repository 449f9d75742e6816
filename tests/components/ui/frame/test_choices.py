"""Language and density: chosen in the menu behind the name, kept by person, there in every tab from its first word."""

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from tests.builders import MANAGER, STAFF
from tests.components.stage import Stage, shown, words
from tests.components.ui.frame.conftest import OpenShell
from warranty.database.preferences import Preference


def labels(tab: AppTest) -> set[str]:
    return {button.label for button in tab.button}


def choose(tab: AppTest, what: str, value: str) -> None:
    tab.segmented_control(key=f"choice-{what}").set_value(value)
    shown(tab.run())


def test_a_person_is_spoken_to_in_the_language_they_chose_in_any_tab_alone(tab_of: OpenShell) -> None:
    tab = shown(tab_of(STAFF).run())
    assert "Sign out" in labels(tab)
    choose(tab, "language", "es")
    assert "Salir" in labels(tab)
    another = shown(tab_of(STAFF).run())
    assert "Salir" in labels(another)
    assert "Práctica" in words(another)  # what stands in the bar is said after the person is known
    assert "Sign out" in labels(shown(tab_of(MANAGER).run()))
    choose(another, "language", "en")
    assert "Sign out" in labels(shown(tab_of(STAFF).run()))


def test_a_density_that_was_chosen_holds_in_any_tab_and_leaves_the_language_alone(tab_of: OpenShell) -> None:
    tab = shown(tab_of(STAFF).run())
    choose(tab, "density", "compact")
    choose(tab, "language", "es")
    another = shown(tab_of(STAFF).run())
    assert another.segmented_control(key="choice-density").value == "compact"
    assert "Salir" in labels(another)


def test_choices_that_another_version_kept_are_passed_over(tab_of: OpenShell, stage: Stage) -> None:
    Preference(stage.runtime.desk.journal.database, STAFF.username, "display").save({"language": "xx", "density": 3})
    tab = shown(tab_of(STAFF).run())
    assert "Sign out" in labels(tab)
    assert tab.segmented_control(key="choice-density").value == "comfortable"


def test_who_chose_no_language_has_the_browsers(tab_of: OpenShell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(st.context), "locale", property(lambda _: "es-MX"))
    tab = shown(tab_of(STAFF).run())
    assert "Salir" in labels(tab)
    choose(tab, "language", "en")
    assert "Sign out" in labels(tab)
