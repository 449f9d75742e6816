"""The client of the service (interface: Endpoints): `from warranty.client import WarrantyClient`."""

from warranty.client.client import WarrantyClient
from warranty.client.pacing import Pacing, RetryBudget, Timeouts
