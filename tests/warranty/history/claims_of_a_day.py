"""A claims service in memory that answers quickly from a frame, and counts what it is asked."""

import json
import threading
from random import Random

import numpy as np
import pandas as pd

from warranty.resources import ClaimQuery
from warranty.retrieval.answers import to_micros

PAGE = 50


class ServiceOf:
    """Answers with at most 50 of the claims of a frame, in any order; `calls` counts the requests."""

    def __init__(self, frame: pd.DataFrame) -> None:
        self.show(frame)
        self.calls = 0
        self._random = Random(1)
        self._lock = threading.Lock()

    def show(self, frame: pd.DataFrame) -> None:
        """Answer with these claims from now on."""
        frame = frame.sort_values("claim_date", kind="stable")
        texts = frame.astype({"status": "str"})
        for name, zone in (("claim_date", ""), ("order_date", "+00:00"), ("warranty_start_date", "+00:00")):
            texts[name] = frame[name].dt.strftime(f"%Y-%m-%dT%H:%M:%S.%f{zone}")
        self._dates = frame["claim_date"].to_numpy().astype("M8[us]").astype(np.int64)
        self._columns = {name: texts[name].tolist() for name in texts.columns}

    def claims_body(self, query: ClaimQuery) -> bytes:
        assert query.customer_email is None
        assert query.warranty_start_dates is None
        first, last = 0, len(self._dates)
        if query.claim_dates is not None:
            first = int(np.searchsorted(self._dates, to_micros(query.claim_dates[0]), "left"))
            last = int(np.searchsorted(self._dates, to_micros(query.claim_dates[1]), "right"))
        with self._lock:
            self.calls += 1
            places = self._random.sample(range(first, last), min(PAGE, last - first))
        records = [{name: values[place] for name, values in self._columns.items()} for place in places]
        return json.dumps(
            {"data": records, "page": 1, "per_page": PAGE, "total_count": last - first}
        ).encode()
