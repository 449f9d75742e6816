"""Debian's PostgreSQL on a free port of 127.0.0.1, as the user `postgres` where we are root."""

import os
import secrets
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from threading import Event
from typing import Self

from deploy.up.machine import Started, free_port, own_folder, program, servant, started_as

_PACKAGE = "postgresql"
_START_SECONDS = 60


class Postgres(Started):
    """One server with its data in a folder of its own, and one database, `desk`, of the user `desk`.

    `settings` are lines of postgresql.conf. `stop` and `start` keep port and data; `close` removes the data.
    """

    def __init__(self, *, settings: Mapping[str, str] | None = None) -> None:
        self.user = servant("postgres")
        self.home = own_folder("postgres", self.user)
        self.folder = self.home / "data"
        self.port = free_port()
        self.password = secrets.token_hex(16)
        self.settings = {
            "listen_addresses": "127.0.0.1",
            "port": str(self.port),
            "unix_socket_directories": str(self.home),
            "timezone": "UTC",
            **(settings or {}),
        }
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The database as `WARRANTY_JOURNAL_URL` takes it."""
        return f"postgresql://desk:{self.password}@127.0.0.1:{self.port}/desk"

    @property
    def log(self) -> str:
        """What the server said on standard error."""
        return self._log_file.read_text() if self._log_file.exists() else ""

    @property
    def _log_file(self) -> Path:
        return self.home / "log"

    def start(self) -> Self:
        """Make the data where there are none, start, and wait until it takes connections."""
        new = not (self.folder / "PG_VERSION").exists()
        if new:
            self._initialise()
        self._run()
        if new:
            self.query("CREATE DATABASE desk", database="postgres")
        return self

    def run_program(self, name: str, *arguments: str) -> str:
        """Run one of PostgreSQL's programs (`pg_basebackup`, `pg_ctl`) as the server's user; its output."""
        ran: subprocess.CompletedProcess[str] = subprocess.run(
            [program(name, package=_PACKAGE), *arguments],
            check=True,
            capture_output=True,
            text=True,
            cwd=self.home,
            env={**os.environ, "PGPASSWORD": self.password},
            timeout=120,
            **started_as(self.user),
        )
        return ran.stdout

    def query(self, sql: str, *, database: str = "desk") -> str:
        """What psql prints for a statement, without head and foot."""
        return self.run_program(
            "psql",
            *("--host=127.0.0.1", f"--port={self.port}", "--username=desk", f"--dbname={database}"),
            *("--no-psqlrc", "--tuples-only", "--no-align", "--set=ON_ERROR_STOP=1", f"--command={sql}"),
        ).strip()

    def stop(self) -> None:
        """End it as an orderly machine does: sessions are cut off, everything is written."""
        self._end(signal.SIGINT)

    def kill(self) -> None:
        """End it as a broken machine does: the next start recovers from its log."""
        self._end(signal.SIGQUIT)

    def close(self) -> None:
        """Stop, and remove the data."""
        self.stop()
        shutil.rmtree(self.home, ignore_errors=True)

    def _initialise(self) -> None:
        password_file = self.home / "password"
        password_file.write_text(self.password)
        if self.user is not None:
            shutil.chown(password_file, self.user)
        self.run_program(
            "initdb",
            *(f"--pgdata={self.folder}", "--username=desk", f"--pwfile={password_file}"),
            *("--auth=scram-sha-256", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"),
        )
        password_file.unlink()

    def _run(self) -> None:
        options = [f"--{name}={value}" for name, value in self.settings.items()]
        with self._log_file.open("ab") as log:
            self._process = subprocess.Popen(
                [program("postgres", package=_PACKAGE), "-D", str(self.folder), *options],
                cwd=self.home,
                stdout=log,
                stderr=log,
                # A group of its own: Ctrl-C in the terminal ends the replicas first, then this.
                process_group=0,
                **started_as(self.user),
            )
        self._wait_until_it_answers()

    def _wait_until_it_answers(self) -> None:
        deadline, pause = time.monotonic() + _START_SECONDS, Event()
        while True:
            try:
                self.run_program("pg_isready", "--host=127.0.0.1", f"--port={self.port}", "--quiet")
                return
            except subprocess.CalledProcessError:
                ended = self._process is None or self._process.poll() is not None
                if ended or time.monotonic() > deadline:
                    self.kill()
                    raise RuntimeError(f"PostgreSQL did not start:\n{self.log}") from None
                pause.wait(0.05)

    def _end(self, how: signal.Signals) -> None:
        if self._process is None:
            return
        if self._process.poll() is None:
            self._process.send_signal(how)
        try:
            self._process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait(timeout=10)
        self._process = None
