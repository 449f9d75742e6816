"""Filters that the interface does not offer: on what was read, by status, product, words and a picked bar."""

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

import pandas as pd

from warranty.claims.analysis.pick import NO_PICK, ChartPick
from warranty.client.resources.claims import DOCUMENTED_CLOSED

_ACCENTS: Final = re.compile("[\u0300-\u036f]")
_SEARCHED: Final = ("description", "order_id", "product_name", "warranty_id", "status")


@dataclass(frozen=True, slots=True)
class Selection:
    """Claims with one of `statuses`, one of `products`, every word of `text`, behind a bar; empty: no condition.

    `open_only`: without those whose status is among the `closed` words, by which a bar of open claims is told as well.

    Statuses and products are compared letter by letter: they are an open set, and a case may mean something.
    Words are searched without regard to case and accents in all texts of a claim.
    """

    statuses: tuple[str, ...] = ()
    products: tuple[str, ...] = ()
    text: str = ""
    pick: ChartPick = NO_PICK
    open_only: bool = False
    closed: tuple[str, ...] = DOCUMENTED_CLOSED

    def __bool__(self) -> bool:
        return bool(self.statuses or self.products or self.text.split() or self.pick or self.open_only)

    def of(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Give the rows that are meant; their index is kept, so that `ClaimTable.as_received` finds them."""
        if not self:
            return frame
        keep = pd.Series(True, index=frame.index)
        if self.statuses:
            keep &= frame["status"].isin(self.statuses)
        if self.products:
            keep &= frame["product_name"].isin(self.products)
        for word in self.text.split():
            keep &= _mentions(frame, _folded(word))
        if self.open_only:
            keep &= ~frame["status"].isin(self.closed)
        if self.pick:
            keep &= self.pick.of(frame, closed=self.closed)
        return frame[keep]


def choices(frame: pd.DataFrame, column: str) -> dict[str, int]:
    """How often each value of a column (status, product_name) occurs, the most frequent first. The set is open."""
    counts = frame[column].astype("str").value_counts().sort_index().sort_values(ascending=False, kind="stable")
    return {str(value): int(count) for value, count in counts.items()}


def _mentions(frame: pd.DataFrame, word: str) -> "pd.Series[bool]":
    found = pd.Series(False, index=frame.index)
    for column in _SEARCHED:
        values = frame[column]
        if isinstance(values.dtype, pd.CategoricalDtype):
            hits = [value for value in values.cat.categories if word in _folded(str(value))]
            found |= values.isin(hits)
        else:
            plain = values.str.normalize("NFKD").str.replace(_ACCENTS, "", regex=True)
            found |= plain.str.casefold().str.contains(word, regex=False)
    return found


def _folded(text: str) -> str:
    return _ACCENTS.sub("", unicodedata.normalize("NFKD", text)).casefold()
