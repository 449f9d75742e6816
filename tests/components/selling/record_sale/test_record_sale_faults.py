"""Record sale: what the screen refuses before the service does, beside its field, and nothing is sent."""

from datetime import UTC, date
from decimal import Decimal
from typing import Any

import pypdfium2
import pytest

from components.selling.orders.confirmation import confirmation_of
from components.selling.record_sale.sale_form import EnteredSale
from components.words.amounts import unusual
from tests.builders import LAPTOP, STAFF, TV
from tests.components.counter import Counter, counter_at, order_on
from tests.components.stage import Stage, pick_lists, shown
from warranty.desk.journal import AttemptFilter
from warranty.desk.journal.shift_report import shift_report
from warranty.desk.sales.plans_known import SaleItem
from warranty.desk.sales.sale_lines import Naming, SoldLine


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


@pytest.mark.parametrize(
    ("lines", "field", "sentence"),
    [
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
    ],
)
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


@pytest.mark.parametrize(
    ("price", "product_price", "usual", "why"),
    [
        ("0", "899.00", "74.99", "for free"), ("1.00", "899.00", "74.99", "not known"),
        ("900", "899.00", "700.00", "more than the product"), ("899.00", "899.00", "700.00", ""),
        ("40.00", "899.00", "60.00", ""), ("80.00", "899.00", "60.00", ""),
        ("39.99", "899.00", "60.00", "the usual price is 60.00"),
        ("80.01", "899.00", "60.00", "the usual price is 60.00"),
    ],
)  # fmt: skip
def test_a_price_is_odd_at_nothing_or_third_off(price: str, product_price: str, usual: str, why: str) -> None:
    said = unusual(Decimal(price), product_price=Decimal(product_price), usual=Decimal(usual))
    assert why in said
    assert bool(said) is bool(why)
    assert not unusual(Decimal("5.00"), product_price=None, usual=None)


def test_a_yes_to_an_odd_price_holds_for_this_price_of_this_term(stage: Stage) -> None:
    counter, _ = counter_at(stage, TV)
    before = counter.sales

    def asked(price: str) -> bool:
        """Whether a sale for this price is not sent before a yes, which is given then."""
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
    order = order_on(stage, TV)
    offers = stage.held(order.order_id).line_items[0].offers
    (offer,) = [offer for offer in offers if offer.warranty_duration == 36]
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
