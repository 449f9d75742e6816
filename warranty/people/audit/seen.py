"""The newest row of the trail as it was last seen, in a file outside its database: who puts back an older copy of that
is found by a row that is gone.
"""

import logging
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, NamedTuple, Self

from warranty.disk import write_whole
from warranty.people.audit.chain import Break, Chain, Fault
from warranty.people.audit.trail import AuditTrail

_NAME: Final = "audit-seen"
_log: Final = logging.getLogger("warranty.journal")


class Seen(NamedTuple):
    """A row by its number and its seal."""

    number: int
    seal: str

    @classmethod
    def read(cls, text: str) -> Self:
        """Of `NUMBER:SEAL`; raises `ValueError`."""
        number, _, seal = text.strip().partition(":")
        if not seal:
            raise ValueError
        return cls(int(number), seal)

    def __str__(self) -> str:
        return f"{self.number}:{self.seal}"


@dataclass(frozen=True, slots=True)
class Watched:
    """A trail, and the folder in which its newest row is noted; each method may raise `JournalUnavailable`."""

    trail: AuditTrail
    folder: Path

    @property
    def file(self) -> Path:
        """Where it is noted."""
        return self.folder / _NAME

    def verify(self, *seen: Seen) -> Chain:
        """As `AuditTrail.verify`, and whether the row of the file and those `seen` elsewhere are there still.

        Where all holds, the newest row takes the place of the one in the file.
        """
        chain = self.trail.verify()
        gone = [one for one in (*self._noted(), *seen) if not self.trail.has(*one)]
        faults = [Fault(Break.TAKEN_BACK, one.number, one.number) for one in gone]
        chain = replace(chain, faults=(*chain.faults, *faults))
        if chain.holds and chain.rows:
            self.note(Seen(chain.newest, chain.seal))
        return chain

    def look(self) -> None:
        """Put the newest row in the place of the one in the file, if that is there still; says so in the log if not."""
        if any(not self.trail.has(*one) for one in self._noted()):
            _log.error("the audit trail is not as it was seen: verify it")
        elif (newest := self.trail.newest()) is not None:
            self.note(Seen(*newest))

    def note(self, seen: Seen) -> None:
        """Write the file, for its owner's eyes, whole or not at all; where it cannot be written, the log says so."""
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_whole(self.file, f"{seen}\n".encode())
        except OSError as fault:
            _log.error("the newest row of the audit trail was not noted: %s", type(fault).__name__)

    def _noted(self) -> list[Seen]:
        """The row of the file; none where there is no such file, or nothing to be read in it."""
        try:
            return [Seen.read(self.file.read_text("ascii"))]
        except (OSError, ValueError):
            return []
