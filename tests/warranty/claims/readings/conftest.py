"""A claim set as read from the real sandbox, for the tests of what is kept of it."""

from tests.warranty.claims.readings.kept_claims import client, clock, kept, quick, readings, sandbox, service  # noqa: F401 - fixtures
