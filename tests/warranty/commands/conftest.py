"""The command line on a real sandbox: a shop's settings, what a command ended with, and what it wrote."""

import csv
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from sandbox import SandboxServer
from tests.warranty.claims.retrieval.fake_service import as_bag
from warranty.__main__ import main
from warranty.clock import utc_now
from warranty.commands.housekeeping.opening import open_journal
from warranty.desk import Desk
from warranty.settings import client_from, load_settings


class Ended(NamedTuple):
    status: object
    out: str
    err: str


Run = Callable[..., Ended]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command in this process; `typed` is what comes from standard input."""

    def run(*words: object, typed: str | StringIO = "") -> Ended:
        monkeypatch.setattr(sys, "stdin", StringIO(typed) if isinstance(typed, str) else typed)
        capsys.readouterr()
        status: object
        try:
            status = main([str(word) for word in words])
        except SystemExit as ended:
            status = ended.code
        return Ended(status, *capsys.readouterr())

    return run


def configured(server: SandboxServer, monkeypatch: pytest.MonkeyPatch, **more: object) -> None:
    settings = {
        "ENVIRONMENT": "staging", "BASE_URL": server.base_url, "PRIVATE_TOKEN": server.private_token,
        "PUBLIC_TOKEN": server.public_token, "CA_FILE": server.ca_file, "CLAIMS_PACE": "fixed",
        "CLAIMS_CALLS_PER_SECOND": "1000", **more,
    }  # fmt: skip
    for name, value in settings.items():
        monkeypatch.setenv(f"WARRANTY_{name}", str(value))


@pytest.fixture(scope="session")
def running_demo() -> Iterator[SandboxServer]:
    with SandboxServer(tokens="account", seed="demo") as server:
        yield server


@pytest.fixture
def demo(
    running_demo: SandboxServer, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> SandboxServer:
    running_demo.reset()
    configured(running_demo, monkeypatch, DATA_DIR=tmp_path_factory.mktemp("data"))
    return running_demo


@pytest.fixture
def empty(running_sandbox: SandboxServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> SandboxServer:
    """A service without an order or a claim; alerts go into a file."""
    running_sandbox.reset()
    running_sandbox.clear_faults()
    configured(running_sandbox, monkeypatch, DATA_DIR=tmp_path, ALERT_FILE=tmp_path / "alerts.jsonl")
    monkeypatch.chdir(tmp_path)
    return running_sandbox


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "claims.csv"


@contextmanager
def desk(clock: Callable[[], datetime] = utc_now, **more: Any) -> Iterator[Desk]:
    """A desk by the settings of the commands."""
    settings = load_settings()
    with client_from(settings) as client, closing(open_journal(settings.journal_url, clock=clock)) as journal:
        yield Desk(client=client, journal=journal, environment=settings.environment, **more)


def letters(folder: Path) -> list[dict[str, Any]]:
    path = folder / "alerts.jsonl"
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []


def alerts(folder: Path) -> list[str]:
    return [alert["words"] for letter in letters(folder) for alert in letter["alerts"]]


def records(path: Path, separator: str = ",") -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file, delimiter=separator))


def written(claims: Iterable[dict[str, str]]) -> Counter[tuple[tuple[str, str], ...]]:
    """Records as the file has them: the sandbox's customers also write what a spreadsheet would run."""
    return as_bag(
        {name: "'" + text if text.startswith(("=", "+", "-", "@", "\t")) else text for name, text in claim.items()}
        for claim in claims
    )
