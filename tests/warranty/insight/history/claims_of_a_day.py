"""A claims service in memory that answers quickly from a frame, and counts what it is asked."""

import json
import threading
from collections.abc import Callable
from random import Random
from typing import Any, Literal

import numpy as np
import pandas as pd

from warranty.claims.retrieval import Bounds
from warranty.claims.retrieval.answers import to_micros
from warranty.client.resources import ClaimQuery

PAGE = 50
Side = Literal["left", "right"]


def hides_two(page: dict[str, Any], query: ClaimQuery) -> None:
    """Two more are counted where no date is asked for than any date finds."""
    page["total_count"] += 2 * (query.claim_dates is None)


class ServiceOf:
    """Answers with at most 50 of the claims of a frame, in any order; `calls` counts the requests.

    `bounds` is its convention for the ends of a range. What stands in `at` happens right before the call of that
    number; `alters` does something to each answer.
    """

    def __init__(self, frame: pd.DataFrame, bounds: Bounds | None = None) -> None:
        bounds = bounds or Bounds()
        self._first_side: Side = "left" if bounds.start_included else "right"
        self._last_side: Side = "right" if bounds.end_included else "left"
        self.calls, self.at = 0, dict[int, Callable[[], None]]()
        self.alters: Callable[[dict[str, Any], ClaimQuery], None] = lambda _page, _query: None
        self._random, self._lock = Random(1), threading.Lock()
        self.show(frame)

    def show(self, frame: pd.DataFrame) -> None:
        frame = frame.sort_values("claim_date", kind="stable")
        texts = frame.astype({"status": "str"})
        for name, zone in (("claim_date", ""), ("order_date", "+00:00"), ("warranty_start_date", "+00:00")):
            texts[name] = frame[name].dt.strftime(f"%Y-%m-%dT%H:%M:%S.%f{zone}")
        self._dates = frame["claim_date"].to_numpy().astype("M8[us]").astype(np.int64)
        self._columns = {name: texts[name].tolist() for name in texts.columns}

    def claims_body(self, query: ClaimQuery) -> bytes:
        self.at.pop(self.calls + 1, lambda: None)()
        assert (query.customer_email, query.warranty_start_dates) == (None, None)
        first, last = 0, len(self._dates)
        if query.claim_dates is not None:
            first = int(np.searchsorted(self._dates, to_micros(query.claim_dates[0]), self._first_side))
            last = int(np.searchsorted(self._dates, to_micros(query.claim_dates[1]), self._last_side))
        last = max(first, last)
        with self._lock:
            self.calls += 1
            places = self._random.sample(range(first, last), min(PAGE, last - first))
        records = [{name: values[place] for name, values in self._columns.items()} for place in places]
        page = {"data": records, "page": 1, "per_page": PAGE, "total_count": last - first}
        self.alters(page, query)
        return json.dumps(page).encode()
