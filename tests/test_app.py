"""The server as it is started: what it answers, what it refuses to start with, what a restart keeps."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import httpx
import pytest

from tests.dashboard import ROOT, Dashboard

STAGING = {
    "WARRANTY_ENVIRONMENT": "staging",
    "WARRANTY_BASE_URL": "https://warranty.invalid",
    "WARRANTY_PRIVATE_TOKEN": "planted-private-token",
    "WARRANTY_PUBLIC_TOKEN": "planted-public-token",
}


def started_in_vain(data_dir: Path, environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """A start that is expected to end by itself."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("WARRANTY_")}
    return subprocess.run(
        [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", "0"],
        cwd=ROOT,
        env={**inherited, "WARRANTY_DATA_DIR": str(data_dir), **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_without_real_accounts_nothing_but_the_sandbox_starts(tmp_path: Path) -> None:
    ended = started_in_vain(tmp_path, STAGING)
    assert ended.returncode != 0
    assert "There are no accounts for staging" in ended.stderr
    assert "python -m warranty accounts add" in ended.stderr
    assert "planted" not in ended.stdout + ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.soak
def test_an_address_without_https_is_refused_with_a_sentence(tmp_path: Path) -> None:
    ended = started_in_vain(tmp_path, {**STAGING, "WARRANTY_BASE_URL": "http://warranty.invalid"})
    assert ended.returncode != 0
    assert "https" in ended.stderr
    assert "WARRANTY_BASE_URL" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_journal_that_is_down_at_the_start_is_told_in_a_sentence(tmp_path: Path) -> None:
    """Whoever is called at night reads the end of the log first."""
    ended = started_in_vain(
        tmp_path, {"WARRANTY_JOURNAL_URL": "postgresql://desk:planted@127.0.0.1:1/journal"}
    )
    assert ended.returncode != 0
    assert "Warranty Desk cannot start. The journal cannot be read" in ended.stderr
    assert "planted" not in ended.stdout + ended.stderr
    assert 'File "' not in ended.stderr


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dashboard]:
    """One dashboard for what leaves it as it is."""
    with Dashboard(tmp_path_factory.mktemp("data")) as dashboard:
        yield dashboard


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="only Linux says what a process has loaded")
def test_no_answer_waits_for_the_browsers_acknowledgement(running: Dashboard) -> None:
    """Asyncio's own loop leaves Nagle's algorithm on for Streamlit's socket (docs/platform-notes/event-loop.md)."""
    assert "/uvloop/" in Path(f"/proc/{running.pid}/maps").read_text()


def test_the_monitor_is_told_that_it_works_and_every_answer_carries_the_headers(running: Dashboard) -> None:
    answer = httpx.get(f"{running.url}/healthz")
    assert answer.json() == {"status": "ok", "environment": "sandbox"}
    assert httpx.get(f"{running.url}/livez").json() == {"status": "alive"}
    assert httpx.get(f"{running.url}/readyz").json() == {"status": "ready"}
    assert set(httpx.get(f"{running.url}/version").json()) == {"version", "journal", "start"}
    front = httpx.get(running.url)
    for page in (answer, front):
        assert "default-src 'none'" in page.headers["content-security-policy"]
        assert page.headers["x-content-type-options"] == "nosniff"
        assert page.headers["referrer-policy"] == "no-referrer"


def test_asked_to_end_it_takes_nobody_and_lives_on_and_asked_twice_it_ends_at_once(tmp_path: Path) -> None:
    with Dashboard(tmp_path, environment={"WARRANTY_DRAIN_SECONDS": "600"}) as dashboard:
        os.kill(dashboard.pid, signal.SIGTERM)
        assert httpx.get(f"{dashboard.url}/readyz").json() == {"status": "draining"}
        assert httpx.get(f"{dashboard.url}/livez").status_code == 200
        page = httpx.get(
            dashboard.url
        )  # for a proxy a reason to go elsewhere, for who comes all the same a page
        assert (page.status_code, "<title>" in page.text) == (503, True)
        assert dashboard.stop() == -signal.SIGTERM


def test_a_stop_leaves_no_database_open_and_a_restart_keeps_the_sandbox_its_orders_and_its_addresses(
    tmp_path: Path,
) -> None:
    from sandbox import SandboxServer

    file = tmp_path / "sandbox.sqlite"
    with Dashboard(tmp_path) as dashboard:
        # uvicorn shuts everything down, then raises the signal once more for whoever waits for the process.
        assert dashboard.stop() in {0, -signal.SIGTERM}
        assert not list(tmp_path.glob("*-wal")), "a database was left open"
    with SandboxServer(seed="demo", data=file) as first:
        uuid, token, landing = first.retailer_uuid, first.private_token, first.landing_url
    with Dashboard(tmp_path):
        pass
    with SandboxServer(seed="demo", data=file) as second:
        assert (second.retailer_uuid, second.private_token, second.landing_url) == (uuid, token, landing)


def test_accounts_are_added_from_the_command_line_with_only_their_hash(tmp_path: Path) -> None:
    def accounts(*arguments: str, password: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "warranty", "accounts", *arguments],
            cwd=ROOT,
            env={**os.environ, "WARRANTY_DATA_DIR": str(tmp_path)},
            input=password,
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )

    added = accounts("add", "Ada", "--role", "staff", password="correct horse battery\n")
    assert added.returncode == 0, added.stderr
    assert "correct horse" not in added.stdout + added.stderr
    assert b"correct horse" not in (tmp_path / "journal.sqlite3").read_bytes()
    listed = [line.split("\t")[:2] for line in accounts("list").stdout.splitlines()]
    assert listed == [["ada", "staff"]]
    assert accounts("add", "Bob", "--role", "staff", password="short\n").returncode == 2
