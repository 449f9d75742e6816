"""A basket in Chromium: with a keyboard, with a scanner, on a tablet."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.browser_sale import fill_customer, read_codes, read_codes_in_the_dark, scan
from tests.browser.browser_shop import PC, PHONE, Look, Shop, come, holds, place, resize, settled, violations
from tests.dashboard import leave


def test_codes_scanned_from_the_first_moment_become_a_link_without_a_mouse(at_desk: Page, shop: Shop) -> None:
    page = at_desk
    page.reload()
    page.get_by_label("Scan or type a SKU").wait_for()
    scan(page, "TV-55-OLED", "LAMP-ARC", "BAR-51", "HEAD-NC", "BIKE-E", *["TV-55-OLED"] * 3)
    expect(page.get_by_text("8 items, ")).to_be_visible()
    expect(page.get_by_label("Scan or type a SKU")).to_be_focused()
    expect(page.get_by_label("Scan or type a SKU")).to_have_value("")
    # Enter leads on, out of the empty scan field too; the order has its id.
    for typed, field in (("", "First name"), ("Zoë", "E-mail or phone"), ("zoe@example.com", "State")):
        page.keyboard.type(typed)
        page.keyboard.press("Enter")
        expect(page.get_by_label(field)).to_be_focused()
    page.keyboard.type("NY")
    page.keyboard.press("Control+Enter")  # takes what the list has found
    expect(page.get_by_role("button", name="Copy link")).to_be_focused()
    expect(page.get_by_text("For Zoë, zoe@example.com")).to_be_visible()
    url = page.get_by_text("/checkout/").first.inner_text()
    picture = page.get_by_role("img", name="QR code of the customer page")
    assert read_codes(picture.screenshot()) == read_codes_in_the_dark(page) == [url]
    page.reload()  # the answer is still there, from the journal
    expect(page.get_by_text("The order is stored.")).to_be_visible()
    page.wait_for_load_state("networkidle")  # what is fetched late has the screen drawn once more
    settled(page)
    page.keyboard.press("Alt+x")
    expect(page.get_by_role("button", name="Undo declined")).to_be_visible()
    settled(page)
    page.keyboard.press("Alt+n")
    expect(page.get_by_label("Scan or type a SKU")).to_be_focused()
    expect(page.get_by_label("First name")).to_have_value("")
    assert len(shop.calls("submit_order", url.rpartition("/")[2])) == 1


def test_a_product_is_found_by_its_name_in_a_list_below_the_field_without_a_mouse(at_desk: Page) -> None:
    page, lamp = at_desk, at_desk.get_by_role("option", name="Arc floor lamp · 89.50")
    field = page.get_by_label("Scan or type a SKU")
    scan(page, "TV-55-OLED", "lamp")
    expect(lamp).to_be_visible()
    page.keyboard.press("Escape")
    expect(lamp).to_have_count(0)
    page.keyboard.press("ArrowDown")
    expect(lamp).to_have_attribute("aria-selected", "true")
    assert violations(page, ["light"]) == []
    expect(page.get_by_text("1 item, 899.99 USD")).to_be_visible()  # nothing was chosen yet
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Arc floor lamp", exact=True)).to_be_visible()
    expect(field).to_be_focused()
    expect(lamp).to_have_count(0)
    scan(page, "lamp", "TV-55-OLED")  # a code behind a name is taken as any other
    expect(page.get_by_text("3 items, ")).to_be_visible()
    scan(page, "sofa")
    expect(page.get_by_text("Which sofa is it?")).to_be_visible()
    page.get_by_label("First name").click()  # the question stays, and whoever comes back finds its answers
    expect(page.get_by_role("option", name="sofa")).to_have_count(0)
    field.click()
    expect(page.get_by_role("option", name="sofa")).to_have_count(2)
    field.press_sequentially("zz")
    expect(page.get_by_text("Which sofa is it?")).to_have_count(0)
    field.press("Enter")
    page.get_by_role("button", name="Add zz as a new item").click()
    expect(page.get_by_label("SKU", exact=True)).to_have_value("zz")


@pytest.mark.long
def test_a_code_that_is_typed_and_not_entered_is_in_the_order_that_a_click_sends(at_desk: Page) -> None:
    page = at_desk
    scan(page, "TV-55-OLED")
    expect(page.get_by_text("1 item, 899.99 USD")).to_be_visible()
    settled(page)
    fill_customer(page, name="Zoë", email="zoe@example.com")
    page.get_by_label("Scan or type a SKU").press_sequentially("HEAD-NC", delay=150)
    page.locator(".st-key-main-action button").click()
    expect(page.get_by_text("The order is stored.")).to_be_visible()
    expect(page.get_by_text("2 items, ")).to_be_visible()


@pytest.mark.long
def test_on_a_tablet_an_order_of_two_is_sent_without_a_scroll_and_a_turned_one_loses_nothing(at_desk: Page) -> None:
    page = at_desk
    page.get_by_label("First name").fill("Zoë")
    for width, columns, of_the_work in ((820, 1, 0.9), (1280, 2, 0.4), (820, 1, 0.9)):
        resize(page, (width, 1180))
        settled(page)
        work = place(page.get_by_label("Scan or type a SKU"))
        button = place(page.get_by_role("button", name="Send order"))
        assert button["width"] / work["width"] == pytest.approx(of_the_work, abs=0.1)
        assert (button["y"] > work["y"] + 400) == (columns == 1)
        expect(page.get_by_label("First name")).to_have_value("Zoë")
        expect(page.get_by_label("First name")).to_be_focused()
    page.get_by_label("Scan or type a SKU").click()
    scan(page, "TV-55-OLED", "LAMP-ARC")
    fill_customer(page)
    send = page.get_by_role("button", name="Send order")
    expect(send).to_be_in_viewport(ratio=1)
    all_of_it = (
        *(page.get_by_role("heading", name=name) for name in ("New order", "This order")),
        page.get_by_role("button", name="Arc floor lamp", exact=True), page.get_by_role("combobox", name="State"),
        page.get_by_label("Order number", exact=True), send,
    )  # fmt: skip
    for each in all_of_it:  # and nothing was scrolled to get there
        expect(each).to_be_in_viewport(ratio=1)
    resize(page, PC)
    settled(page)
    for each in all_of_it:
        expect(each).to_be_in_viewport(ratio=1)


def test_on_a_phone_what_it_costs_and_the_button_that_sends_it_stay_in_sight(at_desk: Page) -> None:
    page = at_desk
    resize(page, PHONE)
    scan(page, "TV-55-OLED", "LAMP-ARC", "HEAD-NC")
    button = page.get_by_role("button", name="Send order, 1,318.49 USD")
    units = page.get_by_label("Quantity of Arc floor lamp")
    for step, value, count in (("Up", "3", "5 items, "), ("Down", "1", "3 items, ")):
        for _press in range(2):  # as long as a finger stays
            page.get_by_test_id("stNumberInput").filter(has=units).get_by_test_id(f"stNumberInputStep{step}").click(
                delay=150
            )
        expect(page.get_by_text(count)).to_be_visible()
        expect(units).to_have_value(value)
    rows = page.locator("[class*=st-key-open-]")
    expect(rows).to_have_count(3)
    settled(page)
    heights = [place(row)["y"] for row in rows.all()]
    assert heights[0] < heights[1] < heights[2] < heights[0] + 240  # a line and its count each
    rows.first.get_by_role("button").click()
    expect(page.get_by_label("Price", exact=True)).to_have_attribute("inputmode", "decimal")
    category = page.get_by_label("Category", exact=True)
    expect(category).to_have_value("Electronics > Televisions")
    assert category.evaluate("field => field.scrollWidth <= field.clientWidth")  # read whole
    for field in ("Scan or type a SKU", "E-mail", "Order number"):
        page.get_by_label(field).scroll_into_view_if_needed()
        page.get_by_label(field).focus()
        for each in (button, page.get_by_label(field)):
            expect(each).to_be_in_viewport(ratio=1)
        assert place(button)["y"] > 844 - 80  # it is all that lies over the form


@pytest.mark.long
def test_whatever_goes_wrong_nothing_is_lost_and_an_order_waits(at_desk: Page, shop: Shop, look: Look) -> None:
    page = at_desk
    scan(page, "LAMP-ARC")
    page.get_by_role("button", name="Arc floor lamp", exact=True).click()
    holds(page, "Quantity", "1")
    page.get_by_label("Quantity", exact=True).fill("25")
    page.get_by_label("Quantity", exact=True).press("Tab")
    expect(page.get_by_text("The service stores 20 of these 25")).to_be_visible()
    fill_customer(page, email="ada@gmial.com")
    page.get_by_role("button", name="Did you mean ada@gmail.com?").click()
    holds(page, "E-mail or phone", "ada@gmail.com")
    order_id = page.get_by_label("Order number", exact=True).input_value()
    shop.sandbox.add_fault(operation="submit_order", kind="status", status=400)
    page.get_by_role("button", name="Send order").click()
    expect(page.get_by_text("The service refused this order")).to_be_visible()
    expect(page.get_by_label("Quantity", exact=True)).to_have_value("25")
    look("a refused order")
    # Answered by silence: the link is there at once, and the order is sent by itself.
    shop.sandbox.add_fault(operation="submit_order", kind="drop_after_write", times=1000)
    page.get_by_role("button", name="Send order").click()
    waits = page.get_by_text("The link will work as soon as")
    expect(waits).to_be_visible()
    expect(page.get_by_role("img", name="QR code of the customer page")).to_be_visible()
    expect(page.get_by_role("button", name="Send order")).to_have_count(0)
    look("an order that waits")
    # Another screen, a reload, a sign-out: it is still there, until the service answers.
    page.get_by_role("link", name="Connection").click()
    expect(page.get_by_role("heading", name="Connection")).to_be_visible()
    page.get_by_role("link", name="New order").click()
    expect(waits).to_be_visible()
    page.reload()
    expect(waits).to_be_visible()
    leave(page)
    expect(page.get_by_label("Password", exact=True)).to_be_visible()
    come(page, shop.dashboard, "staff")
    expect(waits).to_be_visible()
    shop.sandbox.clear_faults()
    # It has the order from the try that it did not answer, and its customer the link. A try a minute at the least.
    expect(page.get_by_text("The order is stored.")).to_be_visible(timeout=70_000)
    look("a stored order")
    assert sum(bool(call["written"]) for call in shop.calls("submit_order", order_id)) == 1
