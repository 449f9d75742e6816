"""In production a sale and a checkout are asked about once more: what the answer does, and what does not answer it."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.browser_sale import open_sale, record, term, to_reach
from tests.browser.browser_shop import Shop, holds, running_shop, settled, type_into, without_violation
from tests.builders import TV
from warranty.resources import Order

CONFIRM = "Yes, record it"


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    with running_shop(tmp_path_factory.mktemp("production"), named="production") as running:
        yield running


def asked(page: Page, shop: Shop) -> tuple[Order, Locator]:
    """A sale that was asked for, with the question open."""
    order = shop.order(TV)
    open_sale(page, shop)
    type_into(page, "Order", order.order_id)
    term(page, "55in OLED television", "24 months").click()
    type_into(page, "Price charged", "79.99")
    record(page)
    question = page.get_by_role("dialog", name="Record this sale?")
    expect(question).to_be_visible(timeout=20_000)
    settled(page)
    assert page.title() == "Warranty Desk"  # no environment before it
    return order, question


def posted(shop: Shop) -> int:
    """How many sales the service was asked to record, whatever it answered."""
    return sum(call["operation"] == "record_sale" for call in shop.sandbox.calls())


@pytest.mark.parametrize(
    "how", ["dblclick", *(pytest.param(how, marks=pytest.mark.soak) for how in ("click", "Enter twice"))]
)
def test_the_answer_records_the_sale_once_and_closes_the_question(
    page: Page, context: BrowserContext, shop: Shop, how: str
) -> None:
    shop.let_in("staff", context)
    order, question = asked(page, shop)
    confirm = question.get_by_role("button", name=CONFIRM)
    if how == "Enter twice":
        to_reach(page, confirm)
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")
    else:
        getattr(confirm, how)()
    expect(page.get_by_text("Recorded. Warranty order")).to_be_visible(timeout=20_000)
    expect(question).to_have_count(0)
    settled(page)
    assert shop.sales(order) == 1


def test_a_scan_does_not_answer_the_question(page: Page, context: BrowserContext, shop: Shop) -> None:
    shop.let_in("staff", context)
    order, question = asked(page, shop)
    to_reach(page, question.get_by_role("button", name=CONFIRM))
    page.keyboard.type("TV-55-OLED")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Not taken: answer the question first")).to_be_visible()
    expect(question).to_be_visible()
    settled(page)
    assert shop.sales(order) == 0


@pytest.mark.parametrize(
    "how", ["Escape", *(pytest.param(how, marks=pytest.mark.soak) for how in ("Back", "reload"))]
)
def test_who_does_not_answer_records_nothing_and_keeps_the_form(
    page: Page, context: BrowserContext, shop: Shop, how: str
) -> None:
    shop.let_in("staff", context)
    order, question = asked(page, shop)
    if how == "Back":
        question.get_by_role("button", name="Back").click()
    elif how == "Escape":
        page.keyboard.press("Escape")
    else:
        page.reload()
        expect(page.get_by_label("Price charged", exact=True)).to_be_visible(timeout=20_000)
    expect(question).to_have_count(0)
    holds(page, "Price charged", "79.99")
    assert shop.sales(order) == 0
    page.keyboard.press("Control+Enter")
    expect(question).to_be_visible()
    question.get_by_role("button", name=CONFIRM).click()
    expect(page.get_by_text("Recorded. Warranty order")).to_be_visible(timeout=20_000)
    assert shop.sales(order) == 1


@pytest.mark.soak
def test_a_refusal_is_sent_again_by_a_new_answer_only(
    page: Page, context: BrowserContext, shop: Shop
) -> None:
    shop.let_in("staff", context)
    order, question = asked(page, shop)
    without_violation(page)
    before = posted(shop)
    shop.sandbox.add_fault(operation="record_sale", kind="status", status=400)
    question.get_by_role("button", name=CONFIRM).dblclick()
    expect(page.get_by_text("nothing was recorded, and the customer is not covered yet")).to_be_visible(
        timeout=20_000
    )
    holds(page, "Price charged", "79.99")
    assert posted(shop) == before + 1
    record(page)
    expect(question).to_be_visible()
    question.get_by_role("button", name=CONFIRM).click()
    expect(page.get_by_text("Recorded. Warranty order")).to_be_visible(timeout=20_000)
    assert (posted(shop), shop.sales(order)) == (before + 2, 1)
