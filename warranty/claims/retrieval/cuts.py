"""Where to cut a span of which only some claims were shown, in no order of time, so that each part fits an answer.

The claims shown are a sample of the span. Where they lie evenly, the span is cut at once into as many parts as its
total needs. Where they bunch up, it is cut into fewer parts along the sample, and each part that is still too large is
cut again by what is then known of it.
"""

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from warranty.claims.retrieval.spans import Span

_BUNCHED: Final = 1.25
_EVEN_SHARE: Final = 0.3
_Floats = npt.NDArray[np.float64]


def fitting(page_size: int) -> float:
    """How many claims to aim at in a part, so that few parts hold more than an answer shows (Poisson)."""
    return max(0.6, page_size + 0.5 - 1.75 * math.sqrt(page_size))


def cut(span: Span, total: int, shown: Sequence[int], page_size: int) -> list[Span]:
    """Cut `span`, which holds `total` claims of which the moments `shown` are known, into two or more parts."""
    # Counted from the span's first moment: a float holds the microseconds of three centuries, not of all time.
    inside = np.array(sorted(moment - span.first for moment in shown if moment in span), dtype=np.float64)
    wanted = max(2, math.ceil(total / fitting(page_size)))
    length = span.last - span.first
    if len(inside) and _lies_evenly(inside, length):
        moments, shares = np.array([0.0, length]), np.array([0.0, 1.0])
        wanted = min(wanted, max(2, len(inside) ** 2 // 2))
    else:
        moments, shares = _bunched(inside, length)
        wanted = min(wanted, max(2, len(inside) // 2))
    lasts = {int(moment) for moment in np.interp(np.arange(1, wanted) / wanted, shares, moments)}
    lasts |= _around_ties(inside)
    return _parts(span, {span.first + last for last in lasts})


def _lies_evenly(shown: _Floats, length: int) -> bool:
    """Tell whether the sample lies evenly over the span (Kolmogorov and Smirnov's distance)."""
    count = len(shown)
    shares = shown / length
    above = np.arange(1, count + 1) / count - shares
    below = shares - np.arange(count) / count
    return bool(max(above.max(), below.max()) * math.sqrt(count) < _BUNCHED)


def _bunched(shown: _Floats, length: int) -> tuple[_Floats, _Floats]:
    """Expect the claims where the sample lies, with a rest spread evenly over the span.

    Gives moments from the span's first on, and the share of the claims that is expected up to each.
    """
    moments = np.unique(np.concatenate([[0.0], shown, [length]]))
    count = len(shown) + 1
    sampled = np.searchsorted(shown, moments, side="right") / count
    sampled[0], sampled[-1] = 0.0, 1.0
    return moments, ((1 - _EVEN_SHARE) * sampled + _EVEN_SHARE * moments / length)


def _around_ties(shown: _Floats) -> set[int]:
    """Cut a microsecond out that is shown more than once: there may be many more claims in it."""
    moments, counts = np.unique(shown, return_counts=True)
    tied = [int(moment) for moment in moments[counts > 1]]
    return {*tied, *(moment - 1 for moment in tied)}


def _parts(span: Span, lasts: set[int]) -> list[Span]:
    """Cut after each of these moments; at least once, and never outside."""
    inner = sorted({min(max(last, span.first), span.last - 1) for last in lasts})
    firsts = [span.first, *(last + 1 for last in inner)]
    return [Span(first, last) for first, last in zip(firsts, [*inner, span.last], strict=True)]
