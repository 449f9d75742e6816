"""A sandbox with the claims of the demo."""

from tests.warranty.claims.readings.kept_claims import client, kept, sandbox  # noqa: F401 - fixtures
