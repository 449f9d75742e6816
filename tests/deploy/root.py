"""A root of its own for one program, which the test fills; see `confined`."""

import json
import os
import shutil
import site
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from threading import Event
from typing import Any, Self

import pytest

from deploy.up.machine import free_port

USER = 10001
PYTHON = str(Path(sys.executable).resolve())
PACKAGES = "/opt/packages/lib/python3.11/site-packages"


class Root:
    """An empty folder with Debian's libraries, this Python, and the installed packages, all read-only."""

    def __init__(self) -> None:
        if os.geteuid() != 0:
            pytest.skip("only root can give a program a root of its own")
        self.path = Path(tempfile.mkdtemp(prefix="warranty-desk-root-"))
        self.path.chmod(0o755)
        self.port = free_port()
        self._kept = Path(tempfile.mkdtemp(prefix="warranty-desk-kept-"))
        os.chown(self._kept, USER, USER)
        self.spec: dict[str, Any] = {
            "binds": {
                **{folder: folder for folder in ("/etc", "/usr/bin", "/usr/lib", "/usr/lib64", "/usr/share")},
                **({} if sys.base_prefix == "/usr" else {sys.base_prefix: sys.base_prefix}),
                PACKAGES: site.getsitepackages()[0],
            },
            "writable": [], "proc": "", "umask": 0o022, "user": USER, "no_writable_code": False, "system_calls": [],
            "folder": "/", "command": [],
            "environment": {"PATH": "/usr/local/bin:/usr/bin:/bin", "PYTHONPATH": PACKAGES},
        }  # fmt: skip
        for name in ("bin", "lib", "lib64", "sbin"):
            if Path("/", name).is_symlink():
                (self.path / name).symlink_to(Path("/", name).readlink())
        self._process: subprocess.Popen[bytes] | None = None
        self._log = self.path.with_name(f"{self.path.name}.log")

    def keeps(self, folder: str) -> None:
        self.spec["binds"][folder] = str(self._kept)
        self.spec["writable"].append(folder)

    @property
    def kept(self) -> set[str]:
        return {path.name for path in self._kept.rglob("*")}

    @property
    def log(self) -> str:
        return self._log.read_text(errors="replace")

    def start(self) -> Self:
        confined = str(Path(__file__).with_name("confined.py"))
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [sys.executable, confined, str(self.path)], stdin=subprocess.PIPE, stdout=log, stderr=log
            )
        assert self._process.stdin is not None
        with self._process.stdin as told:
            told.write(json.dumps(self.spec).encode())
        return self

    def get(self, path: str) -> str | None:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=5) as answer:
                text: str = answer.read().decode()
                return text
        except OSError:
            return None

    def wait_until_ready(self) -> None:
        deadline, pause = time.monotonic() + 90, Event()
        while (answer := self.get("/readyz")) is None or '"ready"' not in answer:
            assert self._process is not None
            assert self._process.poll() is None, f"{self._process.poll()}: {self.log}"
            assert time.monotonic() < deadline, self.log
            pause.wait(0.1)

    def wait(self) -> int:
        assert self._process is not None
        return self._process.wait(timeout=60)

    def stop(self) -> int:
        if self._process is None:
            return 0
        if self._process.poll() is None:
            self._process.terminate()
        return self._process.wait(timeout=60)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.stop()
        finally:
            for path in (self.path, self._kept):
                shutil.rmtree(path, ignore_errors=True)
            self._log.unlink(missing_ok=True)
