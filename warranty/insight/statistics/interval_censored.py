"""How long until a claim is resolved, where only the nights before and after are known (interval-censored days).

The most likely curve without any assumed shape (Turnbull 1976): its mass lies on the innermost intervals, and each
claim shares itself out among those that it covers until nothing moves (self-consistency).
"""

from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from warranty.claims.analysis.chance import binomial_at_least

Floats = NDArray[np.floating[Any]]

_ROUNDS: Final = 5_000
_STILL: Final = 1e-12
_NOTHING: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Curve:
    """`mass` is the share of claims resolved after `left` and by `right` (days; inf: later than anybody saw).

    `telling` claims, each known to be resolved by `right` or not, would tell as much of the share resolved by then.
    """

    left: Floats
    right: Floats
    mass: Floats
    claims: int
    telling: Floats = field(repr=False)

    def resolved_by(self, day: float) -> float:
        """Share of claims that are resolved by the end of a day."""
        return float(self.mass[self.right <= day].sum())

    def quantile(self, share: float) -> float:
        """Days by which `share` of claims are resolved; inf where so many were not yet."""
        return float(self.right[np.argmax(np.cumsum(self.mass) >= share - _NOTHING)])

    def interval(self, share: float, level: float = 0.95) -> tuple[float, float]:
        """Low and high of the days by which `share` are resolved (inf: not known), exact for the claims that tell.

        A day is too early where `share` of them explains no such few resolved by then, and too late where it explains
        no such many (Clopper and Pearson 1934); a part of a claim is taken for what widens.
        """
        tail, low, high = (1 - level) / 2, 0.0, np.inf
        for day, resolved, of in zip(self.right, np.cumsum(self.mass), self.telling.astype(int), strict=True):
            part = float(resolved) * of
            if 1 - binomial_at_least(int(np.ceil(part - _NOTHING)) + 1, of, share) <= tail:
                low = float(day)
            elif binomial_at_least(int(part + _NOTHING), of, share) <= tail:
                high = min(high, float(day))
        return low, high


def resolution_curve(after: ArrayLike, until: ArrayLike, *, counts: ArrayLike | None = None) -> Curve | None:
    """Most likely curve of days that are each more than `after` and at most `until` (inf: still open); None of none.

    `counts`: how many claims each stands for (None: one). Equal ends are a day known exactly. Ends are moved outwards
    to whole days, which widens and never shifts: hours would make an end of every claim.
    """
    low, high = np.floor(np.asarray(after, dtype=np.float64)), np.ceil(np.asarray(until, dtype=np.float64))
    if not len(low):
        return None
    low = np.where(low == high, np.nextafter(low, -np.inf), low)
    ends = np.unique(np.concatenate([low, high, [np.inf]]))
    # Later than all that was seen is a place too, though no claim may be there.
    innermost = np.append((np.isin(ends[:-1], low) & np.isin(ends[1:], high))[:-1], True)
    left, right = ends[:-1][innermost], ends[1:][innermost]
    covers = np.searchsorted(left, low), np.searchsorted(right, high, side="right") - 1
    pairs, place = np.unique(np.stack(covers, axis=1), axis=0, return_inverse=True)
    weights = np.ones(len(low)) if counts is None else np.asarray(counts, dtype=np.float64)
    times = np.bincount(place.ravel(), weights).astype(np.float64)
    places = np.arange(len(left))
    covered = ((pairs[:, :1] <= places) & (places <= pairs[:, 1:])).astype(np.float64)
    mass = np.full(len(left), 1 / len(left))
    for _ in range(_ROUNDS):
        before, mass = mass, mass * ((times / (covered @ mass)) @ covered) / times.sum()
        if np.abs(mass - before).max() < _STILL:
            break
    return Curve(left, right, mass, int(times.sum()), _telling(covered, times, mass))


def _telling(covered: Floats, times: Floats, mass: Floats) -> Floats:
    """How many claims would tell as much of each share: as a binomial one that varies as the curve's own does.

    That is F (1 - F) / variance, the variance by the information in `covered` [kinds, places] of `times` claims. Where
    none or all are resolved it says nothing: there those count that are known to be resolved by then or not.
    """
    resolved, has_mass = np.cumsum(mass), mass > _NOTHING
    seen = covered[:, has_mass]
    information = (seen.T * (times / (seen @ mass[has_mass]) ** 2)) @ seen
    added = np.cumsum(np.cumsum(np.linalg.pinv(information, hermitian=True), axis=0), axis=1).diagonal()
    place = np.maximum(np.cumsum(has_mass) - 1, 0)
    variance = added[place] - resolved**2 / times.sum()
    by_then = np.cumsum(covered, axis=1)
    known = times @ ((by_then == 0) | (by_then == by_then[:, -1:]))
    informative = (resolved > _NOTHING) & (resolved < 1 - _NOTHING) & (variance > 0)
    telling: Floats = np.divide(resolved * (1 - resolved), variance, out=known.astype(np.float64), where=informative)
    return telling.clip(max=times.sum())
