"""A desk that tells its figures on a port, on a journal and a history of its own."""

from collections.abc import Iterator
from pathlib import Path
from socketserver import BaseServer

import pytest

from deploy.up.machine import free_port
from tests.warranty.desk.conftest import shop
from tests.warranty.watch.metrics.told import Told
from warranty.desk.journal import Journal

__all__ = ["shop"]


@pytest.fixture
def told(journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Told]:
    # The library's server looks every half second whether it is to end.
    monkeypatch.setattr(BaseServer.serve_forever, "__defaults__", (0.01,))
    figures = Told(journal, free_port(), tmp_path)
    yield figures
    figures.stop()
