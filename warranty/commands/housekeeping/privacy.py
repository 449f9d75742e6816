"""What the journal holds about one e-mail or one phone: given out and erased (docs/decisions/personal-data.md).

All environments: a person who asks does not know of them.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final, Self

from sqlalchemy import Connection, delete, insert, select, update

from warranty.access import Operator, Permission
from warranty.database.database import Database
from warranty.database.tables import PREFERENCES
from warranty.desk.journal.batches import BatchState
from warranty.desk.journal.entries import OPEN, AttemptState, Settlement
from warranty.desk.journal.queries import WITH_NEWEST_OUTCOME, attempt_from
from warranty.desk.journal.tables import ATTEMPTS, BATCH_ORDERS, DRAFTS, LINKS_SHOWN, ORDER_BATCHES, OUTCOMES, UNSETTLED
from warranty.insight.history.time_notes import TIME_NOTES
from warranty.people.audit import AuditKind, AuditTrail
from warranty.people.audit.trail import items
from warranty.places.contact import PhoneProblem, national_digits, read_phone
from warranty.places.people_in_text import folded_address

ERASED: Final = "[erased]"
_NUMBER: Final = re.compile(r"(?<!\w)[+(]?\d[\d\s().-]*")


@dataclass(frozen=True, slots=True)
class Sought:
    """Somebody by an e-mail address, or by a phone number with its country (`+1…`)."""

    written: str

    @classmethod
    def read(cls, text: str, country: str) -> Self | None:
        """Who is meant: an e-mail, or a phone as people of the country write it; None where it is neither."""
        text = folded_address(text) if "@" in text else text.strip()
        local, at, domain = text.rpartition("@")
        if at:
            is_whole = local and "." in domain.strip(".") and not re.search(r"\s", text)
            return cls(text) if is_whole else None
        try:
            return cls(read_phone(text, country).e164)
        except PhoneProblem:
            return None

    @property
    def text(self) -> str:
        """That which rows of the audit trail are named by."""
        return folded_address(self.written)

    def is_in(self, value: Any) -> bool:
        """Whether a value of JSON mentions it anywhere: an e-mail in any form, a phone however it is grouped."""
        match value:
            case str():
                return self._is_in_text(value)
            case _ if isinstance(value, Settlement):
                return self._is_in_text(value.note)
            case Mapping():
                return any(self.is_in(each) for each in (*value.keys(), *value.values()))
            case list() | tuple():
                return any(map(self.is_in, value))
            case _:
                return False

    def without(self, value: Any) -> Any:
        """The value without what mentions it: keys of objects and members of lists are left out."""
        match value:
            case Mapping():
                stays = ((name, each) for name, each in value.items() if not self._is_in_text(str(name)))
                return {name: self.without(each) for name, each in stays if not self._is_said(each)}
            case list() | tuple():
                return [self.without(each) for each in value if not self._is_said(each)]
            case _:
                return value

    def _is_said(self, value: Any) -> bool:
        return isinstance(value, str) and self._is_in_text(value)

    def _is_in_text(self, text: str) -> bool:
        return _names_email(folded_address(text), self.text) if "@" in self.text else _names_phone(text, self.written)


def _names_email(text: str, email: str) -> bool:
    """Whether it stands there as a whole: ann@example.com is not in joann@example.com."""
    at = text.find(email)
    while at >= 0:
        before, after = text[:at][-1:], text[at + len(email) :]
        goes_on = after[:1].isalnum() or after[:1] == "-" or (after[:1] == "." and after[1:2].isalnum())
        if not (before.isalnum() or before in {".", "+", "-", "_"}) and not goes_on:
            return True
        at = text.find(email, at + 1)
    return False


def _names_phone(text: str, phone: str) -> bool:
    """Whether it stands there with or without its country; a part of it may be somebody else's."""
    digits = "".join(filter(str.isdecimal, phone))
    whole = {digits, national_digits(phone)}
    written = ("".join(filter(str.isdecimal, found[0])) for found in _NUMBER.finditer(text))
    return any(each.lstrip("0") in whole or each.removeprefix("011") in whole for each in written)


@dataclass(frozen=True, slots=True)
class Erased:
    """How many were erased, by what they are; `retained` are orders that wait, by environment and id."""

    erased: Mapping[str, int]
    retained: tuple[tuple[str, str], ...]


def _mentioning(connection: Connection, rows: Any, sought: Sought, *columns: str) -> list[dict[str, Any]]:
    found = connection.execute(rows).mappings().all()
    return [dict(row) for row in found if sought.is_in([row[column] for column in columns])]


def _choices(connection: Connection, sought: Sought) -> list[dict[str, Any]]:
    """People's own; what the journal keeps for itself is nobody's."""
    return _mentioning(connection, select(PREFERENCES).where(PREFERENCES.c.username != ""), sought, "value")


def _unsettled(connection: Connection, sought: Sought) -> list[dict[str, Any]]:
    return _mentioning(connection, select(UNSETTLED).where(UNSETTLED.c.body.is_not(None)), sought, "body")


def _entries_of(connection: Connection, attempt_ids: list[str]) -> Any:
    return connection.execute(WITH_NEWEST_OUTCOME.where(ATTEMPTS.c.attempt_id.in_(attempt_ids))).mappings().all()


def _imported(connection: Connection, sought: Sought) -> list[dict[str, Any]]:
    batch = ORDER_BATCHES.c
    orders = select(BATCH_ORDERS, batch.environment, batch.username, batch.state.label("batch_state"))
    return _mentioning(connection, orders.join(ORDER_BATCHES), sought, "source", "body", "result")


def _settled(connection: Connection, sought: Sought) -> list[dict[str, Any]]:
    return _mentioning(connection, select(OUTCOMES).where(OUTCOMES.c.settlement.is_not(None)), sought, "settlement")


