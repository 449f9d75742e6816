"""How a claim set is read: the ends, what the service means by them, the order of its answers, then all of it.

Nothing here is documented by the interface, so nothing is believed: the ends are fixed at the start, whether
they are counted in is tried out, the order of answers is taken from the first one and proved page by page.
"""

from collections import deque
from collections.abc import Collection, Generator
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import groupby, pairwise
from operator import attrgetter
from typing import Final

from warranty.claims.retrieval.answers import Answer, to_micros
from warranty.claims.retrieval.ledger import Ledger, Part
from warranty.claims.retrieval.pieces import MOVED, Pieces
from warranty.claims.retrieval.spans import EARLIEST, INCLUSIVE, LATEST, OUTSIDE, Ask, Bounds, Span, Task, Unread
from warranty.claims.retrieval.walk import Walk
from warranty.client.resources import ClaimQuery
from warranty.language import N_, Sentence

FURTHEST_ZONE: Final = timedelta(hours=14)
_BEFORE_ALL_SHOPS: Final = datetime(1969, 12, 31, 12)  # noqa: DTZ001 - service time has no zone
_CLUSTERED: Final = 0.5
_ROUNDS: Final = 4
_CONVENTIONS: Final = (INCLUSIVE, Bounds(True, False), Bounds(False, True), Bounds(False, False))
BOUNDLESS: Final = Sentence(
    N_("The service did not find a claim again by its own claim date: claimDateRange cannot be used.")
)
PAGE_COUNTED: Final = Sentence(
    N_("The service's total counts only the claims that one answer shows: how many there are is not known.")
)


class Doubtful(Unread):
    """What a reading would rest on does not hold, unless a claim came or went while it was tried."""


