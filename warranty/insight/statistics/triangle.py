"""Claims still to come on plans already started: chain ladder over start months by age, with what chance adds.

Rows are start months, columns ages in calendar months, cells the claims of a start month at an age. A start month has a
size (its plans where known, else its claims so far over the share of claims that come up to its age) and all share one
pattern by age: a claim of start month s at age a is expected size(s) * pattern(a) times.
"""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from warranty.language import N_, Sentence

Counts = NDArray[np.int64]
Floats = NDArray[np.floating[Any]]

FEWEST_STARTS: Final = 3
"""Start months that must have reached an age before anything is told of it."""


@dataclass(frozen=True, slots=True)
class TooFew:
    """Why nothing is told, as a sentence."""

    why: Sentence


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
    columns (Mack 1991). Its sureness is drawn, not assumed normal: the sums that it is made of are gamma, hence their
    shares beta; what comes is Poisson around them; all wider by the dispersion.
    """
    rows = seen[:, 0]
    counts, seen, reached = counts[rows], seen[rows], seen[rows].sum(axis=1)
    ages = int(np.argmin(np.append(seen.sum(axis=0) >= FEWEST_STARTS, False)))
    if ages < 2:
        return TooFew(Sentence(N_("Fewer than {n} start months were seen for two months."), n=FEWEST_STARTS))
    horizon = min(months_ahead, ages - int(reached.min()))
    if horizon < 1:
        return TooFew(Sentence(N_("No start month has an age ahead that was seen.")))
    seen, reached = seen[:, :ages], np.minimum(reached, ages)
    known = np.where(seen, counts[:, :ages], 0).astype(np.float64)
    if not known.any():
        return TooFew(Sentence(N_("No claim was seen.")))

    def model(before: Floats, at: Floats, so_far: Floats) -> tuple[Floats, Floats]:
        """Sizes [.., starts] and pattern [.., ages] of what was counted."""
        if plans is not None:
            sold = plans[rows, None].astype(np.float64)
            return sold.T, _over(at, (sold * seen).sum(axis=0))
        share = _shares(before, at)
        return _over(so_far, share[:, reached - 1]), np.diff(share, prepend=0.0)

    def ahead(sizes: Floats, pattern: Floats) -> Floats:
        """Claims expected [.., months ahead] of all start months, at ages that have a pattern."""
        padded = np.pad(pattern, ((0, 0), (0, horizon)))
        return np.stack([(sizes * padded[:, reached + month]).sum(axis=1) for month in range(horizon)], axis=1)

    sums = *developed(known, seen), known.sum(axis=1)
    sizes, pattern = model(*(each[None] for each in sums))
    spread = _dispersion(known, sizes.T * pattern, seen)
    rng = np.random.default_rng(seed)
    drawn = (rng.gamma(each / spread, size=(draws, len(each))) * spread for each in sums)
    came = rng.poisson(ahead(*model(*drawn)) / spread) * spread
    return Forecast(ahead(sizes, pattern)[0], came, len(known), ages, spread)


def developed(known: Floats, seen: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """For each age: claims before it and at it, of the start months seen at it. Factor: (before + at) / before."""
    before = ((np.cumsum(known, axis=1) - known) * seen).sum(axis=0)
    return before, (known * seen).sum(axis=0)


def _shares(before: Floats, at: Floats) -> Floats:
    """Share of all claims that have come up to each age [.., ages]: the product of later before / (before + at)."""
    ratios = _over(before, before + at, none=1.0)
    later = np.append(ratios[:, 1:], np.ones((len(ratios), 1)), axis=1)
    shares: Floats = np.cumprod(later[:, ::-1], axis=1)[:, ::-1]
    return shares


def _over(part: Floats, whole: Floats, none: float = 0.0) -> Floats:
    """Divide, giving `none` where there is nothing to divide by."""
    share: Floats = np.divide(part, whole, out=np.full(part.shape, none), where=whole > 0)
    return share


def _dispersion(known: Floats, fitted: Floats, seen: NDArray[np.bool_]) -> float:
    informative = seen & (fitted > 0)
    free = int(informative.sum()) - sum(known.shape)
    apart = ((known - fitted)[informative] ** 2 / fitted[informative]).sum()
    return max(1.0, float(apart / free)) if free > 0 else 1.0
