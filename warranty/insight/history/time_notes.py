"""Notes on days, for all charts of that time: a recall, a change of prices, an outage."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Final
from uuid import uuid4

from sqlalchemy import Column, Index, Table, Text, delete, insert, select, update

from warranty.database.database import Repository
from warranty.database.tables import METADATA, Instant, texts
from warranty.language import N_

TIME_NOTES: Final = Table(
    "time_notes",
    METADATA,
    Column("note_id", Text, primary_key=True),
    *texts("environment", "first_day", "last_day", "kind", "words", "username", "operator_name"),
    Column("created_at", Instant, nullable=False),
    Index(None, "environment", "first_day"),
)


LONGEST_NOTE: Final = 200


class NoteKind(StrEnum):
    """What a note is about."""

    RECALL = "recall"
    PRICE_CHANGE = "price change"
    OUTAGE = "outage"
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeNote:
    """Words of up to 200 characters on the days from `first` to `last`, both included.

    Raises `ValueError` with a sentence where the days stand the wrong way round, or the words are missing or too long.
    """

    first: date
    last: date
    kind: NoteKind
    words: str
    note_id: str = ""
    operator_name: str = ""

    def __post_init__(self) -> None:
        if self.last < self.first:
            raise ValueError(N_("The first day is after the last: exchange them."))
        if not self.words.strip():
            raise ValueError(N_("Say in a few words what happened."))
        if len(self.words) > LONGEST_NOTE:
            raise ValueError(N_("A note has at most 200 characters."))

    def touches(self, first: date, last: date) -> bool:
        """Whether a day of the note is among these days, both included."""
        return self.first <= last and self.last >= first


def notes_for_manifest(notes: Sequence[TimeNote] | None, first: date, last: date) -> list[dict[str, str]] | None:
    """Give the notes on these days as a file's manifest tells them; None where it is not known which there are."""
    if notes is None:
        return None
    touched = (note for note in notes if note.touches(first, last))
    return [{"first": f"{one.first}", "last": f"{one.last}", "kind": one.kind, "words": one.words} for one in touched]


class TimeNotes(Repository):
    """The notes of one environment."""

    def all(self) -> list[TimeNote]:
        """Every note, the earliest first."""
        notes = TIME_NOTES.c
        mine = select(TIME_NOTES).filter_by(environment=self._environment)
        statement = mine.order_by(notes.first_day, notes.created_at, notes.note_id)
        return [
            TimeNote(
                note_id=row.note_id,
                first=date.fromisoformat(row.first_day),
                last=date.fromisoformat(row.last_day),
                kind=NoteKind(row.kind) if row.kind in set(NoteKind) else NoteKind.OTHER,
                words=row.words,
                operator_name=row.operator_name,
            )
            for row in self._found(statement)
        ]

    def write(self, note: TimeNote, *, username: str, operator_name: str) -> None:
        """Add the note; one with an id takes the place of that one, if it is still there, and keeps its writer."""
        days = {"first_day": note.first.isoformat(), "last_day": note.last.isoformat()}
        values = {**days, "kind": note.kind.value, "words": note.words.strip()}
        if note.note_id:
            own = {"note_id": note.note_id, "environment": self._environment}
            self._change(update(TIME_NOTES).filter_by(**own).values(values))
            return
        by = {"username": username, "operator_name": operator_name, "created_at": self._clock()}
        new = {"note_id": uuid4().hex, "environment": self._environment, **by}
        self._change(insert(TIME_NOTES).values(**new, **values))

    def remove(self, note_id: str) -> None:
        """Delete a note; one that is gone already stays so."""
        self._change(delete(TIME_NOTES).filter_by(note_id=note_id, environment=self._environment))
