"""Record sale: what the service refuses, with the basket kept; a sale of which nobody knows what became."""

from datetime import timedelta
from typing import Any

import pytest

from tests.builders import LAMP, LAPTOP, STAFF, TV, TV_OF_THE_SAME_BAND, sale_of
from tests.components.counter import Counter, counter_at, order_on
from tests.components.stage import Stage
from warranty.client.resources import Order, Sale
from warranty.desk.desk import LATE
from warranty.desk.journal import AttemptFilter
from warranty.errors import NotSent, Trace


def refused(counter: Counter) -> str:
    """The refusal: nothing recorded, and the basket as it was."""
    assert "nothing was recorded, and the customer is not covered yet" in counter.words
    assert counter.has_button("Record sale")
    assert counter.has_button("Put aside")
    return counter.words


def sell_18_months(counter: Counter, price: str = "79.99") -> None:
    counter.choose("Other").write("Other term in months", "18").write("Price charged", price)
    counter.press("Record sale")
    assert "18 months is not offered" in refused(counter)


def test_a_product_whose_offer_was_sold_meanwhile(stage: Stage) -> None:
    counter, order = counter_at(stage, TV, LAMP)
    counter.charge("79.99").choose("36 months", place=1)
    stage.runtime.service.client.record_sale(sale_of(order.order_id, ("TV-55", 12, "50.00")))
    counter.press("Record sale")
    said = refused(counter)
    assert "product TV-55 has no unsold offer on order" in said
    assert said.count("The sale was refused because of this item") == 1
    assert "Already covered: 12 months" in said, "the plans were read again"
    counter.press("Record sale")
    assert "on Arc floor lamp" in counter.words, "what is left of the basket is recorded"
    assert "Recorded. Warranty order" in counter.words


def test_two_items_that_come_to_one_offer_where_nobody_could_know(stage_without_reads: Stage) -> None:
    counter, _ = counter_at(stage_without_reads, TV, TV_OF_THE_SAME_BAND)
    counter.charge("79.99")
    counter.charge("69.99", place=1).press("Record sale")
    said = refused(counter)
    assert "already bought by an earlier line item of the same request" in said
    assert [counter.value("Price charged", place) for place in (0, 1)] == ["79.99", "69.99"]


def test_a_term_that_is_not_offered_becomes_buttons_with_those_that_are(stage: Stage) -> None:
    counter, order = counter_at(stage, LAPTOP)
    sell_18_months(counter, "259.00")
    assert "The sale was refused because of this item" in counter.words
    (folded,) = (box for box in counter.screen.expander if box.label == "What the service said")
    assert not folded.proto.expanded
    assert counter.words.count(order.order_id) == 1, "only there"
    assert counter.value("Other term in months") == "18"
    counter.press("24 months, Accident protection")
    sent = {
        control.label: [control.options[place].partition(" · ")[0] for place in control.proto.default]
        for control in counter.screen.segmented_control
    }
    assert sent == {"Term": ["24 months"], "Type": ["Accident protection"]}, "in the session it would be lost"
    assert counter.value("Price charged") == "279.99", "its own"
    assert "refused" not in counter.words
    counter.press("Record sale")
    assert "24 months (Accident protection) on Laptop 14in: 279.99 USD" in counter.words


def test_another_term_takes_the_refusal_of_the_first_and_its_price_along(stage: Stage) -> None:
    counter, _ = counter_at(stage, LAPTOP, LAMP)
    counter.choose("24 months", place=1).write("Price charged", "6.50")
    sell_18_months(counter, "259.00")
    counter.choose("12 months")
    assert "refused" not in counter.words
    assert "it was entered for 18 months" not in counter.words
    assert [counter.value("Price charged", place) for place in (0, 1)] == ["104.99", "6.50"]
    counter.choose("Other")
    assert "18 months is not offered" in counter.words, "it stands for the term that it is about"


