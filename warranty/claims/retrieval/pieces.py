"""Reading a span piece by piece, with no belief in any order: cut until each piece fits into one answer.

A piece whose total is the number of claims in the answer is whole, whatever the order. Claims that share one
microsecond cannot be cut apart by claim date: they are cut by the start of their warranty, and where that is
shared too, as many as one answer shows are kept and the set says that it is not complete.
"""

import math
from collections.abc import Callable, Generator, Sequence
from datetime import UTC, datetime
from typing import Final

import numpy as np
import numpy.typing as npt

from warranty.claims.retrieval.answers import Answer, to_micros, to_moment
from warranty.claims.retrieval.ledger import Ledger
from warranty.claims.retrieval.spans import EARLIEST, LATEST, Ask, Span, Task, Unread
from warranty.client.resources.claims import TimeRange
from warranty.language import N_, Sentence

_ALL_STARTS: Final = Span(EARLIEST, LATEST)
MOVED: Final = Sentence(N_("The number of claims changed while they were read."))
MISCOUNTED: Final = Sentence(N_("An answer of the service did not show as many claims as its own total."))
_CONTRADICTIONS: Final = 3
_ROUNDS: Final = 4
_BUNCHED: Final = 1.25
_EVEN_SHARE: Final = 0.3
_Floats = npt.NDArray[np.float64]


class Pieces:
    """Reads spans whole, in any order of answers; `starts` is the query's own range of warranty starts."""

    def __init__(self, ledger: Ledger, spawn: Callable[[Task], None], starts: TimeRange | None) -> None:
        self._ledger = ledger
        self._spawn = spawn
        self._starts = _ALL_STARTS if starts is None else Span.of(*starts)
        self._contradictions = 0

    def read(self, span: Span, answer: Answer | None = None, seen: Answer | None = None) -> Task:
        """Read all of `span`; `answer` where it was asked already.

        `seen` is an earlier answer that counted, and may have shown, the claims of the span among others: those that
        it showed are kept if the span stays unread.
        """
        if answer is None:
            try:
                answer = yield Ask(span)
            except Unread as unread:
                self._ledger.explain(unread.reason)
                if seen is not None:
                    self._ledger.keep(seen, _places(seen, span), unread.reason)
                return
            if seen is not None and _contradicts(seen, span, answer):
                self._contradictions += 1
        if answer.total == len(answer):
            self._ledger.prove(span, answer)
        elif _is_miscounted(answer) or self._contradictions >= _CONTRADICTIONS:
            self._ledger.keep(answer, range(len(answer)), MISCOUNTED)
        elif span.first == span.last:
            yield from self._moment(span, answer)
        else:
            for part in cut(span, answer.total, answer.dated, len(answer)):
                self._spawn(self.read(part, seen=answer))

    def _moment(self, moment: Span, answer: Answer) -> Task:
        """Read the claims of one microsecond, more than an answer shows, by the start of their warranty.

        The parts have to hold as many claims as the whole did; where they do not, a claim came or went, and all is
        read again. Claims that are missing twice in the same number have a start by which nobody can ask for them.
        """
        missing = 0
        for rounds_left in reversed(range(_ROUNDS)):
            found = yield from self._by_starts(moment, self._starts, answer)
            if found is None:
                self._ledger.doubt(moment)
            if found is None or found == answer.total:
                return
            before, missing, total = missing, answer.total - found, answer.total
            try:
                answer = yield Ask(moment)
            except Unread as unread:
                self._ledger.doubt(moment)
                self._ledger.explain(unread.reason)
                return
            if answer.total == total and missing == before:
                self._ledger.explain(_unfindable(moment, missing))
                return
            if rounds_left:
                for part in [part for part in self._ledger.parts if part.span == moment]:
                    self._ledger.drop(part)
        self._ledger.explain(MOVED)

    def _by_starts(self, moment: Span, starts: Span, answer: Answer) -> Generator[Ask, Answer, int | None]:
        """Read the claims of a microsecond whose warranty starts in `starts`; give their number, None if unread."""
        if answer.total == len(answer):
            self._ledger.prove(moment, answer)
            return answer.total
        if _is_miscounted(answer):
            self._ledger.keep(answer, range(len(answer)), MISCOUNTED)
            return None
        if starts.first == starts.last:
            self._ledger.keep(answer, range(len(answer)), _inseparable(moment, answer))
            return None
        count: int | None = 0
        for number, part in enumerate(_around_the_median(starts, answer)):
            try:
                found = yield Ask(moment, part)
            except Unread as unread:
                # Which of the claims shown are in the parts read already is known to the service only.
                self._ledger.keep(answer, () if number else range(len(answer)), unread.reason)
                return None
            if found.total:
                held = yield from self._by_starts(moment, part, found)
                count = None if count is None or held is None else count + held
        return count


