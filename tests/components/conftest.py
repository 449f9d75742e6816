"""A desk on a sandbox for the screens of selling; a module that needs another one makes its own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox import SandboxServer
from tests.components.stage import Stage


@pytest.fixture(scope="module")
def sandbox() -> Iterator[SandboxServer]:
    with SandboxServer(tokens="account") as running:
        yield running


@pytest.fixture
def stage(sandbox: SandboxServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    staged = Stage(sandbox, tmp_path, monkeypatch)
    yield staged
    staged.runtime.process.close()


@pytest.fixture
def stage_without_reads(sandbox: SandboxServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    """The two reads that the interface does not show are not configured."""
    staged = Stage(sandbox, tmp_path, monkeypatch, purchase_warranties_path=None, offers_path=None)
    yield staged
    staged.runtime.process.close()
