"""What an update reads, and what it only counts: planned from the claims of an earlier reading, by the calls it takes.

Read are claims that were open, those that came since, and in turn a share of all others. One answer shows `PAGE`
claims; so the claims to read are covered, oldest first, by windows of claim_date in which the earlier reading has fewer
than that: no other way takes fewer answers. Of everything totals are asked.
"""

from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from warranty.claims.retrieval.answers import to_micros
from warranty.claims.retrieval.spans import Span

PAGE: Final = 50
"""How many claims an answer shows (interface: Limits, "A sample shows 50"); windows of another size cost more calls."""
# As on the screens: a service may refuse the years 1 and 9999, and no warranty is older.
EVER: Final = Span(to_micros(datetime.fromisoformat("1900-01-01")), to_micros(datetime.fromisoformat("2200-01-01")) - 1)
_PAGES_IN_A_RANGE: Final = 40
_KNOWN_AT_THE_END: Final = 20
_CALLS_AT_THE_END: Final = 8
Places = npt.NDArray[np.intp]
Micros = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Plan:
    """Spans of claim_date: `windows` are read in an answer each, `newest` is read whole, `ranges` are counted.

    `newest` begins with a few claims that are known, so that what the service means by the ends of a range can be told.
    """

    windows: list[Span]
    ranges: list[Span]
    newest: Span

    @property
    def calls(self) -> int:
        """How many it takes, if nothing odd comes; what came since is not in it."""
        return len(self.windows) + len(self.ranges) + _CALLS_AT_THE_END


def moments(claims: pa.Table) -> Micros:
    """Give the claim dates as microseconds of service time."""
    counted: Micros = claims["claim_date"].cast(pa.int64()).to_numpy()
    return counted


def plan(claims: pa.Table, *, closed: tuple[str, ...], share: float, whole: Span = EVER) -> Plan | None:
    """Plan an update of all claims in `whole` from those of an earlier reading (there is one at least).

    None where reading all of them takes no more calls. `closed` are the statuses that are taken for final; of the
    claims with them this `share` is read, first those that were read longest ago.
    """
    claims = claims.sort_by("claim_date")
    dates = moments(claims)
    newest = int(np.searchsorted(dates, dates[-min(_KNOWN_AT_THE_END, len(dates))]))
    must = ~np.asarray(pc.is_in(claims["status"], pa.array(closed, claims["status"].type)))
    others, read_at = np.flatnonzero(~must), claims["read_at"].cast(pa.int64()).to_numpy()
    must[others[np.argsort(read_at[others], kind="stable")][: int(np.ceil(len(others) * min(1.0, share)))]] = True
    windows = _windows(dates[:newest], np.flatnonzero(must[:newest]))
    cuts = dates[_PAGES_IN_A_RANGE * PAGE : newest : _PAGES_IN_A_RANGE * PAGE].tolist()
    begins = sorted({whole.first, *cuts, int(dates[newest])})
    ranges = [Span(first, after - 1) for first, after in pairwise(begins)]
    planned = Plan(windows, ranges, Span(int(dates[newest]), whole.last))
    return planned if planned.calls < len(claims) / PAGE else None


def _windows(dates: Micros, must: Places) -> list[Span]:
    """Cover the places `must` by spans that hold at most `PAGE` - 1 of `dates` each, as few as can be.

    One claim less than an answer shows, so that an answer is not full and one more would still be in it. What shares a
    microsecond is never parted; where the next span begins with the next claim, no moment is left out between them.
    """
    spans: list[Span] = []
    place = 0
    while place < len(must):
        first = int(np.searchsorted(dates, dates[must[place]]))
        after = min(first + PAGE - 1, len(dates))
        if after < len(dates):
            after = int(np.searchsorted(dates, dates[after]))
        if after == first:  # more of one microsecond than an answer shows
            after = int(np.searchsorted(dates, dates[first], "right"))
        place = int(np.searchsorted(must, after))
        goes_on = place < len(must) and must[place] == after
        spans.append(Span(int(dates[first]), int(dates[after]) - 1 if goes_on else int(dates[must[place - 1]])))
    return spans
