"""Every fault of the service by what the journal says then, what is unknown settled and held against repeats."""

import json
from datetime import timedelta
from typing import Any, Final

import pytest

from tests.builders import checkout_of, item, order_of, sale_of
from tests.warranty.desk.shop import Shop
from warranty.access import Operator
from warranty.client import WarrantyClient
from warranty.client.resources import Sale
from warranty.desk import Desk, EarlierSending, Verdict
from warranty.desk.journal import FOUND_BY_READING, AttemptFilter, AttemptState, ItemLine, Journal
from warranty.desk.journal.export import attempts_jsonl
from warranty.desk.sale_lookup import PLANS_READ
from warranty.desk.sending import OPERATIONS, Resource

DONE, REFUSED = AttemptState.DONE, AttemptState.REFUSED
UNKNOWN, NOT_RECORDED = AttemptState.UNKNOWN, AttemptState.NOT_RECORDED


@pytest.fixture
def ordered(shop: Shop) -> Shop:
    shop.order()
    return shop


def test_an_unknown_sale_blocks_a_repeat_until_a_person_says_that_it_was_not_recorded(ordered: Shop) -> None:
    unknown = ordered.unanswered(sale_of("o-1"))
    draft, corrects = unknown.draft_id, unknown.attempt_id
    assert unknown.state is UNKNOWN
    assert ordered.send(sale_of("o-1"), draft, corrects=corrects) == unknown
    settled = ordered.desk.settle(ordered.clerk, corrects, recorded=False, note="The landing page shows none")
    assert settled.state is NOT_RECORDED
    assert settled.settled is not None
    assert (settled.settled.username, settled.settled.note) == ("dana", "The landing page shows none")
    assert ordered.send(sale_of("o-1"), draft) == settled
    assert ordered.send(sale_of("o-1"), draft, corrects=corrects).state is DONE
    assert len(ordered.calls("record_sale")) == 2


def test_an_unknown_sale_that_was_recorded_is_done_and_settled_once(ordered: Shop, manager: Operator) -> None:
    unknown = ordered.unanswered(sale_of("o-1"), "drop_after_write")
    settled = ordered.desk.settle(manager, unknown.attempt_id, recorded=True, note="", returned_id="64fa")
    assert (settled.state, settled.result.returned_id) == (DONE, "64fa")
    assert ordered.desk.settle(ordered.clerk, unknown.attempt_id, recorded=False, note="") == settled


def test_a_settlement_is_corrected_both_are_kept(ordered: Shop, desk: Desk, clerk: Operator, manager: Operator) -> None:
    silent = ordered.unanswered(sale_of("o-1")).attempt_id
    wrong = desk.settle(clerk, silent, recorded=True, note="Guessed", returned_id="64fa")
    right = desk.settle(manager, silent, recorded=False, note="It shows none", corrects=wrong.settled)
    assert (right.state, right.state.nothing_written) == (NOT_RECORDED, True)
    late = desk.settle(clerk, silent, recorded=False, note="", corrects=wrong.settled)
    assert late == right, "of two who correct the same word, one does"
    first, second = desk.activity.settlements(clerk, [right])[silent]
    assert (first.settled, first.result.returned_id) == (wrong.settled, "64fa")
    assert second.settled == right.settled
    for state, found in ((NOT_RECORDED, [right]), (AttemptState.NOT_SENT, [])):
        assert desk.activity.attempts(manager, AttemptFilter(states=frozenset({state}))) == found


def drafted_from_a_read(shop: Shop) -> str:
    """The draft of a sale, which holds what was read of its order before it is sent."""
    read = shop.desk.plans_of(shop.clerk, "o-1").model_dump(mode="json")
    shop.desk.drafts(shop.clerk, "record_sale").save("s", {PLANS_READ: {"o-1": [shop.clock.now.isoformat(), read]}})
    return "s"


@pytest.mark.parametrize("kind", ["drop_before_write", "drop_after_write"])
def test_an_unknown_order_is_settled_by_sending_it_again(shop: Shop, kind: str) -> None:
    unknown = shop.unanswered(order_of(order_id="o-1"), kind)
    assert unknown.state is UNKNOWN
    done = shop.desk.send_order_again(shop.clerk, unknown.attempt_id)
    assert done.state is DONE
    assert done.result.landing_url
    # The service may know the order from our own lost sending: that is not "somebody sent it before".
    assert done.result.already_known is (False if kind == "drop_before_write" else None)
    calls = len(shop.sandbox.calls())
    assert (shop.desk.send_order_again(shop.clerk, unknown.attempt_id), len(shop.sandbox.calls())) == (done, calls)


