"""The servers that are measured: ours with the sandbox behind it, and the rivals' pages, all with the same claims."""

import os
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import numpy as np
import pandas as pd

from benchmarks.claim_service import record
from deploy.up.machine import free_port
from sandbox import SandboxServer
from tests.chain.ordeal import cookie_of
from tests.dashboard import Dashboard
from warranty.commands.housekeeping.opening import open_journal
from warranty.people.accounts.people import People

CLAIMS = 10_000
DAYS = 364
RIVALS = Path(__file__).parent / "rivals"
RIVALS_PYTHON = "RIVALS_PYTHON"
"""Names the interpreter of an environment in which benchmarks/rivals/requirements.txt is installed."""
PASSWORD = "office-training"
_COOKIE_KEY = secrets.token_hex(32)


@dataclass(frozen=True, slots=True)
class Server:
    """A server that answers at `url`; `pid` is the process that works."""

    name: str
    url: str
    pid: int

    @property
    def cpu_seconds(self) -> float:
        """Processor time of all its threads so far."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def megabytes(self) -> float:
        """Resident memory now."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) / 1024


def today() -> datetime:
    return datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=None)


def records() -> list[dict[str, str]]:
    """10,000 claims of the 364 days before today, spread evenly."""
    rng = np.random.default_rng(7)
    first = today() - timedelta(days=DAYS)
    seconds = np.sort(rng.integers(0, DAYS * 86_400, CLAIMS))
    return [record(first + timedelta(seconds=int(each)), rng) for each in seconds]


def claims_frame(claims: list[dict[str, str]]) -> pd.DataFrame:
    """The same claims as the frame that the usual page has."""
    frame = pd.DataFrame(claims)
    frame["claim_date"] = pd.to_datetime(frame["claim_date"])
    for name in ("order_date", "warranty_start_date"):
        frame[name] = pd.to_datetime(frame[name], utc=True)
    frame["status"] = frame["status"].astype("category")
    return frame


@contextmanager
def ours(claims: list[dict[str, str]]) -> Iterator[Server]:
    """The dashboard as it is started everywhere, against a sandbox that holds the claims."""
    with service(claims) as environment, own_server(environment) as server:
        yield server


@contextmanager
def service(claims: list[dict[str, str]]) -> Iterator[dict[str, str]]:
    """A sandbox that holds the claims, as the settings of a dashboard that reads from it."""
    with SandboxServer(seed="empty") as sandbox:
        sandbox.add_claims(claims)
        yield {
            "WARRANTY_ENVIRONMENT": "sandbox",
            "WARRANTY_BASE_URL": sandbox.base_url,
            "WARRANTY_LANDING_URL": sandbox.landing_url,
            "WARRANTY_RETAILER_UUID": sandbox.retailer_uuid,
            "WARRANTY_PRIVATE_TOKEN": sandbox.private_token,
            "WARRANTY_PUBLIC_TOKEN": sandbox.public_token,
            "WARRANTY_CA_FILE": str(sandbox.ca_file),
            "WARRANTY_CLAIMS_PACE": "fixed",
            "WARRANTY_CLAIMS_CALLS_PER_SECOND": "1000",
        }


@contextmanager
def own_server(environment: dict[str, str]) -> Iterator[Server]:
    """The dashboard with a data folder of its own, in which a manager's cookie is known (see `cookie`)."""
    with tempfile.TemporaryDirectory() as folder:
        with closing(open_journal(f"sqlite:///{folder}/journal.sqlite3")) as journal:
            People(journal.database).take_over((), cookie_key=_COOKIE_KEY)
        with Dashboard(Path(folder), environment=environment) as dashboard:
            yield Server("ours", dashboard.url, dashboard.pid)


def cookie(url: str) -> str:
    """The cookie of a manager who has just signed in at this address."""
    return cookie_of("manager", _COOKIE_KEY, url)


@contextmanager
def usual(claims_file: Path) -> Iterator[Server]:
    """The usual page in Streamlit."""
    command = [sys.executable, "-m", "streamlit", "run", str(RIVALS / "streamlit_usual.py")]
    options = ["--server.headless", "true", "--server.fileWatcherType", "none", "--server.address", "127.0.0.1"]
    with _started("Streamlit usual", command, [*options, "--server.port"], claims_file) as server:
        yield server


@contextmanager
def rival(name: str, page: str, claims_file: Path) -> Iterator[Server]:
    """The page in another framework, run by the interpreter that RIVALS_PYTHON names."""
    with _started(name, [os.environ[RIVALS_PYTHON], str(RIVALS / page)], [], claims_file) as server:
        yield server


@contextmanager
def _started(name: str, command: list[str], options: list[str], claims_file: Path) -> Iterator[Server]:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    process = subprocess.Popen(
        [*command, *options, str(port)],
        env={**os.environ, "CLAIMS_FILE": str(claims_file)},
        cwd=claims_file.parent,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        deadline = time.monotonic() + 60
        while True:
            try:
                httpx.get(url, timeout=10).raise_for_status()
                break
            except httpx.HTTPError:
                if time.monotonic() > deadline or process.poll() is not None:
                    raise
                time.sleep(0.1)
        yield Server(name, url, process.pid)
    finally:
        process.terminate()
        process.wait(timeout=30)
