"""New order on a sandbox, with two merchants to choose from."""

import pytest

from sandbox import SandboxServer
from tests.components.stage import Stage, StageWith


@pytest.fixture
def stage(sandbox: SandboxServer, stage_with: StageWith) -> Stage:
    sandbox.reset()
    return stage_with(merchants="harbour-outlet=Harbour,closed=Closed")
