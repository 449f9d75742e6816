"""What a click on a bar of a chart picked out of what was read."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final, Self
from urllib.parse import quote, unquote

import pandas as pd

from warranty.claims.analysis.periods import Period
from warranty.language import _


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartPick:
    """The conditions of a bar, all of which must hold; None: no such condition.

    An empty status or product is one as well: the service's words are an open set.
    """

    days: Period | None = None
    status: str | None = None
    product: str | None = None
    is_open: bool = False

    def __bool__(self) -> bool:
        return self != NO_PICK

    def of(self, frame: pd.DataFrame, *, closed: Sequence[str]) -> "pd.Series[bool]":
        """Tell which rows are meant. `closed` is what is not open."""
        keep = pd.Series(True, index=frame.index)
        if self.days:
            keep &= frame["claim_date"].between(*self.days.times)
        if self.status is not None:
            keep &= frame["status"] == self.status
        if self.is_open:
            keep &= ~frame["status"].isin(closed)
        if self.product is not None:
            keep &= frame["product_name"] == self.product
        return keep

    def label(self, status: Callable[[str], str] = str) -> str:
        """The conditions for people, with what `status` makes of the service's word."""
        parts = [
            _("dated {days}", days=self.days.words) if self.days else "",
            "" if self.status is None else _("status {names}", names=shown_word(status(self.status))),
            _("open") if self.is_open else "",
            "" if self.product is None else _("product {names}", names=shown_word(self.product)),
        ]
        return ", ".join(part for part in parts if part)

    @property
    def parameter(self) -> str:
        """The pick as one parameter of an address."""
        parts = {
            "days": f"{self.days.first}..{self.days.last}" if self.days else None,
            "status": self.status,
            "open": "1" if self.is_open else None,
            "product": self.product,
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
            )
        except ValueError:
            return cls()


NO_PICK: Final = ChartPick()


def shown_word(word: str) -> str:
    """A status or a product for people, who would not see an empty one."""
    return word or _("(empty)")


def _read_days(text: str) -> Period:
    first, _, last = text.partition("..")
    return Period(date.fromisoformat(first), date.fromisoformat(last))
