"""Every refusal of a sale as a person meets it in a browser: the right words at the right place, the basket kept."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.browser_sale import box, enter, open_sale, record, refused_at, term, value
from tests.browser.browser_shop import Shop, holds, running_shop, settled, type_into, without_violation
from tests.builders import LAMP, LAPTOP, TV, TV_OF_THE_SAME_BAND, sale_of


@pytest.fixture(scope="module")
def shop_without_reads(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    """A shop where nobody can look up beforehand what an order can buy: only the service knows."""
    with running_shop(tmp_path_factory.mktemp("shop-without-reads"), reads={}) as running:
        yield running


@pytest.mark.soak
def test_every_refusal_is_told_at_its_place_and_the_basket_stays(
    page: Page, context: BrowserContext, shop: Shop
) -> None:
    order = shop.order(TV, TV_OF_THE_SAME_BAND, LAMP)
    shop.let_in("manager", context)
    open_sale(page, shop)

    # What the screen refuses before the service does.
    type_into(
        page,
        "Order",
        f"{shop.sandbox.landing_url}/carts/{shop.sandbox.retailer_uuid}/checkout/{order.order_id}",
    )
    record(page)
    expect(page.get_by_text("Choose a term on the item that was sold")).to_have_count(2)
    term(page, "55in OLED television", "24 months").click()
    type_into(page, "Price charged", "12.345")
    type_into(page, "Units", "21")
    term(page, "50in LED television", "24 months").click()
    expect(page.get_by_label("Units", exact=True)).to_have_count(2)
    record(page)
    expect(page.get_by_text("There is a problem")).to_be_visible()
    for sentence in (
        "more than two decimals",
        "whole number from 1 to 20",
        "This is the same offer as on 55in OLED",
    ):
        expect(page.get_by_text(re.compile(sentence))).to_have_count(2)
    without_violation(page)
    term(page, "50in LED television", "24 months").click()  # out of the basket again
    type_into(page, "Units", "1")
    type_into(page, "Price charged", "1")
    record(page)
    expect(
        page.get_by_text("Check the price: 1.00 often stands where a price was not known.")
    ).to_be_visible()
    expect(page.get_by_text(re.compile("Confirm the price of 1.00"))).to_have_count(2)
    without_violation(page)
    type_into(page, "Price charged", "79.99")
    expect(page.get_by_text("There is a problem")).to_have_count(0)
    assert shop.sales(order) == 0

    # A term that is not offered: the plans that are become buttons.
    term(page, "55in OLED television", "Other").click()
    type_into(page, "Other term in months", "18")
    expect(page.get_by_text("Check the price: it was entered for 24 months.")).to_be_visible()
    page.get_by_text("Yes, the customer paid 79.99").click()
    record(page)
    expect(page.get_by_text("The sale was refused because of this item")).to_be_visible(timeout=20_000)
    expect(page.get_by_text("nothing was recorded, and the customer is not covered yet")).to_be_visible()
    expect(page.get_by_text(re.compile("18 months is not offered")).first).to_be_visible()
    holds(page, "Price charged", "79.99")
    without_violation(page, on_a_tablet=True)
    page.get_by_role("button", name="24 months, Extended warranty").click()
    expect(page.get_by_label("Other term in months")).to_have_count(0)

    # A token that is not recognised; then an offer that somebody sold meanwhile.
    shop.sandbox.add_fault(operation="record_sale", kind="status", status=401)
    record(page)
    expect(page.get_by_text("replace the private token").first).to_be_visible(timeout=20_000)
    holds(page, "Price charged", "79.99")
    shop.client.record_sale(sale_of(order.order_id, ("TV-55", 12, "50.00")))
    record(page)
    expect(page.get_by_text(re.compile("has no unsold offer")).first).to_be_visible(timeout=20_000)
    expect(page.get_by_text(re.compile("Already covered: 12 months"))).to_be_visible()

    # The answer does not come: nobody sends it again before a person has looked.
    term(page, "Arc floor lamp", "36 months").click()
    type_into(page, "Price charged", "8.50")
    shop.sandbox.add_fault(operation="record_sale", kind="status", status=500)
    record(page)
    expect(page.get_by_text("We don't know whether this sale was recorded")).to_be_visible(timeout=20_000)
    expect(page.get_by_role("button", name="Record sale")).to_have_count(0)
    expect(page.get_by_role("link", name="Open the landing page")).to_be_visible()
    expect(page.get_by_text(re.compile("36 months .* on Arc floor lamp: 8.50 USD"))).to_be_visible()
    without_violation(page, on_a_tablet=True)
    page.get_by_role("button", name="It was not recorded").click()
    question = page.get_by_role("dialog", name="It was not recorded?")
    question.get_by_label("What did you see? (optional)").fill("The page shows none")
    without_violation(page)
    question.get_by_role("button", name="Yes, it was not recorded").click()
    expect(question).to_have_count(0)
    holds(page, "Price charged", "8.50")
    record(page)
    expect(page.get_by_text("Recorded. Warranty order")).to_be_visible(timeout=20_000)
    without_violation(page)


def test_an_order_that_nobody_knows_is_sold_by_hand_or_refused(
    page: Page, context: BrowserContext, shop: Shop
) -> None:
    shop.let_in("staff", context)
    open_sale(page, shop)
    type_into(page, "Order", "no-such-order-5a1e")
    expect(page.get_by_text(re.compile("The service has no order with this id"))).to_be_visible(
        timeout=20_000
    )
    page.get_by_role("radio", name="24 months").click()
    type_into(page, "Price charged", "79.99")
    record(page)
    expect(page.get_by_text(re.compile("Say which item this term is for"))).to_have_count(2)
    type_into(page, "SKU", "TV-55")
    record(page)
    expect(page.get_by_text("The service does not know this order")).to_be_visible(timeout=20_000)
    expect(page.get_by_text("nothing was recorded, and the customer is not covered yet")).to_be_visible()
    expect(page.get_by_text("Check the order id; if the order was never sent")).to_be_visible()
    holds(page, "SKU", "TV-55")
    holds(page, "Price charged", "79.99")
    without_violation(page)


@pytest.mark.soak
def test_more_units_than_were_left_when_somebody_sold_some_meanwhile(
    page: Page, context: BrowserContext, shop: Shop
) -> None:
    order = shop.order({**TV, "quantity": 3}, LAMP)
    shop.let_in("staff", context)
    open_sale(page, shop)
    type_into(page, "Order", order.order_id)
    term(page, "55in OLED television", "24 months").click()
    enter(page, "55in OLED television", "Price charged", "79.99")
    enter(page, "55in OLED television", "Units", "3")
    term(page, "Arc floor lamp", "36 months").click()
    enter(page, "Arc floor lamp", "Price charged", "8.50")
    for _ in range(2):
        shop.client.record_sale(sale_of(order.order_id, ("TV-55", 12, "50.00")))
    record(page)
    refused_at(page, "55in OLED television", "no unsold offer for 3 units", not_at=["Arc floor lamp"])
    expect(page.get_by_text(re.compile("1 of 3 without a plan"))).to_be_visible()
    expect(value(page, "55in OLED television", "Units")).to_have_value("3")
    expect(value(page, "Arc floor lamp", "Price charged")).to_have_value("8.50")
    without_violation(page)
    record(page)
    expect(page.get_by_text(re.compile("Enter 1 at most: no more units of this item"))).to_have_count(2)
    enter(page, "55in OLED television", "Units", "1")
    record(page)
    expect(page.get_by_text("Recorded. Warranty order")).to_be_visible(timeout=20_000)
    assert len(shop.client.purchase_warranties(order.order_id).line_items[0].warranties) == 3


@pytest.mark.soak
def test_a_term_in_several_types_where_nobody_could_know(
    page: Page, context: BrowserContext, shop_without_reads: Shop
) -> None:
    shop = shop_without_reads
    order = shop.order(LAPTOP)
    shop.let_in("staff", context)
    open_sale(page, shop)
    type_into(page, "Order", order.order_id)
    type_into(page, "SKU", "LT-14")
    page.get_by_role("radio", name="24 months").click()
    type_into(page, "Price charged", "99.00")
    record(page)
    refused_at(page, "Custom item", "24 months is offered by more than one warranty")
    holds(page, "Price charged", "99.00")
    without_violation(page)
    expect(page.get_by_role("button", name="24 months, Accident protection")).to_have_count(0)
    expect(page.get_by_text(re.compile("24 months comes as several plans"))).to_be_visible()
    record(page)
    expect(page.get_by_text(re.compile("only the offer id says which: enter it"))).to_have_count(2)
    assert shop.sales(order) == 1, "not sent in vain"
    offers = shop.client.purchase_warranties(order.order_id).line_items[0].offers
    chosen = next(offer for offer in offers if offer.warranty_type == "Accident protection")
    page.get_by_text("Other ways to name the item", exact=True).click()
    type_into(page, "Offer id (optional)", chosen.warranty_offer_id)
    expect(page.get_by_text("There is a problem")).to_have_count(0)
    record(page)
    expect(page.get_by_text("Recorded. Warranty order")).to_be_visible(timeout=20_000)
    (carried,) = shop.client.purchase_warranties(order.order_id).line_items[0].warranties
    assert carried.warranty_type == "Accident protection"


@pytest.mark.soak
def test_two_items_that_come_to_one_offer_where_nobody_could_know(
    page: Page, context: BrowserContext, shop_without_reads: Shop
) -> None:
    shop = shop_without_reads
    order = shop.order(TV, TV_OF_THE_SAME_BAND)
    shop.let_in("manager", context)
    open_sale(page, shop)
    type_into(page, "Order", order.order_id)
    page.get_by_role("button", name="Add a custom item").click()
    expect(page.get_by_label("SKU", exact=True)).to_have_count(2)
    for place, (sku, price) in enumerate([("TV-55", "79.99"), ("TV-50", "69.99")]):
        type_into(page, "SKU", sku, place)
        page.get_by_role("radio", name="24 months").nth(place).click()
        expect(page.get_by_label("Price charged", exact=True)).to_have_count(place + 1)
        type_into(page, "Price charged", price, place)
    record(page)
    expect(page.get_by_text("nothing was recorded, and the customer is not covered yet")).to_be_visible(
        timeout=20_000
    )
    sentence = re.compile("already bought by an earlier line item of the same request")
    expect(page.get_by_text(sentence).first).to_be_visible()
    expect(page.get_by_text("The sale was refused because of this item")).to_have_count(1)
    settled(page)
    for place, price in enumerate(["79.99", "69.99"]):
        expect(page.get_by_label("Price charged", exact=True).nth(place)).to_have_value(price)
    assert shop.sales(order) == 1


@pytest.mark.soak
def test_a_line_of_the_order_twice_is_told_at_its_field_and_never_sent(
    page: Page, context: BrowserContext, shop: Shop
) -> None:
    order = shop.order(TV, LAMP)
    shop.let_in("staff", context)
    open_sale(page, shop)
    type_into(page, "Order", order.order_id)
    term(page, "Arc floor lamp", "36 months").click()
    enter(page, "Arc floor lamp", "Price charged", "8.50")
    page.get_by_role("button", name="Add a custom item").click()
    by_hand = "Custom item"
    term(page, by_hand, "24 months").click()
    enter(page, by_hand, "SKU", "LAMP")
    enter(page, by_hand, "Price charged", "9.50")
    box(page, by_hand).get_by_text("Other ways to name the item", exact=True).click()
    enter(page, by_hand, "Line number in the order (optional)", "2")
    record(page)
    twice = re.compile("is in this sale twice: put each item in once")
    expect(page.get_by_text(twice)).to_have_count(2)
    expect(box(page, by_hand).get_by_text(twice)).to_be_visible()
    without_violation(page)
    assert shop.sales(order) == 0
    enter(page, by_hand, "Line number in the order (optional)", "1")
    expect(page.get_by_text("There is a problem")).to_have_count(0)
    expect(value(page, "Arc floor lamp", "Price charged")).to_have_value("8.50")


@pytest.mark.soak
def test_a_payload_that_the_service_does_not_take_is_told_in_its_own_words(
    page: Page, context: BrowserContext, shop: Shop
) -> None:
    order = shop.order(TV)
    shop.let_in("manager", context)
    open_sale(page, shop)
    type_into(page, "Order", order.order_id)
    term(page, "55in OLED television", "24 months").click()
    type_into(page, "Price charged", "79.99")
    shop.sandbox.add_fault(operation="record_sale", kind="status", status=400)
    record(page)
    refused_at(page, "55in OLED television", "The sandbox was asked to answer 400")
    holds(page, "Price charged", "79.99")
    record(page)
    expect(page.get_by_text("Recorded. Warranty order")).to_be_visible(timeout=20_000)