def test_a_term_of_several_types_leads_to_the_landing_page(stage_without_reads: Stage) -> None:
    stage, sentence = (stage_without_reads, "The desk can't choose between the two 24-month plans. Let the customer")
    counter, order = counter_at(stage, LAPTOP)
    assert counter.terms() == ["12 months", "24 months", "36 months", "Other"]
    counter.charge("99.00").press("Record sale")
    assert refused(counter).count(sentence) == 2, "at the item and beside it"
    assert [control.label for control in counter.screen.segmented_control] == ["Term"]
    assert counter.main_button == "Record sale"
    (link,) = counter.screen.get("link_button")
    assert order.order_id in link.proto.url
    assert counter.screen.get("image"), "its code, for the customer's phone"
    counter.press("Record sale")
    sent = [call.get("order_id") for call in stage.calls("record_sale")]
    assert sent.count(order.order_id) == 1, "not sent in vain"
    assert "24-month" not in counter.choose("12 months").words
    assert counter.value("Price charged") == "", "that of 24 months is not taken for it"
    counter.write("Price charged", "98.00").press("Record sale")
    assert "Recorded. Warranty order" in counter.words


def test_an_order_that_the_service_does_not_have(stage: Stage) -> None:
    counter = Counter(stage, "no-such-order-91f2")
    assert "The service has no order with this number" in counter.words
    counter.write("SKU", "TV-55").charge("79.99").press("Record sale")
    said = refused(counter)
    assert "The service does not know this order" in said
    assert "if the order was never sent, send it first" in said
    assert (counter.value("SKU"), counter.value("Price charged")) == ("TV-55", "79.99")


def test_a_refusal_stays_with_its_order_and_the_next_sale_is_another_entry(stage: Stage) -> None:
    """It read as corrected and sent again, though its customer was served by nobody."""
    counter, refused_order = counter_at(stage, TV)
    other = order_on(stage, LAMP)
    sell_18_months(counter)
    counter.write("Order", other.order_id)
    assert "18 months" not in counter.words, "nothing of the refusal stands beside the next customer"
    assert "refused" not in counter.words
    counter.charge("6.99").press("Record sale")
    assert "Recorded. Warranty order" in counter.words
    of_it = AttemptFilter(order_id=refused_order.order_id, operation="record_sale")
    (refused,) = stage.runtime.desk.activity.attempts(STAFF, of_it)
    assert stage.runtime.desk.activity.corrected(STAFF, [refused]) == frozenset()
    again = counter.press("Next sale").write("Order", "").press(waiting(counter, refused_order))
    assert "18 months is not offered" in again.words, "what was refused waits as it was"
    assert again.value("Other term in months") == "18"
    again.charge("78.99").press("Record sale")
    assert "Recorded. Warranty order" in again.words
    assert stage.runtime.desk.activity.corrected(STAFF, [refused]) == {refused.attempt_id}


