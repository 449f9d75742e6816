"""The control routes: reset, ledger, clock, outbox, added claims."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from sqlalchemy import text

from sandbox import SandboxServer
from tests.sandbox.shop import CARTS, CHECKOUT, CLAIMS, SALE, VERIFY, Shop, checkout, order, product


def test_health_says_what_is_in_it_and_control_routes_stand_outside_the_interface(shop: Shop) -> None:
    shop.stored()
    health = shop.http.get("/_sandbox/health").json()
    assert shop.http.get("/_sandbox/outbox").json() == shop.sandbox.outbox() != []
    assert shop.http.get("/_sandbox/subscriptions").json() == shop.sandbox.subscriptions() != []
    assert (health["status"], health["seed"], health["orders"], health["claims"]) == ("ok", "empty", 1, 0)
    assert health["merchants"] == ["north-store", "harbour-outlet"]
    assert (health["subscriber"], health["customer"]) == ("subscriber@example.com", "ada.byron@example.com")
    for path in ("health", "reset", "calls", "faults", "claims", "clock", "outbox"):
        assert shop.http.get(f"/api/_sandbox/{path}", headers=shop.private).status_code == 404
    assert not any("_sandbox" in json.dumps(call) for call in shop.sandbox.calls() if call["status"] != 404)
    assert shop.http.get("/_sandbox/nothing").status_code == 404
    assert shop.http.get(SALE).status_code == 401


def test_reset_goes_back_to_the_start_and_keeps_the_identity() -> None:
    with SandboxServer(seed="demo") as sandbox, Shop(sandbox) as shop:
        before, identity = sandbox.claims(), (sandbox.private_token, sandbox.retailer_uuid)
        order_id = shop.stored()
        sandbox.add_claims([{}])
        sandbox.add_fault("claims", "status")
        sandbox.set_clock(datetime(2030, 1, 1, tzinfo=UTC))
        assert shop.http.post("/_sandbox/reset").json()["seed"] == "demo"
        assert sandbox.claims() == before
        assert sandbox.calls() == []
        assert shop.sell(order_id, {"product_id": "TV-55"}).status_code == 404
        assert shop.claims()["total_count"] == 480
        assert datetime.fromisoformat(shop.http.get("/_sandbox/clock").json()["now"]).year < 2030
        assert (sandbox.private_token, sandbox.retailer_uuid) == identity
        assert shop.http.post("/_sandbox/reset", json={"seed": "empty"}).json()["claims"] == 0
        assert shop.http.post("/_sandbox/reset", json={"seed": "full"}).status_code == 400


def test_the_ledger_tells_each_call_without_anything_personal(shop: Shop) -> None:
    personal = {
        "first_name": "Wilhelmina", "last_name": "Zauberberg", "address1": "77 Secret Lane",
        "city": "Hiddenville", "zip": "98765", "phone": "+1 415 555 0199", "email": "wilhelmina.z@example.com",
    }  # fmt: skip
    content = order(product("TV", note="Zauberberg"))
    content["billing_address"].update(personal)
    shop.submit(content)
    shop.sell(content["order_id"], {"product_id": "TV"})
    shop.post(CHECKOUT, checkout(id=content["order_id"], email=personal["email"], billing_address=personal))
    shop.claims(customerEmail=personal["email"])
    for order_id in (personal["email"], f"x {shop.sandbox.private_token}", f"y {shop.sandbox.public_token}"):
        shop.sell(order_id, {"product_id": "TV"})
    shop.http.get(f"/api/carts/{personal['email']}", headers=shop.private)
    shop.http.post(CARTS, json=content, headers={"Authorization": "Bearer guessed-token-123"})
    shop.http.get("/api/purchase-warranties", params={"order_id": personal["email"]}, headers=shop.private)
    answer = shop.http.get("/_sandbox/calls")
    ledger = answer.json()
    assert ledger == shop.sandbox.calls()
    assert [call["number"] for call in ledger] == list(range(1, len(ledger) + 1))
    told = [(call["operation"], call["status"], call["written"]) for call in ledger]
    assert told == [
        ("submit_order", 200, True), ("record_sale", 200, True), ("notify_checkout", 400, False),
        ("claims", 200, False), ("record_sale", 404, False), ("record_sale", 404, False),
        ("record_sale", 404, False), (None, 404, False), ("submit_order", 401, False),
        ("purchase_warranties", 404, False),
    ]  # fmt: skip
    assert ledger[0]["order_id"] == ledger[1]["order_id"] == content["order_id"]
    assert ledger[1]["returned_id"]
    tokens = (shop.sandbox.private_token, shop.sandbox.public_token, "guessed-token")
    assert [secret for secret in (*personal.values(), *tokens, "Zauberberg") if secret in answer.text] == []


def test_the_clock_stands_still_where_it_is_set_and_moves_when_told(shop: Shop) -> None:
    stands = shop.http.post("/_sandbox/clock", json={"now": "2026-12-24T18:00:00+01:00"}).json()
    assert stands == {"now": "2026-12-24T17:00:00+00:00", "is_set": True}
    first = shop.stored()
    shop.http.post("/_sandbox/clock", json={"advance_seconds": 90})
    second = shop.stored()
    sent = [shop.outbox(order_id)[0]["sent_at"] for order_id in (first, second)]
    assert sent == ["2026-12-24T17:00:00+00:00", "2026-12-24T17:01:30+00:00"]
    released = shop.http.post("/_sandbox/clock", json={"now": None}).json()
    assert released["is_set"] is False
    assert abs(datetime.fromisoformat(released["now"]) - datetime.now(UTC)) < timedelta(seconds=10)
    shop.http.post("/_sandbox/clock", json={"advance_seconds": 86_400})
    moved = [shop.http.get("/_sandbox/clock").json() for _look in range(2)]
    assert moved[0]["now"] < moved[1]["now"], "it goes on, a day ahead"
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    assert abs(datetime.fromisoformat(moved[1]["now"]) - tomorrow) < timedelta(seconds=10)
    zoneless = shop.http.post("/_sandbox/clock", json={"now": "2026-12-24T18:00:00"}).json()
    assert zoneless["now"].endswith("18:00:00+00:00")


@pytest.mark.parametrize("content", [
    {}, {"now": "noon"}, {"now": 7}, {"advance_seconds": "1"}, {"advance_seconds": 1e300},
    {"now": None, "x": 1}, [],
])  # fmt: skip
def test_a_time_that_is_none_is_refused(shop: Shop, content: Any) -> None:
    assert shop.http.post("/_sandbox/clock", json=content).status_code == 400


@pytest.mark.parametrize("path", ["reset", "faults", "claims", "clock"])
def test_a_control_route_survives_any_body(shop: Shop, path: str) -> None:
    for body in (b"{", b"[" * 100_000, b"\xff", b'"x"', b"null"):
        assert shop.http.post(f"/_sandbox/{path}", content=body).status_code == 400


def test_claims_are_added_as_a_list_in_a_field_or_alone(shop: Shop) -> None:
    new: dict[str, Any] = {"status": "NEW", "customerEmail": "ada@example.com"}
    for number, added in enumerate(([new], {"claims": [new]}, new), start=1):
        assert shop.http.post("/_sandbox/claims", json=added).json() == {"added": 1, "claims": number}
    assert [record["status"] for record in shop.claims(customerEmail="ada@example.com")["data"]] == ["NEW"] * 3


def test_misshapen_claims_are_served_as_asked_for_and_found_by_what_they_were(shop: Shop) -> None:
    odd = {"order_id": "2", "served_as": {"claim_date": "yesterday", "status": None}}
    others = {"order_id": "1", "served_without": ["status"]}, {"order_id": "3", "served_as": {"severity": 4}}
    shop.sandbox.add_claims([odd, *others])
    records = sorted(shop.claims()["data"], key=lambda record: str(record["order_id"]))
    assert "status" not in records[0]
    assert (records[1]["claim_date"], records[1]["status"]) == ("yesterday", None)
    assert records[2]["severity"] == 4
    now = shop.http.get("/_sandbox/clock").json()["now"][:10]
    assert shop.claims(claimDateRange={"startDate": f"{now}T00:00:00.000000"})["total_count"] == 3


@pytest.mark.parametrize("claim", [
    7, {"claim_date": "yesterday"}, {"claim_date": "2026-01-01T00:00:00Z"}, {"status": 5}, {"colour": "red"},
    {"order_date": "2026-01-01"}, {"warranty_start_date": "2026-01-01T00:00:00"}, {"customer_email": "nobody"},
    {"served_as": []},
])  # fmt: skip
def test_a_claim_that_is_none_is_refused_with_all_the_others(shop: Shop, claim: Any) -> None:
    answer = shop.http.post("/_sandbox/claims", json=[{}, claim])
    assert answer.status_code == 400
    assert "claims[1]" in answer.json()["error"]
    assert shop.claims()["total_count"] == 0


def test_a_mistake_of_the_sandbox_itself_is_a_500_whose_log_shows_nothing_personal(
    shop: Shop, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A mail to the customer is written to a table that there is not."""
    monkeypatch.setattr("sandbox.store.database._ADD_MESSAGE", text("INSERT INTO nowhere VALUES (:said)"))
    content = order(product("TV"))
    content["billing_address"]["email"] = "wilhelmina.z@example.com"
    assert shop.submit(content).status_code == 500
    assert "went wrong inside the sandbox" in caplog.text
    assert "no such table: nowhere" in caplog.text
    assert content["order_id"] not in caplog.text
    assert "wilhelmina" not in caplog.text
    monkeypatch.undo()
    assert shop.submit(content).status_code == 200


