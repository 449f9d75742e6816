"""A sandbox with the claims of the demo."""

from tests.warranty.claims.kept_claims import sandbox  # noqa: F401 - the fixture
