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

from warranty.claims.analysis.chance import poisson_at_least, reach, tails, where

Floats = NDArray[np.float64]
Growth = tuple[float, float]

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
    """What was expected of the month, the chance of `now` or more, and whether that is rarer than 1 in `ONE_IN`.

    `threshold` is the count from which the rule rings and `by_chance` how often it does in a month of a steady
    product. `since` counts the months that the rise has lasted (1: this month alone; 0: it does not ring).
    """

    expected: float
    probability: float
    rings: bool
    since: int
    threshold: int
    by_chance: float


def growth_of(totals: Sequence[int]) -> Growth:
    """How fast the claims of a whole shop grow a month, and how sure that is: for `rings` of each product of it."""
    counts = np.asarray(totals, dtype=np.float64)
    if not counts.any():
        return USUAL_GROWTH
    (_, growth), (_, varies), _ = _fit(np.arange(len(counts)), counts, USUAL_GROWTH)
    return float(growth), float(varies) ** 0.5


def rings(history: Sequence[int], now: int, *, growth: Growth = USUAL_GROWTH) -> EarlyWarning | None:
    """Judge `now` by the equally long months before it, oldest first; None where fewer than 12 or without a claim.

    What is expected grows as the product's own past does, which is taken to be near `growth` (mean and deviation a
    month; `growth_of` the other products is better than the usual). A month of the last six that rang by itself
    explains none of the later ones: a rise that lasts goes on ringing.
    """
    counts, last = np.array([*history, now], dtype=np.float64), len(history)
    rang = np.zeros(last + 1, dtype=np.bool_)
    told = None
    for month in range(max(FEWEST_MONTHS, last - _LONGEST), last + 1):
        past = np.flatnonzero(~rang[:month])
        if counts[past].any():
            expected, tail = _predictive(*_fit(past - month, counts[past], growth))
            probability = float(tail[min(int(counts[month]), len(tail) - 1)])
            rang[month] = probability <= 1 / ONE_IN
            threshold = int(np.searchsorted(-tail, -1 / ONE_IN))
            since = int(np.argmin(np.append(rang[month::-1], False)))
            by_chance = float(tail[threshold])
            told = EarlyWarning(expected, probability, bool(rang[month]), since, threshold, by_chance)
    return told


def false_alarms_a_year(warnings: Iterable[EarlyWarning]) -> float:
    """How many months of a year the rule rings over these products though nothing changed."""
    return 12 * sum(each.by_chance for each in warnings)


def rise_it_would_see(warning: EarlyWarning, power: float = 0.90) -> float:
    """How many times as many claims as expected the rule finds in their first month in `power` of cases."""
    most = 4 * warning.threshold + 40.0
    return where(lambda mean: poisson_at_least(warning.threshold, mean), power, most) / warning.expected


def _fit(month: NDArray[np.int64], counts: Floats, growth: Growth) -> tuple[Floats, Floats, float]:
    """Poisson regression of log(count) on the month, by Newton; its slope has the normal prior `growth`.

    Gives the logarithm of the level at month 0 and the growth a month, the variances of both, and how many times the
    variance of chance alone the counts vary: 1 but where they jump by more than chance explains.
    """
    design = np.stack([np.ones(len(month)), month], axis=1)
    usual, held = np.array([0.0, growth[0]]), np.array([0.0, growth[1] ** -2])
    beta = np.array([np.log(counts.sum() / np.exp(design @ usual).sum()), growth[0]])
    for _ in range(_ROUNDS):
        fitted = np.exp(design @ beta)
        information = (design.T * fitted) @ design + np.diag(held)
        beta = beta + np.linalg.solve(information, design.T @ (counts - fitted) - held * (beta - usual))
    free = len(counts) - 2
    jumps = float(((counts - fitted) ** 2 / fitted).sum()) / free
    return beta, np.diag(np.linalg.inv(information)), jumps if jumps > 1 + _JUMPS * (2 / free) ** 0.5 else 1.0


def _predictive(fitted: Floats, varies: Floats, dispersion: float) -> tuple[float, Floats]:
    """What is expected of month 0, and the chance of so many or more, for each count from 0."""
    expected = float(np.exp(fitted[0]))
    variance = dispersion * expected * (1 + expected * float(varies[0]))
    shape = expected**2 / (variance - expected)
    ratio = expected / (expected + shape)
    return expected, tails(lambda k: (k + shape) / (k + 1) * ratio, 0, int(expected) + reach(variance))
