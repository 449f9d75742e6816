"""Wall time of reading 20,000 claims in bursts: 50 ms a call, 8 at once, threads and all.

The baseline knows where the claims lie: 400 requests, each for exactly 50, through the same pool of 8 threads. The
service is in memory and sleeps for the latency, so both pay for threads, parsing and planning, and none for TLS.

Below, as a desk reads by its defaults: at a pace of its own, at most 40 calls a second and 16 at once. At 50 ms a call
as many calls as that pace allows in 15 s are 584; an order by date needs some 405, one of none, with claims in bursts,
some 800. A refresh is of claims read an hour before, of which 50 changed.
"""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Final

import numpy as np

from benchmarks.claim_service import END, PAGE, START, MemoryService, Micros, Order, bursts, uniform
from benchmarks.harness import Result, interleaved
from tests.warranty.insight.history.claims_of_a_day import ServiceOf
from tests.worlds import ENDS, Shop
from warranty.claims.retrieval import ClaimLimits, refreshed_claims, retrieve_claims
from warranty.claims.retrieval.answers import read_answer, to_moment
from warranty.claims.retrieval.columns import ClaimColumns
from warranty.claims.retrieval.spans import INCLUSIVE, Bounds
from warranty.client.resources import ClaimQuery

CLAIMS: Final = 20_000
AT_ONCE: Final = 8
LATENCY: Final = 0.05


class DistantService(MemoryService):
    """The same service, 50 ms away."""

    def claims_body(self, query: ClaimQuery) -> bytes:
        time.sleep(LATENCY)
        return super().claims_body(query)


def at_own_pace() -> ClaimLimits:
    return ClaimLimits(at_once=16, per_second=40, is_adaptive=True)


def by_default() -> Iterator[Result]:
    ways: list[tuple[Order, Callable[..., Micros]]] = [("newest", bursts), ("random", uniform), ("random", bursts)]
    for order, spread in ways:
        service = DistantService(spread(CLAIMS, np.random.default_rng(1)), order=order)
        query = ClaimQuery(claim_dates=(START, END))
        claims = retrieve_claims(service, query, limits=at_own_pace())
        assert claims.is_complete
        seconds = claims.duration.total_seconds()
        what = f"20,000 claims at a desk's own pace: {spread.__name__}, {order} order"
        yield Result(what, "15 s", seconds / 15, 1, detail=f"{seconds:.1f} s; {claims.requests} requests")


def refreshed() -> Result:
    shop = Shop(seed=1, claims_a_month=560, months=48)
    before = datetime(2026, 11, 22, 12, tzinfo=UTC)
    service = ServiceOf(shop.claims(shop.today - timedelta(days=2)))
    read = partial(refreshed_claims, service, ClaimQuery(), closed=ENDS, limits=ClaimLimits(at_once=AT_ONCE))
    former = read(now=lambda: before)
    service.show(shop.claims())
    claims = read(former=former, now=lambda: before + timedelta(hours=1))
    assert claims.is_complete
    new = len(claims.frame) - len(former.frame)
    detail = f"{claims.requests} of {former.requests} requests; {len(claims.frame):,} claims, {new} of them new"
    return Result("calls of a refresh", "reading all of them", claims.requests / former.requests, 0.25, detail=detail)


def measure() -> list[Result]:
    moments = np.sort(bursts(CLAIMS, np.random.default_rng(1)))
    service = DistantService(moments, order="newest")
    pages = [
        ClaimQuery(claim_dates=(to_moment(int(page[0])), to_moment(int(page[-1]))))
        for page in np.split(moments, CLAIMS // PAGE)
    ]
    requests: dict[str, int] = {}

    def perfect() -> None:
        columns = ClaimColumns()
        with ThreadPoolExecutor(AT_ONCE) as pool:
            for number, body in enumerate(pool.map(service.claims_body, pages), start=1):
                columns.add(read_answer(body, number=number))
        assert len(columns.table(newest_first=True).frame) == CLAIMS

    def walked(name: str, bounds: Bounds | None) -> None:
        query = ClaimQuery(claim_dates=(START, END))
        claims = retrieve_claims(service, query, limits=ClaimLimits(at_once=AT_ONCE), bounds=bounds)
        assert claims.is_complete
        assert claims.received == CLAIMS
        requests[name] = claims.requests

    first, later = ("the first reading", "later readings, which know how the service counts the ends of a range")
    seconds = interleaved(
        {"perfect": perfect, first: lambda: walked(first, None), later: lambda: walked(later, INCLUSIVE)}
    )
    walls = [
        Result(
            f"wall time, bursts, 50 ms a call, 8 at once: {name}",
            "400 perfect requests at the same concurrency",
            seconds[name] / seconds["perfect"],
            1.12,
            detail=f"{seconds[name]:.2f} s against {seconds['perfect']:.2f} s; {requests[name]} requests",
        )
        for name in (first, later)
    ]
    return [*walls, *by_default(), refreshed()]
