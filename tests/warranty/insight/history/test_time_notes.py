"""Notes on days: written by managers, read by all who see charts, of one environment, and never lost half-changed."""

from dataclasses import replace
from datetime import date, timedelta
from unittest.mock import Mock

import pytest

from tests.warranty.conftest import Clock
from warranty.access import Operator
from warranty.desk.journal import Journal
from warranty.errors import JournalUnavailable, PermissionDenied
from warranty.insight.history.time_notes import LONGEST_NOTE, NoteKind, TimeNote, TimeNotes
from warranty.insight.insight import Insight

RECALL = TimeNote(first=date(2026, 11, 3), last=date(2026, 11, 5), kind=NoteKind.RECALL, words="Chargers called back")
PRICES = replace(RECALL, first=date(2026, 9, 1), last=date(2026, 9, 1), kind=NoteKind.PRICE_CHANGE)


def test_what_a_manager_writes_all_read_by_its_days(insight: Insight, manager: Operator, clerk: Operator) -> None:
    for note in (RECALL, PRICES):
        insight.write_note(manager, note)
    prices, recall = insight.time_notes(clerk) or []
    for found, written in ((prices, PRICES), (recall, RECALL)):
        assert found == replace(written, note_id=found.note_id, operator_name="Mo Winter")
    with pytest.raises(PermissionDenied):
        insight.write_note(clerk, RECALL)


def test_another_manager_changes_and_deletes_it(insight: Insight, manager: Operator, clock: Clock) -> None:
    insight.write_note(manager, RECALL)
    (written,) = insight.time_notes(manager) or []
    clock.advance(timedelta(days=1))
    other = replace(manager, username="ro", name="Ro Blake")
    insight.write_note(other, replace(written, words=" Chargers and cables called back "))
    (changed,) = insight.time_notes(manager) or []
    assert changed == replace(written, words="Chargers and cables called back")
    insight.remove_note(other, written.note_id)
    insight.remove_note(manager, written.note_id)
    insight.write_note(manager, changed)
    assert insight.time_notes(manager) == [], "what was deleted meanwhile does not come back by a change"


def test_a_note_is_of_its_environment(journal: Journal, insight: Insight, manager: Operator) -> None:
    insight.write_note(manager, RECALL)
    (written,) = insight.time_notes(manager) or []
    elsewhere = TimeNotes(journal.database, "production")
    elsewhere.remove(written.note_id)
    elsewhere.write(replace(written, words="other"), username="mo", operator_name="Mo Winter")
    assert elsewhere.all() == []
    assert insight.time_notes(manager) == [written]


def test_without_the_journal_charts_are_drawn_without_notes(
    insight: Insight, journal: Journal, manager: Operator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal.database, "read", Mock(side_effect=JournalUnavailable("no")))
    assert insight.time_notes(manager) is None


@pytest.mark.parametrize(("wrong", "said"), [
    ({"last": date(2026, 11, 2)}, "The first day is after the last: exchange them."),
    ({"words": "  "}, "Say in a few words what happened."),
    ({"words": "x" * (LONGEST_NOTE + 1)}, "A note has at most 200 characters."),
])  # fmt: skip
def test_a_note_that_cannot_be_right_says_why(wrong: dict[str, date | str], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        replace(RECALL, **wrong)  # type: ignore[arg-type]


def test_a_note_touches_the_days_that_it_shares() -> None:
    later, before = date(2026, 12, 1), date(2026, 10, 1)
    assert [RECALL.touches(date(2026, 11, day), later) for day in (5, 6)] == [True, False]
    assert [RECALL.touches(before, date(2026, 11, day)) for day in (3, 2)] == [True, False]
