"""Wall time of reading 20,000 claims in bursts: 50 ms a call, 8 at once, threads and all.

The baseline knows where the claims lie: 400 requests, each for exactly 50, through the same pool of 8 threads. The
service is in memory and sleeps for the latency, so both pay for threads, parsing and planning, and none for TLS.
"""

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import numpy as np

from benchmarks.claim_service import END, PAGE, START, MemoryService, bursts
from benchmarks.harness import Result, interleaved
from warranty.claims.retrieval import ClaimLimits, retrieve_claims
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
    return [
        Result(
            f"wall time, bursts, 50 ms a call, 8 at once: {name}",
            "400 perfect requests at the same concurrency",
            seconds[name] / seconds["perfect"],
            1.12,
            detail=f"{seconds[name]:.2f} s against {seconds['perfect']:.2f} s; {requests[name]} requests",
        )
        for name in (first, later)
    ]
