"""The client as a command opens it: what the service answers is seen as when the dashboard asks."""

from collections.abc import Iterator
from contextlib import closing, contextmanager

from warranty.client import WarrantyClient
from warranty.database.limits import SharedTokens
from warranty.desk.journal import Journal
from warranty.settings import Settings, client_from
from warranty.watch.observed.observations import Observations
from warranty.watch.observed.observer import ServiceSeen


@contextmanager
def observed_client(settings: Settings, journal: Journal) -> Iterator[WarrantyClient]:
    """A client whose answers are in the diary of drift, written at the end."""
    with (
        closing(
            ServiceSeen(Observations(journal.database, settings.environment), settings, now=journal.database.clock)
        ) as seen,
        client_from(settings, SharedTokens(journal.database, settings.environment), observer=seen) as client,
    ):
        yield client
