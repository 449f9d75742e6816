"""A claim set as the screens get it: read from the real sandbox over its socket."""

from collections.abc import Iterator

import pytest

from sandbox import SandboxServer
from tests.warranty.claims.readings.waiting_reader import Clock, Service
from warranty.claims.readings.readings import ClaimReadings, KeptClaims
from warranty.claims.retrieval import retrieve_claims
from warranty.client import WarrantyClient
from warranty.client.resources import ClaimQuery
from warranty.settings import client_from, load_settings


@pytest.fixture(scope="session")
def sandbox() -> Iterator[SandboxServer]:
    with SandboxServer(seed="demo") as running:
        yield running


@pytest.fixture(scope="session")
def client(sandbox: SandboxServer) -> Iterator[WarrantyClient]:
    settings = load_settings().with_sandbox(**sandbox.access())
    with client_from(settings) as client:
        yield client


@pytest.fixture(scope="session")
def kept(client: WarrantyClient) -> KeptClaims:
    return KeptClaims(retrieve_claims(client, ClaimQuery()))


@pytest.fixture
def service(kept: KeptClaims) -> Service:
    return Service(kept.claims)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def readings(service: Service, clock: Clock) -> Iterator[ClaimReadings]:
    made = ClaimReadings(read=service, scope="sandbox https://service token-of-the-account", now=clock)
    yield made
    made.close()
