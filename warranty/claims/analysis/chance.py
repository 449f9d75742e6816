"""What chance does to counts: two counts compared, and how sure a count or a share is. Exact, not approximated.

A distribution of counts is told here by the ratio of neighbouring chances, P(k + 1) / P(k), around its mean: no
factorial, no loss at counts of a million (tails are right to 1e-11).
"""

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Ratios = Callable[[NDArray[np.float64]], NDArray[np.float64]]


def differs(now: int, before: int, *, days_now: float = 1, days_before: float = 1, level: float = 0.9) -> bool:
    """Whether two counts differ by more than chance does at this level.

    Two Poisson counts of equal rate: `now` of their sum is binomial with days_now / (days_now + days_before)
    (Przyborowski and Wilenski 1940). Two-sided, exact: steady counts are told as different in at most 1 - level.
    """
    both, share = now + before, days_now / (days_now + days_before)
    above = binomial_at_least(now, both, share)
    below = 1 - binomial_at_least(now + 1, both, share)
    return 2 * min(above, below) <= 1 - level


@lru_cache(4096)
def count_interval(count: int, level: float) -> tuple[float, float]:
    """Low and high of the mean behind a Poisson count (Garwood 1936): means that explain it at `level`."""
    tail, most = (1 - level) / 2, count + 12 * (count + 10) ** 0.5
    low = where(lambda mean: poisson_at_least(count, mean), tail, most)
    return low, where(lambda mean: poisson_at_least(count + 1, mean), 1 - tail, most)


def binomial_at_least(count: int, trials: int, share: float) -> float:
    """Chance of `count` or more of `trials`, each of which comes with `share` (more than 0, less than 1)."""
    odds, mean = share / (1 - share), trials * share
    return at_least(count, lambda k: (trials - k) / (k + 1) * odds, mean, mean * (1 - share), trials)


def poisson_at_least(count: int, mean: float) -> float:
    """Chance of `count` or more where `mean` are expected (mean more than 0)."""
    return at_least(count, lambda k: mean / (k + 1), mean, mean)


def at_least(count: int, ratios: Ratios, mean: float, variance: float, most: float = np.inf) -> float:
    """P(X >= count) of a distribution of 0 to `most`, told by its `ratios` P(k + 1) / P(k)."""
    first, last = max(0, int(mean) - reach(variance)), int(min(int(mean) + reach(variance), most))
    if count <= first or count > last:
        return float(count <= first)
    return float(tails(ratios, first, last)[count - first])


def tails(ratios: Ratios, first: int, last: int) -> NDArray[np.float64]:
    """P(X >= k) for each k of `first` to `last`, beyond which nothing is held to be."""
    logarithms = np.append(0.0, np.cumsum(np.log(ratios(np.arange(first, last, dtype=np.float64)))))
    weights = np.exp(logarithms - logarithms.max())
    chances: NDArray[np.float64] = np.cumsum(weights[::-1])[::-1] / weights.sum()
    return chances


def reach(variance: float) -> int:
    """How far from the mean chances are above 1e-15."""
    return int(12 * (variance + 9) ** 0.5)


def where(rising: Callable[[float], float], wanted: float, most: float) -> float:
    """Find by halving up to where a rising function of 0 to `most` is below the wanted value, to 60 binary places."""
    low, high = 0.0, most
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < wanted else (low, middle)
    return low