def test_an_unreached_service_is_not_the_next_sales(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    counter, _ = counter_at(stage, TV)
    other = order_on(stage, LAMP)
    counter.charge("79.99")

    def away(_sale: Sale, *, attempt_id: str) -> None:
        raise NotSent(trace=Trace("record_sale", attempt_id, None))

    monkeypatch.setattr(stage.runtime.service.client, "record_sale", away)
    counter.press("Record sale")
    assert "The service could not be reached" in counter.words
    counter.write("Order", other.order_id)
    assert "Arc floor lamp" in counter.words
    assert "could not be reached" not in counter.words


def test_a_refused_sale_waits_while_the_next_is_sold_and_is_dropped_tracelessly(stage: Stage) -> None:
    counter, order = counter_at(stage, TV)
    sell_18_months(counter)
    counter.press("Put aside")
    assert counter.value("Order") == ""
    assert "18 months" not in counter.words
    counter.press(waiting(counter, order))
    counter.press("No longer needed").press("Yes, no longer needed")
    assert counter.value("Order") == ""
    assert "18 months" not in counter.words
    assert not [button for button in counter.screen.button if (button.key or "").startswith("waiting-")]
    counter.write("Order", order.order_id).charge("79.99")
    assert "Recorded. Warranty order" in counter.press("Record sale").words


def waiting(counter: Counter, order: Order) -> str:
    start = f"Order {order.order_id[:8]}… "
    return next(button.label for button in counter.screen.button if button.label.replace("\\", "").startswith(start))


def in_doubt(stage: Stage, **fault: Any) -> tuple[Counter, Order]:
    counter, order = counter_at(stage, TV)
    stage.sandbox.add_fault(operation="record_sale", **fault)
    counter.charge("79.99").press("Record sale")
    assert "We don't know yet if this sale went through" in counter.words
    return counter, order


def loud(counter: Counter) -> list[str]:
    """What stands out on the screen: one thing to do."""
    parts = [*counter.screen.button, *counter.screen.get("link_button")]
    return [part.proto.label for part in parts if part.proto.type == "primary"]


def folded(counter: Counter) -> list[str]:
    (more,) = (box for box in counter.screen.expander if box.label == "More")
    return [button.label for button in more.button]


@pytest.mark.parametrize("fault", [{"kind": "status", "status": 500}, {"kind": "drop_before_write"}])
def test_an_unknown_sale_is_sent_again_only_after_a_look(stage: Stage, fault: dict[str, Any]) -> None:
    counter, order = in_doubt(stage, **fault)
    assert not counter.has_button("Record sale")
    counter.press("It was not recorded")
    assert "24 months (Extended warranty) on 55in OLED television: 79.99 USD" in counter.words
    assert "that sells a second plan" in counter.words
    assert not counter.has_button("Record sale"), "one press settles nothing"
    counter.press("Yes, it was not recorded")
    assert "This sale was not recorded. You can record it now." in counter.words
    counter.press("Record sale")
    assert "Recorded. Warranty order" in counter.words
    assert len(stage.runtime.service.client.purchase_warranties(order.order_id).line_items[0].warranties) == 1


def test_an_unknown_sale_is_locked_as_it_was_sent_and_found_by_asking_the_service(stage: Stage) -> None:
    counter, order = in_doubt(stage, kind="drop_after_write")
    assert "24 months (Extended warranty) on 55in OLED television: 79.99 USD" in counter.words, (
        "what is in doubt stays on the screen, though the item is covered by now"
    )
    assert "Nothing to charge yet." not in counter.words
    again = Counter(stage)  # as after a reload
    assert again.value("Order") == order.order_id
    kinds = ("text_input", "segmented_control", "selectbox")
    for tab in (counter, again):
        assert tab.value("Price charged") == "79.99"
        assert {field.disabled for kind in kinds for field in getattr(tab.screen, kind)} == {True}
    assert "ask the service first" in counter.words
    assert "customer page" not in counter.words, "one piece of advice, the one that the button follows"
    assert loud(counter) == ["Ask the service"]
    assert folded(counter) == ["It was recorded", "It was not recorded"]
    assert "Wait two minutes before you decide" in counter.words, "as long as the service is asked in vain"
    assert timedelta(minutes=2) == LATE
    counter.press("Ask the service")
    assert "Recorded. Warranty order " in counter.words, "the read carries the service's own number"
    assert "24 months" in counter.words
    assert counter.screen.get("download_button")


def test_a_sale_recorded_by_a_persons_word_prints_nothing_before_the_service_shows_it(stage: Stage) -> None:
    counter, _ = in_doubt(stage, kind="drop_after_write")
    counter.press("It was recorded").press("Yes, it was recorded")
    assert "The service has not shown it yet" in counter.words
    assert not counter.screen.get("download_button")
    counter.press("Ask the service")
    assert "Recorded. Warranty order " in counter.words
    assert counter.screen.get("download_button")
