"""The client as a command opens it: what the service answers is seen as when the dashboard asks."""

from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime

import httpx

from warranty.client import WarrantyClient
from warranty.client.tls import trust
from warranty.clock import utc_now
from warranty.database.limits import SharedTokens
from warranty.desk.journal import Journal
from warranty.settings import Settings, client_from
from warranty.watch.observed.observations import Observations
from warranty.watch.observed.observer import ServiceSeen


@contextmanager
def observed_client(settings: Settings, journal: Journal) -> Iterator[WarrantyClient]:
    """A client whose answers are in the diary of drift, written at the end; with it the day is the service's."""
    if settings.environment == "sandbox":
        _follow_sandbox(settings)
    with (
        closing(
            ServiceSeen(Observations(journal.database, settings.environment), settings, now=journal.database.clock)
        ) as seen,
        client_from(settings, SharedTokens(journal.database, settings.environment), observer=seen) as client,
    ):
        yield client


def _follow_sandbox(settings: Settings) -> None:
    """Go by the clock of the sandbox, which a trainer moves on; of a service without such a route by the computer's."""
    address, context = f"{settings.base_url}/_sandbox/clock", trust(settings.ca_file)
    with suppress(httpx.HTTPError, httpx.InvalidURL, ValueError, LookupError, TypeError):
        utc_now.follow(datetime.fromisoformat(httpx.get(address, verify=context, trust_env=False).json()["now"]))
