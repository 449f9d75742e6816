"""A history that DuckDB counts: for one so large that numpy should not sort it anew for each product.

It answers as `lives.Lives` does, by one table that is made once for a set of nights. Needs `warranty-desk[history]`.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import date
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final, Self

import numpy as np
import pandas as pd

from warranty.claims.analysis.cube import to_day
from warranty.claims.analysis.periods import Period
from warranty.insight.history.lives import NEVER, Intervals, Opened, down, intervals_of, moves_table, up
from warranty.insight.history.runs import Runs

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

# A row for each run, with what its claim was before and becomes next; days since 1970, nights by number.
_LIVES: Final = """
CREATE TABLE lives AS
WITH placed AS (
    SELECT claim, made, product, status, list_contains($closed, status) AS closed, first,
        least(last, $last) AS last, greatest(known + 1, first) AS unread, begun.day AS begun,
        coalesce(known_in.day, made - 1) AS read
    FROM runs JOIN claims USING (claim) JOIN nights AS begun ON begun.night = first
        LEFT JOIN nights AS known_in ON known_in.night = known
)
SELECT *, lag(status) OVER life AS before, lag(read) OVER life AS read_before, lag(begun) OVER life AS begun_before,
    coalesce(lag(read, 2) OVER life, made) AS since, lead(closed) OVER life AS closed_next,
    coalesce(bool_or(closed) OVER (life ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), false) AS closed_before,
    coalesce(NOT closed AND NOT lag(closed) OVER life AND first = lag(last) OVER life + 1, false) AS goes_on,
    coalesce(NOT closed AND NOT lead(closed) OVER life AND last + 1 = lead(first) OVER life, false) AS will_go_on
FROM placed WINDOW life AS (PARTITION BY claim ORDER BY first)
"""
_CHOSEN: Final = "made BETWEEN $first AND $last AND ($product IS NULL OR product = $product)"
_INTERVALS: Final = f"""
SELECT coalesce(read_before - made, -1) AS after, begun - made AS until, count(*) AS claims FROM lives
WHERE {_CHOSEN} AND closed AND NOT closed_before GROUP BY ALL
UNION ALL
SELECT read - made, NULL, count(*) FROM lives
WHERE {_CHOSEN} AND NOT closed AND NOT closed_before AND closed_next IS NULL GROUP BY ALL
"""  # noqa: S608 - of constants alone
_MOVES: Final = f"""
SELECT before, status, read_before - begun_before AS least, begun - since AS most, count(*) AS claims FROM lives
WHERE {_CHOSEN} AND status <> before GROUP BY ALL ORDER BY ALL
"""  # noqa: S608 - of constants alone
_OPENED: Final = """
WITH chosen AS (SELECT * FROM lives WHERE $product IS NULL OR product = $product),
parted AS (SELECT *, NOT closed AND NOT will_go_on AS leaves, closed AND NOT closed_next AS opens FROM chosen)
SELECT 'came' AS what, first AS night, count(*) AS claims FROM parted WHERE NOT closed AND NOT goes_on GROUP BY ALL
UNION ALL SELECT 'left', last + 1, count(*) FROM parted WHERE leaves GROUP BY ALL
UNION ALL SELECT 'passed', first, count(*) FROM parted WHERE closed AND before IS NULL GROUP BY ALL
UNION ALL SELECT 'perhaps_closed', unread, count(*) FROM parted WHERE leaves GROUP BY ALL
UNION ALL SELECT 'perhaps_closed', last + 1, -count(*) FROM parted WHERE leaves GROUP BY ALL
UNION ALL SELECT 'perhaps_open', unread, count(*) FROM parted WHERE opens GROUP BY ALL
UNION ALL SELECT 'perhaps_open', last + 1, -count(*) FROM parted WHERE opens GROUP BY ALL
"""


def is_installed() -> bool:
    """Whether DuckDB is there."""
    return find_spec("duckdb") is not None


@dataclass(frozen=True, slots=True)
class QueriedLives:
    """A history in DuckDB's memory, of all products or of one (`product`: its place among those kept)."""

    nights: tuple[date, ...]
    products: tuple[str, ...]
    statuses: tuple[str, ...]
    kept: tuple[str, ...]
    database: "DuckDBPyConnection"
    product: int | None = None

    @classmethod
    def of(cls, kept: Runs, *, closed: Collection[str]) -> Self:
        """Count the claims of all products; `closed` are the statuses that mean it, letter by letter."""
        database = import_module("duckdb").connect()
        claims = kept.claims[["made", "product"]]
        database.register("claims", claims.assign(claim=np.arange(len(claims), dtype=np.int32)))
        database.register("runs", kept.runs)
        days = kept.days
        database.register("nights", pd.DataFrame({"night": np.arange(len(days)), "day": days}))
        places = [place for place, word in enumerate(kept.statuses) if word in closed]
        database.execute(_LIVES, {"closed": places, "last": len(days) - 1})
        for name in ("claims", "runs", "nights"):
            database.unregister(name)
        return cls(
            tuple(day for day, _ in kept.taken),
            tuple(sorted(kept.products)),
            tuple(kept.statuses),
            tuple(kept.products),
            database,
        )

    def of_product(self, name: str | None) -> Self:
        """The same of one product, or of all."""
        place = self.kept.index(name) if name in self.kept else -1
        return replace(self, product=None if name is None else place)

    def intervals(self, made: Period) -> Intervals:
        """See `History`."""
        told = self._asked(_INTERVALS, made)
        until = told["until"].to_numpy(np.float64, na_value=np.inf)
        places = np.where(np.isinf(until), NEVER, up(np.where(np.isinf(until), 0, until)))
        pairs, place = np.unique(down(told["after"].to_numpy()) * (NEVER + 1) + places, return_inverse=True)
        return intervals_of(pairs, np.bincount(place, told["claims"], len(pairs)).astype(np.int64))

    def moves(self, made: Period) -> pd.DataFrame:
        """See `History`."""
        told = self._asked(_MOVES, made)
        kind, kinds = pd.factorize(pd.MultiIndex.from_frame(told[["before", "status"]]))
        size = len(kinds) * (NEVER + 1)
        least, most = (
            np.bincount(kind * (NEVER + 1) + places, told["claims"], size).astype(np.int64).reshape(-1, NEVER + 1)
            for places in (down(told["least"].to_numpy()), up(told["most"].to_numpy()))
        )
        words = tuple((self.statuses[before], self.statuses[after]) for before, after in kinds)
        return moves_table(words, least, most)

    def opened(self) -> Opened:
        """See `History`."""
        told = self.database.cursor().execute(_OPENED, {"product": self.product}).df()
        size = len(self.nights)

        def by_night(what: str) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
            rows = told[told["what"] == what]
            counts = np.bincount(rows["night"].to_numpy(np.int64), rows["claims"], size)
            return counts[:size].astype(np.int64)

        return Opened(
            by_night("came"),
            by_night("left"),
            by_night("passed"),
            np.cumsum(by_night("perhaps_closed")),
            np.cumsum(by_night("perhaps_open")),
        )

    def _asked(self, question: str, made: Period) -> pd.DataFrame:
        asked = {"first": to_day(made.first), "last": to_day(made.last), "product": self.product}
        return self.database.cursor().execute(question, asked).df()
