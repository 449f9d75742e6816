"""A claim set as the screens get it: read from the real sandbox over its socket."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from components.claims.claims_filter import ClaimsFilter
from tests.warranty.claims.kept_claims import client, clock, kept, readings, sandbox, service  # noqa: F401 - fixtures
from warranty.claims.readings import KeptClaims
from warranty.client import WarrantyClient
from warranty.retrieval import retrieve_claims


@pytest.fixture(scope="session")
def read(client: WarrantyClient) -> Callable[[ClaimsFilter], KeptClaims]:  # noqa: F811 - the fixture
    today = datetime.now(UTC).date()
    return lambda chosen: KeptClaims(retrieve_claims(client, chosen.query(today)))
