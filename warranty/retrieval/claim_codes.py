"""What is counted of each claim, as small whole numbers: made once, when the claims are read.

Reading waits for the network and takes a hundred times as long, so nobody notices what this costs there; charts
made from it are counted without looking at a text or a timestamp of a warranty's start again (docs/benchmarks.md).
"""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa

OLDEST: Final = 1_826
"""Ages above five years are counted together, and so are claims dated before their warranty started."""
AGES: Final = OLDEST + 3
"""How many ages are told apart: before the start (0), each day from 0 to `OLDEST` (1 and on), and older."""
MONTHS: Final = 63
"""How many ages in calendar months are told apart: none (0), and from 0 (1) to five years, both ends included."""
DAY: Final = 86_400_000_000
_PART: Final = 1 << 15
_Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Coded:
    """A column of words as codes into `names`."""

    codes: npt.NDArray[np.integer[Any]]
    names: tuple[str, ...]

    @classmethod
    def of(cls, column: "pd.Series[Any]") -> "Coded":
        """Code a column; a category has its codes already. A missing word is an empty one."""
        values = column.array
        if isinstance(values, pd.Categorical) and (values.codes >= 0).all():
            return cls(values.codes, tuple(map(str, values.categories)))
        words = pa.array(column.astype("str").fillna(""), pa.large_string())
        if isinstance(words, pa.ChunkedArray):
            words = words.combine_chunks()
        coded = words.dictionary_encode()
        return cls(coded.indices.to_numpy(), tuple(coded.dictionary.to_pylist()))

    def take(self, rows: _Numbers) -> "Coded":
        """Give the codes of some rows."""
        return Coded(self.codes[rows], self.names)


@dataclass(frozen=True, slots=True)
class ClaimCodes:
    """Status, product and age of each claim, row for row.

    The age of a warranty at its claim is the number of days from the day on which it started, in UTC, to the claim's
    day in service time: the zone of service time is not documented, so an age may be a day off for claims around
    midnight. `ages` has it in days, 1 for the day of the start (see `AGES`); `months` has it in calendar months,
    1 for the month of the start, and 0 for a claim before its warranty started or more than five years after.
    """

    statuses: Coded
    products: Coded
    ages: npt.NDArray[np.int16]
    months: npt.NDArray[np.int8]

    @classmethod
    def of(cls, frame: pd.DataFrame) -> "ClaimCodes":
        """Code the rows of `frame`, which has the columns of `ClaimSet.frame`."""
        claimed, started = moments(frame["claim_date"]), moments(frame["warranty_start_date"])
        ages, months = np.empty(len(frame), np.int16), np.empty(len(frame), np.int8)
        # Part by part, so that what is worked on stays in the processor's cache.
        for begin in range(0, len(frame), _PART):
            part = slice(begin, begin + _PART)
            ages[part], months[part] = _ages(claimed[part] // DAY, started[part] // DAY)
        return cls(Coded.of(frame["status"]), Coded.of(frame["product_name"]), ages, months)

    def take(self, rows: _Numbers) -> "ClaimCodes":
        """Give the codes of some rows."""
        return ClaimCodes(
            self.statuses.take(rows), self.products.take(rows), self.ages[rows], self.months[rows]
        )


def moments(column: "pd.Series[Any]") -> _Numbers:
    """Give moments as microseconds since 1970: of UTC where they have a zone, of service time where not."""
    return np.asarray(column, dtype="M8[us]").view(np.int64)


def to_months(days: _Numbers) -> _Numbers:
    """Give the months of days, both counted since 1970."""
    return days.astype("M8[D]").astype("M8[M]").astype(np.int64)


def _ages(claimed: _Numbers, started: _Numbers) -> tuple[_Numbers, _Numbers]:
    """Give the ages in days and in months, as `ClaimCodes` has them, from days since 1970."""
    ages = np.clip(claimed - started, -1, OLDEST + 1) + 1
    counted = (ages > 0) & (ages < AGES - 1)
    started = np.where(counted, started, claimed)
    first, last = int(started.min()), int(claimed.max())
    if last - first < len(claimed):
        # Fewer days than claims: the months of the days are worked out, and looked up for the claims.
        calendar = to_months(np.arange(first, last + 1))
        months = calendar.take(claimed - first) - calendar.take(started - first)
    else:
        months = to_months(claimed) - to_months(started)
    return ages, (months + 1) * counted
