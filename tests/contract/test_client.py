"""The client against the stand-in of the service, over a real socket; what each answer means: tests/warranty/client."""

import ssl
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from sandbox import SandboxServer
from tests.builders import checkout_of, one_of_each
from warranty.client import Pacing, Timeouts, WarrantyClient
from warranty.client.resources import Order, Sale
from warranty.client.resources.landing import landing_page_url
from warranty.errors import CredentialRefused, NotSent

ORDER_ID = "7689dde5c0f64fffa7ad217f6f73"
TV: dict[str, Any] = {
    "product_id": "TV-55", "product_title": "55in OLED television", "product_price": "899.00",
    "meta": {"breadcrumbs": [{"category": "Electronics"}]},
}  # fmt: skip
ORDER = Order.model_validate(
    {
        "order_id": ORDER_ID,
        "line_items": [TV],
        "billing_address": {"state": "NY", "country": "US", "first_name": "Nuño", "phone": "+1 212-555-0100"},
    }
)


def sale(order_id: str = ORDER_ID, **item: Any) -> Sale:
    return Sale.model_validate({"id": order_id, "line_items": [{"product_id": "TV-55", **item}]})


def term(months: int) -> dict[str, Any]:
    return {"warranty_duration": months, "warranty_price": "79.99"}


CALLS = one_of_each(ORDER, sale(warranty=term(24)), checkout_of(ORDER_ID))


def with_changes(sandbox: SandboxServer, **changes: Any) -> WarrantyClient:
    given: dict[str, Any] = {
        "base_url": sandbox.base_url, "private_token": sandbox.private_token, "public_token": sandbox.public_token,
        "verify": sandbox.ca_file, "pacing": Pacing(sleep=lambda _seconds: None),
        "timeouts": Timeouts(connect=timedelta(seconds=1)),
    }  # fmt: skip
    return WarrantyClient(**(given | changes))


@pytest.mark.parametrize("order_id", [ORDER_ID, "a/b", "a b", "ö?x=1#y", "%2e%2e", "x" * 200])
def test_an_order_becomes_the_link_that_we_build(client: WarrantyClient, sandbox: SandboxServer, order_id: str) -> None:
    order = ORDER.model_copy(update={"order_id": order_id})
    first, again = client.submit_order(order), client.submit_order(order)
    assert first.url == landing_page_url(sandbox.landing_url, sandbox.retailer_uuid, order_id)
    assert (first.warrantable_products, first.already_known) == (True, False)
    assert (again.url, again.warrantable_products, again.already_known) == (first.url, None, True)


@pytest.mark.parametrize("operation", CALLS)
def test_a_wrong_token_stops_a_new_field_not(client: WarrantyClient, sandbox: SandboxServer, operation: str) -> None:
    if operation != "submit_order":
        client.submit_order(ORDER)
    sandbox.add_fault(operation, "extra_field")
    CALLS[operation](client)
    wrong = {"private_token": "wrong", "public_token": "wrong"}
    with with_changes(sandbox, **wrong) as stranger, pytest.raises(CredentialRefused):
        CALLS[operation](stranger)


def test_an_unknown_authority_ends_the_call_at_once(sandbox: SandboxServer, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("SSL_CERT_FILE", sandbox.ca_file)
    for operation in ("record_sale", "submit_order"):
        with with_changes(sandbox, verify=None) as client, pytest.raises(NotSent):
            CALLS[operation](client)
    assert sandbox.calls() == []
    for verify in (sandbox.ca_file, Path(sandbox.ca_file), ssl.create_default_context(cafile=sandbox.ca_file)):
        with with_changes(sandbox, verify=verify) as client:
            client.verify_credentials()


def test_a_call_after_the_service_went_away_was_sent_nothing_although_a_connection_was_kept() -> None:
    with SandboxServer(seed="empty") as gone, with_changes(gone) as client:
        client.submit_order(ORDER)
        gone.stop()
        with pytest.raises(NotSent):
            client.submit_order(ORDER)
