"""Record sale, as a person meets it: from an order to a recorded sale, and what is around it."""

from datetime import date

import pypdfium2
import pytest

from components.selling.orders.confirmation import confirmation_of
from components.selling.record_sale.order_knowledge import order_entered
from tests.builders import CINEMA, GIFT_CARD, LAMP, LAPTOP, STAFF, TV, order_of, sale_of
from tests.components.counter import Counter, counter_at
from tests.components.selling.submit_order.form import OTHER_ID
from tests.components.stage import Stage, press_row
from warranty.desk.journal import AttemptFilter


def test_a_plan_is_sold_for_what_was_paid_and_its_confirmation_printed_now_and_later(stage: Stage) -> None:
    counter, order = counter_at(stage, {**TV, "quantity": 2}, LAMP)
    counter.charge("$79.99").write("Units", "2").press("Record sale")
    (call,) = stage.calls("record_sale")[-1:]
    assert call["order_id"] == order.order_id
    assert counter.words.count(f"Recorded. Warranty order {call['returned_id'][:8]}…") == 1
    assert "24 months (Extended warranty) on 55in OLED television: 79.99 USD" in counter.words
    (paid,) = counter.screen.metric
    assert (paid.label, paid.value) == ("Paid", "159.98 USD")
    (printed,) = counter.screen.get("download_button")
    (again,) = stage.screen("activity", STAFF, {"find": order.order_id}).get("download_button")
    assert again.proto.label == printed.proto.label == "Print confirmation"
    counter.press("Next sale")
    assert counter.value("Order") == ""
    carried = stage.held(order.order_id).line_items[0].warranties
    assert [(plan.warranty_duration, str(plan.warranty_price)) for plan in carried] == [(24, "79.99")] * 2


def test_several_items_and_a_bundle_are_one_sale_with_a_total(stage: Stage) -> None:
    counter, order = counter_at(stage, {**TV, "quantity": 2}, LAMP, CINEMA)
    assert "A bundle of 2 products: one plan covers them all" in counter.words
    counter.charge("70.00").write("Units", "2")
    assert "of 2; each gets its own plan. 2 plans, 140.00 USD in all." in counter.words
    counter.choose("36 months", place=1).write("Price charged", "9.99", place=1)
    counter.choose("12 months", place=2).write("Price charged", "99.01", place=2)
    assert "Sent to the service: line 3 of the order and the 2 products of the bundle." in counter.words
    (total,) = counter.screen.metric
    assert total.value == "249.00 USD"
    counter.press("Record sale")
    lines = stage.runtime.service.client.purchase_warranties(order.order_id).line_items
    assert [len(line.warranties) for line in lines] == [2, 1, 1]
    settings = stage.runtime.settings
    (sale,) = stage.runtime.desk.activity.attempts(STAFF, AttemptFilter(operation="record_sale", limit=1))
    known = stage.runtime.shop_files.catalogue.in_use()
    pdf = confirmation_of(sale, settings, when="today", sold_on=date(2026, 11, 30), catalogue=known)
    text = pypdfium2.PdfDocument(pdf)[0].get_textpage().get_text_range()
    assert "Covers AMP, SPEAKERS" in text
    assert "to 30 Nov 2029 by this desk's record" in text.replace("\r\n", " ")
    pdf = confirmation_of(sale, settings, when="hoy", sold_on=date(2026, 11, 30), reader_language="es")
    spanish = pypdfium2.PdfDocument(pdf)
    assert "Total pagado" in spanish[0].get_textpage().get_text_range()
    assert "Training – not valid" in text


def test_the_order_is_found_by_its_landing_page_a_part_of_its_id_or_recent_ones(stage: Stage) -> None:
    order = stage.order(TV)
    page = f"{stage.sandbox.landing_url}/carts/{stage.sandbox.retailer_uuid}/checkout/{order.order_id}?x=1#y"
    scanned = Counter(stage, page)
    assert "55in OLED television" in scanned.words
    assert scanned.value("Order") == order.order_id
    for typed in (order.order_id[:9], ""):
        counter = Counter(stage).write("Order", typed)
        press_row(counter.screen, "55in OLED television")
        assert counter.value("Order") == order.order_id
        assert "Term" in [control.label for control in counter.screen.segmented_control]
        counter.write("Order", "")


