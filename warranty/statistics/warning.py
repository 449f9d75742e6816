"""Early warning: is a month's count more than the product's own past explains?

A product's claims are Poisson around a mean that its past tells only roughly: what is expected of the month is gamma,
so the count is negative binomial (gamma-Poisson predictive). The past may grow or shrink with the sales: its trend is
taken out, and what is not known of the trend makes the expectation wider.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from warranty.statistics.chance import at_least, poisson_at_least, where

Floats = NDArray[np.float64]

ONE_IN: Final = 600
"""Over 200 steady products less than one false alarm a quarter, and a doubling of 30 is seen in its first month."""
FEWEST_MONTHS: Final = 12
USUAL_GROWTH: Final = (0.015, 0.02)
"""Of claims a month, and how far it varies: sales grow by -3 to 6 %."""
_JUMPS: Final = 3
_ROUNDS: Final = 10
_LONGEST: Final = 6


@dataclass(frozen=True, slots=True)
class EarlyWarning:
    """What was expected of the month, the chance of `now` or more, and whether that is rarer than 1 in `one_in`.

    `threshold` is the count from which the rule rings and `by_chance` how often it does in a month of a steady
    product. `since` counts the months that the rise has lasted (1: this month alone; 0: it does not ring).
    """

    expected: float
    probability: float
    rings: bool
    since: int
    threshold: int
    by_chance: float


def growth_of(totals: Sequence[int]) -> tuple[float, float]:
    """How fast the claims of a whole shop grow a month, and how sure that is: for `rings` of each product of it."""
    counts = np.asarray(totals, dtype=np.float64)
    if not counts.any():
        return USUAL_GROWTH
    fit = _fit(counts, np.ones(len(counts)), USUAL_GROWTH)
    return fit.growth, fit.growth_varies


def rings(
    history: Sequence[int],
    now: int,
    *,
    exposure: Sequence[float] | None = None,
    growth: tuple[float, float] = USUAL_GROWTH,
    one_in: int = ONE_IN,
) -> EarlyWarning | None:
    """Judge `now` by the equally long months before it, oldest first; None where fewer than 12 or without a claim.

    What is expected grows as the product's own past does, which is taken to be near `growth` (mean and deviation a
    month; `growth_of` the other products is better than the usual). With `exposure`, a value for each month and one
    more for now (claims expected of the plans started, or plans that run), claims are in proportion to it instead. A
    month of the last six that rang by itself explains none of the later ones: a rise that lasts goes on ringing.
    """
    counts = np.append(np.asarray(history, dtype=np.float64), now)
    months = len(history)
    base = np.ones(months + 1) if exposure is None else np.asarray(exposure, dtype=np.float64)
    growing = growth if exposure is None else None
    past = base.copy()
    rang = np.zeros(months + 1, dtype=np.bool_)
    fit, probability = None, 1.0
    for month in range(max(FEWEST_MONTHS, months - _LONGEST), months + 1):
        if counts[:month][past[:month] > 0].any():
            fit = _fit(counts[:month], np.append(past[:month], base[month]), growing)
            probability = _predictive(int(counts[month]), fit.expected, fit.shape)
            rang[month] = probability <= 1 / one_in
            past[month] *= not rang[month]
    if fit is None:
        return None
    threshold, by_chance = _threshold(fit.expected, fit.shape, 1 / one_in)
    since = int(np.argmin(np.append(rang[::-1], False)))
    return EarlyWarning(fit.expected, probability, bool(rang[-1]), since, threshold, by_chance)


def false_alarms_a_year(warnings: Iterable[EarlyWarning]) -> float:
    """How many months of a year the rule rings over these products though nothing changed."""
    return 12 * sum(each.by_chance for each in warnings)


def rise_it_would_see(warning: EarlyWarning, power: float = 0.90) -> float:
    """How many times as many claims as expected the rule finds in their first month in `power` of cases."""
    most = 4 * warning.threshold + 40.0
    return where(lambda mean: poisson_at_least(warning.threshold, mean), power, most) / warning.expected


@dataclass(frozen=True, slots=True)
class _Fit:
    """What is expected of the last month, and its gamma shape; growth a month, and its deviation."""

    expected: float
    shape: float
    growth: float
    growth_varies: float


def _fit(counts: Floats, base: Floats, growing: tuple[float, float] | None) -> _Fit:
    """Poisson regression of log(count / base) on the month, by Newton; its slope has a normal prior (None: it is 0).

    `base` has a month more than `counts` where that month is to be judged, and 0 where one is not to be taken. A past
    that jumps by more than chance explains makes what is expected of the last month wider.
    """
    design = np.stack([np.ones(len(base)), np.arange(len(base)) - len(base) + 1.0], axis=1)
    usual, held = np.array([0.0, growing[0] if growing else 0.0]), np.zeros(2)
    held[1] = growing[1] ** -2 if growing else 1e12
    past, b, beta = design[: len(counts)], base[: len(counts)], usual.copy()
    counts = np.where(b > 0, counts, 0)
    beta[0] = np.log(counts.sum() / (b * np.exp(past @ usual)).sum())
    for _ in range(_ROUNDS):
        fitted = b * np.exp(past @ beta)
        information = (past.T * fitted) @ past + np.diag(held)
        beta = beta + np.linalg.solve(information, past.T @ (counts - fitted) - held * (beta - usual))
    variances = np.diag(np.linalg.inv(information))
    taken = fitted > 0
    free = int(taken.sum()) - (2 if growing else 1)
    jumps = float(((counts - fitted)[taken] ** 2 / fitted[taken]).sum()) / free
    dispersion = jumps if jumps > 1 + _JUMPS * (2 / free) ** 0.5 else 1.0
    expected = float(base[-1] * np.exp(design[-1] @ beta))
    shape = expected / (dispersion - 1 + dispersion * expected * float(variances[0]))
    return _Fit(expected, shape, float(beta[1]), float(variances[1]) ** 0.5)


def _predictive(count: int, expected: float, shape: float) -> float:
    share = expected / (expected + shape)
    return at_least(
        count, lambda k: (k + shape) / (k + 1) * share, expected, expected * (1 + expected / shape)
    )


def _threshold(expected: float, shape: float, chance: float) -> tuple[int, float]:
    """Smallest count that is rarer than `chance`, and how rare it is."""
    low, high = int(expected), int(expected + 12 * (expected * (1 + expected / shape) + 9) ** 0.5)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if _predictive(middle, expected, shape) <= chance else (middle + 1, high)
    return low, _predictive(low, expected, shape)
