"""What was sent on an order before stands against a second sending, until a person was asked about it."""

import json
from collections.abc import Callable
from uuid import uuid4

import pytest

from sandbox import SandboxServer
from tests.builders import checkout_of, order_of, sale_of
from warranty.access import Operator
from warranty.desk import Desk, EarlierSending
from warranty.journal import Attempt, AttemptState, Journal
from warranty.journal.export import attempts_jsonl
from warranty.resources import Checkout, Sale

Sell = Callable[..., Attempt]


@pytest.fixture
def sell(desk: Desk, clerk: Operator) -> Sell:
    def send(sale: Sale, *told_of: Attempt, operator: Operator = clerk) -> Attempt:
        acknowledged = [one.attempt_id for one in told_of]
        return desk.send(operator, sale, draft_id=uuid4().hex, screen="s", acknowledged=acknowledged)

    return send


@pytest.fixture
def tell(desk: Desk, clerk: Operator) -> Sell:
    def send(checkout: Checkout, *told_of: Attempt) -> Attempt:
        acknowledged = [one.attempt_id for one in told_of]
        return desk.send(clerk, checkout, draft_id=uuid4().hex, screen="s", acknowledged=acknowledged)

    return send


def order(desk: Desk, clerk: Operator, order_id: str = "o-1", **customer: str) -> Attempt:
    return desk.send(clerk, order_of(order_id=order_id, **customer), draft_id=uuid4().hex, screen="s")


def sent(sandbox: SandboxServer, operation: str) -> int:
    return sum(call["operation"] == operation for call in sandbox.calls())


@pytest.mark.parametrize("kind", ["drop_after_write", "drop_before_write"])
def test_a_sale_on_an_order_whose_sale_is_unknown_is_sold_only_by_who_was_asked_about_it(
    *, kind: str, desk: Desk, clerk: Operator, colleague: Operator, sell: Sell, sandbox: SandboxServer
) -> None:
    order(desk, clerk)
    sandbox.add_fault("record_sale", kind)
    unknown = sell(sale_of("o-1"))
    with pytest.raises(EarlierSending, match="Dana Fields sent a sale on this order") as asked:
        sell(sale_of("o-1", months=36), operator=colleague)
    assert [one.attempt_id for one in asked.value.earlier] == [unknown.attempt_id]
    assert sent(sandbox, "record_sale") == 1
    second = sell(sale_of("o-1", months=36), unknown, operator=colleague)
    kept = desk.attempt(colleague, second.attempt_id)
    assert kept is not None
    assert (kept.state, kept.acknowledged) == (AttemptState.DONE, (unknown.attempt_id,))


def test_a_unit_that_is_left_is_sold_without_a_question_and_one_more_than_there_are_with_one(
    desk: Desk, clerk: Operator, sell: Sell, sandbox: SandboxServer
) -> None:
    order(desk, clerk)  # two televisions
    first, second = (sell(sale_of("o-1")) for _ in range(2))
    assert (first.state, second.state) == (AttemptState.DONE, AttemptState.DONE)
    with pytest.raises(EarlierSending) as asked:
        sell(sale_of("o-1"))
    assert {one.attempt_id for one in asked.value.earlier} == {first.attempt_id, second.attempt_id}
    assert sent(sandbox, "record_sale") == 2


def test_a_sale_of_another_item_is_not_asked_about(desk: Desk, clerk: Operator, sell: Sell) -> None:
    order(desk, clerk)
    warranty = {"warranty_duration": 24, "warranty_price": "99.00"}
    sell(Sale.model_validate({"id": "o-1", "line_items": [{"product_id": "AMP-1", "warranty": warranty}]}))
    assert sell(sale_of("o-1")).state is AttemptState.DONE


def test_of_an_order_from_elsewhere_the_same_item_is_asked_about_at_its_second_sale(
    desk: Desk, sell: Sell, clerk: Operator
) -> None:
    desk._client.submit_order(order_of(order_id="o-1"))
    sell(sale_of("o-1"))
    with pytest.raises(EarlierSending):
        sell(sale_of("o-1"))


def test_a_sale_that_was_refused_or_found_not_recorded_stands_against_nothing(
    desk: Desk, clerk: Operator, sell: Sell, sandbox: SandboxServer
) -> None:
    order(desk, clerk)
    assert sell(sale_of("o-1", months=7)).state is AttemptState.REFUSED
    sandbox.add_fault("record_sale", "drop_before_write")
    unknown = sell(sale_of("o-1"))
    desk.settle(clerk, unknown.attempt_id, recorded=False, note="looked")
    again = desk.send(
        clerk, sale_of("o-1"), draft_id=unknown.draft_id, screen="s", corrects=unknown.attempt_id
    )
    assert again.state is AttemptState.DONE


@pytest.mark.parametrize("fault", [None, "drop_after_write"])
def test_a_second_checkout_mails_the_customer_again_only_after_the_question(
    *, fault: str | None, tell: Sell, sandbox: SandboxServer
) -> None:
    if fault:
        sandbox.add_fault("notify_checkout", fault)
    first = tell(checkout_of("o-1"))
    with pytest.raises(EarlierSending, match="mails the customer again"):
        tell(checkout_of("o-1"))
    assert sent(sandbox, "notify_checkout") == 1
    assert tell(checkout_of("o-1"), first).acknowledged == (first.attempt_id,)


def test_the_same_order_sent_once_more_stays_harmless(
    desk: Desk, clerk: Operator, colleague: Operator
) -> None:
    order(desk, clerk)
    again = order(desk, colleague)
    assert (again.state, again.already_known) == (AttemptState.DONE, True)


@pytest.mark.parametrize("fault", [None, "drop_before_write"])
@pytest.mark.parametrize("other", ["items", "customer"])
def test_an_order_id_with_other_items_or_another_customer_is_stopped_before_it_is_sent(
    *, other: str, fault: str | None, desk: Desk, clerk: Operator, sandbox: SandboxServer
) -> None:
    if fault:
        for _ in range(5):
            sandbox.add_fault("submit_order", fault)
    order(desk, clerk)
    before = sent(sandbox, "submit_order")
    known = (
        order_of(order_id="o-1", email="bo@example.com") if other == "customer" else order_of(order_id="o-1")
    )
    if other == "items":
        known = known.model_copy(update={"line_items": known.line_items[:1]})
    with pytest.raises(
        EarlierSending, match=r"Dana Fields sent on .*: 2 × 55in OLED television, 1 × Stereo set"
    ):
        desk.send(clerk, known, draft_id="d", screen="s")
    assert sent(sandbox, "submit_order") == before
    assert desk.attempt_of(clerk, "d") is None


def test_the_mark_of_a_customer_leads_neither_to_the_customer_nor_to_their_other_orders(
    desk: Desk, clerk: Operator, journal: Journal
) -> None:
    marks = [order(desk, clerk, f"o-{number}").customer_mark for number in range(20)]
    assert len(set(marks)) > 10  # one customer, and each order has a mark of its own
    assert all(mark is not None and len(mark) == 4 for mark in marks)
    (line,) = attempts_jsonl([desk.order_timeline(clerk, "o-1")[0]])
    assert "customer_mark" not in json.loads(line)
