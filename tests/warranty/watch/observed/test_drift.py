"""What answers show beyond the document is dated and counted, without anything of a customer."""

import json
import re
import ssl
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import httpx
import pytest

from sandbox import SandboxServer
from tests.builders import LAMP, checkout_of, claim_record, order_of, sale_of
from tests.warranty.client.prepared_service import Answer, Service
from tests.warranty.conftest import Clock
from tests.warranty.desk.processes import running
from warranty.access import Operator
from warranty.claims.retrieval import retrieve_claims
from warranty.claims.retrieval.spans import Bounds
from warranty.client import Pacing, WarrantyClient
from warranty.client.resources import ClaimQuery, OfferedProduct
from warranty.commands.housekeeping.opening import open_journal
from warranty.desk.journal import Journal
from warranty.errors import JournalUnavailable, PermissionDenied, UnexpectedAnswer, WarrantyError
from warranty.settings import load_settings
from warranty.watch.observed.observations import ASSUMPTIONS, Observations, Oddity, Sighting, contradicted, drift_json
from warranty.watch.observed.observer import ServiceSeen, claims_oddities

ASSUMPTIONS_TOLD = Path(__file__).parents[4] / "sandbox" / "ASSUMPTIONS.md"
A_SERVICE = {
    "environment": "production", "base_url": "https://service.example", "private_token": "private-token",
    "public_token": "public-token", "landing_url": "https://pages.example", "retailer_uuid": "retailer",
}  # fmt: skip


@pytest.fixture
def seen(journal: Journal, clock: Clock) -> Iterator[ServiceSeen]:
    kept = Observations(journal.database, "production")
    with closing(ServiceSeen(kept, load_settings(A_SERVICE), now=clock)) as looking:
        yield looking


def told(seen: ServiceSeen) -> set[tuple[str, str, str]]:
    return {(each.oddity.operation, each.oddity.kind, each.oddity.what) for each in seen.drift()}


def looked_at(seen: ServiceSeen, base_url: str = "https://service.example", **given: Any) -> WarrantyClient:
    tokens = {"private_token": "private-token", "public_token": "public-token"}
    reads: dict[str, Any] = {
        "purchase_warranties_path": "/api/purchase-warranties", "offers_path": "/api/warranty-offers",
    }  # fmt: skip
    pacing = Pacing(sleep=lambda _seconds: None)
    return WarrantyClient(base_url, **{**tokens, **given}, pacing=pacing, **reads, observer=seen)


@pytest.fixture
def sandboxes(sandbox: SandboxServer, trust: ssl.SSLContext) -> dict[str, Any]:
    tokens = {"private_token": sandbox.private_token, "public_token": sandbox.public_token}
    return {"base_url": sandbox.base_url, "verify": trust, **tokens}


def answering(seen: ServiceSeen, *answers: Answer) -> WarrantyClient:
    return looked_at(seen, transport=httpx.MockTransport(Service(*answers)))


def said(body: Any, status: int = 200) -> httpx.Response:
    return httpx.Response(status, json=body)


def test_what_is_documented_is_not_odd(sandbox: SandboxServer, sandboxes: dict[str, Any], seen: ServiceSeen) -> None:
    sandbox.add_claims([claim_record("2026-11-01T10:00:00.000000", status="RESOLVED")])
    links = {"landing_url": sandbox.landing_url, "retailer_uuid": sandbox.retailer_uuid}
    seen._settings = load_settings({**A_SERVICE, **links})
    with looked_at(seen, **sandboxes) as client:
        order = order_of(LAMP)
        client.submit_order(order)
        client.submit_order(order)
        client.record_sale(sale_of(order.order_id, ("LAMP", 24, "12.00")))
        assert retrieve_claims(client, ClaimQuery()).is_complete
        client.claims(ClaimQuery())
    assert told(seen) == set()


def test_a_field_and_a_status_word_nobody_was_told_of_are_dated_by_first_and_last_sight_and_counted(
    sandbox: SandboxServer, sandboxes: dict[str, Any], seen: ServiceSeen, clock: Clock
) -> None:
    sandbox.add_claims([claim_record("2026-11-01T10:00:00.000000", number) for number in range(3)])
    began = clock()
    with looked_at(seen, **sandboxes) as client:
        for kind in ("extra_field", "unknown_status"):
            sandbox.add_fault(operation="claims", kind=kind, times=1)
            client.claims_body(ClaimQuery())  # the client alone parses none of it
        assert told(seen) == set()
        sandbox.add_fault(operation="claims", kind="extra_field", times=100)
        retrieve_claims(client, ClaimQuery())
        seen.write()
        clock.advance(timedelta(days=3))
        retrieve_claims(client, ClaimQuery())
        sandbox.clear_faults()
        sandbox.add_fault(operation="claims", kind="unknown_status", times=100)
        retrieve_claims(client, ClaimQuery())
        sandbox.add_fault(operation="submit_order", kind="extra_field")
        client.submit_order(order_of(LAMP))
    found = {each.oddity.what: each for each in seen.drift()}
    field = found["data[].added_without_notice: object"]
    assert (field.first_seen, field.last_seen) == (began, clock())
    assert field.times >= 2
    assert "data[].added_without_notice.tags[]: text" in found
    assert "added_without_notice.version: number" in found
    assert found["ESCALATED_TO_UNDERWRITER"].first_seen == clock()
    assert contradicted(seen.drift())["claims.statuses"] == clock()


