"""The client against the stand-in of the service, over a real socket; what each answer means: tests/warranty/client."""

import ssl
from pathlib import Path

import pytest

from sandbox import SandboxServer
from tests.builders import TV, checkout_of, client_at, one_of_each, order_of, sale_of
from warranty.client import WarrantyClient
from warranty.client.resources.landing import landing_page_url
from warranty.errors import CredentialRefused, NotSent

ORDER_ID = "7689dde5c0f64fffa7ad217f6f73"
ORDER = order_of(TV, order_id=ORDER_ID, first_name="Nuño")
CALLS = one_of_each(ORDER, sale_of(ORDER_ID), checkout_of(ORDER_ID))


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
    with client_at(sandbox, **wrong) as stranger, pytest.raises(CredentialRefused):
        CALLS[operation](stranger)


def test_an_unknown_authority_ends_the_call_at_once(sandbox: SandboxServer, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("SSL_CERT_FILE", sandbox.ca_file)
    for operation in ("record_sale", "submit_order"):
        with client_at(sandbox, verify=None) as client, pytest.raises(NotSent):
            CALLS[operation](client)
    assert sandbox.calls() == []
    for verify in (sandbox.ca_file, Path(sandbox.ca_file), ssl.create_default_context(cafile=sandbox.ca_file)):
        with client_at(sandbox, verify=verify) as client:
            client.verify_credentials()


def test_a_call_after_the_service_went_away_was_sent_nothing_although_a_connection_was_kept() -> None:
    with SandboxServer(seed="empty") as gone, client_at(gone) as client:
        client.submit_order(ORDER)
        gone.stop()
        with pytest.raises(NotSent):
            client.submit_order(ORDER)