@pytest.mark.parametrize(("entered", "order_id", "problem"), [
    *((each, "9f2c-1a", "") for each in ("9f2c-1a", "“9f2c-1a”.", "9f2c-1a 9f2c-1a", "9f2c-1a…")),
    *((each, OTHER_ID, "") for each in (f"#{OTHER_ID}", f'"{OTHER_ID}"', f"{OTHER_ID} {OTHER_ID}")),
    ("https://pages.example/carts/SHOP-1/checkout/9f2c-1a?x=1#y", "9f2c-1a", ""),
    ("HTTPS://pages.example/carts/another/checkout/o-1", "", "belongs to another shop"),
    ("https://example.com/cart", "", "not a customer page"), ("#1001", "#1001", ""),
])  # fmt: skip
def test_an_order_is_entered_by_its_id_or_this_shops_link(entered: str, order_id: str, problem: str) -> None:
    found, told = order_entered(entered, "shop-1")
    assert found == order_id
    assert problem in told
    assert bool(told) is bool(problem)


def test_the_usual_price_stands_on_each_term_and_in_the_field_until_a_person_changes_it(stage: Stage) -> None:
    counter, _ = counter_at(stage, TV | {"product_title": "TV *bold* :material/check:"})
    assert any("TV \\*bold\\*" in text.value for text in counter.screen.markdown), "what others wrote is text"
    assert "Nothing to charge yet." in counter.words
    assert counter.main_button == "Record sale"
    (term,) = counter.screen.segmented_control
    usual = dict(words.split(" · ") for words in term.options if words != "Other")
    for months in ("24 months", "36 months"):
        assert counter.choose(months).value("Price charged") == usual[months]
    assert "the usual price" not in counter.words
    counter.write("Price charged", f"{float(usual['36 months']) - 5:.2f}")
    assert "5.00 below the usual price" in counter.words
    assert counter.choose("24 months").value("Price charged") == f"{float(usual['36 months']) - 5:.2f}"
    assert counter.write("Price charged", "abc").main_button == "Record sale", "no amount is known"
    assert counter.write("Price charged", "$79.99").main_button == "Record sale, 79.99 USD"


def test_a_term_of_several_types_names_the_lowest_price_and_each_type_its_own(stage: Stage) -> None:
    counter, order = counter_at(stage, LAPTOP)
    (item,) = stage.held(order.order_id).line_items
    of_24 = [offer for offer in item.offers if offer.warranty_duration == 24]
    prices = {offer.warranty_type: offer.warranty_price for offer in of_24}
    lowest = min(price for price in prices.values() if price is not None)
    assert f"24 months · from {lowest}" in counter.screen.segmented_control[0].options
    counter.choose("24 months")
    (kinds,) = [control for control in counter.screen.segmented_control if control.label == "Type"]
    assert set(kinds.options) == {f"{kind} · {price}" for kind, price in prices.items()}


def test_what_was_put_into_the_sale_is_removed_by_a_button(stage: Stage) -> None:
    counter, _ = counter_at(stage, TV)
    counter.charge("61.00").press("Remove")
    assert "Nothing to charge yet." in counter.words
    assert not counter.has_button("Remove")
    assert counter.choose("24 months").value("Price charged") != "61.00", "the usual price again"
    counter.press("Add a custom item").press("Add a custom item")
    counter.write("SKU", "LAMP", 1).press("Remove", place=1)
    assert [field.value for field in counter.screen.text_input if field.label == "SKU"] == ["LAMP"]
    counter.press("Add a custom item")
    assert [field.value for field in counter.screen.text_input if field.label == "SKU"] == ["LAMP", ""]


def test_what_is_covered_already_and_what_has_no_plan_is_said_and_not_offered(stage: Stage) -> None:
    order = stage.order(TV, GIFT_CARD)
    stage.runtime.service.client.record_sale(sale_of(order.order_id, ("TV-55", 12, "50.00")))
    counter = Counter(stage, order=order.order_id)
    assert "Already covered: 12 months, Extended warranty, 50.00 USD" in counter.words
    assert "The service offers no plan on this item." in counter.words
    assert not counter.screen.segmented_control


