"""What was sent on an order before stands against a second sending, until a person was asked about it."""

import json
from typing import Any

import pytest

from tests.builders import checkout_of, item, order_of, sale_of
from tests.warranty.desk.shop import Shop
from warranty.access import Operator
from warranty.client.resources import Sale
from warranty.desk import EarlierSending
from warranty.desk.journal import AttemptState
from warranty.desk.journal.export import attempts_jsonl
from warranty.desk.sending import Resource

DONE = AttemptState.DONE


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
    assert (kept.state, kept.acknowledged) == (DONE, (unknown.attempt_id,))


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
    assert shop.send(sale_of("o-1")).state is DONE
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
    assert shop.send(sale_of("o-1"), unknown.draft_id, corrects=unknown.attempt_id).state is DONE


@pytest.mark.parametrize("kind", ["extra_field", "drop_after_write"])
def test_a_second_checkout_mails_the_customer_again_only_after_the_question(kind: str, shop: Shop) -> None:
    first = shop.unanswered(checkout_of("o-1"), kind)
    with pytest.raises(EarlierSending, match="mails the customer again"):
        shop.send(checkout_of("o-1"))
    assert len(shop.calls("notify_checkout")) == 1
    second = shop.send(checkout_of("o-1"), knowing=[first])
    assert second.acknowledged == (first.attempt_id,)
    assert asked_about(shop, checkout_of("o-1"), knowing=[first]) == [second.attempt_id], "who knows of the first alone"


def test_the_same_order_sent_once_more_stays_harmless(shop: Shop, colleague: Operator) -> None:
    shop.order()
    again = shop.order(by=colleague)
    assert (again.state, again.result.already_known) == (DONE, True)


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
