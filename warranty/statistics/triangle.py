"""Claims still to come on plans already started: chain ladder over start months by age, with what chance adds.

Rows are start months, columns ages in calendar months, cells the claims of a start month at an age. A start month has a
size (its plans where known, else its claims so far over the share of claims that come up to its age) and all share one
pattern by age: a claim of start month s at age a is expected size(s) * pattern(a) times.
"""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.int64]
Floats = NDArray[np.floating[Any]]

FEWEST_STARTS: Final = 3
"""Start months that must have reached an age before anything is told of it."""


@dataclass(frozen=True, slots=True)
class TooFew:
    """Why nothing is told, as a sentence."""

    why: str


@dataclass(frozen=True, slots=True)
class Forecast:
    """Claims expected in each month ahead (first: the month after the last that was seen whole).

    Of plans started in `starts` months, at ages below `ages` months: nobody has seen what comes later. `dispersion` is
    how many times the variance of chance alone the seen cells vary (at least 1). `draws` is [draws, months].
    """

    expected: Floats
    draws: Floats
    starts: int
    ages: int
    dispersion: float

    def interval(self, level: float) -> tuple[Floats, Floats]:
        """Low and high of each month's claims, which come to lie between in `level` of cases."""
        low, high = np.quantile(self.draws, [(1 - level) / 2, (1 + level) / 2], axis=0, method="nearest")
        return low, high

    def total(self, level: float) -> tuple[float, float, float]:
        """All months together: expected, low, high."""
        low, high = np.quantile(self.draws.sum(axis=1), [(1 - level) / 2, (1 + level) / 2], method="nearest")
        return float(self.expected.sum()), float(low), float(high)


def forecast(
    counts: Counts,
    seen: NDArray[np.bool_],
    *,
    plans: Counts | None = None,
    months_ahead: int,
    draws: int = 999,
    seed: int = 0,
) -> Forecast | TooFew:
    """Foretell the claims of started plans from `counts` [starts, ages] where `seen` (a row: its first ages).

    Without `plans` [starts] (sold, by start month): chain ladder, which is the most likely Poisson model of rows by
    columns (Mack 1991). Its sureness is drawn, not assumed normal: 1 / factor is a share, hence beta; a row's size and
    a rate per plan are gamma; what comes is Poisson around them; all wider by the dispersion.
    """
    rows = seen[:, 0]
    counts, seen, reached = counts[rows], seen[rows], seen[rows].sum(axis=1)
    ages = int(np.argmin(np.append(seen.sum(axis=0) >= FEWEST_STARTS, False)))
    if ages < 2:
        return TooFew(f"Fewer than {FEWEST_STARTS} start months were seen for two months.")
    horizon = min(months_ahead, ages - int(reached.min()))
    known = np.where(seen, counts, 0)[:, :ages].astype(np.float64)
    seen, so_far = seen[:, :ages], known.sum(axis=1)
    if horizon < 1 or not known.any():
        return TooFew(
            "No claim was seen." if horizon >= 1 else "No start month has an age ahead that was seen."
        )
    rng = np.random.default_rng(seed)
    if plans is None:
        before, added = developed(known, seen)
        share = _shares(before[None], added[None])
    else:
        sold = plans[rows].astype(np.float64)
        claimed, under = known.sum(axis=0), (sold[:, None] * seen).sum(axis=0)
    last = np.minimum(reached, ages) - 1
    if plans is None:
        sizes = np.divide(so_far, share[0, last], out=np.zeros(len(so_far)), where=share[0, last] > 0)
        pattern = np.diff(share, prepend=0.0)
    else:
        sizes = sold
        pattern = (claimed / np.maximum(under, 1))[None]
    spread = _dispersion(known, sizes[:, None] * pattern, seen)
    if plans is None:
        drawn = _shares(
            rng.gamma(before / spread, size=(draws, ages)), rng.gamma(added / spread, size=(draws, ages))
        )
        made = rng.gamma(so_far / spread, size=(draws, len(so_far))) * spread
        size_draws = np.divide(made, drawn[:, last], out=np.zeros_like(made), where=drawn[:, last] > 0)
        pattern_draws = np.diff(drawn, prepend=0.0, axis=1)
    else:
        size_draws = np.broadcast_to(sold, (draws, len(sold)))
        pattern_draws = rng.gamma(claimed / spread, size=(draws, ages)) * spread / np.maximum(under, 1)
    means = _ahead(size_draws, pattern_draws, reached, horizon)
    return Forecast(
        _ahead(sizes[None], pattern, reached, horizon)[0],
        rng.poisson(means / spread) * spread,
        len(sizes),
        ages,
        spread,
    )


def developed(known: Floats, seen: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """For each age: claims before it and at it, of the start months seen at it. Factor: (before + at) / before."""
    before = ((np.cumsum(known, axis=1) - known) * seen).sum(axis=0)
    return before, (known * seen).sum(axis=0)


def _shares(before: Floats, added: Floats) -> Floats:
    """Share of all claims that have come up to each age [draws, ages]: the product of later before / (before + at)."""
    both = before + added
    kept = np.divide(before, both, out=np.ones_like(both), where=both > 0)[:, 1:]
    return np.append(
        np.cumprod(kept[:, ::-1], axis=1, dtype=np.float64)[:, ::-1], np.ones((len(kept), 1)), axis=1
    )


def _dispersion(known: Floats, fitted: Floats, seen: NDArray[np.bool_]) -> float:
    told = seen & (fitted > 0)
    free = int(told.sum()) - sum(known.shape)
    if free < 1:
        return 1.0
    return max(1.0, float(((known - fitted)[told] ** 2 / fitted[told]).sum() / free))


def _ahead(sizes: Floats, pattern: Floats, reached: NDArray[np.int64], horizon: int) -> Floats:
    """Expected claims [draws, months ahead] of all rows, at ages that have a pattern."""
    padded = np.append(pattern, np.zeros((len(pattern), horizon)), axis=1)
    ahead = np.minimum(reached, pattern.shape[1])
    return np.stack([(sizes * padded[:, ahead + month]).sum(axis=1) for month in range(horizon)], axis=1)
