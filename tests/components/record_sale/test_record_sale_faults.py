"""Record sale: what the screen refuses before the service does, beside its field, and nothing is sent."""

from datetime import UTC
from decimal import Decimal

import pypdfium2
import pytest

from components.orders.confirmation import confirmation_of
from tests.builders import LAMP, LAPTOP, STAFF, TV, TV_OF_THE_SAME_BAND, order_of
from tests.components.counter import Counter, counter_at, order_on
from tests.components.stage import Stage, pick_lists, shown
from warranty.journal import AttemptFilter
from warranty.journal.shift_report import shift_report


@pytest.mark.parametrize(
    ("label", "typed", "sentence"),
    [
        ("Price charged", "", "Enter the price that the customer paid"),
        ("Price charged", "abc", "is not a price"),
        ("Price charged", "12.345", "more than two decimals"),
        ("Price charged", "-1", "below zero"),
        ("Units", "0", "whole number from 1 to 20"),
        ("Units", "21", "whole number from 1 to 20"),
        ("Units", "1.5", "whole number from 1 to 20"),
        ("Units", "two", "whole number from 1 to 20"),
        ("Units", "2", "Enter 1 at most: no more units of this item are without a plan"),
        ("Offer id (optional)", "no-uuid", "36 characters"),
    ],
)
def test_a_fault_is_told_on_top_and_beside_its_field_and_nothing_is_sent(
    stage: Stage, label: str, typed: str, sentence: str
) -> None:
    counter, _ = counter_at(stage, TV)
    before = counter.sales
    counter.choose("24 months").write(label, typed).press("Record sale")
    (summary,) = counter.screen.error
    assert sentence in summary.value.replace("\\", "")
    beside = [
        text.value.replace("\\", "") for text in counter.screen.markdown if text.value.startswith(":red")
    ]
    assert any(sentence in text for text in beside)
    assert counter.sales == before
    assert counter.value(label) == typed


@pytest.mark.parametrize(
    ("label", "typed"),
    [
        ("Price charged", "abc"),
        ("Units", "two"),
        ("Other term in months", "0"),
        ("Line number in the order (optional)", "-1"),
    ],
)
def test_the_sentence_calls_the_field_as_its_label_does(
    stage_without_reads: Stage, label: str, typed: str
) -> None:
    counter = Counter(stage_without_reads, "never-sent-from-here").choose("Other")
    counter.write(label, typed).press("Record sale")
    assert f":red[{label.removesuffix(' (optional)')}: " in counter.words


def test_an_empty_basket_and_no_order_say_what_is_missing(stage: Stage) -> None:
    counter, _ = counter_at(stage, TV)
    assert "Choose a term on the item that was sold" in counter.press("Record sale").words
    assert "Enter the order" in Counter(stage, "").write("Order", "").press("Record sale").words


def test_a_price_that_was_typed_for_another_term_is_asked_about_and_not_kept_in_silence(stage: Stage) -> None:
    counter, _ = counter_at(stage, TV)
    counter.choose("24 months").write("Price charged", "88.00")
    assert not counter.screen.checkbox
    counter.choose("36 months")
    assert counter.value("Price charged") == "88.00"
    assert "Check the price: it was entered for 24 months" in counter.words
    before = counter.sales
    assert "Confirm the price of 88.00" in counter.press("Record sale").words
    assert counter.sales == before
    assert not counter.choose("24 months").screen.checkbox, "it was entered for this one"
    counter.choose("36 months").write("Price charged", "89.00")
    assert not counter.screen.checkbox
    assert "Recorded. Warranty order" in counter.press("Record sale").words


def test_a_corrected_fault_goes_at_once(stage: Stage) -> None:
    counter, _ = counter_at(stage, TV)
    counter.choose("24 months").write("Units", "0").press("Record sale")
    assert counter.screen.error
    assert not counter.write("Units", "1").screen.error


@pytest.mark.parametrize(
    ("price", "why"),
    [
        ("0", "for free"),
        ("1.00", "not known"),
        ("900", "more than the product"),
        ("0.50", "the usual price is"),
        ("250", "the usual price is"),
    ],
)
def test_an_odd_price_asks_for_a_yes_before_it_is_sent(stage: Stage, price: str, why: str) -> None:
    counter, _ = counter_at(stage, TV)
    before = counter.sales
    counter.choose("24 months").write("Price charged", price).press("Record sale")
    assert why in counter.words
    assert counter.sales == before
    (yes,) = counter.screen.checkbox
    yes.check()
    shown(counter.screen.run())
    counter.press("Record sale")
    assert "Recorded. Warranty order" in counter.words