def test_an_evening_of_the_past_has_the_claims_of_then_as_they_stood_and_today_those_that_are_served() -> None:
    with SandboxServer(seed="demo") as sandbox, Shop(sandbox) as shop:

        def evening(days_ago: int) -> dict[str, str]:
            answer = shop.http.get("/_sandbox/evening", params={"days_ago": days_ago}).json()
            assert answer["total_count"] == len(answer["data"]) < answer["per_page"]
            return {claim["warranty_id"]: claim["status"] for claim in answer["data"]}

        served = {claim["warranty_id"]: claim["status"] for claim in sandbox.claims()}
        days = [evening(days_ago) for days_ago in (30, 29, 0)]
        assert days[-1] == served
        assert set(days[0]) < set(days[1]) < set(served)
        assert 0 < sum(days[1][claim] != status for claim, status in days[0].items()) < 20, "some move each day"
        assert evening(29) == days[1]
        assert shop.http.get("/_sandbox/evening", params={"days_ago": "-1"}).status_code == 400


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
@pytest.mark.parametrize(("kind", "error", "is_done"), [
    ("drop_before_write", httpx.TransportError, False), ("drop_after_write", httpx.TransportError, True),
    ("truncated_body", httpx.RemoteProtocolError, True), ("delay", httpx.ReadTimeout, True),
])  # fmt: skip
def test_no_answer_comes(*, ready: Shop, operation: str, kind: str, error: type[Exception], is_done: bool) -> None:
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


