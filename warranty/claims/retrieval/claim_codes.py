"""What is counted of each claim, as small whole numbers: made once, when the claims are read.

Reading waits for the network and takes a hundred times as long, so nobody notices what this costs there; charts
made from it are counted without looking at a text or a timestamp of a warranty's start again (docs/benchmarks.md).
"""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd

OLDEST: Final = 1_826
"""Ages above five years are counted together, and so are claims dated before their warranty started."""
AGES: Final = OLDEST + 3
"""How many ages are told apart: before the start (0), each day from 0 to `OLDEST` (1 and on), and older."""
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
    """Status, product and age of each claim, row for row.

    The age of a warranty at its claim is the number of days from the day on which it started, in UTC, to the claim's
    day in service time: the zone of service time is not documented, so an age may be a day off for claims around
    midnight. `ages` has it in days, 1 for the day of the start (see `AGES`).
    """

    statuses: Coded
    products: Coded
    ages: npt.NDArray[np.int16]

    @classmethod
    def of(cls, frame: pd.DataFrame) -> "ClaimCodes":
        """Code the rows of `frame`, which has the columns of `ClaimSet.frame`."""
        claimed, started = moments(frame["claim_date"]), moments(frame["warranty_start_date"])
        ages = np.clip(claimed // DAY - started // DAY, -1, OLDEST + 1) + 1
        return cls(Coded.of(frame["status"]), Coded.of(frame["product_name"]), ages.astype(np.int16))

    def take(self, rows: _Numbers) -> "ClaimCodes":
        """Give the codes of some rows."""
        return ClaimCodes(self.statuses.take(rows), self.products.take(rows), self.ages[rows])


def moments(column: "pd.Series[Any]") -> _Numbers:
    """Give moments as microseconds since 1970: of UTC where they have a zone, of service time where not."""
    return np.asarray(column, dtype="M8[us]").view(np.int64)


def to_months(days: _Numbers) -> _Numbers:
    """Give the months of days, both counted since 1970."""
    return days.astype("M8[D]").astype("M8[M]").astype(np.int64)
