"""How long until a claim is resolved, where only the nights before and after are known (interval-censored days).

The most likely curve without any assumed shape (Turnbull 1976): its mass lies on the innermost intervals, and each
claim shares itself out among those that it covers until nothing moves (self-consistency).
"""

from dataclasses import dataclass, field
from statistics import NormalDist
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.floating[Any]]
Places = NDArray[np.int64]

_ROUNDS: Final = 5_000
_STILL: Final = 1e-12
_ENOUGH: Final = 1e-4


@dataclass(frozen=True, slots=True)
class Curve:
    """`mass` is the share of claims resolved after `left` and by `right` (days; inf: later than anybody saw)."""

    left: Floats
    right: Floats
    mass: Floats
    claims: int
    _first: Places = field(repr=False)
    _last: Places = field(repr=False)
    _times: Floats = field(repr=False)

    def resolved_by(self, day: float) -> float:
        """Share of claims that are resolved by the end of a day."""
        return float(self.mass[self.right <= day].sum())

    def quantile(self, share: float) -> float:
        """Days by which `share` of claims are resolved; inf where so many were not yet."""
        return float(self.right[self._reached(share)])

    def interval(self, share: float, level: float = 0.95) -> tuple[float, float]:
        """Low and high of the days by which `share` are resolved (inf: not known): likelihood ratio.

        A day is too early where a curve that has `share` resolved by then is too unlikely (chi-squared, one degree of
        freedom) and so is one too late: the likelihood is highest again under that one condition. Beyond all claims,
        where that is too lenient, the chance of none is taken itself.
        """
        most, alone = NormalDist().inv_cdf((1 + level) / 2) ** 2 / 2, -np.log((1 - level) / 2)
        best, at, resolved = self._likelihood(self.mass), self._reached(share), self._resolved

        def unlikely(place: int) -> bool:
            least = best - (most if 1e-9 < resolved[place] < 1 - 1e-9 else alone)
            held = _most_likely(self._first, self._last, self._times, self.mass, (place + 1, share, least))
            return self._likelihood(held) < least

        low, below = -1, at - 1  # all up to `low` are too early, all after `below` are not
        while low < below:
            middle = (low + below + 1) // 2
            low, below = (middle, below) if unlikely(middle) else (low, middle - 1)
        high, above = at, len(self.mass) - 1  # all before `high` are not too late, all from `above` on are
        while high < above:
            middle = (high + above) // 2
            late = resolved[middle] > share and unlikely(middle)
            high, above = (high, middle) if late else (middle + 1, above)
        first = float(self.left[0]) if -self.claims * np.log1p(-share) > alone else 0.0
        return (float(self.right[low]) if low >= 0 else first), float(self.right[high])

    @property
    def _resolved(self) -> Floats:
        return np.cumsum(self.mass)

    def _reached(self, share: float) -> int:
        return min(int(np.searchsorted(self._resolved, share - 1e-9)), len(self.mass) - 1)

    def _likelihood(self, mass: Floats) -> float:
        return float(self._times @ np.log(_covered(mass, self._first, self._last)))


def resolution_curve(
    after: ArrayLike, until: ArrayLike, *, counts: ArrayLike | None = None, step: float = 1
) -> Curve | None:
    """Most likely curve of days that are each more than `after` and at most `until` (inf: still open); None of none.

    `counts`: how many claims each stands for (None: one). Equal ends are a day known exactly. Ends are moved outwards
    to whole steps, which widens and never shifts: hours would make an end of every claim.
    """
    low, high = (np.asarray(each, dtype=np.float64) / step for each in (after, until))
    if not len(low):
        return None
    exact = low == high
    low, high = np.where(exact, low, np.floor(low)), np.where(exact, high, np.ceil(high))
    ends, place = np.unique(np.concatenate([low, high, [np.inf]]), return_inverse=True)
    # Every end is two pieces, the point itself (even) and what lies between it and the next (odd).
    first, last = 2 * place[: len(low)] + ~exact, 2 * place[len(low) : -1]
    starts, stops = np.unique(first), np.unique(last)
    inner = stops[np.searchsorted(stops, starts)]
    kept = np.append(inner[:-1] < starts[1:], True)
    starts, inner = starts[kept], inner[kept]
    if inner[-1] < 2 * place[-1]:  # later than all that was seen is a place too, though no claim is there
        starts, inner = np.append(starts, inner[-1] + 1), np.append(inner, 2 * place[-1])
    covers = np.searchsorted(starts, first), np.searchsorted(inner, last, side="right") - 1
    pairs, place = np.unique(np.stack(covers, axis=1), axis=0, return_inverse=True)
    weights = np.ones(len(low)) if counts is None else np.asarray(counts, dtype=np.float64)
    times = np.bincount(place, weights).astype(np.float64)
    begin, end = pairs.T
    mass = _most_likely(begin, end, times, np.full(len(starts), 1 / len(starts)))
    return Curve(ends[starts // 2] * step, ends[inner // 2] * step, mass, int(times.sum()), begin, end, times)


def _covered(mass: Floats, first: Places, last: Places) -> Floats:
    upto: Floats = np.append(0.0, np.cumsum(mass))
    covered: Floats = upto[last + 1] - upto[first]
    return covered


def _most_likely(
    first: Places, last: Places, times: Floats, mass: Floats, held: tuple[int, float, float] | None = None
) -> Floats:
    """Share claims out until nothing moves, three rounds at a stride (SQUAREM, Varadhan and Roland 2008).

    `held`: so many intervals from the first have together that share; then it is enough to know on which side of a
    likelihood, the third, the highest is, to 1e-4: by the gap that concave likelihood leaves, which is what most an
    interval could gain over those of its side.
    """
    size = len(mass)
    sides = [(slice(size), 1.0)]
    if held is not None:
        sides = [(slice(held[0]), held[1]), (slice(held[0], size), 1 - held[1])]

    def fitted(made: Floats) -> Floats:
        made = np.where(made > 0, made, 0.0)
        parts = [
            (made[side] if made[side].any() else np.ones(len(made[side])), share) for side, share in sides
        ]
        return np.concatenate([part * (share / part.sum()) for part, share in parts])

    def gains(mass: Floats) -> Floats:
        parts = times / _covered(mass, first, last)
        return np.cumsum(np.bincount(first, parts, size + 1) - np.bincount(last + 1, parts, size + 1))[:-1]

    def likelihood(mass: Floats) -> float:
        covered = _covered(mass, first, last)
        return float(times @ np.log(covered)) if (covered > 0).all() else -np.inf

    mass = fitted(mass + 1e-6 / size)
    for _ in range(_ROUNDS):
        gain = gains(mass)
        one = fitted(mass * gain)
        gap = sum(share * gain[side].max() - mass[side] @ gain[side] for side, share in sides)
        if np.abs(one - mass).max() < _STILL:
            return one
        if held is not None:
            reached = likelihood(mass)
            if gap < _ENOUGH or reached >= held[2] or reached + gap < held[2]:
                return mass
        two = fitted(one * gains(one))
        step, bend = one - mass, two - 2 * one + mass
        stride = max(1.0, float(np.linalg.norm(step)) / max(float(np.linalg.norm(bend)), 1e-300))
        far = fitted(mass + 2 * stride * step + stride**2 * bend)
        mass = far if likelihood(far) >= likelihood(two) else two
        mass = fitted(mass * gains(mass))
    return mass
