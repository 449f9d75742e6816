"""The calls of the service, as data: path, token, what may be repeated, what each answer means.

Interface: Endpoints, Authentication, Errors. One status does not mean one thing: a 404 and the body of a
400 differ by call, so the meaning stands here with the operation. So does what may be repeated: the HTTP
verb does not decide that.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final, Generic, TypeVar

from warranty.client import answers
from warranty.client.resources import CheckoutReceipt, Offer, OrderReceipt, PurchaseWarranties, SaleReceipt
from warranty.errors import (
    Answered,
    BillingAddressMissing,
    CredentialRefused,
    OrderNotFound,
    RequestRefused,
    ServiceFailed,
    UnexpectedAnswer,
)

T = TypeVar("T")


class Token(StrEnum):
    """Which of the account's two tokens a call carries (Authentication)."""

    PRIVATE = "private"
    PUBLIC = "public"


_SHOWN: Final = frozenset({200})
_NOT_SHOWN: Final = frozenset(range(200, 300))
"""Calls whose answer the interface does not show: any 2xx is a success."""


def _refusals(*, not_found: type[Answered] = UnexpectedAnswer) -> Mapping[int, type[Answered]]:
    return MappingProxyType({400: RequestRefused, 401: CredentialRefused, 404: not_found})


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation(Generic[T]):
    """One call: `read` makes its result of a success's body; `refusals` gives the error of each status.

    `repeatable`: the interface makes a second sending harmless, so the client sends again by itself, also after
    silence, a 5xx or a 429. Any other may act twice (buy the next unit, mail the customer again) and is sent again only
    where nothing left this machine.
    `writes` says whether the service keeps something of it; `once`, that the caller repeats it and not the client.
    """

    name: str
    method: str = "POST"
    path: str
    token: Token
    repeatable: bool
    successes: frozenset[int] = _SHOWN
    refusals: Mapping[int, type[Answered]] = field(default_factory=_refusals)
    read: Callable[[bytes], T]
    writes: bool = False
    lists_plans: bool = False
    once: bool = False

    def at(self, path: str) -> "Operation[T]":
        """Give the same operation at the path that the settings name."""
        return replace(self, path=path)

    def error_for(self, status: int, body: bytes) -> type[Answered]:
        """Tell which error an answer with this status is; the caller has ruled out a success.

        The bare 404 of an order has no page: that is a gateway's, which found no service behind it.
        """
        refusal = self.refusals.get(status)
        if refusal is not None and not (refusal is BillingAddressMissing and body.lstrip().startswith(b"<")):
            return refusal
        return ServiceFailed if 500 <= status <= 599 else UnexpectedAnswer


VERIFY_CREDENTIALS: Final[Operation[None]] = Operation(
    name="verify_credentials",
    method="GET",
    path="/api/verify-auth",
    token=Token.PRIVATE,
    repeatable=True,
    successes=_NOT_SHOWN,
    read=answers.read_verification,
)

SUBMIT_ORDER: Final[Operation[OrderReceipt]] = Operation(
    name="submit_order",
    path="/api/carts",
    token=Token.PRIVATE,
    repeatable=True,  # the same order id again changes nothing (States and transitions)
    refusals=_refusals(not_found=BillingAddressMissing),
    read=answers.read_order_receipt,
    writes=True,
)

RECORD_SALE: Final[Operation[SaleReceipt]] = Operation(
    name="record_sale",
    path="/api/post-purchase-checkout",
    token=Token.PRIVATE,
    repeatable=False,  # it would buy the next unit
    refusals=_refusals(not_found=OrderNotFound),
    read=answers.read_sale_receipt,
    writes=True,
    lists_plans=True,
)

NOTIFY_CHECKOUT: Final[Operation[CheckoutReceipt]] = Operation(
    name="notify_checkout",
    path="/api/checkout",
    token=Token.PRIVATE,
    repeatable=False,  # the customer would get a second mail
    successes=_NOT_SHOWN,
    read=answers.read_checkout_receipt,
    writes=True,
)


def _claims(read: Callable[[bytes], T], *, once: bool = False) -> Operation[T]:
    path = "/api/warranty-claim-customer-status"
    return Operation(name="claims", path=path, token=Token.PUBLIC, repeatable=True, read=read, once=once)


CLAIMS: Final = _claims(answers.read_claim_page)

# The retrieval repeats: there a try is counted, keeps the pace, and ends with the reading.
CLAIMS_BODY: Final = _claims(answers.read_claims_body, once=True)

PURCHASE_WARRANTIES: Final[Operation[PurchaseWarranties]] = Operation(
    name="purchase_warranties",
    method="GET",
    path="/api/purchase-warranties",
    token=Token.PRIVATE,
    repeatable=True,
    refusals=_refusals(not_found=OrderNotFound),
    read=answers.read_purchase_warranties,
)

OFFERS: Final[Operation[tuple[Offer, ...]]] = Operation(
    name="offers", path="/api/warranty-offers", token=Token.PUBLIC, repeatable=True, read=answers.read_offers
)

_ALL: Final[tuple[Operation[Any], ...]] = (
    VERIFY_CREDENTIALS, SUBMIT_ORDER, RECORD_SALE, NOTIFY_CHECKOUT, CLAIMS, PURCHASE_WARRANTIES, OFFERS,
)  # fmt: skip
OPERATIONS: Final[Mapping[str, Operation[Any]]] = MappingProxyType({one.name: one for one in _ALL})
"""Every call by its name, as the journal and the logs write it."""
