"""Record sale: what the service refuses, and the screen before it; a sale of which nobody knows what became."""

from datetime import UTC, date, timedelta
from decimal import Decimal
from typing import Any

import pypdfium2
import pytest

from components.selling.orders.confirmation import confirmation_of
from components.selling.record_sale.sale_form import EnteredSale
from components.words.amounts import unusual
from tests.builders import LAMP, LAPTOP, STAFF, TV, TV_OF_THE_SAME_BAND, sale_of
from tests.components.counter import Counter, counter_at
from tests.components.stage import Stage, pick_lists, says, says_not, shown
from warranty.client.resources import Order
from warranty.desk.desk import LATE
from warranty.desk.journal import AttemptFilter
from warranty.desk.journal.shift_report import shift_report
from warranty.desk.sales.plans_known import SaleItem
from warranty.desk.sales.sale_lines import Naming, SoldLine


def refused(counter: Counter) -> str:
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
    assert "already bought by an earlier line item of the same request" in refused(counter)
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
    says_not(counter.words, "refused", "it was entered for 18 months")
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
    says(refused(counter), "The service does not know this order", "if the order was never sent, send it first")
    assert (counter.value("SKU"), counter.value("Price charged")) == ("TV-55", "79.99")


def test_a_refusal_stays_with_its_order_and_the_next_sale_is_another_entry(stage: Stage) -> None:
    """It read as corrected and sent again, though its customer was served by nobody."""
    counter, refused_order = counter_at(stage, TV)
    other = stage.order(LAMP)
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
    says(counter.words, "24 months (Extended warranty) on 55in OLED television: 79.99 USD", "that sells a second plan")
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


def test_faults_are_told_on_top_and_beside_their_fields_and_go_once_corrected(stage: Stage) -> None:
    counter, _ = counter_at(stage, TV)
    before = counter.sales
    counter.charge("abc").write("Units", "2").write("Offer id (optional)", "no-uuid").press("Record sale")
    sentences = ["is not a price", "Enter 1 at most: no more units of this item", "36 characters"]

    def on_top() -> list[str]:
        told = "".join(error.value for error in counter.screen.error).replace("\\", "")
        return [sentence for sentence in sentences if sentence in told]

    assert on_top() == sentences
    beside = [text.value for text in counter.screen.markdown if text.value.startswith(":red")]
    assert all(any(sentence in told.replace("\\", "") for told in beside) for sentence in sentences)
    assert counter.sales == before
    assert [counter.value(label) for label in ("Price charged", "Units")] == ["abc", "2"]
    counter.write("Units", "1")
    assert on_top() == [sentences[0], sentences[2]]
    counter.write("Price charged", "79.99").write("Offer id (optional)", "")
    assert not counter.screen.error


def line(**typed: Any) -> SoldLine:
    by_hand = SaleItem(key="hand1", by_hand=True)
    return SoldLine(**{"item": by_hand, "product_id": "TV-55", "months": 24, "price": "79.99", **typed})


@pytest.mark.parametrize(("lines", "field", "sentence"), [
    ([], "basket", "Choose a term on the item that was sold"),
    ([line(price="abc")], "price", "Price charged: “abc” is not a price"),
    ([line(price="")], "price", "Enter the price that the customer paid"),
    ([line(quantity="two")], "quantity", "Units: Enter a whole number from 1 to 20"),
    ([line(months="0")], "term", "Other term in months: "),
    ([line(line_item_id="-1")], "line_item_id", "Line number in the order: "),
    ([line(product_id="")], "product_id", "Say which item this term is for"),
    ([line(naming=Naming.OFFER)], "offer_id", "Say what was sold: enter the item's SKU"),
    ([line(odd_price="Confirm the price")], "confirmed", "Confirm the price"),
    ([line(line_item_id="3")] * 2, "line_item_id", "Item 3 of the order is in this sale twice"),
])  # fmt: skip
def test_a_fault_is_told_at_its_field_by_the_label(lines: list[SoldLine], field: str, sentence: str) -> None:
    _, faults = EnteredSale("o-1", tuple(lines)).checked()
    ((at, told),) = faults.items()
    assert at.rpartition(".")[2] == field
    assert told.startswith(sentence)
    assert EnteredSale("", tuple(lines)).checked()[1].keys() == {"order"}


