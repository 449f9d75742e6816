"""A claim set as the screens get it, read from the real sandbox over its socket."""

from collections.abc import Callable, Iterator

import pytest

from tests.components.stage import Stage
from tests.warranty.claims.readings.kept_claims import client, clock, kept, readings, sandbox, service  # noqa: F401 - fixtures

AddClaims = Callable[..., object]


@pytest.fixture
def add_claims(stage: Stage) -> Iterator[AddClaims]:
    yield lambda *claims: stage.sandbox.add_claims(claims)
    stage.sandbox.reset()