def test_a_term_of_several_types_wants_its_type_and_then_the_offer_goes_along(stage: Stage) -> None:
    counter, order = counter_at(stage, LAPTOP)
    counter.choose("24 months").write("Price charged", "99.00").press("Record sale")
    assert "Choose a type: 24 months come in several types on this item" in counter.words
    counter.choose("Accident protection", "Type")
    assert "and offer " in counter.words
    counter.write("Price charged", "269.00").press("Record sale")
    (carried,) = stage.runtime.client.purchase_warranties(order.order_id).line_items[0].warranties
    assert carried.warranty_type == "Accident protection"


def test_two_items_of_one_offer_cannot_go_together_and_the_screen_says_why(stage: Stage) -> None:
    counter, _ = counter_at(stage, TV, TV_OF_THE_SAME_BAND)
    before = counter.sales
    counter.choose("24 months").choose("24 months", place=1).press("Record sale")
    assert "50in LED television: This is the same offer as on 55in OLED television" in counter.words
    assert counter.sales == before
    counter.choose("36 months", place=1).press("Record sale")
    assert "Recorded. Warranty order" in counter.words


def test_an_item_by_hand_needs_a_name_and_a_line_goes_in_once(stage_without_reads: Stage) -> None:
    counter = Counter(stage_without_reads, "never-sent-from-here")
    counter.choose("24 months").write("Price charged", "79.99").press("Record sale")
    assert "Say which item this term is for" in counter.words
    counter.press("Add a custom item").choose("24 months", place=1).write("Price charged", "79.99", place=1)
    for place in (0, 1):
        counter.write("SKU", f"SKU-{place}", place).write("Line number in the order (optional)", "3", place)
    counter.press("Record sale")
    assert "is in this sale twice: put each item in once" in counter.words
    assert not [
        call
        for call in stage_without_reads.calls("record_sale")
        if call.get("order_id") == "never-sent-from-here"
    ]


def test_a_line_of_the_order_is_named_by_its_number_alone(stage_without_reads: Stage) -> None:
    stage = stage_without_reads
    order = order_of(LAMP, TV)
    stage.runtime.client.submit_order(order, attempt_id="elsewhere")
    counter = Counter(stage, order.order_id).choose("36 months").write("Price charged", "104.99")
    counter.write("Line number in the order (optional)", "2").press("Record sale")
    assert "Recorded. Warranty order" in counter.words
    assert [len(line.warranties) for line in stage.held(order.order_id).line_items] == [0, 1]


def test_an_offer_id_alone_prints_and_counts_neither_term_nor_price(stage_without_reads: Stage) -> None:
    """The service sold 36 months for its own price, where the desk told the customer 24 months for 90.00."""
    stage = stage_without_reads
    order = order_on(stage, TV)
    offers = stage.held(order.order_id).line_items[0].offers
    (offer,) = [offer for offer in offers if offer.warranty_duration == 36]
    counter = Counter(stage, order=order.order_id).choose("24 months").write("Price charged", "90.00")
    way = next(
        box for box in pick_lists(counter.screen) if box.label == "How the service is told what was sold"
    )
    way.set_value("offer")
    shown(counter.screen.run())
    shown(counter.screen.run())  # no callback of a list is called here: the run before has stored it
    assert not [field.label for field in counter.screen.text_input if field.label == "Price charged"]
    assert "the service takes its own term and price" in counter.words
    assert not counter.screen.metric, "no total is known"
    counter.write("Offer id", offer.warranty_offer_id).press("Record sale")
    assert "A plan on 55in OLED television" in counter.words
    assert "90.00" not in counter.words
    (sale,) = stage.runtime.desk.attempts(STAFF, AttemptFilter(operation="record_sale"))
    assert [(line.term_months, line.warranty_price) for line in sale.items] == [(None, None)]
    report = shift_report([sale], zone=UTC)
    assert (report.sold.revenue, report.sold.unpriced) == (Decimal(0), 1)
    pdf = confirmation_of(sale, stage.runtime.settings, when="now")
    printed = "".join(page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(pdf))
    assert "Protection plan" in printed
    assert "24 months" not in printed
    assert "Paid in all" not in printed
