"""Synthetic claims spread in time as real ones are, and a service in memory that answers for them.

The four spreads over two years: `uniform`; `bursts` (opening hours, busy week ends, eight holiday weeks with
two fifths of all claims); `imports` (bursts, and three times 2,000 claims within one second each); `ties` (bursts,
and ten times 45 claims in one microsecond each).
"""

import json
import threading
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import Literal

import numpy as np
import numpy.typing as npt

from warranty.claims.retrieval.answers import to_micros, to_moment
from warranty.client.resources import ClaimQuery

Order = Literal["newest", "oldest", "random"]
Micros = npt.NDArray[np.int64]

HOUR = 3_600_000_000
START = datetime.fromisoformat("2024-11-01")
DAYS = 728
END = START + timedelta(days=DAYS) - timedelta(microseconds=1)
PAGE = 50
_OPENING = np.array([0.05] * 9 + [0.6, 1, 1.1, 1.2, 1, 0.9, 1, 1.1, 1.4, 1.3, 0.8] + [0.05] * 4)
_WEEKDAYS = np.array([1, 0.9, 0.9, 1, 1.3, 1.8, 0.6])


def uniform(count: int, rng: np.random.Generator) -> Micros:
    return to_micros(START) + rng.integers(0, DAYS * 24 * HOUR, count)


def bursts(count: int, rng: np.random.Generator) -> Micros:
    in_bursts = count * 2 // 5
    ordinary = rng.integers(0, DAYS // 7, count - in_bursts) * 7 + rng.choice(
        7, count - in_bursts, p=_WEEKDAYS / _WEEKDAYS.sum()
    )
    holidays = rng.choice(rng.integers(0, DAYS - 7, 8), in_bursts) + rng.integers(0, 7, in_bursts)
    hours = np.concatenate([ordinary, holidays]) * 24 + rng.choice(24, count, p=_OPENING / _OPENING.sum())
    return to_micros(START) + hours * HOUR + rng.integers(0, HOUR, count)


def imports(count: int, rng: np.random.Generator) -> Micros:
    seconds = [second + rng.integers(0, 1_000_000, 2_000) for second in uniform(3, rng)]
    return np.concatenate([bursts(count - 6_000, rng), *seconds])


def ties(count: int, rng: np.random.Generator) -> Micros:
    moments = [np.full(45, moment) for moment in uniform(10, rng)]
    return np.concatenate([bursts(count - 450, rng), *moments])


SPREADS: dict[str, Callable[[int, np.random.Generator], Micros]] = {
    "uniform": uniform,
    "bursts": bursts,
    "imports": imports,
    "ties": ties,
}


def record(moment: datetime, rng: np.random.Generator) -> dict[str, str]:
    """One claim record of about 340 bytes."""
    started = moment - timedelta(days=int(rng.exponential(200)) + 3, seconds=int(rng.integers(0, 86_400)))
    product = f"{('OLED TV', 'Arc floor lamp', 'Dishwasher', 'Laptop')[int(rng.integers(4))]} {rng.integers(24)}"
    status = ("RESOLVED", "OPEN", "IN_REVIEW", "DENIED", "AWAITING_PARTS")[int(rng.integers(5))]
    return {
        "claim_date": moment.isoformat(timespec="microseconds"),
        "description": f"The screen shows {rng.integers(1_000_000)} lines since the last update.",
        "order_date": f"{(started - timedelta(days=2)).isoformat(timespec='microseconds')}+00:00",
        "order_id": rng.bytes(16).hex(),
        "product_name": product,
        "status": status,
        "warranty_id": f"W-{rng.integers(10**9):09}",
        "warranty_start_date": f"{started.isoformat(timespec='microseconds')}+00:00",
    }


def bodies(count: int, *, seed: int = 1) -> list[bytes]:
    """Answers of 50 records each, `count` records in all, as the service would send them."""
    rng = np.random.default_rng(seed)
    records = [record(to_moment(int(micros)), rng) for micros in uniform(count, rng)]
    return [_body(map(_json, records[start : start + PAGE]), count) for start in range(0, count, PAGE)]


class MemoryService:
    """Answers as the service does, from memory: at most 50 claims, the newest, the oldest, or any."""

    def __init__(self, moments: Micros, *, order: Order, seed: int = 1) -> None:
        rng = np.random.default_rng(seed)
        self._moments = np.sort(moments)
        self._records = [_json(record(to_moment(int(micros)), rng)) for micros in self._moments]
        self._order = order
        self._random = np.random.default_rng(seed)
        self._lock = threading.Lock()

    def claims_body(self, query: ClaimQuery) -> bytes:
        assert query.claim_dates is not None
        first = int(np.searchsorted(self._moments, to_micros(query.claim_dates[0]), "left"))
        last = int(np.searchsorted(self._moments, to_micros(query.claim_dates[1]), "right"))
        shown = min(PAGE, last - first)
        if self._order == "newest":
            places: Iterable[int] = range(last - 1, last - 1 - shown, -1)
        elif self._order == "oldest":
            places = range(first, first + shown)
        else:
            with self._lock:
                places = first + self._random.choice(last - first, shown, replace=False)
        return _body((self._records[place] for place in places), last - first)


def _json(each: dict[str, str]) -> str:
    return json.dumps(each, separators=(",", ":"))


def _body(records: Iterable[str], total: int) -> bytes:
    page = f'],"page":1,"per_page":{PAGE},"total_count":{total}}}'
    return ('{"data":[' + ",".join(records) + page).encode()
