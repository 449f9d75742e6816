"""What is counted of each claim, as small whole numbers: made once, when the claims are read.

Reading waits for the network and takes a hundred times as long, so nobody notices what this costs there; charts
made from it are counted without looking at a text or a timestamp of a warranty's start again (docs/benchmarks.md).
"""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd

DAY: Final = 86_400_000_000
_Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Coded:
    """A column of words as codes into `names`."""

    codes: npt.NDArray[np.integer[Any]]
    names: tuple[str, ...]

    @classmethod
    def of(cls, column: "pd.Series[Any]") -> "Coded":
        """Code a column; a missing word is an empty one."""
        codes, names = column.factorize(use_na_sentinel=False)
        return cls(codes.astype(np.int32), tuple(pd.Series(names).astype("str").fillna("")))

    def take(self, rows: _Numbers) -> "Coded":
        """Give the codes of some rows."""
        return Coded(self.codes[rows], self.names)


@dataclass(frozen=True, slots=True)
class ClaimCodes:
    """Status and product of each claim, row for row."""

    statuses: Coded
    products: Coded

    @classmethod
    def of(cls, frame: pd.DataFrame) -> "ClaimCodes":
        """Code the rows of `frame`, which has the columns of `ClaimSet.frame`."""
        return cls(Coded.of(frame["status"]), Coded.of(frame["product_name"]))

    def take(self, rows: _Numbers) -> "ClaimCodes":
        """Give the codes of some rows."""
        return ClaimCodes(self.statuses.take(rows), self.products.take(rows))


def moments(column: "pd.Series[Any]") -> _Numbers:
    """Give moments as microseconds since 1970: of UTC where they have a zone, of service time where not."""
    return np.asarray(column, dtype="M8[us]").view(np.int64)


def to_months(days: _Numbers) -> _Numbers:
    """Give the months of days, both counted since 1970."""
    return days.astype("M8[D]").astype("M8[M]").astype(np.int64)
