"""How hard the claims of an account are asked for by all desks of a journal together."""

from warranty.client import WarrantyClient
from warranty.database.limits import SharedPace
from warranty.journal import Journal
from warranty.retrieval import ClaimLimits
from warranty.settings import Settings


def claim_limits(settings: Settings, journal: Journal | None, client: WarrantyClient) -> ClaimLimits:
    """Give the limits of the settings; without a journal this process keeps the pace by itself."""
    per_second = settings.claims_calls_per_second
    return ClaimLimits(
        at_once=settings.claims_concurrency,
        per_second=per_second,
        shared=None
        if journal is None
        else SharedPace(journal.database, f"claims {settings.environment}", per_second=per_second),
        budget=client.retry_budget,
    )
