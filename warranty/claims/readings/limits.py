"""How hard the claims of an account are asked for by all desks of a journal together."""

from warranty.claims.retrieval import ClaimLimits
from warranty.client import WarrantyClient
from warranty.database.database import Database
from warranty.database.limits import SharedPace
from warranty.settings import Settings


def claim_limits(settings: Settings, database: Database | None, client: WarrantyClient) -> ClaimLimits:
    """Give the limits of the settings; without a database this process keeps the pace by itself."""
    shared = SharedPace(database, f"claims {settings.environment}") if database else None
    return ClaimLimits(
        at_once=settings.claims_concurrency,
        per_second=settings.claims_calls_per_second,
        is_adaptive=settings.claims_pace == "adaptive",
        shared=shared,
        budget=client.retry_budget,
    )
