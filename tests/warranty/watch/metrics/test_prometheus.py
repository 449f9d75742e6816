"""A real Prometheus, with the sample of its configuration and the rules as they stand, watches a real desk."""

import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.sync.client import connect
from websockets.typing import Origin, Subprotocol

from deploy.up.machine import free_port
from tests.dashboard import Dashboard
from tests.machine import program
from tests.waiting import until
from tests.warranty.watch.metrics import story


@contextmanager
def prometheus(folder: Path, desk_port: int) -> Iterator[Callable[[str], Any]]:
    port = free_port()
    sample = (story.RULES.parent / "prometheus.yml").read_text()
    desks = ('"127.0.0.1:18501", "127.0.0.1:18502"', f'"127.0.0.1:{desk_port}"')
    for old, new in (("15s", "3s"), ("10s", "3s"), desks):
        assert old in sample
        sample = sample.replace(old, new)
    (folder / "prometheus.yml").write_text(sample)
    (folder / "rules.yml").write_text(story.RULES.read_text())
    places = [f"--config.file={folder / 'prometheus.yml'}", f"--storage.tsdb.path={folder / 'series'}"]
    listens = [f"--web.listen-address=127.0.0.1:{port}", "--log.level=warn"]

    def ask(path: str) -> Any:
        with suppress(httpx.TransportError, httpx.HTTPStatusError):
            answer = httpx.get(f"http://127.0.0.1:{port}/api/v1{path}", trust_env=False, timeout=10)
            return answer.raise_for_status().json()["data"]
        return {}  # it has only just begun

    with subprocess.Popen([program("prometheus"), *places, *listens], cwd=folder) as running:
        try:
            yield ask
        finally:
            running.terminate()


@pytest.mark.long
def test_prometheus_finds_the_desk_up_and_tells_of_a_journal_another_program_has(tmp_path: Path) -> None:
    port = free_port()
    dashboard = Dashboard(tmp_path / "data", environment={"WARRANTY_METRICS_PORT": str(port)})
    with dashboard, prometheus(tmp_path, port) as ask:
        told = story.scrape(port)
        assert told is not None
        assert (told["warranty_ready"], told["warranty_sessions"]) == (1, 0)
        address = f"ws://127.0.0.1:{dashboard.port}/_stcore/stream"
        with connect(address, origin=Origin(dashboard.url), subprotocols=[Subprotocol("streamlit")], proxy=None):
            until(lambda: (story.scrape(port) or {})["warranty_sessions"] == 1, seconds=60)
        until(lambda: [one["health"] for one in ask("/targets").get("activeTargets", [])] == ["up"], seconds=60)
        assert not ask("/alerts")["alerts"]
        with closing(sqlite3.connect(tmp_path / "data" / "journal.sqlite3", isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")
            until(lambda: "WarrantyJournalFails" in firing(ask), seconds=60)
        shown = httpx.get(f"{dashboard.url}/metrics", trust_env=False)
        assert "warranty_" not in shown.text  # on its own port alone


def firing(ask: Callable[[str], Any]) -> set[str]:
    alerts = ask("/alerts").get("alerts", [])
    return {alert["labels"]["alertname"] for alert in alerts if alert["state"] == "firing"}
