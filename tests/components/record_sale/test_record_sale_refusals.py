"""Record sale: what the service refuses, at its item, with the basket kept."""

import pytest

from tests.builders import LAMP, LAPTOP, STAFF, TV, TV_OF_THE_SAME_BAND, sale_of
from tests.components.counter import Counter, counter_at, order_on
from tests.components.stage import Stage, shown
from warranty.errors import NotSent, Trace
from warranty.journal import AttemptFilter
from warranty.resources import Order, Sale


def refused(counter: Counter) -> str:
    """The refusal: nothing recorded, and the basket as it was."""
    assert "nothing was recorded, and the customer is not covered yet" in counter.words
    assert counter.has_button("Record sale")
    return counter.words


def test_a_product_whose_offer_was_sold_meanwhile(stage: Stage) -> None:
    counter, order = counter_at(stage, TV, LAMP)
    counter.choose("24 months").write("Price charged", "79.99").choose("36 months", place=1)
    stage.runtime.client.record_sale(sale_of(order.order_id, ("TV-55", 12, "50.00")))
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
    counter.choose("24 months").write("Price charged", "79.99")
    counter.choose("24 months", place=1).write("Price charged", "69.99", place=1).press("Record sale")
    said = refused(counter)
    assert "already bought by an earlier line item of the same request" in said
    assert [counter.value("Price charged", place) for place in (0, 1)] == ["79.99", "69.99"]


def test_a_term_that_is_not_offered_becomes_buttons_with_those_that_are(stage: Stage) -> None:
    counter, _ = counter_at(stage, TV)
    counter.choose("Other").write("Other term in months", "18").write("Price charged", "79.99").press(
        "Record sale"
    )
    assert "18 months is not offered" in refused(counter)
    assert "The sale was refused because of this item" in counter.words
    (folded,) = (box for box in counter.screen.expander if box.label == "What the service said")
    assert not folded.proto.expanded, "its words stand in full at the item"
    assert counter.words.count("line_items[0]: ") == 1, "where it stands at its item it is without its place"
    assert counter.value("Other term in months") == "18"
    counter.press("24 months, Extended warranty")
    assert "it was entered for 18 months" in counter.words
    (yes,) = counter.screen.checkbox
    yes.check()
    shown(counter.screen.run())
    counter.press("Record sale")
    assert "24 months (Extended warranty) on 55in OLED television: 79.99 USD" in counter.words


def test_a_plan_taken_from_the_list_travels_with_its_control(stage: Stage) -> None:
    """Put into the session alone it would be lost when the next click interrupts the run that put it there."""
    counter, _ = counter_at(stage, LAPTOP)
    counter.choose("Other").write("Other term in months", "18").write("Price charged", "99.00")
    counter.press("Record sale").press("24 months, Accident protection")
    sent = {
        control.label: [control.options[place].partition(" · ")[0] for place in control.proto.default]
        for control in counter.screen.segmented_control
    }
    assert sent == {"Term": ["24 months"], "Type": ["Accident protection"]}


def test_a_term_of_several_types_that_nobody_could_know(stage_without_reads: Stage) -> None:
    counter, order = counter_at(stage_without_reads, LAPTOP)
    assert counter.terms() == ["12 months", "24 months", "36 months", "Other"]
    counter.choose("24 months").write("Price charged", "99.00").press("Record sale")
    assert "offered by more than one warranty" in refused(counter)
    assert not counter.has_button("24 months, Accident protection"), "a button that leads nowhere"
    assert "24 months comes as several plans (" in counter.words
    counter.press("Record sale")
    assert "only the offer id says which" in counter.words, "not sent in vain"
    client = stage_without_reads.runtime.client
    assert (
        len(
            [
                call
                for call in stage_without_reads.calls("record_sale")
                if call.get("order_id") == order.order_id
            ]
        )
        == 1
    )
    assert not client.has("purchase_warranties")
    counter.press("12 months, Extended warranty").write("Price charged", "98.00").press("Record sale")
    assert "Recorded. Warranty order" in counter.words


def test_more_units_than_are_left_where_nobody_could_know(stage_without_reads: Stage) -> None:
    counter, _ = counter_at(stage_without_reads, {**TV, "quantity": 2})
    counter.choose("24 months").write("Price charged", "79.99").write("Units", "3").press("Record sale")
    assert "no unsold offer for 3 units" in refused(counter)
    assert counter.value("Units") == "3"
    assert "Recorded. Warranty order" in counter.write("Units", "2").press("Record sale").words


