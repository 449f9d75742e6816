"""The endpoints as data: path, method, token, what does the work, and in which shape a refusal is told."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from sandbox.endpoints.assumed_reads.endpoint import purchase_warranties, warranty_offers
from sandbox.endpoints.checkouts.endpoint import notify_checkout
from sandbox.endpoints.claims.endpoint import claims
from sandbox.endpoints.orders.endpoint import submit_order
from sandbox.endpoints.sales.endpoint import record_sale
from sandbox.endpoints.verification.endpoint import verify_credentials
from sandbox.service.service import Service
from sandbox.wire.answers import Answer, error, validation_errors
from sandbox.wire.requests import Request

Token = Literal["private", "public"]


@dataclass(frozen=True, slots=True)
class Operation:
    """One endpoint. `assumption` is set where the whole endpoint is our assumption."""

    name: str
    method: Literal["GET", "POST"]
    path: str
    token: Token
    work: Callable[[Service, Request], Answer]
    refusal: Callable[[Sequence[str], int], Answer]
    assumption: str | None = None


# Assumption errors.shape-elsewhere
OPERATIONS = (
    Operation("verify_credentials", "GET", "/api/verify-auth", "private", verify_credentials, error),
    Operation("submit_order", "POST", "/api/carts", "private", submit_order, validation_errors),
    Operation("record_sale", "POST", "/api/post-purchase-checkout", "private", record_sale, error),
    Operation("notify_checkout", "POST", "/api/checkout", "private", notify_checkout, validation_errors),
    Operation("claims", "POST", "/api/warranty-claim-customer-status", "public", claims, validation_errors),
    Operation(
        "purchase_warranties",
        "GET",
        "/api/purchase-warranties",
        "private",
        purchase_warranties,
        error,
        "purchase-warranties.shape",
    ),
    Operation(
        "offers", "POST", "/api/warranty-offers", "public", warranty_offers, validation_errors, "warranty-offers.shape"
    ),
)
BY_PATH = {operation.path: operation for operation in OPERATIONS}
OPERATION_NAMES = frozenset(operation.name for operation in OPERATIONS)