@pytest.mark.parametrize(("body", "odd"), [
    (b"<html>Ada Brook</html>", ("shape", "not JSON")), (b'{"success": true, "url": 7}', ("type", "url: number")),
    (b'{"success": true, "warrantable_products": null}', ("type", "warrantable_products: null")),
    (b'{"url": "https://a.example/x"}', ("missing", "success")),
    (b'{"success": true, "url": "https://a.example/x"}', ("link", "not the one that is built of the order id")),
])  # fmt: skip
def test_a_shape_not_the_documents_is_noted(seen: ServiceSeen, body: bytes, odd: tuple[str, str]) -> None:
    answer = httpx.Response(200, content=body, headers={"Content-Type": "text/html"})
    with answering(seen, answer) as client, suppress(WarrantyError):
        client.submit_order(order_of(LAMP))
    assert ("submit_order", *odd) in told(seen)
    assert ("submit_order", "content type", "text/html") in told(seen)


def test_no_value_of_a_customer_is_written_down_wherever_it_is(seen: ServiceSeen, journal: Journal) -> None:
    personal = {
        "ada.brook@example.com": {"phone_16175550123": "x"},
        "status": "Ada Brook, 12 Mill Lane, wants her money back today",
        "nested": [{"Ada Brook": 1, "status": "call +1 617 555 0123"}], "id": "Ada Brook",
    }  # fmt: skip
    with answering(seen, httpx.Response(200, json=personal, headers={"Content-Type": "Ada Brook"})) as client:
        client.notify_checkout(checkout_of("order-1"))
        client.record_sale(sale_of("order-1"))
    written = drift_json(seen.drift(), load_settings(A_SERVICE), made=journal.database.clock()).decode()
    for word in ("(other)", "(a text that is no word)", "id: not hexadecimal"):
        assert word in written
    assert not re.search(r"\bada\b|brook|mill|617|555", written, re.IGNORECASE)


def test_a_service_that_makes_up_fields_fills_no_table(seen: ServiceSeen) -> None:
    letters = "abcdefghij"
    with answering(seen, said({a + b + c: 1 for a in letters for b in letters for c in letters})) as client:
        client.notify_checkout(checkout_of("order-1"))
    assert len(seen.drift()) <= 200


ORDER = order_of(LAMP)
STORED = {"success": True, "url": f"https://pages.example/carts/retailer/checkout/{ORDER.order_id}"}
OFFERS = [{"warranty_offer_id": f"{number}" * 8, "warranty_duration": 12 * number} for number in (1, 2, 3)]
BOUGHT = [{**offer, "status": "bought"} for offer in OFFERS]
Call = Callable[[WarrantyClient], object]


def an_order(**line: Any) -> dict[str, Any]:
    shown = {"line_item_id": 1, "product_price": "80.00", "offers": OFFERS, **line}
    return {"order_id": "order-1", "line_items": [shown]}


CHEAP = {**LAMP, "product_price": "9.99"}
CALLS: dict[str, Call] = {
    "order": lambda client: client.submit_order(ORDER),
    "counted order": lambda client: client.submit_order(order_of(LAMP, order_id="1001")),
    "cheap order": lambda client: client.submit_order(order_of(CHEAP, order_id=ORDER.order_id)),
    "sale": lambda client: client.record_sale(sale_of("order-1")),
    "checkout": lambda client: client.notify_checkout(checkout_of("order-1")),
    "claims": lambda client: client.claims(ClaimQuery()), "plans": lambda client: client.purchase_warranties("order-1"),
    "offers": lambda client: client.offers(OfferedProduct(title="Lamp", id="LAMP", price=Decimal("9.99"))),
    "tokens": WarrantyClient.verify_credentials,
}  # fmt: skip
A_CLAIM = claim_record("2026-11-01T10:00:00", status="PARKED")
PAGE = {"data": [], "page": 1, "per_page": 50, "total_count": 0}
ON_TWO_BANDS = [*an_order()["line_items"], *an_order(line_item_id=2, product_price="120.00")["line_items"]]


