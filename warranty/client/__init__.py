"""The client of the service (interface: Endpoints): `from warranty.client import WarrantyClient`."""

from warranty.client.client import Pacing, RetryBudget, Timeouts, WarrantyClient

__all__ = ["Pacing", "RetryBudget", "Timeouts", "WarrantyClient"]
