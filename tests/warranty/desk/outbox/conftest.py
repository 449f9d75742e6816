"""A desk that knows where the landing pages are."""

import ssl
from collections.abc import Iterator
from datetime import timedelta
from functools import partial

import pytest

from sandbox import SandboxServer
from tests.builders import client_at
from tests.warranty.conftest import Clock
from tests.warranty.desk.outbox.waiting_shop import WaitingShop
from warranty.access import Operator
from warranty.client import Pacing, RetryBudget, WarrantyClient
from warranty.client.resources.landing import landing_page_url
from warranty.desk import Desk
from warranty.desk.journal import Journal
from warranty.desk.outbox.outbox import Outbox


@pytest.fixture
def client(sandbox: SandboxServer, trust: ssl.SSLContext, clock: Clock) -> Iterator[WarrantyClient]:
    """Its repeats have a budget that goes by the test's clock."""
    budget = RetryBudget(clock=lambda: clock().timestamp())
    pacing = Pacing(sleep=lambda _seconds: None, budget=budget)
    with client_at(sandbox, pacing=pacing, verify=trust) as opened:
        yield opened


@pytest.fixture
def desk(client: WarrantyClient, journal: Journal, sandbox: SandboxServer) -> Desk:
    page = partial(landing_page_url, sandbox.landing_url, sandbox.retailer_uuid)
    return Desk(client=client, journal=journal, environment="sandbox", margin=timedelta(0), landing_page=page)


@pytest.fixture
def shop(
    *, desk: Desk, client: WarrantyClient, journal: Journal, sandbox: SandboxServer, clerk: Operator, clock: Clock
) -> WaitingShop:
    budget = client.retry_budget
    outbox = Outbox(journal, desk.sender, "sandbox", budget=budget)
    return WaitingShop(desk, clerk, sandbox, clock, journal, outbox, budget)
