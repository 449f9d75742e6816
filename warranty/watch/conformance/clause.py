"""A clause of the document, how it is tried, and what was found."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from warranty.watch.conformance.bench import Bench

Probe = Callable[[Bench], str | None]
"""Gives what is worth telling, or None; raises `Differs` or `CannotBeTried`."""


class Shown(StrEnum):
    """What a try has shown."""

    HOLDS = "holds"
    DIFFERS = "differs"
    NOT_RUN = "not run"


@dataclass(frozen=True, slots=True)
class Trial:
    """What was shown of one clause, with what was seen or why it was not run."""

    shown: Shown
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Clause:
    """One sentence of the document: its section, what it says, the try, and whether that may write or mail."""

    section: str
    says: str
    probe: Probe
    writes: bool


class Clauses(list[Clause]):
    """Clauses in the order in which they are tried; all of them may write, or none."""

    def __init__(self, *, write: bool) -> None:
        super().__init__()
        self._write = write

    def clause(self, section: str, says: str) -> Callable[[Probe], Probe]:
        """Add the clause that the decorated function tries."""

        def decorate(probe: Probe) -> Probe:
            self.append(Clause(section, says, probe, self._write))
            return probe

        return decorate
