"""A claims service in memory that can be as odd as the interface allows."""

import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any, Literal

from tests.builders import claim_record
from warranty.claims.retrieval import Bounds
from warranty.claims.retrieval.answers import read_answer
from warranty.claims.retrieval.columns import ClaimColumns
from warranty.client.resources import ClaimQuery

Record = dict[str, Any]
Bag = Counter[tuple[tuple[str, str], ...]]
Order = Literal["newest", "oldest", "random"]
ORDERS: list[Order] = ["newest", "oldest", "random"]


def service_time(text: str) -> datetime:
    return datetime.fromisoformat(text)


DAY = service_time("2026-05-01")


def records_at(moments: Iterable[datetime]) -> list[Record]:
    return [claim_record(moment, number) for number, moment in enumerate(moments)]


def columns_of(*records: Any, number: int = 1) -> ClaimColumns:
    columns = ClaimColumns()
    body = json.dumps({"data": list(records), "page": 1, "per_page": 50, "total_count": len(records)})
    columns.add(read_answer(body.encode(), number=number))
    return columns


def as_bag(records: Iterable[Record]) -> Bag:
    """Records with how often each occurs: order does not matter, equal ones do."""
    return Counter(tuple(sorted(record.items())) for record in records)


class FakeService:
    """Answers from a list of records.

    `page_size` is how many it shows, `order` which of them; `bounds` is its convention for the ends of ranges,
    `zone` the one in which it reads the ends of warrantyStartDateRange. `before_call` runs before each answer with
    the number of the call, and may change `records` or raise.
    """

    def __init__(
        self, records: Sequence[Record], *, order: Order = "newest", page_size: int = 50, bounds: Bounds | None = None,
        zone: timedelta = timedelta(0), before_call: Callable[[int], None] = lambda _number: None,
    ) -> None:  # fmt: skip
        self.records, self.queries = list(records), list[ClaimQuery]()
        self._order, self._page_size, self._bounds, self._zone = order, page_size, bounds or Bounds(), zone
        self._before_call, self._random, self._lock = before_call, Random(1), threading.Lock()

    def claims_body(self, query: ClaimQuery) -> bytes:
        with self._lock:
            self.queries.append(query)
            self._before_call(len(self.queries))
            found = [record for record in self.records if self._matches(record, query)]
            page = {"data": self._shown(found), "page": 1, "per_page": self._page_size}
            return json.dumps({**page, "total_count": len(found)}).encode()

    def _matches(self, record: Record, query: ClaimQuery) -> bool:
        if query.claim_dates is not None and not self._within(record["claim_date"], query.claim_dates):
            return False
        if query.warranty_start_dates is None:
            return True
        started = datetime.fromisoformat(record["warranty_start_date"]).astimezone(UTC) + self._zone
        return self._within(started.replace(tzinfo=None).isoformat(timespec="microseconds"), query.warranty_start_dates)

    def _within(self, text: Any, ends: tuple[datetime, datetime]) -> bool:
        if not isinstance(text, str):
            return False
        first, last = (end.isoformat(timespec="microseconds") for end in ends)
        late_enough = text >= first if self._bounds.start_included else text > first
        return late_enough and (text <= last if self._bounds.end_included else text < last)

    def _shown(self, found: list[Record]) -> list[Record]:
        if self._order == "random":
            return self._random.sample(found, min(self._page_size, len(found)))
        by_date = sorted(found, key=lambda record: str(record["claim_date"]), reverse=self._order == "newest")
        return by_date[: self._page_size]


class Counted(FakeService):
    """Counts how many calls are with it at once, and when each began; `takes` is in seconds, for calls to meet."""

    def __init__(self, *, takes: float = 0.0) -> None:
        super().__init__(records_at(DAY + timedelta(minutes=20 * number) for number in range(400)))
        self.most, self.began, self._now, self._takes = 0, list[float](), 0, takes
        self._counting = threading.Lock()

    def claims_body(self, query: ClaimQuery) -> bytes:
        with self._counting:
            self._now += 1
            self.most = max(self.most, self._now)
            self.began.append(time.monotonic())
        try:
            threading.Event().wait(self._takes)
            return super().claims_body(query)
        finally:
            with self._counting:
                self._now -= 1
