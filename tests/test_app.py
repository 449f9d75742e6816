"""The server as it is started: what it answers, what it refuses to start with, what a restart keeps."""

import os
import re
import runpy
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

import launch
from benchmarks.hundred_sessions import hundred_sessions
from sandbox import SandboxServer
from tests.dashboard import ROOT, Dashboard
from warranty import VERSION

STAGING = {
    "WARRANTY_ENVIRONMENT": "staging", "WARRANTY_BASE_URL": "https://warranty.invalid",
    "WARRANTY_PRIVATE_TOKEN": "planted-private-token", "WARRANTY_PUBLIC_TOKEN": "planted-public-token",
}  # fmt: skip


def started_in_vain(data_dir: Path, environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("WARRANTY_")}
    return subprocess.run(
        [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", "0"],
        cwd=ROOT, env={**inherited, "WARRANTY_DATA_DIR": str(data_dir), **environment}, capture_output=True, text=True,
        timeout=60, check=False,
    )  # fmt: skip


NO_HTTPS = {**STAGING, "WARRANTY_BASE_URL": "http://warranty.invalid"}
NO_JOURNAL = {"WARRANTY_JOURNAL_URL": "postgresql://desk:planted@127.0.0.1:1/journal"}


@pytest.mark.parametrize(("environment", "says"), [
    (STAGING, "There are no accounts for staging.* `python -m warranty accounts add"),
    pytest.param(NO_HTTPS, "WARRANTY_BASE_URL.*https", marks=pytest.mark.long),
    pytest.param(NO_JOURNAL, "Warranty Desk cannot start. The journal cannot be read", marks=pytest.mark.long),
], ids=["without accounts", "without https", "without its journal"])  # fmt: skip
def test_what_cannot_start_says_it_clearly(tmp_path: Path, environment: Mapping[str, str], says: str) -> None:
    """Whoever is called at night reads the end of the log first."""
    ended = started_in_vain(tmp_path, environment)
    assert ended.returncode != 0
    assert re.search(says, ended.stderr, re.DOTALL)
    assert "planted" not in ended.stdout + ended.stderr
    assert 'File "' not in ended.stderr


def test_a_bare_command_is_the_dashboard(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    ran: list[str] = []
    monkeypatch.setattr(runpy, "run_module", lambda *_, **__: ran.extend(sys.argv))
    monkeypatch.setattr(sys, "path", [*sys.path])

    def run(*words: str) -> int:
        monkeypatch.setattr(sys, "argv", ["warranty-desk", *words])
        return launch.main()

    assert (run("--version"), capsys.readouterr().out) == (0, f"Warranty Desk {VERSION}\n")
    for help_of, named in ((("--help",), ("conformance", "--server.port")), (("claims", "--help"), ("claims",))):
        with pytest.raises(SystemExit) as ended:
            run(*help_of)
        told = capsys.readouterr().out
        assert ended.value.code == 0
        assert [name for name in ("usage: ", *named) if name not in told] == []
    assert ran == []
    assert run("--server.port", "8501") == 0
    assert ran == ["streamlit", "run", str(ROOT / "app.py"), "--server.port", "8501"]


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dashboard]:
    with Dashboard(tmp_path_factory.mktemp("data")) as dashboard:
        yield dashboard


@pytest.mark.long
@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="only Linux says what a process has loaded")
def test_no_answer_waits_for_the_browsers_acknowledgement(running: Dashboard) -> None:
    """Asyncio's own loop leaves Nagle's algorithm on for Streamlit's socket (docs/platform-notes/event-loop.md)."""
    assert "/uvloop/" in Path(f"/proc/{running.pid}/maps").read_text()


@pytest.mark.long
def test_asked_to_end_it_takes_nobody_and_lives_on_and_asked_twice_it_ends_at_once(tmp_path: Path) -> None:
    with Dashboard(tmp_path, environment={"WARRANTY_DRAIN_SECONDS": "600"}) as dashboard:
        os.kill(dashboard.pid, signal.SIGTERM)
        assert httpx.get(f"{dashboard.url}/readyz").json() == {"status": "draining"}
        assert httpx.get(f"{dashboard.url}/livez").status_code == 200
        page = httpx.get(dashboard.url)  # for a proxy a reason to go elsewhere, for who comes all the same a page
        assert (page.status_code, "<title>" in page.text) == (503, True)
        assert dashboard.stop() == -signal.SIGTERM


@pytest.mark.long
def test_a_stop_leaves_no_database_open_and_a_restart_keeps_orders_and_addresses(tmp_path: Path) -> None:
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


@pytest.mark.long
@pytest.mark.timeout(600)
def test_nothing_is_lost_or_done_twice_and_nobody_is_told_of_anothers_customer() -> None:
    # Once Playwright has started, this thread's loop runs until the last test is over.
    with ThreadPoolExecutor(1) as thread:
        kept, told, memory = thread.submit(hundred_sessions, 12, seconds=90, pause=1.0, one_in=10).result()
    assert not kept.detail.startswith("0 orders"), kept.detail
    assert (kept.ratio, told.ratio) == (0, 0), kept.detail
    assert told.detail == "12 were sent their own"
    assert memory.ratio < 1.5, memory.detail
