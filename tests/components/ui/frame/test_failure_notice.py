"""A journal that cannot be written (a full disk, a lock, a database that is down): the screen says so in words."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from components import wiring
from components.platform import session
from components.ui.frame.failure_notice import reporting_outage
from tests.builders import STAFF
from tests.components.stage import press, shown, words
from warranty.access import Operator, Permission, Role
from warranty.database.database import Database
from warranty.errors import JournalUnavailable, PermissionDenied, SignedOut

WRITTEN = "The journal cannot be written (OperationalError SQLITE_FULL)."
READ = "The journal cannot be read (OperationalError)."


def fails(*_: object, **__: object) -> Any:
    raise JournalUnavailable(WRITTEN)


@pytest.fixture
def away(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Whatever is written from now on meets a full disk."""
    with monkeypatch.context() as patched:
        yield patched


def field(shell: AppTest, label: str) -> Any:
    return next(each for each in shell.text_input if each.label == label)


def test_a_screen_that_cannot_keep_its_draft_says_so_and_goes_on_when_it_can_with_all_that_was_typed(
    shell: AppTest, away: pytest.MonkeyPatch
) -> None:
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
