"""One sandbox for the client's contract tests, and settings and clients that talk to it."""

import os
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from sandbox import SandboxServer
from tests.builders import client_at
from warranty.client import Timeouts, WarrantyClient
from warranty.settings import Settings, load_settings

SandboxSettings = Callable[..., Settings]


@pytest.fixture(scope="session")
def running_sandbox() -> Iterator[SandboxServer]:
    with SandboxServer(tokens="account", seed="demo") as server:
        yield server


@pytest.fixture
def client(sandbox: SandboxServer) -> Iterator[WarrantyClient]:
    reads = {"purchase_warranties_path": "/api/purchase-warranties", "offers_path": "/api/warranty-offers"}
    with client_at(sandbox, timeouts=Timeouts(read=timedelta(milliseconds=400)), **reads) as made:
        yield made


@pytest.fixture
def shop(sandbox: SandboxServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> pytest.MonkeyPatch:
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith("WARRANTY_")]:
        monkeypatch.delenv(name)
    access = {name.upper(): value for name, value in sandbox.access().items()}
    for name, value in {"ENVIRONMENT": "staging", **access}.items():
        if name not in {"LANDING_URL", "RETAILER_UUID"}:
            monkeypatch.setenv(f"WARRANTY_{name}", value)
    return monkeypatch


@pytest.fixture
def staging(sandbox: SandboxServer) -> SandboxSettings:
    def settings(**changes: Any) -> Settings:
        given = {
            "environment": "staging", **sandbox.access(), "purchase_warranties_path": "/api/purchase-warranties",
            "offers_path": "/api/warranty-offers",
        }  # fmt: skip
        return load_settings({name: value for name, value in {**given, **changes}.items() if value is not None})

    return settings
