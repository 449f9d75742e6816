"""The tab Ageing: claims by start of their plan, read to today; plans sold as their base."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from components.words.days import service_today
from sandbox import SandboxServer
from tests.builders import MANAGER
from tests.components.stage import Stage, shown, words
from warranty.analysis.starts import starts_back
from warranty.resources import ClaimQuery

LONG = timedelta(seconds=60)


@pytest.fixture(scope="module")
def sandbox() -> Iterator[SandboxServer]:
    with SandboxServer(seed="demo") as running:
        yield running


@pytest.fixture
def stage(sandbox: SandboxServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    staged = Stage(sandbox, tmp_path, monkeypatch, claims_calls_per_second="1000")
    yield staged
    staged.runtime.close()


def opened(stage: Stage, *, months: int = 36, **query: str) -> AppTest:
    """The tab once the claims are read."""
    test = stage.screen("claim_trends", MANAGER, query={"view": "Ageing", "starts": str(months), **query})
    asked = ClaimQuery(warranty_start_dates=starts_back(service_today(), months).times)
    stage.runtime.claims.wait(asked, longest=LONG)
    return shown(test.run())


def test_claims_are_read_by_start_to_today_whatever_the_period_of_the_overview(stage: Stage) -> None:
    test = opened(stage, months=12, period="7-days")
    started = starts_back(service_today(), 12).words
    assert f"Claims of any date on plans that started {started}." in words(test)
    assert "complete: " in words(test)