def test_an_order_that_the_service_does_not_have(stage: Stage) -> None:
    counter = Counter(stage, "no-such-order-91f2")
    assert "The service has no order with this id" in counter.words
    counter.write("SKU", "TV-55").choose("24 months").write("Price charged", "79.99").press("Record sale")
    said = refused(counter)
    assert "The service does not know this order" in said
    assert "if the order was never sent, send it first" in said
    assert (counter.value("SKU"), counter.value("Price charged")) == ("TV-55", "79.99")


@pytest.mark.parametrize(
    ("status", "sentence"),
    [
        (401, "The service does not accept this shop's access"),
        (400, "The sandbox was asked to answer 400."),
    ],
)
def test_a_token_or_a_payload_that_the_service_does_not_take(
    stage: Stage, status: int, sentence: str
) -> None:
    counter, _ = counter_at(stage, TV)
    counter.choose("24 months").write("Price charged", "79.99")
    stage.sandbox.add_fault(operation="record_sale", kind="status", status=status)
    counter.press("Record sale")
    assert sentence in refused(counter)
    assert counter.value("Price charged") == "79.99"
    assert "Recorded. Warranty order" in counter.press("Record sale").words


def test_a_refusal_stays_with_its_order_and_the_next_sale_is_another_entry(stage: Stage) -> None:
    """It read as corrected and sent again, though its customer was served by nobody."""
    counter, refused_order = counter_at(stage, TV)
    other = order_on(stage, LAMP)
    counter.choose("Other").write("Other term in months", "18").write("Price charged", "79.99").press(
        "Record sale"
    )
    assert "18 months is not offered" in counter.words
    counter.write("Order", other.order_id)
    assert "18 months" not in counter.words, "nothing of the refusal stands beside the next customer"
    assert "refused" not in counter.words
    counter.choose("24 months").write("Price charged", "6.99").press("Record sale")
    assert "Recorded. Warranty order" in counter.words
    journal = stage.runtime.journal
    (refused,) = stage.runtime.desk.attempts(
        STAFF, AttemptFilter(order_id=refused_order.order_id, operation="record_sale")
    )
    assert journal.corrected("sandbox", [refused]) == frozenset()
    again = counter.press("Next sale").write("Order", "").press(waiting(counter, refused_order))
    assert "18 months is not offered" in again.words, "what was refused waits as it was"
    assert again.value("Other term in months") == "18"
    again.choose("24 months").write("Price charged", "78.99").press("Record sale")
    assert "Recorded. Warranty order" in again.words
    assert journal.corrected("sandbox", [refused]) == {refused.attempt_id}


def test_that_the_service_was_not_reached_for_one_order_is_not_told_beside_the_next(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    counter, _ = counter_at(stage, TV)
    other = order_on(stage, LAMP)
    counter.choose("24 months").write("Price charged", "79.99")

    def away(_sale: Sale, *, attempt_id: str) -> None:
        raise NotSent(trace=Trace("record_sale", attempt_id, None))

    monkeypatch.setattr(stage.runtime.client, "record_sale", away)
    counter.press("Record sale")
    assert "The service could not be reached" in counter.words
    counter.write("Order", other.order_id)
    assert "Arc floor lamp" in counter.words
    assert "could not be reached" not in counter.words


def test_after_a_refusal_the_next_sale_is_one_press_away(stage: Stage) -> None:
    counter, order = counter_at(stage, TV)
    counter.choose("Other").write("Other term in months", "18").write("Price charged", "79.99").press(
        "Record sale"
    )
    counter.press("Next sale")
    assert counter.value("Order") == ""
    assert "18 months" not in counter.words
    assert counter.has_button(waiting(counter, order))


def test_a_refused_sale_is_dropped_at_the_counter_and_leaves_no_entry_behind(stage: Stage) -> None:
    counter, order = counter_at(stage, TV)
    counter.choose("Other").write("Other term in months", "18").write("Price charged", "79.99").press(
        "Record sale"
    )
    counter.press("It is not needed any more").press("Yes, it is not needed any more")
    assert counter.value("Order") == ""
    assert "18 months" not in counter.words
    assert not [
        one
        for one in counter.screen.button
        if order.order_id[:8] in one.label.replace("\\", "") and one.label.startswith("Order")
    ]
    counter.write("Order", order.order_id).choose("24 months").write("Price charged", "79.99")
    assert "Recorded. Warranty order" in counter.press("Record sale").words


def waiting(counter: Counter, order: Order) -> str:
    """The button of a draft that waits."""
    start = f"Order {order.order_id[:8]}… "
    return next(
        button.label for button in counter.screen.button if button.label.replace("\\", "").startswith(start)
    )
