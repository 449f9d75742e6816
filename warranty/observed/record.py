"""The service by month, as this shop saw it: how often it could be reached, what it refused, how long it took."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from warranty.journal.shared.observations import Observations, Tries
from warranty.language import _

BUCKETS: Final = (100, 200, 300, 500, 1_000, 2_000, 3_000, 5_000, 10_000, 20_000, 60_000, 120_000)
"""Milliseconds up to which tries are counted together; a longer one counts with the last."""
MONTHS: Final = 12
UNREACHED: Final = ("ServiceFailed", "OutcomeUnknown", "NotSent")
"""Endings of a try that say nothing of what was asked: a 5xx, sent without a usable answer, no connection."""


@dataclass(frozen=True, slots=True)
class Month:
    """The tries of a month (UTC), as YYYY-MM; `sentences` are those of its refusals, `p95` a bound in milliseconds."""

    name: str
    outcomes: Counter[str]
    sentences: Counter[str]
    p95: Mapping[str, int]

    @property
    def refused(self) -> int:
        """Tries that the service answered, and not as asked."""
        return self._answered - self.outcomes["done"]

    @property
    def reached(self) -> str:
        """The share of tries that the service answered without failing itself, rounded down to a tenth of a percent."""
        calls = self.outcomes.total()
        return f"{1000 * self._answered // calls / 10:.1f} %" if calls else _("no calls")

    @property
    def _answered(self) -> int:
        return self.outcomes.total() - sum(self.outcomes[each] for each in UNREACHED)


def months(kept: Observations, now: datetime) -> Sequence[Month]:
    """The last twelve months with this one, from the first that has a call; may raise `JournalUnavailable`."""
    today = now.astimezone(UTC)
    number = today.year * 12 + today.month - 1
    names = [f"{each // 12:04}-{each % 12 + 1:02}" for each in range(number - MONTHS + 1, number + 1)]
    tries = kept.tries(since=f"{names[0]}-01")
    first = min((each.day for each in tries), default=names[-1])
    return [
        _month(name, {each: n for each, n in tries.items() if each.day == name})
        for name in names
        if name >= first
    ]


def _month(name: str, tries: Mapping[Tries, int]) -> Month:
    outcomes, sentences = Counter[str](), Counter[str]()
    took: dict[str, Counter[int]] = {}
    for each, count in tries.items():
        outcomes[each.outcome] += count
        if each.sentence and each.outcome not in UNREACHED:
            sentences[each.sentence] += count
        if each.outcome != "NotSent":
            took.setdefault(each.operation, Counter())[each.up_to_milliseconds] += count
    return Month(name, outcomes, sentences, {operation: _p95(counts) for operation, counts in took.items()})


def _p95(counts: Counter[int]) -> int:
    """The bound under which 95 of 100 tries stayed: that of the bucket in which the 95th lies."""
    left = -(-95 * counts.total() // 100)
    for bound in sorted(counts):
        left -= counts[bound]
        if left <= 0:
            return bound
    return max(counts)