def wrong(*said: str) -> dict[str, Any]:
    return {"message": {"validation_errors": [*said]}}


CONTRADICTIONS: dict[str, tuple[str, int, Any]] = {
    "auth.public-token-header": ("claims", 401, {"error": "no"}), "auth.401-body": ("checkout", 401, {"detail": "no"}),
    "endpoints.headers-not-checked": ("checkout", 415, {}), "endpoints.no-limits-no-versions": ("checkout", 429, {}),
    "bodies.limits": ("checkout", 413, {}), "errors.shape-elsewhere": ("checkout", 400, {"errors": ["no"]}),
    "carts.order-id-form": ("order", 400, wrong("order_id has a wrong form")),
    "carts.sequential-order-ids": ("counted order", 400, wrong("Order ID: a counter")),
    "carts.repeat": ("order", 200, {**STORED, "url": "https://a.example/x", "warrantable_products": True}),
    "carts.not-eligible": ("order", 200, {**STORED, "warrantable_products": None}),
    "plans.eligibility": ("cheap order", 200, {**STORED, "warrantable_products": True}),
    "plans.terms-and-prices": ("plans", 200, an_order(offers=OFFERS[:1])),
    "plans.shared-offers": ("plans", 200, {"order_id": "order-1", "line_items": ON_TWO_BANDS}),
    "sale.further-sales": ("plans", 200, an_order(quantity=2, offers=BOUGHT, warranties=[{}])),
    "sale.id-per-sale": ("sale", 200, {"id": "order seven"}),
    "sale.one-offer-per-unit": ("plans", 200, an_order(offers=BOUGHT, warranties=[{}, {}])),
    "sale.line-item-numbers": ("plans", 200, an_order(line_item_id="first")),
    "checkout.answer": ("checkout", 200, {"success": True, "id": "7"}),
    "checkout.offer-ids": ("checkout", 400, wrong("No such offer")),
    "claims.no-paging": ("claims", 200, {**PAGE, "page": 2}), "claims.timestamp-form": ("claims", 400, wrong("no")),
    "claims.statuses": ("claims", 200, {**PAGE, "data": [A_CLAIM], "total_count": 1}),
    "verify-auth.answer": ("tokens", 200, {"success": True, "id": "7"}),
    "purchase-warranties.shape": ("plans", 200, {"orders": []}),
    "purchase-warranties.status": ("plans", 200, an_order(offers=[{**OFFERS[1], "status": "withdrawn"}, *OFFERS])),
    "warranty-offers.shape": ("offers", 200, {"offers": 7}),
}  # fmt: skip
TOGETHER = {"carts.repeat": "landing.percent-encoding", "sale.line-item-numbers": "purchase-warranties.shape"}
"""What the same answer contradicts as well."""


@pytest.mark.parametrize("assumption", CONTRADICTIONS)
def test_an_assumption_is_dated_when_contradicted(seen: ServiceSeen, clock: Clock, assumption: str) -> None:
    call, status, body = CONTRADICTIONS[assumption]
    with answering(seen, said(body, status)) as client, suppress(WarrantyError):
        CALLS[call](client)
    assert contradicted(seen.drift()) == dict.fromkeys({assumption, TOGETHER.get(assumption, assumption)}, clock())


def test_how_ranges_are_counted_is_seen_and_claims_in_a_shape_nobody_can_read(seen: ServiceSeen, clock: Clock) -> None:
    seen.claims_read((), (), Bounds(end_included=False))
    assert contradicted(seen.drift()) == {"claims.inclusive-bounds": clock()}
    with answering(seen, said({"claims": [], "count": 0})) as client, pytest.raises(UnexpectedAnswer):
        retrieve_claims(client, ClaimQuery())
    assert {("claims", "shape", "cannot be read"), ("claims", "missing", "data")} <= told(seen)


def test_what_is_unreadable_and_how_ranges_are_counted_is_noted_with_reason(seen: ServiceSeen) -> None:
    records = [claim_record("2026-11-01T10:00:00+02:00"), claim_record("2026-11-02T10:00:00", status=None)]
    body = {"data": records, "page": 2, "per_page": 100, "total_count": 2}
    with answering(seen, said(body)) as client:
        retrieve_claims(client, ClaimQuery())
    assert {what for operation, kind, what in told(seen) if (operation, kind) == ("claims", "form")} >= {
        "page: not 1", "per_page: not 50", "data[].status: is null, not text",
        "data[].claim_date: is not a timestamp without a zone, to the microsecond at most",
    }  # fmt: skip
    assert "claims.no-paging" in contradicted(seen.drift())


