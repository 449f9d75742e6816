"""The dashboard as people start it: `streamlit run app.py` in a process of its own, on a free port."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from threading import Event, Thread
from types import TracebackType
from typing import Any, Self

import httpx
from playwright.sync_api import Locator, Page

ROOT = Path(__file__).resolve().parent.parent
CHROMIUM_ARGUMENTS = [
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


def chromium(*, that_asks: bool = False) -> str | None:
    """Where Debian's Chromium is; None where it is not installed.

    Without the windows that nobody sees here, a page costs a quarter less: `chromium-headless-shell`, if it is there.
    It has none that asks a person either, for the camera say: a test that needs this takes the whole of it.
    """
    return (None if that_asks else shutil.which("chromium-headless-shell")) or shutil.which("chromium")


def free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def person(page: Page) -> Locator:
    """The name in the bar: there is one while somebody is signed in."""
    return page.locator(".st-key-who button").first


def leave(page: Page) -> None:
    """Sign out, by the menu behind the name."""
    person(page).click()
    page.get_by_role("button", name="Sign out").click()


class Dashboard:
    """Starts the server, waits until it answers, and stops it with SIGTERM; `log` is all it printed.

    `command` starts it in `folder`: as in the repository, unless another is given.
    """

    def __init__(
        self,
        data_dir: Path,
        *,
        environment: Mapping[str, str] | None = None,
        command: Sequence[str] = (sys.executable, "-m", "streamlit", "run", "app.py"),
        folder: Path = ROOT,
    ) -> None:
        self.data_dir = data_dir
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.cookies: dict[str, Any] = {}
        """Those of who has signed in, by name."""
        self.passwords: dict[str, str] = {}
        """Those of people who do not train, by name."""
        self._environment = dict(environment or {})
        self._command, self._folder = command, folder
        self._lines: list[str] = []
        self._process: subprocess.Popen[str] | None = None
        self._reader: Thread | None = None

    @property
    def log(self) -> str:
        return "".join(self._lines)

    @property
    def pid(self) -> int:
        """The process that serves."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> Self:
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("WARRANTY_")}
        self._process = subprocess.Popen(
            [*self._command, "--server.port", str(self.port)],
            cwd=self._folder,
            env={
                **inherited,
                "WARRANTY_DATA_DIR": str(self.data_dir),
                "PYTHONUNBUFFERED": "1",
                **self._environment,
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.append(line)
            if f":{self.port}" in line:  # Streamlit says where it listens
                break
        else:
            raise AssertionError(f"The dashboard did not start:\n{self.log}")
        self._reader = Thread(target=self._read_on, daemon=True)
        self._reader.start()
        self._wait_until_it_answers()
        return self

    def _wait_until_it_answers(self) -> None:
        """Streamlit says where it listens a moment before it does."""
        deadline = time.monotonic() + 180
        pause = Event()
        while True:
            try:
                httpx.get(f"{self.url}/healthz", timeout=30).raise_for_status()
                return
            except httpx.TransportError:
                assert self._process is not None
                if self._process.poll() is not None or time.monotonic() > deadline:
                    raise AssertionError(f"The dashboard did not start:\n{self.log}") from None
                pause.wait(0.05)

    def _read_on(self) -> None:
        assert self._process is not None
        assert self._process.stdout is not None
        self._lines.extend(self._process.stdout)

    def kill(self) -> None:
        assert self._process is not None
        self._process.kill()
        self._process.wait(timeout=30)

    def stop(self) -> int:
        """Ask it to stop and wait for the process, not only for the port."""
        if self._process is None:
            return 0
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
        return self.ended()

    def ended(self) -> int:
        """Wait until it has gone by itself."""
        assert self._process is not None
        status = self._process.wait(timeout=30)
        if self._reader:
            self._reader.join(timeout=5)
        return status

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
