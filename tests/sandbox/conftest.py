"""What the sandbox's tests share: the marker that claims clauses of the interface, a running sandbox, a shop."""

from collections.abc import Iterator

import pytest

from sandbox import SandboxServer
from tests.sandbox.shop import Shop


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "clause(*ids): the sentences of the interface that a test is the proof of")


@pytest.fixture(scope="session")
def running_sandbox() -> Iterator[SandboxServer]:
    with SandboxServer(seed="empty") as sandbox:
        yield sandbox


@pytest.fixture(scope="session")
def running_shop(running_sandbox: SandboxServer) -> Iterator[Shop]:
    with Shop(running_sandbox) as shop:
        yield shop


@pytest.fixture
def shop(sandbox: SandboxServer, running_shop: Shop) -> Shop:
    assert running_shop.sandbox is sandbox
    return running_shop
