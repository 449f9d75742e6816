"""`WarrantyClient`: one method per call of the service (interface: Endpoints).

    client = WarrantyClient("https://service.example", private_token="…", public_token="…")
    receipt = client.submit_order(order)

One client serves the whole process and all of its threads; making one costs a TLS context. For what the
network or the service does, every method raises a branch of `warranty.errors.WarrantyError` and nothing
else.
"""

import ssl
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Final, NoReturn, Self

import httpx
from pydantic import SecretStr

from warranty.client import operations
from warranty.client.credentials import AUTHORIZATION, Credential
from warranty.client.observer import Observer
from warranty.client.operations import Operation, T, Token
from warranty.client.pacing import Pacing, Timeouts
from warranty.client.resources import (
    Checkout,
    CheckoutReceipt,
    ClaimPage,
    ClaimQuery,
    Offer,
    OfferedProduct,
    Order,
    OrderReceipt,
    PurchaseWarranties,
    Sale,
    SaleReceipt,
)
from warranty.client.tls import trust
from warranty.client.transport import Pools, Transport
from warranty.errors import SettingsProblem


class WarrantyClient:
    """The warranty service of one account in one environment; thread-safe, and a context manager."""

    def __init__(
        self,
        base_url: str,
        *,
        private_token: str | SecretStr,
        public_token: str | SecretStr,
        public_token_header: str = AUTHORIZATION,
        timeouts: Timeouts | None = None,
        pacing: Pacing | None = None,
        verify: ssl.SSLContext | Path | str | None = None,
        proxy: SecretStr | None = None,
        transport: httpx.BaseTransport | None = None,
        purchase_warranties_path: str | None = None,
        offers_path: str | None = None,
        observer: Observer | None = None,
    ) -> None:
        """Take the base address (https only) and the two tokens.

        `verify` is a TLS context, or a PEM file of the authorities to trust; None trusts the usual ones.
        `proxy` is the address of a proxy that every call goes through.
        `transport` replaces the network, for tests. The two paths are those of the reads that the
        interface does not show; `observer` looks on at every try. Raises `SettingsProblem` (also a
        `ValueError`) for what cannot be used.
        """
        pacing = pacing or Pacing()
        self.retry_budget: Final = pacing.budget
        public = Credential("public", public_token, header=public_token_header)
        credentials = {Token.PRIVATE: Credential("private", private_token), Token.PUBLIC: public}
        del private_token, public_token  # some tracebacks print what a function holds
        self.observer = observer
        self._base_url = _https_address(base_url)
        pools = Pools(transport, transport) if transport else Pools.over_tls(trust(verify), proxy)
        self._transport = Transport(self._base_url, credentials, timeouts or Timeouts(), pacing, pools, observer)
        self._assumed: Final[Mapping[str, str | None]] = {
            operations.PURCHASE_WARRANTIES.name: purchase_warranties_path,
            operations.OFFERS.name: offers_path,
        }

    def reaches(self) -> bool:
        """Whether a trusted connection to the service stands now; makes no call."""
        return self._transport.reaches()

    def verify_credentials(self) -> None:
        """Ask whether the private token is accepted (GET /api/verify-auth).

        Raises `CredentialRefused` where it is not, and the other branches of `WarrantyError`.
        """
        self._transport.send(operations.VERIFY_CREDENTIALS)

    def submit_order(self, order: Order, *, attempt_id: str | None = None, once: bool = False) -> OrderReceipt:
        """Send an order sold without a warranty (POST /api/carts); repeats by itself, which is harmless.

        Not where it is to be tried `once`: for a caller that repeats.
        Raises `RequestRefused`, `BillingAddressMissing`, and the other branches of `WarrantyError`.
        """
        operation = replace(operations.SUBMIT_ORDER, once=once)
        success = self._transport.send(operation, sent=order, attempt_id=attempt_id)
        return success.value.model_copy(update={"after_silence": success.after_silence})

    def record_sale(self, sale: Sale, *, attempt_id: str | None = None) -> SaleReceipt:
        """Record a sale, all of it or nothing (POST /api/post-purchase-checkout); never sent twice.

        Raises `RequestRefused` (with the plans that the refusal lists), `OrderNotFound`, and the other
        branches of `WarrantyError`; after `OutcomeUnknown`, `ServiceFailed` or `UnexpectedAnswer` a
        person must look.
        """
        return self._transport.send(operations.RECORD_SALE, sent=sale, attempt_id=attempt_id).value

    def notify_checkout(self, checkout: Checkout, *, attempt_id: str | None = None) -> CheckoutReceipt:
        """Tell of a completed sale with warranties (POST /api/checkout); never sent twice, as it mails.

        Raises the branches of `WarrantyError`.
        """
        return self._transport.send(operations.NOTIFY_CHECKOUT, sent=checkout, attempt_id=attempt_id).value

    def claims(self, query: ClaimQuery) -> ClaimPage:
        """Read claims, at most one answer's worth (POST /api/warranty-claim-customer-status).

        `total_count` says how many there are; `warranty.retrieval` reads them all. Raises the branches of
        `WarrantyError`; a record that is not as documented is an `UnexpectedAnswer`.
        """
        return self._transport.send(operations.CLAIMS, sent=query).value

    def claims_body(self, query: ClaimQuery) -> bytes:
        """Read the same and give the JSON of the answer as it came, for parsing in columns.

        Tried once: `warranty.retrieval` repeats by itself.
        """
        return self._transport.send(operations.CLAIMS_BODY, sent=query).value

    def purchase_warranties(self, order_id: str) -> PurchaseWarranties:
        """Read what is still buyable on an order and what it carries (GET /api/purchase-warranties, assumed).

        Raises `SettingsProblem` where the settings name no path for it, `OrderNotFound`, and the other
        branches of `WarrantyError`.
        """
        operation = self._at_named_path(operations.PURCHASE_WARRANTIES)
        return self._transport.send(operation, query={"order_id": order_id}).value

    def offers(self, product: OfferedProduct) -> tuple[Offer, ...]:
        """Obtain the warranty offers of a product (Warranty offers endpoint, assumed).

        Raises `SettingsProblem` where the settings name no path for it, and the branches of `WarrantyError`.
        """
        operation = self._at_named_path(operations.OFFERS)
        return self._transport.send(operation, sent=product).value

    def has(self, operation_name: str) -> bool:
        """Tell whether this client can make a call: the two assumed reads need a path in the settings."""
        return operation_name in operations.OPERATIONS and self._assumed.get(operation_name, "") is not None

    def longest_call(self, operation_name: str, *, once: bool = False) -> timedelta:
        """Give the longest that this call takes, with its repeats or tried once, beyond finding the host's address."""
        return self._transport.longest_call(replace(operations.OPERATIONS[operation_name], once=once))

    def close(self) -> None:
        """Close every connection."""
        self._transport.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        # Also where making it failed: a traceback may print what is there.
        return f"WarrantyClient({getattr(self, '_base_url', 'not made')!r})"

    def __reduce__(self) -> NoReturn:
        raise TypeError("A client holds tokens and connections, so it is not pickled: make one per process.")

    def _at_named_path(self, operation: Operation[T]) -> Operation[T]:
        path = self._assumed[operation.name]
        if path is None:
            name = f"WARRANTY_{operation.name.upper()}_PATH"
            raise SettingsProblem(f"The interface does not show this call: set {name} to use it.")
        return operation.at(path)


def address_fault(text: str, *, schemes: frozenset[str]) -> str | None:
    """Say what is wrong with an address, never repeating it (it may hold a password); None if nothing is."""
    try:
        url = httpx.URL(text.strip())
    except httpx.InvalidURL:
        return "is not an address such as https://service.example.com"
    is_plain = url.scheme == "http" and "http" not in schemes
    faults = (
        (is_plain, "begins with http://, and only https is called: write https://"),
        (url.scheme not in schemes, "must begin with https://"),
        (not url.host, "names no host"),
        (bool(url.userinfo), "holds a user name or password: take it out"),
        (bool(url.query or url.fragment), "holds a query or a fragment: give the base address alone"),
    )
    return next((fault for applies, fault in faults if applies), None)


def _https_address(base_url: str) -> str:
    fault = address_fault(base_url, schemes=frozenset({"https"}))
    if fault is not None:
        raise SettingsProblem(f"The base URL {fault}.")
    return base_url.strip().rstrip("/")
