"""The client of the service that the settings describe."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final, Literal

from pydantic import SecretStr

from warranty.client import Pacing, RetryBudget, Timeouts, WarrantyClient
from warranty.client.observer import Observer
from warranty.client.pacing import Tokens
from warranty.client.resources import ClaimQuery
from warranty.settings.settings import Settings

_A_MOMENT: Final = datetime.fromisoformat("1970-01-01T00:00:00")


def token_calls(
    settings: Settings, client: WarrantyClient
) -> Sequence[tuple[Literal["private", "public"], SecretStr, Callable[[], object]]]:
    """Each of the account's tokens with a call that shows whether the service takes it, and writes nothing."""
    access, a_moment = settings.service_access(), ClaimQuery(claim_dates=(_A_MOMENT, _A_MOMENT))
    return (
        ("private", access.private_token, client.verify_credentials),
        ("public", access.public_token, lambda: client.claims(a_moment)),
    )


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
