"""What has been read so far: parts that are proved whole, claims kept without proof, and why."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from warranty.claims.retrieval.answers import Answer
from warranty.claims.retrieval.columns import ClaimColumns
from warranty.claims.retrieval.spans import Span
from warranty.language import Sentence


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of which every claim was received; `number` marks its claims in the columns.

    `by_order`: that none is missing follows from the order of the answer alone.
    """

    number: int
    span: Span
    count: int
    by_order: bool = False


class Ledger:
    """Collects parts. Proved parts never overlap: no claim is in two, so equal-looking claims are all kept."""

    def __init__(self) -> None:
        self.columns = ClaimColumns()
        self.parts: list[Part] = []
        self.reasons: list[Sentence] = []
        self.proved = 0
        self.unproved = 0
        self.newest: int | None = None
        self._numbers = 0
        self._loose: list[int] = []

    @property
    def received(self) -> int:
        """How many claims were received, proved or not, readable or not."""
        return self.proved + self.unproved

    def prove(self, span: Span, answer: Answer, places: Sequence[int] | None = None, *, by_order: bool = False) -> None:
        """Take the claims of `answer` at `places` (None: all) as all that there are in `span`."""
        if span.first > span.last:
            return
        count = len(answer) if places is None else len(places)
        self._numbers += 1
        self.parts.append(Part(self._numbers, span, count, by_order))
        if count:
            self.columns.add(answer, places, part=self._numbers)
            self.proved += count
            moments = [moment for moment in answer.dated if moment in span]
            self.newest = max([*moments, span.first if self.newest is None else self.newest])

    def keep(self, answer: Answer, places: Sequence[int], reason: Sentence) -> None:
        """Take claims of a stretch that could not be proved whole, and say why it could not."""
        self.explain(reason)
        if places:
            self._numbers += 1
            self.columns.add(answer, places, part=self._numbers)
            self._loose.append(self._numbers)
            self.unproved += len(places)

    def explain(self, reason: Sentence) -> None:
        """Say why the set is not complete."""
        if reason not in self.reasons:
            self.reasons.append(reason)

    def doubt(self, span: Span) -> None:
        """Keep the parts of exactly this span without taking them for all that there are in it."""
        for part in [part for part in self.parts if part.span == span]:
            self.parts.remove(part)
            self._loose.append(part.number)
            self.proved -= part.count
            self.unproved += part.count

    def forget_unproved(self) -> None:
        """Forget what is not proved, and why, because it is to be read again."""
        for number in self._loose:
            self.columns.drop(number)
        self._loose, self.unproved, self.reasons = [], 0, []

    def unread(self, whole: Span) -> Iterator[Span]:
        """Give the stretches of `whole` that no part covers."""
        first = whole.first
        for span in sorted(part.span for part in self.parts):
            if first < span.first <= whole.last:
                yield Span(first, span.first - 1)
            first = max(first, span.last + 1)
        if first <= whole.last:
            yield Span(first, whole.last)

    def drop(self, part: Part) -> None:
        """Forget a part, because it is to be read again."""
        self.parts.remove(part)
        self.columns.drop(part.number)
        self.proved -= part.count
