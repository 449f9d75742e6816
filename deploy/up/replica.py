"""One replica: `streamlit run app.py` on a port of 127.0.0.1, with an environment of its own."""

import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Event
from typing import Final, Self

from deploy.up.machine import ROOT, Started, free_port

RUN: Final = (sys.executable, "-m", "streamlit", "run", "app.py")
_START_SECONDS = 120
_STOP_SECONDS = 120


class Replica(Started):
    """Starts a dashboard, waits until it is ready, stops it with SIGTERM or kills it; `log` is all that it printed.

    `environment` stands over the process's own, whose WARRANTY_* and STREAMLIT_* are left out. The port stays the
    same over `stop` and `start`, the log goes on. `root` is the folder in which `command` starts it: another one, and
    the next `start` is of another version.
    """

    def __init__(
        self,
        folder: Path,
        *,
        environment: Mapping[str, str],
        port: int | None = None,
        root: Path = ROOT,
        command: Sequence[str] = RUN,
    ) -> None:
        self.root = root
        self._command = command
        self.folder = folder
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = dict(environment)
        self.log_file = folder / f"replica-{self.port}.log"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def log(self) -> str:
        """Standard output and standard error of all its starts."""
        return self.log_file.read_text(errors="replace") if self.log_file.exists() else ""

    @property
    def pid(self) -> int | None:
        """The process that serves; None where none does."""
        return self._process.pid if self._process is not None and self._lives() else None

    def start(self, *, wait: bool = True) -> Self:
        """Start it; without `wait`, `wait_until_ready` is for later, so that several start at once."""
        inherited = {
            name: value for name, value in os.environ.items() if not name.startswith(("WARRANTY_", "STREAMLIT_"))
        }
        self.folder.mkdir(parents=True, exist_ok=True)
        with self.log_file.open("ab") as log:
            self._process = subprocess.Popen(
                [*self._command, "--server.port", str(self.port)],
                cwd=self.root,
                env={
                    **inherited,
                    "PYTHONUNBUFFERED": "1",
                    "WARRANTY_DATA_DIR": str(self.folder / "data"),
                    **self.environment,
                },
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                process_group=0,  # Ctrl-C in a terminal is for who started the replicas: one end, in order
            )
        return self.wait_until_ready() if wait else self

    def is_ready(self) -> bool:
        """Whether it says that it takes visitors."""
        try:
            with urllib.request.urlopen(f"{self.url}/readyz", timeout=10) as answer:  # noqa: S310 - http, our own
                ready: bool = json.load(answer)["status"] == "ready"
                return ready
        except (urllib.error.URLError, OSError, ValueError):
            return False

    def wait_until_ready(self) -> Self:
        """Wait until it is ready; raises `RuntimeError` with its log where it ended, or takes too long."""
        deadline, pause = time.monotonic() + _START_SECONDS, Event()
        while not self.is_ready():
            if not self._lives() or time.monotonic() > deadline:
                self.kill()
                raise RuntimeError(f"The replica on port {self.port} did not start:\n{self.log}")
            pause.wait(0.05)
        return self

    def terminate(self) -> None:
        """Ask it to end (SIGTERM) and go on at once; `stop` also waits."""
        if self._process is not None and self._lives():
            self._process.send_signal(signal.SIGTERM)

    def stop(self) -> int:
        """Ask it to end and wait until it has; its exit status."""
        self.terminate()
        return self.ended()

    def ended(self) -> int:
        """Wait until it has ended; its exit status."""
        return 0 if self._process is None else self._process.wait(timeout=_STOP_SECONDS)

    def kill(self) -> None:
        """End it as a machine that loses its power does."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(timeout=30)

    def close(self) -> None:
        """Stop it; kill it where it does not end."""
        try:
            self.stop()
        except subprocess.TimeoutExpired:
            self.kill()
            raise

    def _lives(self) -> bool:
        return self._process is not None and self._process.poll() is None
