"""A desk on a sandbox for the screens of selling; a module that needs another one makes its own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox import SandboxServer
from tests.components.stage import Stage, StageWith


@pytest.fixture(scope="module")
def sandbox() -> Iterator[SandboxServer]:
    with SandboxServer(tokens="account") as running:
        yield running


@pytest.fixture
def stage_with(sandbox: SandboxServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[StageWith]:
    """Desks with settings of their own: the first in the test's folder, each other in one below it."""
    made: list[Stage] = []

    def make(**settings: object) -> Stage:
        folder = tmp_path / f"desk-{len(made)}" if made else tmp_path
        made.append(Stage(sandbox, folder, monkeypatch, **settings))
        return made[-1]

    yield make
    for staged in made:
        staged.runtime.process.close()


@pytest.fixture
def stage(stage_with: StageWith) -> Stage:
    return stage_with()


@pytest.fixture
def stage_without_reads(stage_with: StageWith) -> Stage:
    """The two reads that the interface does not show are not configured."""
    return stage_with(purchase_warranties_path=None, offers_path=None)
