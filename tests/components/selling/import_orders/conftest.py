"""Each test of an import begins with a sandbox that holds no order."""

import pytest

from sandbox import SandboxServer


@pytest.fixture(autouse=True)
def _no_order_is_there(sandbox: SandboxServer) -> None:
    sandbox.reset()
