"""Misbehaviour on request: each kind of fault, for each operation, exactly as often as asked."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from sandbox import SandboxServer
from tests.sandbox.shop import CARTS, CHECKOUT, CLAIMS, SALE, VERIFY, Shop, checkout, order, product

CALLS: dict[str, Callable[[Shop], httpx.Response]] = {
    "verify_credentials": lambda shop: shop.http.get(VERIFY, headers=shop.private),
    "submit_order": lambda shop: shop.submit(order(order_id="the-order")),
    "record_sale": lambda shop: shop.sell("sold", {"product_id": "TV-55"}),
    "notify_checkout": lambda shop: shop.post(CHECKOUT, checkout(id="notified")),
    "claims": lambda shop: shop.post(CLAIMS, {}),
}
WRITES = ("submit_order", "record_sale", "notify_checkout")
clause = pytest.mark.clause
every_operation = pytest.mark.parametrize("operation", CALLS)
every_write = pytest.mark.parametrize("operation", WRITES)


@pytest.fixture
def ready(shop: Shop) -> Shop:
    shop.stored(product(quantity=20), order_id="sold")
    shop.sandbox.add_claims([{"status": "RESOLVED"}])
    return shop


def traces(shop: Shop) -> tuple[bool, int, int]:
    is_stored = shop.look("the-order").status_code == 200
    return is_stored, len(shop.warranties("sold")), len(shop.outbox("notified"))


WRITTEN = {"submit_order": (True, 0, 0), "record_sale": (False, 1, 0), "notify_checkout": (False, 0, 1)}
NOTHING = (False, 0, 0)


@clause("sale-error.500")
@every_operation
def test_a_status_is_answered_once_and_nothing_is_done(ready: Shop, operation: str) -> None:
    for status in (500, 503, 429, 401, 404, 400):
        ready.sandbox.add_fault(operation, "status", status=status)
        assert CALLS[operation](ready).status_code == status
    assert traces(ready) == NOTHING
    assert CALLS[operation](ready).status_code == 200


@every_write
def test_a_status_may_come_after_the_work_was_done(ready: Shop, operation: str) -> None:
    ready.sandbox.add_fault(operation, "status", status=500, after_write=True)
    assert CALLS[operation](ready).status_code == 500
    assert traces(ready) == WRITTEN[operation]


def test_claims_say_when_to_come_back_or_bring_a_status_that_none_ever_had(ready: Shop) -> None:
    ready.sandbox.add_fault("claims", "status", status=429, retry_after=7)
    assert CALLS["claims"](ready).headers["retry-after"] == "7"
    ready.sandbox.add_fault("claims", "unknown_status")
    answers = [CALLS["claims"](ready).json()["data"] for _ in range(2)]
    assert [data[0]["status"] for data in answers] == ["ESCALATED_TO_UNDERWRITER", "RESOLVED"]


@every_operation
@pytest.mark.parametrize(
    ("kind", "error", "is_done"),
    [
        ("drop_before_write", httpx.TransportError, False), ("drop_after_write", httpx.TransportError, True),
        ("truncated_body", httpx.RemoteProtocolError, True), ("delay", httpx.ReadTimeout, True),
    ],
)  # fmt: skip
def test_no_answer_comes_before_or_after_the_work_was_done(
    *, ready: Shop, operation: str, kind: str, error: type[Exception], is_done: bool
) -> None:
    ready.sandbox.add_fault(operation, kind, seconds=30)
    if kind == "delay":
        ready.http.timeout = httpx.Timeout(0.15)
    try:
        with pytest.raises(error):
            CALLS[operation](ready)
    finally:
        ready.http.timeout = httpx.Timeout(20)
    (call,) = (call for call in ready.sandbox.calls() if call["fault"])
    assert call["written"] is (is_done and operation in WRITES)
    assert traces(ready) == (WRITTEN.get(operation, NOTHING) if is_done else NOTHING)
    assert (call["status"] is None) is kind.startswith("drop")


@every_operation
def test_a_field_comes_that_nobody_announced_or_a_web_page_instead_of_json(ready: Shop, operation: str) -> None:
    ready.sandbox.add_fault(operation, "not_json")
    answer = CALLS[operation](ready)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert traces(ready) == WRITTEN.get(operation, NOTHING)
    ready.sandbox.add_fault(operation, "extra_field")
    strange = CALLS[operation](ready).json()
    assert strange.pop("added_without_notice") == {"version": 2, "tags": ["new"]}
    if operation == "claims":
        assert all(record.pop("added_without_notice") for record in strange["data"])
        assert strange == CALLS[operation](ready).json()


def test_a_delay_holds_nobody_else_up_and_does_not_outlive_the_sandbox() -> None:
    with ThreadPoolExecutor(1) as other, SandboxServer() as sandbox, Shop(sandbox) as shop:
        sandbox.add_fault("claims", "delay", seconds=60)
        waiting = other.submit(CALLS["claims"], shop)
        while not [call for call in sandbox.calls() if call["fault"] == "delay"]:
            assert not waiting.done()
        assert CALLS["verify_credentials"](shop).status_code == 200
        sandbox.stop()
        assert waiting.result(10).status_code == 200


def test_faults_are_met_in_their_order_and_number_and_not_used_up_without_the_token(ready: Shop) -> None:
    for kind, status, times in (("status", 503, 2), ("status", 429, 1), ("not_json", 500, 1)):
        ready.sandbox.add_fault("claims", kind, status=status, times=times)
    ready.sandbox.add_fault("submit_order", "status", status=502)
    assert [CALLS["claims"](ready).status_code for _ in range(5)] == [503, 503, 429, 200, 200]
    assert CALLS["submit_order"](ready).status_code == 502
    ready.sandbox.add_fault("submit_order", "status", status=503)
    assert ready.http.post(CARTS, json={}, headers=ready.public).status_code == 401
    assert CALLS["submit_order"](ready).status_code == 503


def test_a_refusal_is_bent_as_well_as_a_success(ready: Shop) -> None:
    ready.sandbox.add_fault("record_sale", "extra_field")
    answer = ready.sell("sold", {})
    assert (answer.status_code, set(answer.json())) == (400, {"error", "added_without_notice"})
    ready.sandbox.add_fault("submit_order", "truncated_body")
    with pytest.raises(httpx.RemoteProtocolError):
        ready.submit(order() | {"billing_address": None})


def test_the_control_route_takes_a_fault_as_the_design_writes_it(ready: Shop) -> None:
    fault = {"operation": "record_sale", "kind": "status", "status": 500, "seconds": 5, "times": 1}
    queued = ready.http.post("/_sandbox/faults", json=fault)
    assert queued.status_code == 200
    assert queued.json()["faults"] == [{**fault, "seconds": 5.0, "after_write": False, "retry_after": None}]
    assert ready.sell("sold", {"product_id": "TV-55"}).status_code == 500
    assert ready.http.get("/_sandbox/faults").json() == {"faults": []}
    ready.http.post("/_sandbox/faults", json=fault)
    assert ready.http.delete("/_sandbox/faults").json() == {"faults": []}
    assert ready.http.post(SALE, json={}, headers=ready.private).status_code == 400


@pytest.mark.parametrize(
    "fault",
    [
        {}, {"operation": "claims"}, {"operation": "sing", "kind": "delay"}, {"operation": [], "kind": "delay"},
        {"operation": "claims", "kind": "explode"}, {"operation": "claims", "kind": {}},
        {"operation": "submit_order", "kind": "unknown_status"},
        {"operation": "claims", "kind": "status", "status": 200},
        {"operation": "claims", "kind": "status", "status": "500"},
        {"operation": "claims", "kind": "status", "retry_after": "soon"},
        {"operation": "claims", "kind": "delay", "seconds": -1},
        {"operation": "claims", "kind": "delay", "seconds": 10**9},
        {"operation": "claims", "kind": "delay", "times": 0}, {"operation": "claims", "kind": "delay", "second": 1},
        [], 7, None,
    ],
)  # fmt: skip
def test_a_fault_that_is_none_is_refused_with_a_sentence(shop: Shop, fault: Any) -> None:
    answer = shop.http.post("/_sandbox/faults", json=fault)
    assert answer.status_code == 400
    assert answer.json()["error"]
