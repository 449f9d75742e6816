"""The counter of most tests here."""

import pytest

from sandbox import SandboxServer
from tests.warranty.conftest import Clock
from tests.warranty.desk.shop import Shop
from warranty.access import Operator
from warranty.desk import Desk


@pytest.fixture
def shop(desk: Desk, clerk: Operator, sandbox: SandboxServer, clock: Clock) -> Shop:
    return Shop(desk, clerk, sandbox, clock)