def test_the_screen_works_when_the_plans_cannot_be_read_and_what_was_entered_stays_when_they_can(stage: Stage) -> None:
    order = stage.order(TV)
    stage.sandbox.add_fault(operation="purchase_warranties", kind="status", status=500, times=9)
    counter = Counter(stage, order=order.order_id)
    assert "The plans of this order cannot be read right now. Here is what this desk knows." in counter.words
    assert counter.terms() == ["12 months", "24 months", "36 months", "Other"]
    stage.sandbox.clear_faults()
    counter.charge("79.99").press("Record sale")
    assert "Recorded. Warranty order" in counter.words
    order = order_of(TV)
    stage.runtime.service.client.submit_order(order, attempt_id="elsewhere")
    stage.sandbox.add_fault(operation="purchase_warranties", kind="status", status=500, times=9)
    counter = Counter(stage, order=order.order_id).choose("24 months")
    counter.write("SKU", "TV-55").write("Price charged", "79.99")
    stage.sandbox.clear_faults()
    counter.press("Refresh plans")
    assert "55in OLED television" in counter.words
    assert (counter.value("SKU"), counter.value("Price charged")) == ("TV-55", "79.99")


def test_a_service_that_is_down_leaves_the_basket_of_an_order_from_elsewhere(stage: Stage) -> None:
    order = order_of(TV, LAMP)
    stage.runtime.service.client.submit_order(order, attempt_id="elsewhere")
    counter = Counter(stage, order.order_id).charge("79.99")
    for operation in ("record_sale", "purchase_warranties"):
        stage.sandbox.add_fault(operation=operation, kind="status", status=401, times=20)
    counter.press("Record sale")
    assert "The plans of this order cannot be read right now. Showing plans from" in counter.words
    again = Counter(stage)  # as after a reload
    for tab in (counter, again):
        assert "55in OLED television" in tab.words
        assert (tab.value("Order"), tab.value("Price charged")) == (order.order_id, "79.99")
        assert "Custom item" not in tab.words
    stage.sandbox.clear_faults()
    again.press("Record sale")
    assert "Recorded. Warranty order" in again.words


def test_the_plans_are_read_once_not_on_every_rerun_and_again_after_a_sale_or_on_demand(stage: Stage) -> None:
    order = stage.order({**TV, "quantity": 2}, LAMP)

    def reads() -> int:
        return sum(call.get("order_id") == order.order_id for call in stage.calls("purchase_warranties"))

    counter = Counter(stage, order=order.order_id)
    counter.charge("79.99").write("Units", "1")
    assert reads() == 1
    counter.press("Refresh plans")
    assert reads() == 2
    counter.press("Record sale").press("Another sale on this order")
    assert reads() == 3
    assert "Already covered: 24 months, Extended warranty, 79.99 USD, 1 of 2 units" in counter.words


@pytest.mark.parametrize("is_begun", [False, True])
def test_a_sale_that_a_scan_takes_the_place_of_is_listed_where_a_term_was_chosen(stage: Stage, is_begun: bool) -> None:
    counter, order = counter_at(stage, TV)
    other = stage.order(LAMP)
    if is_begun:
        counter.choose("24 months")
    counter.screen.session_state["desk.went-to"] = {"order": other.order_id}
    counter.screen.query_params["order"] = other.order_id
    counter.screen.run()
    assert counter.value("Order") == other.order_id
    begun = [box.label for box in counter.screen.expander if "Begun and not finished" in box.label]
    assert begun == ["Begun and not finished: 1"] * is_begun
    assert any(order.order_id[:8] in button.label for button in counter.screen.button) == is_begun


def test_a_look_at_another_order_loses_nothing_of_the_basket(stage: Stage) -> None:
    counter, order = counter_at(stage, TV)
    other = stage.order(LAMP)
    counter.charge("61.00")
    counter.write("Order", other.order_id)
    assert "Arc floor lamp" in counter.words
    counter.write("Order", order.order_id)
    assert counter.value("Price charged") == "61.00"