def test_of_two_desks_that_repeat_one_order_at_one_moment_one_sends_it(
    shop: Shop, client: WarrantyClient, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    order, second = order_of(order_id="o-1"), Desk(client=client, journal=journal, environment="sandbox")
    unknown = shop.unanswered(order)  # as both desks have read it
    before, sends, shown = len(shop.sandbox.calls()), shop.desk.sender._call, []

    def under_way(*asked: Any, **options: Any) -> Any:
        shown.append(second.sender.repeat(unknown, order))
        return sends(*asked, **options)

    monkeypatch.setattr(shop.desk.sender, "_call", under_way)
    assert shop.desk.sender.repeat(unknown, order).state is DONE
    assert [(one.attempt_id, one.state) for one in shown] == [(unknown.attempt_id, AttemptState.SENDING)]
    assert len(shop.sandbox.calls()) == before + 1


@pytest.mark.parametrize(
    ("fault", "state"), [({"status": 401}, UNKNOWN), ({"status": 400}, REFUSED), ({"status": 500, "times": 3}, UNKNOWN)]
)
def test_a_repeat_that_fails_settles_what_it_tells(shop: Shop, fault: dict[str, Any], state: AttemptState) -> None:
    unknown = shop.unanswered(order_of(order_id="o-1"), "drop_after_write")
    shop.fails("submit_order", **fault)
    again = shop.desk.send_order_again(shop.clerk, unknown.attempt_id)
    assert again.state is state
    assert again.failure is not None
    assert again.failure.nothing_written is (state is REFUSED)
    assert again.failure.status == fault["status"]


def test_only_an_order_may_be_sent_again(shop: Shop) -> None:
    unknown = shop.unanswered(checkout_of("o-1"))
    with pytest.raises(ValueError, match="only an order"):
        shop.desk.send_order_again(shop.clerk, unknown.attempt_id)
    assert len(shop.sandbox.calls()) == 1


class TestLookUp:
    def test_a_sale_that_the_order_carries_was_recorded_under_its_own_number(self, ordered: Shop) -> None:
        before = ordered.send(sale_of("o-1"))
        attempt = ordered.unanswered(sale_of("o-1"), "drop_after_write")
        found = ordered.look_up(attempt)
        assert (found.verdict, found.attempt.state) == (Verdict.RECORDED, DONE)
        assert ordered.look_up(attempt) == found
        numbers = {call["returned_id"] for call in ordered.calls("record_sale")}
        assert {before.result.returned_id, found.attempt.result.returned_id} == numbers
        assert len(numbers) == 2

    @pytest.mark.parametrize("kind", ["drop_before_write", "drop_after_write"])
    def test_a_persons_word_for_a_sale_is_hearsay_until_it_is_seen(self, ordered: Shop, kind: str) -> None:
        attempt = ordered.unanswered(sale_of("o-1"), kind)
        told = ordered.desk.settle(ordered.clerk, attempt.attempt_id, recorded=True, note="")
        assert told.settled
        assert told.settled.is_hearsay
        found = ordered.look_up(attempt)
        if kind == "drop_after_write":
            assert found.attempt.settled
            assert not found.attempt.settled.is_hearsay
            assert found.attempt.result.returned_id
        else:
            assert (found.verdict, found.attempt) == (Verdict.UNCLEAR, told)

    @pytest.mark.parametrize(("kind", "read_before", "state"), [
        ("drop_after_write", [], DONE),
        ("drop_before_write", [], UNKNOWN),  # that it is not there yet proves nothing
        ("drop_after_write", None, UNKNOWN),  # it may have been there before
        ("drop_before_write", ["79.99"], UNKNOWN),  # what is there was
        ("drop_after_write", ["70.00"], DONE),
    ])  # fmt: skip
    def test_a_read_settles_the_sale_that_has_come_to_its_order_whoever_reads(
        self, ordered: Shop, colleague: Operator, kind: str, read_before: list[str] | None, state: AttemptState
    ) -> None:
        for price in read_before or ():
            ordered.desk._client.record_sale(sale_of("o-1", ("TV-55", 24, price)))
        draft = "s" if read_before is None else drafted_from_a_read(ordered)
        attempt = ordered.unanswered(sale_of("o-1"), kind, draft=draft)
        ordered.desk.plans_of(colleague, "o-1")
        (after,) = ordered.desk.activity.order_timeline(colleague, "o-1")[1:]
        assert (after.attempt_id, after.state) == (attempt.attempt_id, state)
        if after.settled:
            assert (after.settled.note, after.settled.username) == (FOUND_BY_READING, colleague.username)
            assert not after.settled.is_hearsay
            assert after.result.returned_id

    @pytest.mark.parametrize("ends", ["after 1:50 of silence", "with the program"])
    def test_for_two_minutes_after_silence_an_order_without_the_sale_proves_nothing(
        self, ordered: Shop, client: WarrantyClient, journal: Journal, monkeypatch: pytest.MonkeyPatch, ends: str
    ) -> None:
        """A slow service may record it yet; settled as not recorded, it would be sold twice."""
        patient, calls = Desk(client=client, journal=journal, environment="sandbox"), client.record_sale

        def slow(*asked: Any, **named: Any) -> Any:
            ordered.clock.advance(timedelta(minutes=1, seconds=50))
            return calls(*asked, **named)

        monkeypatch.setattr(client, "record_sale", slow)
        if ends == "with the program":
            monkeypatch.setattr(journal, "conclude", lambda *_: journal.attempts("sandbox", AttemptFilter())[0])
        attempt = ordered.unanswered(sale_of("o-1"), draft="s")
        silent_since = attempt.finished_at or attempt.deadline
        assert silent_since >= attempt.started_at + timedelta(minutes=1, seconds=50)
        for minutes, verdict in ((0.3, Verdict.TOO_EARLY), (1.9, Verdict.TOO_EARLY), (2, Verdict.NOT_RECORDED)):
            ordered.clock.now = silent_since + timedelta(minutes=minutes)
            looked = patient.look_up_sale(ordered.clerk, attempt.attempt_id)
            assert looked.verdict is verdict
            assert looked.attempt.state is (NOT_RECORDED if minutes == 2 else UNKNOWN)

    def test_two_unknown_sales_of_one_order_are_left_to_a_person(self, ordered: Shop) -> None:
        first = ordered.unanswered(sale_of("o-1"), "drop_after_write", draft=drafted_from_a_read(ordered))
        second = ordered.unanswered(sale_of("o-1"), knowing=[first])
        for attempt in (first, second):
            assert ordered.look_up(attempt).verdict is Verdict.UNCLEAR
            ordered.desk.plans_of(ordered.clerk, "o-1")
            assert ordered.now(attempt) == attempt

    def test_a_service_that_cannot_be_read_changes_nothing(self, ordered: Shop) -> None:
        attempt = ordered.unanswered(sale_of("o-1"), "drop_after_write")
        ordered.fails("purchase_warranties", status=401)
        found = ordered.look_up(attempt)
        assert (found.verdict, found.attempt) == (Verdict.UNCLEAR, attempt)
        assert found.failure is not None
        assert found.failure.status == 401


def test_what_is_stopped_midway_is_unknown(shop: Shop, client: WarrantyClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_args: object, **_named: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(client, "record_sale", stopped)
    with pytest.raises(KeyboardInterrupt):
        shop.send(sale_of("o-1"), "s")
    assert shop.now("s").state is UNKNOWN


FAULTS: Final[dict[str, tuple[dict[str, Any], AttemptState, str | None, int]]] = {
    "500": ({"kind": "status", "status": 500}, UNKNOWN, "ServiceFailed", 3),
    "500 after the write": ({"kind": "status", "status": 500, "after_write": True}, UNKNOWN, "ServiceFailed", 3),
    "503": ({"kind": "status", "status": 503}, UNKNOWN, "ServiceFailed", 3),
    "401": ({"kind": "status", "status": 401}, REFUSED, "CredentialRefused", 1),
    "400": ({"kind": "status", "status": 400}, REFUSED, "RequestRefused", 1),
    "delayed beyond the timeout": ({"kind": "delay", "seconds": 30}, UNKNOWN, "OutcomeUnknown", 3),
    "dropped before the write": ({"kind": "drop_before_write"}, UNKNOWN, "OutcomeUnknown", 3),
    "dropped after the write": ({"kind": "drop_after_write"}, UNKNOWN, "OutcomeUnknown", 3),
    "truncated": ({"kind": "truncated_body"}, UNKNOWN, "OutcomeUnknown", 3),
    "not JSON": ({"kind": "not_json"}, UNKNOWN, "UnexpectedAnswer", 1),
    "an extra field": ({"kind": "extra_field"}, DONE, None, 1),
}  # fmt: skip
"""Each with what it leads to where it stays: the state, the kind of failure, and the calls for an order."""


@pytest.fixture
def patience(request: pytest.FixtureRequest) -> timedelta:
    """Little where the fault is slowness; else much, so that a busy machine is not taken for a fault."""
    return timedelta(seconds=0.2 if "delayed" in request.node.name else 20)


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("resource", [order_of(order_id="o-2"), sale_of("o-1"), checkout_of("o-1")])
def test_a_fault_that_stays_is_told_and_a_sale_is_never_resent(resource: Resource, fault: str, shop: Shop) -> None:
    shop.order()
    given, state, kind, calls = FAULTS[fault]
    before = len(shop.sandbox.calls())
    shop.fails(OPERATIONS[type(resource)], **given, times=3)
    attempt = shop.send(resource, "the draft")
    assert attempt == shop.desk.activity.attempt_of(shop.clerk, "the draft")
    assert attempt.state is state
    assert (attempt.failure.kind if attempt.failure else None) == kind
    made = shop.sandbox.calls()[before:]
    assert len(made) == (calls if attempt.operation == "submit_order" else 1)
    # What the journal is sure of is so.
    written = any(call["written"] for call in made)
    assert written or state is not DONE
    assert not written or not attempt.state.nothing_written


def sale(**line: object) -> Sale:
    warranty = {"warranty_duration": 24, "warranty_price": "79.99"}
    return Sale.model_validate({"id": "o-1", "line_items": [{"warranty": warranty, **line}]})


@pytest.mark.parametrize("kind", ["drop_after_write", "drop_before_write"])
def test_a_sale_on_an_unknown_one_is_for_who_was_asked(kind: str, shop: Shop, colleague: Operator) -> None:
    shop.order()
    unknown = shop.unanswered(sale_of("o-1"), kind)
    with pytest.raises(EarlierSending, match="Dana Fields sent a sale on this order") as asked:
        shop.send(sale_of("o-1", months=36), by=colleague)
    assert [one.attempt_id for one in asked.value.earlier] == [unknown.attempt_id]
    assert len(shop.calls("record_sale")) == 1
    kept = shop.now(shop.send(sale_of("o-1", months=36), knowing=[unknown]))
    assert (kept.state, kept.acknowledged) == (AttemptState.DONE, (unknown.attempt_id,))


def asked_about(shop: Shop, resource: Resource, **more: Any) -> list[str]:
    """The earlier sendings that stand against this one."""
    with pytest.raises(EarlierSending) as asked:
        shop.send(resource, **more)
    return [one.attempt_id for one in asked.value.earlier]


@pytest.mark.parametrize("line", [{"line_item_id": 1}, {"product_id": "TV-55"}])
def test_a_sale_of_more_units_than_are_left_is_asked_about(line: dict[str, object], shop: Shop) -> None:
    shop.order("o-1", item("TV-55", "55in OLED television", "899.00", "Televisions", quantity=3))
    first = shop.send(sale(**line, quantity=2))
    assert asked_about(shop, sale(**line, quantity=2)) == [first.attempt_id]
    second = shop.send(sale(**line, quantity=1))
    assert [call["status"] for call in shop.calls("record_sale")] == [200, 200]
    assert asked_about(shop, sale(**line, quantity=1)) == [second.attempt_id, first.attempt_id]


def test_a_sale_of_another_item_is_asked_about_only_while_the_first_is_open(shop: Shop) -> None:
    amplifier = sale(product_id="AMP-1")
    shop.order()
    shop.send(amplifier)
    assert shop.send(sale_of("o-1")).state is AttemptState.DONE
    shop.order("o-2")
    open_one = shop.unanswered(amplifier.model_copy(update={"id": "o-2"}))
    assert asked_about(shop, sale_of("o-2")) == [open_one.attempt_id]


def test_of_an_order_from_elsewhere_the_same_item_is_asked_about_at_its_second_sale(shop: Shop) -> None:
    shop.desk._client.submit_order(order_of(order_id="o-1"))
    first = shop.send(sale_of("o-1"))
    assert asked_about(shop, sale_of("o-1")) == [first.attempt_id]


def test_a_sale_that_was_refused_or_found_not_recorded_stands_against_nothing(shop: Shop) -> None:
    shop.order()
    assert shop.send(sale_of("o-1", months=7)).state is AttemptState.REFUSED
    unknown = shop.unanswered(sale_of("o-1"))
    shop.desk.settle(shop.clerk, unknown.attempt_id, recorded=False, note="looked")
    assert shop.send(sale_of("o-1"), unknown.draft_id, corrects=unknown.attempt_id).state is AttemptState.DONE


@pytest.mark.parametrize("kind", ["extra_field", "drop_after_write"])
def test_a_second_checkout_mails_the_customer_again_only_after_the_question(kind: str, shop: Shop) -> None:
    first = shop.unanswered(checkout_of("o-1"), kind)
    with pytest.raises(EarlierSending, match="mails the customer again"):
        shop.send(checkout_of("o-1"))
    assert len(shop.calls("notify_checkout")) == 1
    second = shop.send(checkout_of("o-1"), knowing=[first])
    assert second.acknowledged == (first.attempt_id,)
    assert asked_about(shop, checkout_of("o-1"), knowing=[first]) == [second.attempt_id], "who knows of the first alone"


def test_a_checkout_of_an_order_with_a_sale_or_without_its_products_is_asked_about(shop: Shop) -> None:
    order, sold = shop.order(), shop.send(sale_of("o-1"))
    with pytest.raises(EarlierSending, match="sent a sale on this order") as asked:
        shop.send(checkout_of("o-1"))
    assert [one.attempt_id for one in asked.value.earlier] == [sold.attempt_id]
    sofa, television = ItemLine("Sofa", "SOFA-1", 1), ItemLine("55in OLED television", "TV-55", 1)
    for items, stands in (([television], [sold]), ([sofa], [sold, order])):
        earlier = shop.desk.sent_before(shop.clerk, checkout_of("o-1"), draft_id="new", items=items)
        assert [one.attempt_id for one in earlier] == [one.attempt_id for one in stands]
    shop.unanswered(checkout_of("o-2"))
    with pytest.raises(EarlierSending, match="sent a checkout of this order"):
        shop.send(sale_of("o-2"))


def test_the_same_order_sent_once_more_stays_harmless(shop: Shop, colleague: Operator) -> None:
    shop.order()
    again = shop.order(by=colleague)
    assert (again.state, again.result.already_known) == (AttemptState.DONE, True)


@pytest.mark.parametrize("kind", ["extra_field", "drop_before_write"])
@pytest.mark.parametrize("other", ["items", "customer"])
def test_another_order_of_the_same_id_is_stopped_before_it_is_sent(other: str, kind: str, shop: Shop) -> None:
    order = order_of(order_id="o-1")
    shop.unanswered(order, kind)
    before = len(shop.sandbox.calls())
    known = order_of(order_id="o-1", email="bo@example.com")
    if other == "items":
        known = order.model_copy(update={"line_items": order.line_items[:1]})
    with pytest.raises(EarlierSending, match=r"Dana Fields used it on .* for 2 × 55in OLED television, 1 × Stereo set"):
        shop.send(known, "d")
    assert (len(shop.sandbox.calls()), shop.desk.activity.attempt_of(shop.clerk, "d")) == (before, None)


def test_the_mark_of_a_customer_leads_neither_to_the_customer_nor_to_their_other_orders(shop: Shop) -> None:
    marks = [shop.order(f"o-{number}").customer_mark for number in range(9)]
    assert len(set(marks)) > 4  # one customer, and each order has a mark of its own
    assert all(mark is not None and len(mark) == 4 for mark in marks)
    (line,) = attempts_jsonl([shop.desk.activity.order_timeline(shop.clerk, "o-1")[0]])
    assert "customer_mark" not in json.loads(line)
