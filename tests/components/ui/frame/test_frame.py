"""The script of every run: language and density as chosen; a journal that cannot be written is told in words."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from components import wiring
from components.platform import session
from components.ui.frame.failure_notice import reporting_outage
from tests.builders import MANAGER, STAFF
from tests.components.stage import Stage, press, shown, words
from tests.dashboard import ROOT
from warranty.access import Operator, Permission, Role
from warranty.database.database import Database
from warranty.database.preferences import Preference
from warranty.errors import JournalUnavailable, PermissionDenied, SignedOut

OpenShell = Callable[[Operator], AppTest]


@pytest.fixture
def tab_of(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> OpenShell:
    def open_shell(operator: Operator) -> AppTest:
        signed_in = SimpleNamespace(
            operator=lambda **_: operator, people=stage.runtime.staff.sign_in.people, watch=lambda: lambda: operator,
            works=lambda: None, began_at=lambda: datetime.now(UTC), begin_sign_out=None, tries=None, stay=None,
        )  # fmt: skip
        staff = replace(stage.runtime.staff, sign_in=signed_in)  # type: ignore[arg-type]
        runtime = replace(stage.runtime, staff=staff)
        monkeypatch.setattr(wiring, "runtime", lambda: runtime)
        return AppTest.from_file(str(ROOT / "components" / "shell.py"), default_timeout=30)

    return open_shell


@pytest.fixture
def shell(tab_of: OpenShell) -> AppTest:
    return tab_of(STAFF)


WRITTEN = "The journal cannot be written (OperationalError SQLITE_FULL)."
READ = "The journal cannot be read (OperationalError)."


def fails(*_: object, **__: object) -> Any:
    raise JournalUnavailable(WRITTEN)


@pytest.fixture
def away(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    with monkeypatch.context() as patched:
        yield patched


def field(shell: AppTest, label: str) -> Any:
    return next(each for each in shell.text_input if each.label == label)


def test_a_screen_that_cannot_keep_its_draft_says_so_and_goes_on(shell: AppTest, away: pytest.MonkeyPatch) -> None:
    shown(shell.run())
    away.setattr(Database, "write", fails)
    for label, text in (("First name", "Zoë"), ("Title", "Arc floor lamp")):  # an item's field as well
        field(shell, label).set_value(text)
        shown(shell.run())
        for sentence in (WRITTEN, "Nothing was sent", "What you typed stays in this tab"):
            assert sentence in words(shell)
    away.undo()
    shown(shell.run())
    assert WRITTEN not in words(shell)
    assert (field(shell, "First name").value, field(shell, "Title").value) == ("Zoë", "Arc floor lamp")


def test_a_press_not_to_be_kept_does_nothing_and_says_so(shell: AppTest, away: pytest.MonkeyPatch) -> None:
    shown(shell.run())
    field(shell, "Title").set_value("Arc floor lamp")
    shown(shell.run())
    away.setattr(Database, "write", fails)
    press(shell, "Yes, discard")
    assert WRITTEN in words(shell)
    assert field(shell, "Title").value == "Arc floor lamp"
    away.undo()
    shown(shell.run())
    assert WRITTEN not in words(shell)
    press(shell, "Yes, discard")
    assert field(shell, "Title").value == ""


def test_a_dead_journal_is_told_at_the_sign_in(shell: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    def operator(**_: object) -> Any:
        raise JournalUnavailable(READ)

    runtime = wiring.runtime()
    staff = replace(runtime.staff, sign_in=SimpleNamespace(operator=operator))  # type: ignore[arg-type]
    runtime = replace(runtime, staff=staff)
    monkeypatch.setattr(wiring, "runtime", lambda: runtime)
    shown(shell.run())
    assert READ in words(shell)
    assert not shell.text_input


def _working() -> None:
    from components.ui.frame.polling import poll
    from warranty.errors import JournalUnavailable

    def draw() -> bool:
        raise JournalUnavailable("The journal cannot be read (OperationalError).")

    poll(draw, every=60)


def test_what_looks_again_by_itself_says_that_the_journal_is_away_and_goes_on_looking() -> None:
    screen = AppTest.from_function(_working)
    screen.session_state["desk.person"] = session.AtTab(STAFF)
    assert READ in words(shown(screen.run()))


ADA = Operator(username="ada", name="Ada", role=Role.MANAGER)


@pytest.mark.parametrize(("by_now", "done"), [(lambda: ADA, ["pressed"]), (lambda: None, [])], ids=["in", "out"])
def test_only_who_is_still_signed_in_presses_anything(
    by_now: Callable[[], Operator | None], done: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "current_operator", lambda: replace(ADA, as_of_now=by_now))
    did: list[str] = []
    reporting_outage(did.append)("pressed")
    assert did == done


@pytest.mark.parametrize("refusal", [SignedOut(), PermissionDenied(permission=Permission.WRITE_NOTES, role=Role.STAFF)])
def test_what_the_desk_refuses_by_then_is_left_to_the_screen_that_follows(refusal: Exception) -> None:
    def act() -> None:
        raise refusal

    reporting_outage(act)()


def labels(tab: AppTest) -> set[str]:
    return {button.label for button in tab.button}


def choose(tab: AppTest, what: str, value: str) -> None:
    tab.segmented_control(key=f"choice-{what}").set_value(value)
    shown(tab.run())


def test_a_person_has_the_language_and_density_that_they_chose_in_any_tab_and_nobody_else(tab_of: OpenShell) -> None:
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
