"""A desk on a sandbox with the claims of the demo."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox import SandboxServer
from tests.components.stage import Stage


@pytest.fixture(scope="module")
def sandbox() -> Iterator[SandboxServer]:
    with SandboxServer(seed="demo") as running:
        yield running


@pytest.fixture
def stage(sandbox: SandboxServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    staged = Stage(sandbox, tmp_path, monkeypatch, claims_calls_per_second="1000")
    yield staged
    staged.runtime.close()
