"""A figure as a thing: a value that cannot be without what it is told of.

Whatever draws a figure takes a `Figure`, never a number, and each part of a `Base` has to be given: so a number without
a base does not pass mypy. docs/figures.md lists every figure of every screen and file.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Generic, TypeVar

from warranty.claims.analysis.periods import Period
from warranty.language import N_, _
from warranty.language.written import number

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Base:
    """What a figure is told of: `of` in words, `count` of them, as of when (UTC), and what is not in it.

    `of` completes "of the …": `claims dated 1 Nov 2026 to 21 Nov 2026, product Gas grill`. `leaves_out` has
    sentences without a full stop, and is empty where nothing is left out.
    """

    of: str
    count: int
    as_of: datetime
    leaves_out: tuple[str, ...]

    @property
    def words(self) -> str:
        """The base for people: `Claims dated 21 Nov 2026, product Gas grill: 46`."""
        return f"{self.of[:1].upper()}{self.of[1:]}: {number(self.count)}"


class Verdict(StrEnum):
    """What the difference of two counts is worth; said with `_`."""

    BEYOND = N_("unlikely to be chance")
    USUAL = N_("could be sales or season")
    WITHIN = N_("could be chance")
    YOUNG = N_("too early to tell")


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A count of a month beside that of another, `against`; both were over and read completely."""

    now: int
    against: Period
    before: int
    verdict: Verdict

    @property
    def words(self) -> str:
        """Both counts and what their difference is worth: `42 · 36 in Sep 2026 · could be chance`."""
        now, before, verdict = number(self.now), number(self.before), _(self.verdict.value)
        return _(
            "{now} · {before} in {days} · {verdict}", now=now, before=before, days=self.against.month, verdict=verdict
        )

    @property
    def counts(self) -> str:
        """Both counts for a small place, beside which the verdict stands: `42 · 36 before`."""
        return _("{now} · {before} before", now=number(self.now), before=number(self.before))


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure(Generic[T]):
    """A value with its base; `name` is how screens, files and the list of all figures call it.

    None as a value: it cannot be told, and `why_not` says why. `changes` are told of counts alone; `no_change` says why
    there is none where somebody would look for one. `about` says how it is meant. Sentences without a full stop. `more`
    stands below the value.
    """

    name: str
    value: T | None
    base: Base
    why_not: str = ""
    about: str = ""
    changes: tuple[Change, ...] = ()
    no_change: str = ""
    more: str = ""

    @property
    def text(self) -> str:
        """The value in words: `1,204`; a dash where it cannot be told."""
        if self.value is None:
            return "–"
        return number(self.value) if isinstance(self.value, int | float) else str(self.value)

    @property
    def how_it_changed(self) -> str:
        """`42 · 36 in Sep 2026 · could be chance.`; empty without a change."""
        return f"{'; '.join(change.words for change in self.changes)}." if self.changes else ""