def test_every_assumption_is_met_by_its_contradiction_here_or_says_why_none_can_be_seen() -> None:
    listed = re.findall(r"^### (\S+)$", ASSUMPTIONS_TOLD.read_text(), re.MULTILINE)
    assert sorted(one.name for one in ASSUMPTIONS) == sorted(listed)
    assert [one.name for one in ASSUMPTIONS if bool(one.clues) == bool(one.unseen)] == []
    met = {*CONTRADICTIONS, *TOGETHER.values(), "claims.inclusive-bounds"}  # the last one by a reading
    assert {one.name for one in ASSUMPTIONS if one.clues} == met


def test_staff_are_shown_none_of_it(seen: ServiceSeen, clerk: Operator, manager: Operator) -> None:
    assert seen.of(manager) is seen
    with pytest.raises(PermissionDenied):
        seen.of(clerk)


def test_an_assumption_is_dated_by_the_first_of_its_contradictions(clock: Clock) -> None:
    first, later = clock.now, clock.now + timedelta(days=3)
    words = (("PARKED", later), ("STUCK", first), ("LOST", later))
    seen = [Sighting(Oddity("claims", "status word", word), when, later, 1) for word, when in words]
    assert contradicted(seen) == {"claims.statuses": first}


def test_what_fails_is_written_later_once(seen: ServiceSeen, journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Observations(journal.database, "production")

    def refused() -> None:
        with pytest.raises(WarrantyError):
            client.notify_checkout(checkout_of("order-1"))

    def unavailable(*_: object) -> None:
        refused()
        raise JournalUnavailable("The journal cannot be written (test).")

    with answering(seen, said({}, 429)) as client, monkeypatch.context() as down:
        down.setattr(seen._observations, "add", unavailable)
        refused()
        for _ in range(2):
            with pytest.raises(JournalUnavailable):
                seen.write()
    for _ in range(2):
        seen.write()
    assert [(each.oddity.what, each.times) for each in kept.drift()] == [("429", 3)]


def test_counts_are_written_and_at_the_end(sandboxes: dict[str, Any], journal: Journal, clock: Clock) -> None:
    kept = Observations(journal.database, "production")
    seen = ServiceSeen(kept, load_settings(A_SERVICE), now=clock, every=timedelta(hours=1))
    with looked_at(seen, **sandboxes) as client:
        client.verify_credentials()
    assert kept.drift() == [], "a call waits for no database"
    seen.close()
    report = json.loads(drift_json(kept.drift(), load_settings(A_SERVICE), made=clock()))
    assert report["seen"][0]["what"] == "success: true or false"
    assert report["assumptions"]["verify-auth.answer"] == {"first_contradicted": None}


@pytest.mark.parametrize("odd", [{"severity": 1}, {"status": "OPEN", "a_name": "x"}])
def test_one_claim_with_a_field_more_is_found_among_others(odd: dict[str, Any]) -> None:
    claims = [claim_record("2026-11-01T10:00:00.000000", number) for number in range(50)]
    claims[31] |= odd
    (name,) = odd.keys() - claims[0].keys()
    assert [each.what.partition(":")[0] for each in claims_oddities(claims, {})] == [f"data[].{name}"]
    assert list(claims_oddities(claims[:31], {})) == []


NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
FIELD = Oddity("claims", "field", "data[].severity: text")
STATUS = Oddity("submit_order", "HTTP status", "429")


def sighted(oddity: Oddity, *, at: datetime = NOON, times: int = 1) -> Sighting:
    return Sighting(oddity, at, at, times)


def test_first_and_last_sight_and_the_counts_of_all_desks_are_kept(journal: Journal) -> None:
    mine = Observations(journal.database, "production")
    day = timedelta(days=1)
    for sightings in ([sighted(FIELD, times=3)], [sighted(FIELD, at=NOON - day), sighted(STATUS)]):
        mine.add(sightings)
    mine.add([sighted(FIELD, at=NOON + day)])
    assert list(mine.drift()) == [sighted(STATUS), Sighting(FIELD, NOON - day, NOON + day, 5)]
    assert list(Observations(journal.database, "staging").drift()) == []


def add_often(url: str, backwards: bool, *, progress: Connection) -> None:
    both = [sighted(FIELD), sighted(STATUS)]
    with closing(open_journal(url)) as journal:
        for _ in range(25):
            Observations(journal.database, "production").add(both[::-1] if backwards else both)
    progress.send("over")


@pytest.mark.both_databases
def test_two_processes_that_count_at_once_add_up(journal: Journal, journal_url: str) -> None:
    with ExitStack() as desks:
        ends = [desks.enter_context(running(add_often, journal_url, back))[1] for back in (False, True)]
        assert [end.recv() for end in ends] == ["over"] * 2
    assert [each.times for each in Observations(journal.database, "production").drift()] == [50, 50]
