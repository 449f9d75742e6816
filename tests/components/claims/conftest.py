"""A claim set as the screens get it, read from the real sandbox over its socket; and a desk that reads it."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from components.claims.claims_filter import ClaimsFilter
from sandbox import SandboxServer
from tests.components.stage import Stage
from tests.warranty.claims.kept_claims import client, clock, kept, readings, sandbox, service  # noqa: F401 - fixtures
from warranty.claims.readings import KeptClaims
from warranty.client import WarrantyClient
from warranty.retrieval import retrieve_claims


@pytest.fixture(scope="session")
def read(client: WarrantyClient) -> Callable[[ClaimsFilter], KeptClaims]:  # noqa: F811 - the fixture
    today = datetime.now(UTC).date()
    return lambda chosen: KeptClaims(retrieve_claims(client, chosen.query(today)))


@pytest.fixture
def stage(
    sandbox: SandboxServer,  # noqa: F811 - the fixture
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Stage]:
    staged = Stage(sandbox, tmp_path, monkeypatch, claims_calls_per_second="1000")
    yield staged
    staged.runtime.close()