def test_a_price_that_was_typed_for_another_term_is_asked_about_and_not_kept_in_silence(stage: Stage) -> None:
    counter, _ = counter_at(stage, TV)
    counter.charge("88.00")
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


@pytest.mark.parametrize(("price", "product_price", "usual", "why"), [
    ("0", "899.00", "74.99", "for free"), ("1.00", "899.00", "74.99", "not known"),
    ("900", "899.00", "700.00", "more than the product"), ("899.00", "899.00", "700.00", ""),
    ("40.00", "899.00", "60.00", ""), ("80.00", "899.00", "60.00", ""),
    ("39.99", "899.00", "60.00", "the usual price is 60.00"), ("80.01", "899.00", "60.00", "the usual price is 60.00"),
])  # fmt: skip
def test_a_price_is_odd_at_nothing_or_third_off(price: str, product_price: str, usual: str, why: str) -> None:
    said = unusual(Decimal(price), product_price=Decimal(product_price), usual=Decimal(usual))
    assert why in said
    assert bool(said) is bool(why)
    assert not unusual(Decimal("5.00"), product_price=None, usual=None)


def test_a_yes_to_an_odd_price_holds_for_this_price_of_this_term(stage: Stage) -> None:
    counter, _ = counter_at(stage, TV)
    before = counter.sales

    def asked(price: str) -> bool:
        counter.write("Price charged", price).press("Record sale")
        if not counter.screen.checkbox:
            return False
        assert f"Confirm the price of {price}" in counter.words
        counter.screen.checkbox[0].check()
        shown(counter.screen.run())
        return True

    counter.choose("24 months")
    assert asked("0.00")
    assert asked("1.00")
    counter.choose("36 months")
    assert asked("1.00")
    assert counter.sales == before
    assert not asked("1.00")
    assert counter.sales == before + 1
    assert "Recorded. Warranty order" in counter.words


def test_a_term_of_several_types_wants_its_type_and_then_the_offer_goes_along(stage: Stage) -> None:
    counter, order = counter_at(stage, LAPTOP)
    counter.charge("99.00").press("Record sale")
    assert "Choose a type: 24 months come in several types on this item" in counter.words
    counter.choose("Accident protection", "Type")
    assert "and offer " in counter.words
    counter.write("Price charged", "269.00").press("Record sale")
    (carried,) = stage.runtime.service.client.purchase_warranties(order.order_id).line_items[0].warranties
    assert carried.warranty_type == "Accident protection"


def test_an_offer_id_alone_prints_and_counts_neither_term_nor_price(stage_without_reads: Stage) -> None:
    """The service sold 36 months for its own price, where the desk told the customer 24 months for 90.00."""
    stage = stage_without_reads
    order = stage.order(TV)
    (offer,) = [offer for offer in stage.held(order.order_id).line_items[0].offers if offer.warranty_duration == 36]
    counter = Counter(stage, order=order.order_id).charge("90.00")
    way, _seller = pick_lists(counter.screen)
    assert way.label == "How the item is named to the service"
    way.set_value("offer")
    shown(counter.screen.run())
    shown(counter.screen.run())  # no callback of a list is called here: the run before has stored it
    assert not [field.label for field in counter.screen.text_input if field.label == "Price charged"]
    assert "the service takes its own term and price" in counter.words
    assert not counter.screen.metric, "no total is known"
    counter.write("Offer id", offer.warranty_offer_id).press("Record sale")
    assert "A plan on 55in OLED television" in counter.words
    assert "90.00" not in counter.words
    (sale,) = stage.runtime.desk.activity.attempts(STAFF, AttemptFilter(operation="record_sale"))
    assert [(line.term_months, line.warranty_price) for line in sale.items] == [(None, None)]
    report = shift_report([sale], zone=UTC)
    assert (report.sold.revenue, report.sold.unpriced) == (Decimal(0), 1)
    pdf = confirmation_of(sale, stage.runtime.settings, when="now", sold_on=date(2026, 11, 30))
    printed = "".join(page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(pdf))
    assert "Protection plan" in printed
    assert "24 months" not in printed
    assert "Paid in all" not in printed
