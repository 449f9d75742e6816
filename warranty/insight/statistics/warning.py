"""Early warning: is a month's count more than the product's own past explains?

A product's claims are Poisson around a mean that its past tells only roughly: what is expected of the month is gamma,
so the count is negative binomial (gamma-Poisson predictive). The past may grow or shrink with the sales: its trend is
taken out, and so is the season of the year where it came again in the shop's past (`season_of`); what is not known of
either makes the expectation wider.
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
_YEAR: Final = 12
_FEWEST_YEARS: Final = 2
_WAVE: Final = 0.3
"""How far claims of a month usually are from the year's mean."""


@dataclass(frozen=True, slots=True, eq=False)
class Season:
    """How many times the usual claims a month brings, and how far that may vary: by months before the judged one."""

    factors: Floats
    varies: Floats

    def of(self, before: NDArray[np.int64]) -> Floats:
        """The factors of months so many months before the judged one."""
        return self.factors[before % _YEAR]


NO_SEASON: Final = Season(np.ones(_YEAR), np.zeros(_YEAR))


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


def season_of(totals: Sequence[int]) -> Season:
    """The season of a whole shop by its claims a month, oldest first, up to the one before the judged month.

    A wave of a year is fitted beside the trend. What a month of the year departs from both counts as far as it comes
    again: by the mean product of the departures of the same month in two years.
    """
    counts, before = np.asarray(totals, dtype=np.float64), np.arange(len(totals), 0, -1)
    if len(counts) < _FEWEST_YEARS * _YEAR or not counts.any():
        return NO_SEASON
    angle, place = 2 * np.pi * np.arange(_YEAR) / _YEAR, before % _YEAR
    turns = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    design = np.concatenate([_line(-before), turns[place]], axis=1)
    usual = np.array([0.0, USUAL_GROWTH[0], 0.0, 0.0])
    held = np.array([0.0, USUAL_GROWTH[1] ** -2, _WAVE**-2, _WAVE**-2])
    beta, covers, fitted = _regression(design, counts, usual, held, np.ones(len(counts)))
    expected, years, apart = np.bincount(place, fitted), np.bincount(place), counts / fitted - 1
    pairs = np.bincount(place, apart) ** 2 - np.bincount(place, apart**2)
    size = max(0.0, float(np.mean(pairs / (years * (years - 1)))))
    again = size * expected / (size * expected + 1)
    of_month = 1 + (np.bincount(place, counts) / expected - 1) * again
    of_wave = ((turns @ covers[2:, 2:]) * turns).sum(axis=1)
    return Season(np.exp(turns @ beta[2:]) * of_month, of_wave + again / expected)


def growth_of(totals: Sequence[int], season: Season = NO_SEASON) -> Growth:
    """How fast the claims of a whole shop grow a month, and how sure that is: for `rings` of each product of it."""
    counts = np.asarray(totals, dtype=np.float64)
    if not counts.any():
        return USUAL_GROWTH
    seasonal = season.of(np.arange(len(counts), 0, -1))
    (_, growth), (_, varies), _ = _fit(np.arange(len(counts)), counts, USUAL_GROWTH, seasonal)
    return float(growth), float(varies) ** 0.5


def rings(
    history: Sequence[int], now: int, *, growth: Growth = USUAL_GROWTH, season: Season = NO_SEASON
) -> EarlyWarning | None:
    """Judge `now` by the equally long months before it, oldest first; None where fewer than 12 or without a claim.

    What is expected grows as the product's own past does, which is taken to be near `growth` (mean and deviation a
    month; `growth_of` the other products is better than the usual). A month of the last six that rang by itself
    explains none of the later ones: a rise that lasts goes on ringing.
    """
    counts, last = np.array([*history, now], dtype=np.float64), len(history)
    rang, before = np.zeros(last + 1, dtype=np.bool_), np.arange(last, -1, -1)
    seasonal, unsure = season.of(before), season.varies[before % _YEAR]
    warning = None
    for month in range(max(FEWEST_MONTHS, last - _LONGEST), last + 1):
        past = np.flatnonzero(~rang[:month])
        if counts[past].any():
            fitted, varies, jumps = _fit(past - month, counts[past], growth, seasonal[past])
            expected = float(np.exp(fitted[0]) * seasonal[month])
            tail = _tail(expected, float(varies[0] + unsure[month]), jumps)
            probability = float(tail[min(int(counts[month]), len(tail) - 1)])
            rang[month] = probability <= 1 / ONE_IN
            threshold = int(np.searchsorted(-tail, -1 / ONE_IN))
            since = int(np.argmin(np.append(rang[month::-1], False)))
            by_chance = float(tail[threshold])
            warning = EarlyWarning(expected, probability, bool(rang[month]), since, threshold, by_chance)
    return warning


def false_alarms_a_year(warnings: Iterable[EarlyWarning]) -> float:
    """How many months of a year the rule rings over these products though nothing changed."""
    return 12 * sum(each.by_chance for each in warnings)


def rise_it_would_see(warning: EarlyWarning, power: float = 0.90) -> float:
    """How many times as many claims as expected the rule finds in their first month in `power` of cases."""
    most = 4 * warning.threshold + 40.0
    return where(lambda mean: poisson_at_least(warning.threshold, mean), power, most) / warning.expected


def _fit(month: NDArray[np.int64], counts: Floats, growth: Growth, season: Floats) -> tuple[Floats, Floats, float]:
    """Poisson regression of log(count / season) on the month, by Newton; its slope has the normal prior `growth`.

    Gives the logarithm of the level at month 0 and the growth a month, the variances of both, and how many times the
    variance of chance alone the counts vary: 1 but where they jump by more than chance explains.
    """
    usual, held = np.array([0.0, growth[0]]), np.array([0.0, growth[1] ** -2])
    beta, covers, fitted = _regression(_line(month), counts, usual, held, season)
    free = len(counts) - 2
    jumps = float(((counts - fitted) ** 2 / fitted).sum()) / free
    return beta, np.diag(covers), jumps if jumps > 1 + _JUMPS * (2 / free) ** 0.5 else 1.0


def _regression(
    design: Floats, counts: Floats, usual: Floats, held: Floats, season: Floats
) -> tuple[Floats, Floats, Floats]:
    """The most likely `beta` of counts around exp(design @ beta) * season, its covariance, and what it expects.

    Each part of it is normal around the `usual` one with the precision `held`; of the first one nothing is known.
    """
    beta = usual.copy()
    beta[0] = np.log(counts.sum() / (np.exp(design @ usual) @ season))
    for _ in range(_ROUNDS):
        fitted = np.exp(design @ beta) * season
        information = (design.T * fitted) @ design + np.diag(held)
        beta = beta + np.linalg.solve(information, design.T @ (counts - fitted) - held * (beta - usual))
    covers: Floats = np.linalg.inv(information).astype(np.float64)
    return beta, covers, fitted


def _line(month: NDArray[np.int64]) -> Floats:
    return np.stack([np.ones(len(month)), month], axis=1)


def _tail(expected: float, varies: float, dispersion: float) -> Floats:
    """The chance of so many or more where so many are expected, for each count from 0."""
    variance = dispersion * expected * (1 + expected * varies)
    shape = expected**2 / (variance - expected)
    ratio = expected / (expected + shape)
    return tails(lambda k: (k + shape) / (k + 1) * ratio, 0, int(expected) + reach(variance))
