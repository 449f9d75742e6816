"""A clause of the document, how it is tried, and what was found."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from warranty.conformance.bench import Bench


class Verdict(StrEnum):
    """What a try has shown."""

    HOLDS = "holds"
    DIFFERS = "differs"
    NOT_RUN = "not run"


@dataclass(frozen=True, slots=True)
class Finding:
    """The verdict on one clause, with what was seen or why it was not run."""

    verdict: Verdict
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Clause:
    """One sentence of the document: its section, what it says, whether trying it may write or mail, and the try.

    `probe` returns what is worth telling, or None; it raises `Differs` or `CannotBeTried`.
    """

    section: str
    says: str
    probe: Callable[[Bench], str | None]
    writes: bool = False