class Survey:
    """Plans one retrieval. `ready` holds tasks with their next ask; whoever runs it answers in any order.

    `now` is the present in UTC, without a zone: claims of an undated query are read up to the latest moment
    that any clock on earth shows. `bounds` is the service's convention where an earlier retrieval found it; where not,
    a long reading begins as if both ends were counted in, while that is found out (not with `presume` False). Once
    `misjudged` is set it has to be begun anew, by the `bounds` found.
    """

    def __init__(self, query: ClaimQuery, *, now: datetime, bounds: Bounds | None = None, presume: bool = True) -> None:
        self.ledger = Ledger()
        self.ready: deque[tuple[Task, Ask]] = deque()
        self.total: int | None = None
        self.bounds = bounds
        self.misjudged = False
        self.page_size = 1
        self._presume = presume
        self._dated = query.claim_dates is not None
        self._whole = Span(EARLIEST, LATEST) if query.claim_dates is None else Span.of(*query.claim_dates)
        self._starts = query.warranty_start_dates
        self._latest = to_micros(now + FURTHEST_ZONE)
        self._walk: Walk | None = None
        self._first_total = 0
        self._outside = 0
        self._settled = False
        self._rounds = 0
        self.spawn(self._read())

    @property
    def resumable(self) -> bool:
        """Whether it was stopped amid reading, so that the parts that are proved need not be read again."""
        return bool(self._first_total and self.bounds and self.ledger.parts) and not self.misjudged

    def resume(self) -> None:
        """Go on after a stop: ask for what is not proved, then compare all with the totals as ever."""
        self.ready.clear()
        self._settled, self._rounds = False, 0
        self.ledger.forget_unproved()
        gaps = list(self.ledger.unread(self._whole))
        walk = self._walk if self._walk is not None and self._walk.in_order else None
        for task in map(self._pieces.read, gaps) if walk is None else walk.fill(gaps):
            self.spawn(task)

    def spawn(self, task: Task) -> None:
        """Run a task up to its first ask and queue it."""
        ask = next(task, None)
        if ask is not None:
            self._queue(task, ask)

    def answered(self, task: Task, answer: Answer) -> None:
        """Give a task its answer."""
        self.page_size = max(self.page_size, len(answer))
        with suppress(StopIteration):
            self._queue(task, task.send(answer))

    def unread(self, task: Task, reason: Sentence) -> None:
        """Tell a task that there will be no answer, and why."""
        try:
            self._queue(task, task.throw(Unread(reason)))
        except (StopIteration, Unread):
            self.ledger.explain(reason)

    def _queue(self, task: Task, ask: Ask) -> None:
        self.ready.append((task, replace(ask, bounds=ask.bounds or self.bounds)))

    def use_idle(self, free: int) -> None:
        """Give idle connections a part of another walker's work."""
        if self._walk is not None:
            for task in self._walk.take_over(free, self.page_size):
                self.spawn(task)

    def next_round(self) -> bool:
        """Once all is read: compare with the totals, and read again what moved. False: there is nothing to do."""
        if self._settled or self.total is None or self.ledger.reasons:
            return False
        if self._rounds == _ROUNDS:
            self.ledger.explain(MOVED)
            return False
        self._rounds += 1
        self.spawn(self._verify())
        return bool(self.ready)

    def _read(self) -> Task:
        span = self._whole if self._dated else None
        first = yield Ask(span, probing=True)
        self.total = first.total
        try:
            if self._dated:
                if not Ask(self._whole).keeps(first):
                    raise Unread(OUTSIDE)
            elif first.total == len(first) and (self._starts is None or self.bounds is not None):
                first = yield from self._recounted(None, first)
                self.total = first.total
                if first.total == len(first):
                    self._settled = True
                    self.ledger.prove(self._whole, first)
                    return
            if not self._dated:
                first = yield from self._ends(first)
            if self._presume and self.bounds is None and first.total > len(first) and self._known(first):
                self.spawn(self._confirm_bounds(first))
            else:
                first = yield from self._settle_bounds(first)
                first = yield from self._recounted(self._whole, first)
        except Unread as unread:
            self.misjudged = self._presume and isinstance(unread, Doubtful)
            if not self.misjudged:
                self.ledger.keep(first, _places(first, self._whole), unread.reason)
            return
        self._first_total = first.total
        self.total = first.total + self._outside
        yield from self._begin(first)

    def _begin(self, first: Answer) -> Task:
        whole = self._whole
        self._pieces = pieces = Pieces(self.ledger, self.spawn, self._starts)
        if len(first) >= first.total or not first.records:
            self._settled = True
            yield from pieces.read(whole, first)
            return
        newest_first, trusted = _order(first, whole)
        if newest_first is None:
            yield from pieces.read(whole, first)
            return
        self._walk = Walk(whole, self.ledger, self.spawn, pieces, newest_first=newest_first)
        yield from self._walk.start(first, trusted=trusted)

    def _recounted(self, span: Span | None, first: Answer) -> Generator[Ask, Answer, Answer]:
        """Give the first page, again where needed, of which it is sure that its total counts more than itself.

        A full page that counts as many as it shows may be all, or all that the service ever counts. Two parts of the
        time tell: cut amid the claims shown, they hold more together where there are more. Claims of one microsecond
        are counted by themselves, and what lies before and after.
        """
        if first.total != len(first) or not first.full:
            return first
        known = sorted(self._known(first))
        if not known:
            return first
        if self.bounds is None:
            with suppress(Doubtful):
                self.bounds = yield from _convention(known)
        middle = known[len(known) // 2]
        starts = [self._whole.first, middle] if len(known) > 1 else [self._whole.first, middle, middle + 1]
        counted = 0
        for start, after in pairwise([*starts, self._whole.last + 1]):
            if start < after:
                counted += (yield Ask(Span(start, after - 1))).total
        if counted <= len(first):
            return first
        again = yield Ask(span)
        if again.total == len(again) == len(first):
            raise Doubtful(PAGE_COUNTED)
        return again

    def _ends(self, undated: Answer) -> Generator[Ask, Answer, Answer]:
        """Find ends between which all claims lie, for a query without dates; give the first page between them.

        What lies outside is the difference of two totals, and a claim may come or go between these: unless the claims
        shown explain it, both are asked for again, until the difference is the same twice.
        """
        before = -1
        for rounds_left in reversed(range(_ROUNDS)):
            first = yield from self._between_ends(undated)
            self._outside = max(0, undated.total - first.total)
            strays = [place for place, moment in enumerate(undated.moments) if moment is None]
            if self._outside in {len(strays), before} or not rounds_left:
                break
            before = self._outside
            undated = yield Ask(None)
        if self._outside and len(strays) == self._outside:
            self.ledger.prove(Span(LATEST + 1, LATEST + 1), undated, strays)
        elif self._outside:
            reason = Sentence(N_("Claims without a claim date by which they can be asked for: {n}."), n=self._outside)
            self.ledger.keep(undated, strays, reason)
        return first

    def _between_ends(self, undated: Answer) -> Generator[Ask, Answer, Answer]:
        self._whole = whole = Span(to_micros(_BEFORE_ALL_SHOPS), self._latest)
        first = yield Ask(whole)
        if undated.total > first.total:
            later = yield Ask(Span(whole.last + 1, LATEST))
            earlier = yield Ask(Span(EARLIEST, whole.first - 1))
            if later.total or earlier.total:
                self._whole = Span(EARLIEST if earlier.total else whole.first, LATEST if later.total else whole.last)
                first = yield Ask(self._whole)
        return first

    def _settle_bounds(self, first: Answer) -> Generator[Ask, Answer, Answer]:
        """Find out whether claims at exactly the ends are counted; give the first page by that convention."""
        if self.bounds is not None:
            return first
        shown, whole = first, self._whole
        if not first.total:  # claims on the very ends show up only where more is asked for
            starts = None if self._starts is None else Span.of(*self._starts).wider
            shown = yield Ask(whole.wider, starts, probing=True)
        known = self._known(shown)
        if first.total and {whole.first, whole.last} <= known:
            self.bounds = INCLUSIVE
        elif known:
            self.bounds = yield from _convention(known)
        if self.bounds is None or self.bounds == INCLUSIVE:
            return first
        return (yield Ask(whole))

    def _confirm_bounds(self, first: Answer) -> Task:
        """Find out, beside the walk, whether the ends are counted in as it presumes."""
        with suppress(Doubtful):  # told by the survey that begins anew, if it finds the same
            self.bounds = yield from _convention(self._known(first))
        self.misjudged = self.bounds != INCLUSIVE

    def _known(self, answer: Answer) -> set[int]:
        return {moment for moment in answer.dated if moment in self._whole}

    def _verify(self) -> Task:
        """Compare what was read with the total now; find the parts that moved by halving, and read them again.

        Claims that came after the newest one that was read do not count: the set is as of the start. Where pages came
        in no order they do, as one that was missed may be newer than all that were read. A total that is not that of
        the start says that something came or went; parts that rest on the order alone are then read again.
        """
        inside = self.ledger.received - self._outside
        newest = self.ledger.newest
        try:
            if inside == self._first_total and newest is not None:
                in_order = self._walk is None or self._walk.in_order
                last = newest if in_order else self._whole.last
                now = yield Ask(Span(self._whole.first, last))
                self._settled = now.total == inside
            if not self._settled:
                now = yield Ask(self._whole)
                self.total = now.total + self._outside
                by_order = [part for part in self.ledger.parts if part.by_order]
                if by_order:
                    for part in by_order:
                        self.spawn(self._read_again(part))
                    return
                self._settled = now.total == inside
                yield from self._find_moved(_segments(self._whole, self.ledger.parts), now)
            if self._settled and not self._dated:
                yield from self._compare_with_undated(inside)
            if self._settled:
                self.total = self.ledger.received
        except Unread as unread:
            self.ledger.explain(unread.reason)

    def _find_moved(self, segments: list[tuple[Span, list[Part]]], now: Answer) -> Task:
        """Compare segments with what is there `now`; where they differ, go down to the one, and take what is there."""
        if now.total == sum(part.count for _, parts in segments for part in parts):
            return
        if len(segments) == 1:
            span, parts = segments[0]
            self._replace(span, parts, now)
            return
        middle = len(segments) // 2
        for half in (segments[:middle], segments[middle:]):
            found = yield Ask(Span(half[0][0].first, half[-1][0].last))
            yield from self._find_moved(half, found)

    def _read_again(self, part: Part) -> Task:
        answer = yield Ask(part.span)
        self._replace(part.span, [part], answer)

    def _replace(self, span: Span, parts: list[Part], answer: Answer) -> None:
        """Read a span anew from an answer on; without one, what was read of it before would not be dropped."""
        for part in parts:
            self.ledger.drop(part)
        self.spawn(self._pieces.read(span, answer))

    def _compare_with_undated(self, inside: int) -> Task:
        """See that still no claim lies outside the ends but those that were found there at the start.

        The ends were chosen by comparing two totals: a claim that came between them hides one that lies outside.
        """
        undated = yield Ask(None)
        if undated.total != inside + self._outside:
            now = yield Ask(self._whole)
            undated = yield Ask(None)
            self._settled = undated.total == now.total + self._outside
            self.misjudged = self._presume and not self._settled


def _places(answer: Answer, span: Span) -> list[int]:
    return [place for place, moment in enumerate(answer.moments) if moment is None or moment in span]


def _convention(known: Collection[int]) -> Generator[Ask, Answer, Bounds]:
    """Find the convention by which a claim is found again by its own date; two are tried, as one may be odd."""
    for moment in {min(known): None, max(known): None}:
        for bounds in _CONVENTIONS:
            answer = yield Ask(Span(moment, moment), bounds=bounds, probing=True)
            if moment in answer.moments:
                return bounds
    raise Doubtful(BOUNDLESS)


def _segments(whole: Span, parts: list[Part]) -> list[tuple[Span, list[Part]]]:
    """Tile `whole` by the parts read: each segment reaches to where the next part begins."""
    first = attrgetter("span.first")
    inside = sorted((each for each in parts if each.span.first in whole), key=first)
    grouped = [list(group) for _, group in groupby(inside, key=first)]
    starts = [whole.first, *(group[0].span.first for group in grouped[1:])]
    ends = [*starts[1:], whole.last + 1]
    return [(Span(start, end - 1), group) for start, end, group in zip(starts, ends, grouped or [[]], strict=True)]


def _order(answer: Answer, whole: Span) -> tuple[bool | None, bool]:
    """Tell whether answers seem to come newest first (True), oldest first (False) or in no order (None).

    The second value says whether that was seen in the order of the records, or guessed from where they lie.
    """
    moments = answer.dated
    if len(set(moments)) < 2:  # claims of one moment are in every order
        return None, False
    rising = sorted(moments)
    if moments == rising[::-1]:
        return True, True
    if moments == rising:
        return False, True
    if (rising[-1] - rising[0]) > _CLUSTERED * len(whole):
        return None, False
    return whole.last - rising[-1] <= rising[0] - whole.first, False
