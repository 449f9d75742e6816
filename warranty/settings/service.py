"""The client of the service that the settings describe."""

from warranty.client import Pacing, RetryBudget, Timeouts, WarrantyClient
from warranty.client.observer import Observer
from warranty.client.pacing import Tokens
from warranty.settings.settings import Settings


def client_from(
    settings: Settings, shared: Tokens | None = None, *, observer: Observer | None = None
) -> WarrantyClient:
    """Make the client that the settings describe; raises `SettingsProblem` where they are not complete.

    `shared` is what all desks have left for repeats; without it this process keeps a budget of its own.
    """
    access = settings.service_access()
    return WarrantyClient(
        access.base_url,
        private_token=access.private_token,
        public_token=access.public_token,
        public_token_header=settings.public_token_header,
        timeouts=Timeouts(connect=settings.connect_timeout, read=settings.read_timeout),
        pacing=Pacing(budget=RetryBudget(shared)),
        verify=settings.ca_file,
        proxy=settings.outbound_proxy,
        purchase_warranties_path=settings.purchase_warranties_path,
        offers_path=settings.offers_path,
        observer=observer,
    )
