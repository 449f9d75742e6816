"""Reading a span piece by piece, with no belief in any order: cut until each piece fits into one answer.

A piece whose total is the number of claims in the answer is whole, whatever the order. Claims that share one
microsecond cannot be cut apart by claim date: they are cut by the start of their warranty, and where that is
shared too, as many as one answer shows are kept and the set says that it is not complete.
"""

from collections.abc import Callable, Generator
from datetime import UTC, datetime
from typing import Final

from warranty.claims.retrieval.answers import Answer, to_micros, to_moment
from warranty.claims.retrieval.cuts import cut
from warranty.claims.retrieval.ledger import Ledger
from warranty.claims.retrieval.spans import EARLIEST, LATEST, Ask, Span, Task, Unread
from warranty.client.resources.claims import TimeRange
from warranty.language import N_, Sentence

_ALL_STARTS: Final = Span(EARLIEST, LATEST)
MOVED: Final = Sentence(N_("The number of claims changed while they were read."))
MISCOUNTED: Final = Sentence(N_("An answer of the service did not show as many claims as its own total."))
_CONTRADICTIONS: Final = 3
_ROUNDS: Final = 4


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
