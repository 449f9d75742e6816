"""How many requests 20,000 claims cost, for four spreads in time and three orders of answers.

The planning is run in rounds of four requests, as four connections with equal latency would: exact, and the same
on every machine. Every claim is checked to have been read.
"""

import math
import statistics
from typing import Final

import numpy as np

from benchmarks.claim_service import END, PAGE, SPREADS, START, MemoryService, Order
from benchmarks.harness import Result
from warranty.claims.retrieval.answers import read_answer
from warranty.claims.retrieval.survey import Survey
from warranty.client.resources import ClaimQuery

CLAIMS: Final = 20_000
AT_ONCE: Final = 4
SEEDS: Final = range(1, 6)
_DATED: Final = {"uniform": 1.03, "bursts": 1.08, "imports": 1.22, "ties": 1.10}
_RANDOM: Final = {"uniform": 1.45, "bursts": 2.2, "imports": 2.6}
_NAMES: Final = {"uniform": "uniform", "bursts": "bursts", "imports": "one-second imports", "ties": "ties"}


def requests_for(spread: str, order: Order, *, seed: int, at_once: int = AT_ONCE) -> int:
    moments = SPREADS[spread](CLAIMS, np.random.default_rng(seed))
    service = MemoryService(moments, order=order, seed=seed)
    query = ClaimQuery(claim_dates=(START, END))
    survey = Survey(query, now=END)
    requests = 0
    while survey.ready or survey.next_round():
        if requests:
            survey.use_idle(at_once - len(survey.ready))
        started = [survey.ready.popleft() for _ in range(min(at_once, len(survey.ready)))]
        for task, ask in started:
            requests += 1
            survey.answered(task, read_answer(service.claims_body(ask.narrowed(query)), number=requests))
    assert survey.ledger.received == survey.total == CLAIMS
    assert not survey.ledger.reasons
    return requests


def measure() -> list[Result]:
    needed = math.ceil(CLAIMS / PAGE)
    results = []
    reaches: list[tuple[list[Order], dict[str, float]]] = [(["newest", "oldest"], _DATED), (["random"], _RANDOM)]
    for orders, reach in reaches:
        for spread, goal in reach.items():
            counts = [requests_for(spread, order, seed=seed) for seed in SEEDS for order in orders]
            order = "in date order" if len(orders) > 1 else "in random order"
            results.append(
                Result(
                    f"requests for 20,000 claims {order}: {_NAMES[spread]}",
                    "ceil(N/50)",
                    statistics.median(counts) / needed,
                    goal,
                    detail=f"median of {len(counts)} runs; {min(counts)} to {max(counts)} requests, {AT_ONCE} at once",
                )
            )
    return results
