"""The busy sandbox over a real socket: the set that is read equals the sandbox's own, record by record."""

import itertools
import threading
from datetime import timedelta
from typing import Literal

import pytest

from sandbox import SandboxServer
from sandbox.store.claim_book import ClaimsOrder
from tests.builders import client_at
from tests.warranty.claims.retrieval.fake_service import as_bag
from tests.warranty.claims.retrieval.readings import complete
from warranty.claims.retrieval import ClaimLimits, retrieve_claims
from warranty.client import Timeouts, WarrantyClient
from warranty.client.resources import ClaimQuery

ORDERS: list[ClaimsOrder] = ["newest", "oldest", "shuffled"]
IMPATIENT = Timeouts(read=timedelta(seconds=0.5))


class Faulty:
    """Sends every so many calls into a fault of the sandbox, of each kind in turn."""

    KINDS = ("delay", "status", "drop_before_write", "drop_after_write", "truncated_body", "not_json")

    def __init__(self, client: WarrantyClient, sandbox: SandboxServer, *, every: int) -> None:
        self._client = client
        self._sandbox = sandbox
        self._every = every
        self._kinds = itertools.cycle(self.KINDS)
        self._lock = threading.Lock()
        self.calls = 0
        self.faults = 0

    def claims_body(self, query: ClaimQuery) -> bytes:
        with self._lock:
            self.calls += 1
            if self.calls % self._every == 0:
                self.faults += 1
                self._sandbox.add_fault("claims", next(self._kinds), seconds=0.9)
        return self._client.claims_body(query)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(
    ("seed", "every", "faults"), [("demo", 4, 4), pytest.param("busy", 20, 20, marks=pytest.mark.long)]
)
def test_the_set_is_read_whole_in_each_order_and_with_a_fault_in_every_so_many_calls(
    order: ClaimsOrder, seed: Literal["demo", "busy"], every: int, faults: int
) -> None:
    with SandboxServer(seed=seed, claims_order=order) as sandbox, client_at(sandbox, timeouts=IMPATIENT) as client:
        service = Faulty(client, sandbox, every=every)
        claims = retrieve_claims(service, ClaimQuery(), limits=ClaimLimits(at_once=4))
        assert service.faults >= faults
        assert complete(claims) == as_bag(sandbox.claims())
        assert claims.total == {"demo": 480, "busy": 20_000}[seed]
        assert claims.rejected == ()
