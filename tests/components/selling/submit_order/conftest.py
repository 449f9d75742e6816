"""New order on a sandbox, with two merchants to choose from."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox import SandboxServer
from tests.components.stage import Stage


@pytest.fixture
def stage(sandbox: SandboxServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    sandbox.reset()
    staged = Stage(sandbox, tmp_path, monkeypatch, merchants="harbour-outlet=Harbour,closed=Closed")
    yield staged
    sandbox.clear_faults()
    staged.runtime.process.close()
