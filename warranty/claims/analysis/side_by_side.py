"""Products side by side: a part of a whole for each, with its interval, and which differ by more than chance."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from warranty.claims.analysis.chance import count_interval, differs

LEVEL: Final = 0.95
Parts = Mapping[str, tuple[int, int]]
"""Of each product a part and its whole: plans claimed on, or claims, and plans sold."""


@dataclass(frozen=True, slots=True)
class Beside:
    """One product: `part` / `whole` lies between `low` and `high`; `differs` from all others by more than chance."""

    product: str
    part: int
    whole: int
    low: float
    high: float
    differs: bool

    @property
    def share(self) -> float:
        """The part of the whole."""
        return self.part / self.whole


def side_by_side(parts: Parts) -> tuple[Beside, ...]:
    """Put products that have a whole side by side: first those that differ, the highest on top.

    So many are looked at that one would differ at 95 % by chance: each has to at 1 - 0.05 / products, so that in 95 of
    100 tables of products that are alike none is told to differ.
    """
    known = {product: both for product, both in parts.items() if both[1]}
    part, whole = (sum(both[place] for both in known.values()) for place in (0, 1))
    level = 1 - (1 - LEVEL) / max(1, len(known))

    def stands_out(own: int, of: int) -> bool:
        if of == whole:
            return False
        return differs(own, part - own, days_now=of, days_before=whole - of, level=level)

    found = [Beside(name, *both, *_interval(*both), stands_out(*both)) for name, both in known.items()]
    found.sort(key=lambda one: (not one.differs, -one.share))
    return tuple(found)


def _interval(part: int, whole: int) -> tuple[float, float]:
    """The exact interval of events a plan, of which one may have several (Garwood)."""
    low, high = count_interval(part, LEVEL)
    return low / whole, high / whole
