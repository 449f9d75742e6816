"""The verified walk: page after page where the service answers in order of date, each page proved by totals.

Ask for [first, x]: T(x) claims in all, some of them in hand, the oldest at `lo`. Ask for [first, lo - 1 µs]: if
T(x) - T(lo - 1 µs) is the number in hand, the page in hand is all of [lo, x], whatever order was believed, and
the answer is the next page already. Every ask reaches down to the same `first`, so a total says where in the
whole its page stands; that is how an idle connection can take over the lower part of another's stretch.

Two totals are from two moments, and claims may come and go between them. What each proof is worth then, and why
a set that is called complete is complete all the same, is in docs/decisions/claims-received.md.

Written for "newest first"; a service that answers oldest first is walked on the mirrored axis.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from warranty.claims.retrieval.answers import Answer
from warranty.claims.retrieval.ledger import Ledger
from warranty.claims.retrieval.pieces import Pieces
from warranty.claims.retrieval.spans import Ask, Span, Task, Unread

_WORTH_PAGES: Final = 2
_REACH: Final = 2


@dataclass(frozen=True, slots=True)
class Direction:
    """Turns moments into keys that fall along the order of the service, and back."""

    newest_first: bool

    def key(self, moment: int) -> int:
        """Give the key of a moment (and the moment of a key)."""
        return moment if self.newest_first else -moment

    def span(self, first: int, last: int) -> Span:
        """Give the span of time between two keys."""
        return Span(first, last) if self.newest_first else Span(-last, -first)

    def keys(self, answer: Answer) -> list[int]:
        """Give the key of each record; one without a readable date counts with its neighbour."""
        if not answer.dated:
            return []
        keys, near = [], answer.dated[0]
        for moment in answer.moments:
            near = near if moment is None else moment
            keys.append(self.key(near))
        return keys


@dataclass(slots=True)
class Stretch:
    """Keys `first` to `last` that one walker has still to prove, with the page in hand at its top.

    `total` counts the claims up to `last`, `below` those under `first`, both from the territory's start.
    `requested` is the highest key that the walker has asked for: what lies above is in hand.
    """

    first: int
    last: int
    below: int
    total: int
    page: Answer
    keys: list[int]
    requested: int
    trusted: bool
    failures: int = 0
    cuts: set[int] = field(default_factory=set)

    @property
    def inside(self) -> list[int]:
        """The places of the page that belong to the stretch: a page may reach below it."""
        return [place for place, key in enumerate(self.keys) if self.first <= key <= self.last]

    @property
    def expected(self) -> int:
        """How many claims the stretch holds."""
        return self.total - self.below

    @property
    def unread(self) -> int:
        """How many claims of the stretch are not in hand."""
        return self.expected - len(self.inside)

    @property
    def whole(self) -> bool:
        """Whether the page is all that there is up to `last`: one answer, so one moment."""
        return len(self.page) == self.page.total

    @property
    def overshot(self) -> bool:
        """Whether the page runs, in order, to below the stretch: nothing of the stretch can lie behind it."""
        return self.in_order and bool(self.keys) and self.keys[-1] < self.first

    @property
    def in_order(self) -> bool:
        """Whether the page comes in the order of the walk."""
        return all(upper >= lower for upper, lower in pairwise(self.keys))

    @property
    def walkable(self) -> bool:
        """Whether the page can be proved by another ask: the order is believed and the totals make sense."""
        patience = 1 if self.trusted else 0
        return 0 < len(self.inside) == len(self.page) < self.expected and self.failures <= patience


class Walk:
    """Walks one territory with as many walkers as there are stretches; `in_order`: so did all pages come."""

    def __init__(
        self, territory: Span, ledger: Ledger, spawn: Callable[[Task], None], pieces: Pieces, *, newest_first: bool
    ) -> None:
        self._direction = Direction(newest_first)
        ends = (self._direction.key(territory.first), self._direction.key(territory.last))
        self._first, self._last = min(ends), max(ends)
        self._ledger = ledger
        self._spawn = spawn
        self._pieces = pieces
        self._stretches: list[Stretch] = []
        self._ties = False
        self.in_order = True

    def start(self, answer: Answer, *, trusted: bool) -> Task:
        """Walk the whole territory, of which `answer` is the first page; `trusted`: its order was seen."""
        return self._walk(self._stretch(self._first, self._last, below=0, answer=answer, trusted=trusted))

    def fill(self, gaps: Iterable[Span]) -> Iterator[Task]:
        """Give tasks that walk what an earlier walk left out; whoever walked there has stopped."""
        self._stretches = []
        for gap in gaps:
            yield self._fill(*sorted((self._direction.key(gap.first), self._direction.key(gap.last))))

    def take_over(self, free: int, page_size: int) -> Iterator[Task]:
        """Give up to `free` tasks, each taking part of another walker's stretch where that is worth it."""
        worth = [
            stretch
            for stretch in self._stretches
            if stretch.trusted and not stretch.cuts and stretch.unread >= _WORTH_PAGES * page_size
        ]
        unread = sum(stretch.unread for stretch in worth)
        for stretch in sorted(worth, key=lambda each: -each.unread):
            share = min(free, max(1, round(free * stretch.unread / unread)), stretch.unread // page_size)
            for cut in _even_cuts(stretch, share):
                stretch.cuts.add(cut)
                free -= 1
                yield self._split(cut)
            if free <= 0:
                return

    def _stretch(self, first: int, last: int, *, below: int, answer: Answer, trusted: bool) -> Stretch:
        keys = self._direction.keys(answer)
        stretch = Stretch(first, last, below, answer.total, answer, keys, requested=last, trusted=trusted)
        self._stretches.append(stretch)
        self.in_order = self.in_order and stretch.in_order
        return stretch

    def _fill(self, first: int, last: int) -> Task:
        below = 0 if first == self._first else (yield self._ask(first - 1)).total
        answer = yield self._ask(last)
        yield from self._walk(self._stretch(first, last, below=below, answer=answer, trusted=True))

    def _ask(self, last: int) -> Ask:
        return Ask(self._direction.span(self._first, last))

    def _walk(self, stretch: Stretch) -> Task:
        try:
            while stretch.walkable:
                yield from self._step(stretch)
            self._finish(stretch)
        except Unread as unread:
            self._ledger.keep(stretch.page, stretch.inside, unread.reason)
        finally:
            self._stretches = [each for each in self._stretches if each is not stretch]

    def _finish(self, stretch: Stretch) -> None:
        """Prove what is left of a stretch by the page in hand, or have it read in pieces.

        That the page holds as many claims as the stretch should is no proof by itself: `expected` compares the page's
        total with one from before, and a claim that vanished below in between makes up for one that is missing here.
        """
        if stretch.first > stretch.last:
            return
        span = self._direction.span(stretch.first, stretch.last)
        if len(stretch.inside) == stretch.expected and (stretch.whole or stretch.overshot):
            self._ledger.prove(span, stretch.page, stretch.inside, by_order=not stretch.whole)
        else:
            first_page = stretch.page if stretch.first == self._first else None
            self._spawn(self._pieces.read(span, first_page, seen=stretch.page))

    def _step(self, stretch: Stretch) -> Task:
        """Prove the page in hand by the total below it, and take the answer as the next page.

        Where claims were seen that share a microsecond, the page's last microsecond is asked for again with what
        follows: more of its claims may wait behind the page, and a claim added below would hide that from the total.
        """
        page, oldest = stretch.page, min(stretch.keys)
        above = [place for place, key in enumerate(stretch.keys) if key > oldest]
        self._ties = self._ties or len(set(stretch.keys)) < len(page)
        again = self._ties and bool(above)
        stretch.requested = oldest if again else oldest - 1
        answer = yield self._ask(stretch.requested)
        between = stretch.total - answer.total
        try:
            if again:
                self._prove(stretch, oldest + 1, above, holds=between == len(above))
            elif between == len(page) and not self._ties:
                self._prove(stretch, oldest, None, holds=True)
            else:
                yield from self._untie(stretch, oldest, above, between)
        except Unread as unread:
            self._ledger.keep(page, range(len(page)), unread.reason)
            raise
        finally:
            stretch.last, stretch.total = stretch.requested, answer.total
            stretch.page, stretch.keys = answer, self._direction.keys(answer)
            self.in_order = self.in_order and stretch.in_order

    def _untie(self, stretch: Stretch, oldest: int, above: list[int], between: int) -> Task:
        """Prove a page that ends amid claims of one microsecond, by asking for that microsecond."""
        moment = self._direction.span(oldest, oldest)
        tied = yield Ask(moment)
        self._ties = self._ties or tied.total > 1
        if between == len(above) + tied.total:
            self._prove(stretch, oldest + 1, above, holds=True)
            self._spawn(self._pieces.read(moment, tied))
        else:
            self._prove(stretch, oldest, None, holds=False)

    def _prove(self, stretch: Stretch, first: int, places: list[int] | None, *, holds: bool) -> None:
        """Take the claims at `places` as all from `first` up where the totals agree, else have them read in pieces."""
        span = self._direction.span(first, stretch.last)
        if holds:
            self._ledger.prove(span, stretch.page, places)
            stretch.trusted, stretch.failures = True, 0
        else:
            self._spawn(self._pieces.read(span, seen=stretch.page))
            stretch.failures += 1

    def _split(self, cut: int) -> Task:
        """Start a walker at `cut`, which takes all that its stretch holds up to there."""
        try:
            answer = yield self._ask(cut)
        except Unread:
            return  # nothing is lost: the walker above goes on by itself
        finally:
            for stretch in self._stretches:
                stretch.cuts.discard(cut)
        upper = next((each for each in self._stretches if each.first <= cut < each.requested), None)
        if upper is None:
            return  # the walker above was faster
        lower = self._stretch(upper.first, cut, below=upper.below, answer=answer, trusted=upper.trusted)
        lower.cuts = {each for each in upper.cuts if each < cut}
        upper.cuts -= lower.cuts
        upper.first, upper.below = cut + 1, answer.total
        yield from self._walk(lower)


def _even_cuts(stretch: Stretch, count: int) -> list[int]:
    """Cut what lies below the page in hand into equal times, no further down than its claims are likely to reach."""
    top = min(stretch.keys, default=stretch.last)
    spacing = (max(stretch.keys, default=top) - top) / max(1, len(stretch.keys) - 1)
    likely = int(spacing * stretch.unread * _REACH)
    length = min(top - stretch.first, max(likely, count + 1))
    cuts = {top - length + length * part // (count + 1) for part in range(1, count + 1)}
    return sorted(cut for cut in cuts if stretch.first <= cut < min(top, stretch.requested))
