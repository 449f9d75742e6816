"""What a click on a bar of a chart picked out of what was read."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final, Self
from urllib.parse import quote, unquote

import pandas as pd

from warranty.claims.analysis.periods import Period
from warranty.claims.retrieval.claim_codes import DAY, moments
from warranty.language import _

Ages = tuple[int, int | None]
"""The first and the last day of a range of ages, both included; None: no last one."""
BEFORE_START: Final = -1
"""The last day of the age of a claim from before the warranty's start, by however much."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartPick:
    """The conditions of a bar, all of which must hold; None: no such condition.

    An empty status or product is one as well: the service's words are an open set.

    `age` are days from the warranty's start to the claim.
    """

    days: Period | None = None
    status: str | None = None
    product: str | None = None
    is_open: bool = False
    age: Ages | None = None

    def __bool__(self) -> bool:
        return self != NO_PICK

    def of(self, frame: pd.DataFrame, *, closed: Sequence[str]) -> "pd.Series[bool]":
        """Tell which rows are meant; days of age are counted as `ClaimCube` does. `closed` is what is not open."""
        keep = pd.Series(True, index=frame.index)
        if self.days:
            keep &= frame["claim_date"].between(*self.days.times)
        if self.status is not None:
            keep &= frame["status"] == self.status
        if self.is_open:
            keep &= ~frame["status"].isin(closed)
        if self.product is not None:
            keep &= frame["product_name"] == self.product
        if self.age:
            ages = moments(frame["claim_date"]) // DAY - moments(frame["warranty_start_date"]) // DAY
            low, high = self.age
            if high == BEFORE_START:
                keep &= ages < 0
            else:
                keep &= (ages >= low) & (True if high is None else ages <= high)
        return keep

    @property
    def words(self) -> str:
        """The conditions, with the service's own word for a status."""
        return self.said(shown_word)

    def said(self, status: Callable[[str], str]) -> str:
        """The conditions for people, with what `status` makes of the service's word."""
        said = [
            _("dated {days}", days=self.days.words) if self.days else "",
            "" if self.status is None else _("status {names}", names=status(self.status)),
            _("open") if self.is_open else "",
            "" if self.product is None else _("product {names}", names=shown_word(self.product)),
            _age_words(self.age) if self.age else "",
        ]
        return ", ".join(part for part in said if part)

    @property
    def parameter(self) -> str:
        """The pick as one parameter of an address."""
        parts = {
            "days": f"{self.days.first}..{self.days.last}" if self.days else None,
            "status": self.status,
            "open": "1" if self.is_open else None,
            "product": self.product,
            "age": f"{self.age[0]}..{'' if self.age[1] is None else self.age[1]}" if self.age else None,
        }
        return ";".join(f"{name}:{quote(part)}" for name, part in parts.items() if part is not None)

    @classmethod
    def from_parameter(cls, text: str) -> Self:
        """Read a parameter; where it cannot be read it picks nothing."""
        parts = {name: unquote(part) for name, _, part in (each.partition(":") for each in text.split(";"))}
        try:
            return cls(
                days=_read_days(parts["days"]) if "days" in parts else None,
                status=parts.get("status"),
                product=parts.get("product"),
                is_open=bool(parts.get("open")),
                age=_read_age(parts["age"]) if "age" in parts else None,
            )
        except ValueError:
            return cls()


NO_PICK: Final = ChartPick()


def shown_word(word: str) -> str:
    """A status or a product for people, who would not see an empty one."""
    return word or _("(empty)")


def _age_words(age: Ages) -> str:
    low, high = age
    if high == BEFORE_START:
        return _("claimed before the warranty's start")
    if high is None:
        return _("over {n} days after the warranty's start", n=low - 1)
    return _("{first} to {last} days after the warranty's start", first=low, last=high)


def _read_days(text: str) -> Period:
    first, _, last = text.partition("..")
    return Period(date.fromisoformat(first), date.fromisoformat(last))


def _read_age(text: str) -> Ages:
    low, _, high = text.partition("..")
    return int(low), int(high) if high else None
