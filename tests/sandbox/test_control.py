"""The control routes: reset, ledger, clock, outbox, added claims."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import text

from sandbox import SandboxServer
from tests.sandbox.shop import CARTS, CHECKOUT, SALE, Shop, checkout, order, product


def test_health_says_what_is_in_it(shop: Shop) -> None:
    shop.stored()
    health = shop.http.get("/_sandbox/health").json()
    assert shop.http.get("/_sandbox/outbox").json() == shop.sandbox.outbox() != []
    assert shop.http.get("/_sandbox/subscriptions").json() == shop.sandbox.subscriptions() != []
    assert (health["status"], health["seed"], health["orders"], health["claims"]) == ("ok", "empty", 1, 0)
    assert health["merchants"] == ["north-store", "harbour-outlet"]
    assert (health["subscriber"], health["customer"]) == ("subscriber@example.com", "ada.byron@example.com")


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


@pytest.mark.parametrize(
    "content",
    [
        {}, {"now": "noon"}, {"now": 7}, {"advance_seconds": "1"}, {"advance_seconds": 1e300},
        {"now": None, "x": 1}, [],
    ],
)  # fmt: skip
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


@pytest.mark.parametrize(
    "claim",
    [
        7, {"claim_date": "yesterday"}, {"claim_date": "2026-01-01T00:00:00Z"}, {"status": 5}, {"colour": "red"},
        {"order_date": "2026-01-01"}, {"warranty_start_date": "2026-01-01T00:00:00"}, {"customer_email": "nobody"},
        {"served_as": []},
    ],
)  # fmt: skip
def test_a_claim_that_is_none_is_refused_with_all_the_others(shop: Shop, claim: Any) -> None:
    answer = shop.http.post("/_sandbox/claims", json=[{}, claim])
    assert answer.status_code == 400
    assert "claims[1]" in answer.json()["error"]
    assert shop.claims()["total_count"] == 0


def test_control_routes_stand_outside_the_interface(shop: Shop) -> None:
    for path in ("health", "reset", "calls", "faults", "claims", "clock", "outbox"):
        assert shop.http.get(f"/api/_sandbox/{path}", headers=shop.private).status_code == 404
    assert not any("_sandbox" in json.dumps(call) for call in shop.sandbox.calls() if call["status"] != 404)
    assert shop.http.get("/_sandbox/nothing").status_code == 404
    assert shop.http.get(SALE).status_code == 401


def test_a_mistake_of_the_sandbox_itself_is_a_500_whose_log_shows_nothing_personal(
    shop: Shop, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A mail to the customer is written to a table that there is not."""
    monkeypatch.setattr("sandbox.store.database._ADD_MESSAGE", text("INSERT INTO nowhere VALUES (:said)"))
    content = order(product("TV"))
    content["billing_address"]["email"] = "wilhelmina.z@example.com"
    answer = shop.submit(content)
    assert answer.status_code == 500
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
