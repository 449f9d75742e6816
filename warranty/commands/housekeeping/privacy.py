"""What is held about a customer: given out and erased, by an administrator or by whoever has the machine."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from warranty.access import Operator, Permission
from warranty.commands.housekeeping.about_person import Erased, Sought, erase_about, held_about
from warranty.database.database import Database
from warranty.people.audit import AuditKind, AuditTrail
from warranty.people.audit.trail import items


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
        parts: dict[str, list[dict[str, Any]]] = {
            **held_about(self._database, sought),
            "audit trail": [
                dict(items(row)) for row in self._audit.about(self._audit.subject(sought.text, make=False))
            ],
        }
        held = Held(parts)
        self._audit.note(AuditKind.PRIVACY, operator, what=noted_as, count=held.count)
        return held

    def erase(self, operator: Operator, sought: Sought) -> Erased:
        """Erase it; what must stay for money stays without the person."""
        operator.acts(Permission.SEE_TO_PRIVACY)
        done = erase_about(self._database, sought)
        forgotten = self._audit.forget_subject(sought.text)
        erased = Erased({**done.erased, "audit trail": int(forgotten)}, done.retained)
        self._audit.note(
            AuditKind.PRIVACY, operator, what="erased", count=sum(erased.erased.values()), kept=len(erased.retained)
        )
        return erased


def _text(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)
