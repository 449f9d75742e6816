"""What the sandbox's tests share: a running sandbox, and a shop."""

from collections.abc import Iterator

import pytest

from sandbox import SandboxServer
from tests.sandbox.shop import Shop


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
