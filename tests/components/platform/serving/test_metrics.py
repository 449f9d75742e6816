"""The figures of a whole desk, as it is put together."""

import logging
from datetime import timedelta
from pathlib import Path

import pytest

from deploy.up.machine import free_port
from sandbox import SandboxServer
from tests.builders import MANAGER, order_of
from tests.components.stage import Stage
from tests.warranty.watch.metrics.story import scrape
from warranty.client.resources import ClaimQuery
from warranty.watch.metrics.serving import GAUGES, Counted


def test_a_desk_tells_every_figure(sandbox: SandboxServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    port = free_port()
    stage = Stage(sandbox, tmp_path, monkeypatch, metrics_port=str(port))
    try:
        stage.send(order_of(order_id="o-1"))
        sandbox.add_fault("claims", "status", status=503)  # is tried again, which the budget pays
        claims = stage.runtime.claims.of(MANAGER)
        query = ClaimQuery()
        claims.start(query, viewer="a tab")
        claims.wait(query, longest=timedelta(seconds=30))
        told = scrape(port)
        assert told is not None
        no_night = {"warranty_night_age_seconds", "warranty_first_night_awaited_seconds"}  # and none is wanted
        assert GAUGES.keys() - told.keys() == no_night
        assert 9 <= told["warranty_retry_budget_left"] < 10
        assert told["warranty_reading_age_seconds"] < 60
        assert told['warranty_calls_total{operation="submit_order",outcome="done"}'] == 1
    finally:
        stage.runtime.process.close()
    assert scrape(port) is None


def test_a_desk_without_a_port_counts_nothing(stage: Stage) -> None:
    handlers = [one for name in Counted.LOGS for one in logging.getLogger(name).handlers]
    assert not [one for one in handlers if isinstance(one, Counted)]
