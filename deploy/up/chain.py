"""A chain on this machine: the sandbox as the service, PostgreSQL, replicas and the proxy."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Protocol, Self

from deploy.up.machine import ROOT, Started
from deploy.up.postgres import Postgres
from deploy.up.proxy import Proxy
from deploy.up.replica import Replica


class Database(Protocol):
    """What the replicas share, at an address that `WARRANTY_JOURNAL_URL` takes."""

    @property
    def url(self) -> str:
        """Its address."""

    def start(self) -> Any:
        """Make it where it is not there, and start it."""

    def close(self) -> None:
        """End it and remove it."""


class Chain(Started):
    """Everything of it is new, and gone after `close`; `environment` is for all replicas.

    `database` takes the place of one server: several, which look like one. `root` is the folder of the replicas'
    program.
    """

    def __init__(
        self,
        *,
        replicas: int = 2,
        environment: Mapping[str, str] | None = None,
        database: Database | None = None,
        root: Path = ROOT,
    ) -> None:
        self._root = root
        self.folder = Path(tempfile.mkdtemp(prefix="warranty-desk-chain-"))
        self.database: Database = database or Postgres()
        self.service: dict[str, str] = {}
        self.replicas: list[Replica] = []
        self._number = replicas
        self._environment = dict(environment or {})
        self._open = ExitStack()

    def start(self) -> Self:
        """Start them in the order of who needs whom, and wait until all are ready."""
        try:
            self._start()
        except BaseException:
            self.close()
            raise
        return self

    def close(self) -> None:
        """End all, the replicas first: what they are about is still written."""
        self._open.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _start(self) -> None:
        self._open.callback(self.database.close)
        self.database.start()
        self._start_service()
        environment = {
            "WARRANTY_ENVIRONMENT": "sandbox",
            "WARRANTY_JOURNAL_URL": self.database.url,
            **{f"WARRANTY_{name.upper()}": value for name, value in self.service.items()},
            **self._environment,
        }
        # Each has a folder of its own, as on a machine of its own: what they share is in the database.
        self.replicas = [
            Replica(self.folder / f"replica-{number}", environment=environment, root=self._root)
            for number in range(1, self._number + 1)
        ]
        for replica in self.replicas:
            self._open.callback(replica.close)
            replica.start(wait=False)
        for replica in self.replicas:
            replica.wait_until_ready()
        self.proxy = Proxy([replica.port for replica in self.replicas])
        self._open.callback(self.proxy.close)
        self.proxy.start()

    def _start_service(self) -> None:
        """One stand-in of the service for all replicas: they hold the same orders."""
        sandbox = subprocess.Popen(
            [sys.executable, "-m", "sandbox"],
            cwd=ROOT,
            env={name: value for name, value in os.environ.items() if not name.startswith("WARRANTY_")},
            stdout=subprocess.PIPE,
            text=True,
            process_group=0,
        )
        self._open.callback(sandbox.wait, timeout=30)
        self._open.callback(sandbox.terminate)
        self.service = json.loads(sandbox.stdout.readline() if sandbox.stdout else "")
