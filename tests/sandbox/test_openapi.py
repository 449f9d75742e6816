"""The OpenAPI description against the sandbox: generated requests find no 500 and no undocumented status."""

from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.generation.modes import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from sandbox.api.operations import OPERATIONS
from tests.sandbox.openapi import description
from tests.sandbox.shop import Shop, checkout, order, product, term

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
described = schemathesis.openapi.from_dict(description())
described.config.generation.update(modes=[GenerationMode.POSITIVE, GenerationMode.NEGATIVE])


@pytest.fixture(scope="session")
def kept() -> Iterator[requests.Session]:
    """One kept connection."""
    with requests.Session() as session:
        session.trust_env = False
        yield session


@described.parametrize()
@settings(max_examples=3, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_generated_requests_find_no_500_and_no_undocumented_status(
    case: schemathesis.Case[Any], running_shop: Shop, kept: requests.Session
) -> None:
    answered_as_described(case, running_shop, kept)


@pytest.mark.soak
@described.parametrize()
@settings(max_examples=20, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_many_generated_requests_find_no_500_and_no_undocumented_status(
    case: schemathesis.Case[Any], running_shop: Shop, kept: requests.Session
) -> None:
    answered_as_described(case, running_shop, kept)


def answered_as_described(case: schemathesis.Case[Any], running_shop: Shop, kept: requests.Session) -> None:
    """Each request as it was made up, and where it names an order, once more with one that exists."""
    call(case, running_shop, kept)
    known = running_shop.stored(product("LAP", "1399.00", "Laptops", quantity=3), product())
    if isinstance(case.body, dict) and "id" in case.body:
        case.body["id"] = known
        call(case, running_shop, kept)
    if "order_id" in case.query:
        case.query["order_id"] = known
        call(case, running_shop, kept)


def call(case: schemathesis.Case[Any], shop: Shop, kept: requests.Session) -> None:
    case.call_and_validate(
        base_url=shop.sandbox.base_url,
        session=kept,
        verify=shop.sandbox.ca_file,
        headers=shop.headers(case.operation.path),
        checks=CHECKS,
    )


def test_the_description_names_every_endpoint_with_its_token_and_statuses() -> None:
    served = description()
    for operation in OPERATIONS:
        (described_as,) = served["paths"][operation.path].values()
        assert described_as["operationId"] == operation.name
        assert described_as["security"] == [{operation.token: []}]
        assert {"200", "401"} <= set(described_as["responses"])
    sale = served["paths"]["/api/post-purchase-checkout"]["post"]
    assert set(sale["responses"]) == {"200", "400", "401", "404", "413", "500"}


def test_what_the_tests_send_is_what_the_description_allows() -> None:
    """So that the generated requests are about the same things as the written ones."""
    sent = {
        "/api/carts": order(product(products=[product(), product()])),
        "/api/post-purchase-checkout": {"id": "x", "line_items": [{"line_item_id": 1, "warranty": term(24)}]},
        "/api/checkout": checkout(),
    }
    for path, content in sent.items():
        allowed = description()["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"]
        jsonschema_rs.validate(allowed, content)
