"""A claim set as the screens get it, read from the real sandbox; a reader that waits until it is told, and a clock."""

import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

import pytest

from sandbox import SandboxServer
from warranty.claims.readings.readings import ClaimReadings, KeptClaims, Reading
from warranty.claims.retrieval import Bounds, ClaimSet, Progress, retrieve_claims
from warranty.client import WarrantyClient
from warranty.client.resources import ClaimQuery
from warranty.language import Sentence
from warranty.settings import client_from, load_settings

ADA = ClaimQuery(customer_email="ada@example.com")
EVERY = ClaimQuery()
LONG = timedelta(seconds=20)
PATIENCE = 20


@dataclass
class Service:
    """A reader that waits until it is let go, and counts."""

    gives: ClaimSet
    reads: int = 0
    let_go: threading.Event = field(default_factory=threading.Event)
    begun: threading.Event = field(default_factory=threading.Event)
    fails: Exception | None = None
    slow_to_stop: threading.Event = field(default_factory=threading.Event)
    stops_with: int = 50
    formers: list[ClaimSet | None] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.slow_to_stop.set()

    def __call__(
        self, query: ClaimQuery, *, progress: Callable[[Progress], None] | None, cancel: threading.Event | None,
        bounds: Bounds | None, former: ClaimSet | None,
    ) -> ClaimSet:  # fmt: skip
        assert progress is not None
        assert cancel is not None
        self.reads += 1
        self.formers.append(former)
        progress(Progress(50, 480, 1, timedelta(seconds=1)))
        self.begun.set()
        while not self.let_go.wait(0.01):
            if cancel.is_set() and self.slow_to_stop.is_set():
                return replace(self.gives, received=self.stops_with, reasons=(Sentence("Reading was stopped."),))
        if self.fails:
            raise self.fails
        return self.gives


@dataclass
class Clock:
    now: datetime = datetime(2026, 11, 21, 14, 2, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


def begin(readings: ClaimReadings, service: Service, *viewers: str) -> None:
    service.begun.clear()
    for viewer in viewers or ("counter",):
        readings.start(EVERY, viewer=viewer)
    assert service.begun.wait(PATIENCE)


def read(readings: ClaimReadings, query: ClaimQuery = EVERY) -> Reading:
    readings.start(query, viewer="counter")
    readings.wait(query, longest=LONG)
    return readings.look(query)


def stop(readings: ClaimReadings, viewer: str = "counter") -> Reading:
    readings.stop(EVERY, viewer=viewer)
    readings.wait(EVERY, longest=LONG)
    return readings.look(EVERY)


@pytest.fixture(scope="session")
def sandbox() -> Iterator[SandboxServer]:
    with SandboxServer(seed="demo") as running:
        yield running


@pytest.fixture(scope="session")
def client(sandbox: SandboxServer) -> Iterator[WarrantyClient]:
    with client_from(load_settings().with_sandbox(**sandbox.access())) as client:
        yield client


@pytest.fixture(scope="session")
def kept(client: WarrantyClient) -> KeptClaims:
    return KeptClaims(retrieve_claims(client, ClaimQuery()))


@pytest.fixture
def service(kept: KeptClaims) -> Service:
    return Service(kept.claims)


@pytest.fixture
def quick(service: Service) -> Service:
    """One that answers at once."""
    service.let_go.set()
    return service


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def readings(service: Service, clock: Clock) -> Iterator[ClaimReadings]:
    with closing(ClaimReadings(read=service, scope="sandbox https://service token-of-the-account", now=clock)) as made:
        yield made