@dataclass(frozen=True, slots=True)
class Held:
    """What is held, by what it is; nothing where `count` is 0."""

    parts: Mapping[str, list[dict[str, Any]]]

    @property
    def count(self) -> int:
        """How many things."""
        return sum(map(len, self.parts.values()))

    @property
    def json(self) -> bytes:
        """All of it as JSON, for the person who asked."""
        return json.dumps(self.parts, default=_text, ensure_ascii=False, indent=2).encode()


@dataclass(frozen=True, slots=True)
class Privacy:
    """Each method raises `PermissionDenied`, `SignedOut`, `JournalUnavailable`; an operator without a name is whoever
    runs the command.
    """

    _database: Database
    _audit: AuditTrail

    def export(self, operator: Operator, sought: Sought) -> Held:
        """All that is held about somebody; that it was given out is written down, and about whom is not."""
        return self._held(operator, sought, "given out")

    def look(self, operator: Operator, sought: Sought) -> Mapping[str, int]:
        """How much is held about somebody, by what it is; that somebody looked is written down, too."""
        return {what: len(each) for what, each in self._held(operator, sought, "looked for").parts.items()}

    def _held(self, operator: Operator, sought: Sought, noted_as: str) -> Held:
        operator.acts(Permission.SEE_TO_PRIVACY)
        with self._database.snapshot() as connection:
            bodies = {row["attempt_id"]: row["body"] for row in _unsettled(connection, sought)}
            attempts = [attempt_from(row, self._database.clock()) for row in _entries_of(connection, list(bodies))]
            shown = select(LINKS_SHOWN).where(LINKS_SHOWN.c.attempt_id.in_(bodies))
            parts = {
                "drafts": _mentioning(connection, select(DRAFTS), sought, "content"),
                "entries": [
                    {"environment": one.environment, "order_id": one.order_id, "operation": one.operation,
                     "state": one.state.value, "sent_by": one.username, "started_at": one.started_at,
                     "sent": bodies[one.attempt_id]}
                    for one in attempts
                ],
                "links": [dict(row) for row in connection.execute(shown).mappings()],
                "imported orders": _imported(connection, sought),
                "notes of settlements": [
                    {"attempt_id": row["attempt_id"], "note": row["settlement"].note}
                    for row in _settled(connection, sought)
                ],
                "notes on days": _mentioning(connection, select(TIME_NOTES), sought, "words"),
                "saved choices": _choices(connection, sought),
            }  # fmt: skip
        about = self._audit.about(self._audit.subject(sought.text, make=False))
        held = Held({**parts, "audit trail": [dict(items(row)) for row in about]})
        self._audit.note(AuditKind.PRIVACY, operator, what=noted_as, count=held.count)
        return held

    def erase(self, operator: Operator, sought: Sought) -> Erased:
        """Erase it, in one transaction; what must stay for money stays without the person.

        An order that is on its way, or was promised and waits, is kept until it is sent: then it is erased by itself.
        """
        operator.acts(Permission.SEE_TO_PRIVACY)
        erased: dict[str, int] = {}
        with self._database.write(erases=True) as connection:
            unsettled = [row["attempt_id"] for row in _unsettled(connection, sought)]
            waiting = {
                one.attempt_id: (one.environment, one.order_id)
                for one in (attempt_from(row, self._database.clock()) for row in _entries_of(connection, unsettled))
                if one.waits or one.state in OPEN - {AttemptState.UNKNOWN}
            }
            bodies = [each for each in unsettled if each not in waiting]
            connection.execute(update(UNSETTLED).where(UNSETTLED.c.attempt_id.in_(bodies)).values(body=None))
            drafts = [row["draft_id"] for row in _mentioning(connection, select(DRAFTS), sought, "content")]
            held_back = select(ATTEMPTS.c.draft_id).where(ATTEMPTS.c.attempt_id.in_(list(waiting)))
            removed = delete(DRAFTS).where(DRAFTS.c.draft_id.in_(drafts), DRAFTS.c.draft_id.not_in(held_back))
            erased |= {"drafts": connection.execute(removed).rowcount, "entries": len(bodies), "imported orders": 0}
            for row in _imported(connection, sought):
                if row["batch_state"] == BatchState.SENDING:
                    waiting[f"{row['batch_id']} {row['number']}"] = (row["environment"], row["order_id"] or row["name"])
                    continue
                gone = delete(BATCH_ORDERS).filter_by(batch_id=row["batch_id"], number=row["number"])
                erased["imported orders"] += connection.execute(gone).rowcount
            settled = _settled(connection, sought)
            for row in settled:  # outcomes are never changed: each stands there anew, as it was but for its note
                connection.execute(delete(OUTCOMES).filter_by(attempt_id=row["attempt_id"], number=row["number"]))
                row["settlement"] = replace(row["settlement"], note=ERASED)
                connection.execute(insert(OUTCOMES), row)
            notes = [row["note_id"] for row in _mentioning(connection, select(TIME_NOTES), sought, "words")]
            connection.execute(update(TIME_NOTES).where(TIME_NOTES.c.note_id.in_(notes)).values(words=ERASED))
            choices = _choices(connection, sought)
            for row in choices:
                mine = update(PREFERENCES).filter_by(username=row["username"], name=row["name"])
                connection.execute(mine.values(value=sought.without(row["value"])))
        erased |= {"notes of settlements": len(settled), "notes on days": len(notes), "saved choices": len(choices)}
        erased["audit trail"] = int(self._audit.forget_subject(sought.text))
        retained, count = tuple(waiting.values()), sum(erased.values())
        self._audit.note(AuditKind.PRIVACY, operator, what="erased", count=count, kept=len(retained))
        return Erased(erased, retained)


def _text(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)