def test_faults_are_met_in_order_and_number_by_who_has_the_token_and_a_refusal_is_bent_as_well(ready: Shop) -> None:
    for kind, status, times in (("status", 503, 2), ("status", 429, 1), ("not_json", 500, 1)):
        ready.sandbox.add_fault("claims", kind, status=status, times=times)
    ready.sandbox.add_fault("submit_order", "status", status=502)
    assert [CALLS["claims"](ready).status_code for _ in range(5)] == [503, 503, 429, 200, 200]
    assert CALLS["submit_order"](ready).status_code == 502
    ready.sandbox.add_fault("submit_order", "status", status=503)
    assert ready.http.post(CARTS, json={}, headers=ready.public).status_code == 401
    assert CALLS["submit_order"](ready).status_code == 503
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


@pytest.mark.parametrize("fault", [
    {}, {"operation": "claims"}, {"operation": "sing", "kind": "delay"}, {"operation": [], "kind": "delay"},
    {"operation": "claims", "kind": "explode"}, {"operation": "claims", "kind": {}},
    {"operation": "submit_order", "kind": "unknown_status"}, {"operation": "claims", "kind": "status", "status": 200},
    {"operation": "claims", "kind": "status", "status": "500"},
    {"operation": "claims", "kind": "status", "retry_after": "soon"},
    {"operation": "claims", "kind": "delay", "seconds": -1}, {"operation": "claims", "kind": "delay", "seconds": 10**9},
    {"operation": "claims", "kind": "delay", "times": 0}, {"operation": "claims", "kind": "delay", "second": 1},
    [], 7, None,
])  # fmt: skip
def test_a_fault_that_is_none_is_refused_with_a_sentence(shop: Shop, fault: Any) -> None:
    answer = shop.http.post("/_sandbox/faults", json=fault)
    assert answer.status_code == 400
    assert answer.json()["error"]
