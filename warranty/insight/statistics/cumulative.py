"""Mean cumulative claims of a plan by age (Nelson 2003): not the share that claimed, since a plan may claim twice."""

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Cumulative:
    """Claims a plan by the end of each age (months); the mean lies between `low` and `high` at the level asked for.

    `plans` are those that were seen at that age: the base.
    """

    ages: NDArray[np.int64]
    mean: Floats
    low: Floats
    high: Floats
    plans: NDArray[np.int64]


def mean_cumulative(
    claims: NDArray[np.int64], plans: NDArray[np.int64], seen: NDArray[np.bool_], *, level: float = 0.95
) -> Cumulative:
    """Add up, age by age, claims per plan seen at that age: M(a) = sum of d(j) / n(j) for j up to a.

    `claims` and `seen` are [starts, ages], `plans` [starts]. Variance of Poisson counts, sum of d / n² (a robust one
    needs to know which plan each claim is of); interval on the logarithm, M · exp(± z · deviation / M). Without a claim
    so far the interval ends where none would be a chance of (1 - level) / 2. Ends where no plan was seen.
    """
    under = (plans[:, None] * seen).sum(axis=0)
    ages = int(np.argmin(np.append(under > 0, False)))
    under, d = under[:ages], np.where(seen, claims, 0).sum(axis=0)[:ages]
    mean, variance = np.cumsum(d / under), np.cumsum(d / under.astype(np.float64) ** 2)
    tail = (1 - level) / 2
    none = mean == 0
    width = np.exp(NormalDist().inv_cdf(1 - tail) * np.sqrt(variance) / np.where(none, 1, mean))
    high = np.where(none, -np.log(tail) / np.minimum.accumulate(under), mean * width)
    return Cumulative(np.arange(ages), mean, mean / width, high, under)