def _is_miscounted(answer: Answer) -> bool:
    return answer.total < len(answer) or not answer.records


def _contradicts(seen: Answer, part: Span, answer: Answer) -> bool:
    """Tell whether a part counts as many claims as the whole, of which claims were shown outside the part.

    Claims that come in the meantime can do that, too, but hardly several times in one reading.
    """
    outside = any(moment not in part for moment in seen.dated)
    return outside and answer.total >= seen.total


def _places(answer: Answer, span: Span) -> list[int]:
    return [place for place, moment in enumerate(answer.moments) if moment is not None and moment in span]


def _around_the_median(starts: Span, answer: Answer) -> list[Span]:
    """Cut warranty starts at the median of those shown: the median itself, what lies before, what lies after.

    The zone in which the service compares is not documented: where the cut misses, the middle is taken.
    """
    shown = sorted(start for record in answer.records if (start := _start(record)) is not None and start in starts)
    if not shown:
        middle = (starts.first + starts.last) // 2
        return [Span(starts.first, middle), Span(middle + 1, starts.last)]
    median = shown[len(shown) // 2]
    parts = [Span(median, median), Span(starts.first, median - 1), Span(median + 1, starts.last)]
    return [part for part in parts if part.first <= part.last]


def _start(record: object) -> int | None:
    text = record.get("warranty_start_date") if isinstance(record, dict) else None
    try:
        moment = datetime.fromisoformat(text) if isinstance(text, str) else None
        if moment is not None and moment.tzinfo is not None:
            moment = moment.astimezone(UTC).replace(tzinfo=None)
    except (ValueError, OverflowError):  # the first and last hours of the calendar have no moment in UTC
        return None
    return None if moment is None else to_micros(moment)


def _unfindable(moment: Span, count: int) -> Sentence:
    when = to_moment(moment.first).isoformat(timespec="microseconds")
    return Sentence(N_("Claims of the microsecond {when} that no start of a warranty finds: {n}."), when=when, n=count)


def _inseparable(moment: Span, answer: Answer) -> Sentence:
    when = to_moment(moment.first).isoformat(timespec="microseconds")
    return Sentence(
        N_("{n} claims share the microsecond {when} and one warranty start: the service shows {some} of them."),
        n=answer.total,
        when=when,
        some=len(answer),
    )


def fitting(page_size: int) -> float:
    """How many claims to aim at in a part, so that few parts hold more than an answer shows (Poisson)."""
    return max(0.6, page_size + 0.5 - 1.75 * math.sqrt(page_size))


def cut(span: Span, total: int, shown: Sequence[int], page_size: int) -> list[Span]:
    """Cut `span`, which holds `total` claims of which the moments `shown` are known, into two or more parts.

    The moments are a sample, in no order of time. Where they lie evenly, the span is cut at once into as many parts as
    its total needs. Where they bunch up, it is cut into fewer parts along the sample, and each part that is still too
    large is cut again by what is then known of it.
    """
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
