"""Imports in Chromium: a file from its correction to its links, and files of another layout."""

import csv
import io
import uuid
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.browser_shop import FOR_EVERY_EYE, SIZES, Look, Shop, come, copied, resize, running_shop, settled
from tests.browser.claims_shop import click_row, open_cell


def open_import(page: Page, shop: Shop) -> None:
    come(page, shop.dashboard, "staff", "import_orders")
    expect(page.get_by_role("button", name="Template with examples")).to_be_visible()
    settled(page)


def upload(page: Page, name: str, content: bytes) -> None:
    page.locator("input[type=file]").set_input_files(
        files={"name": name, "mimeType": "application/octet-stream", "buffer": content}
    )


def result_file(page: Page) -> list[dict[str, str]]:
    with page.expect_download() as download:
        page.get_by_role("button", name="Result file").click()
    return list(csv.DictReader(io.StringIO(Path(download.value.path()).read_text("utf-8-sig"), newline="")))


def orders_file(*, orders: int, without_mail: int = 0) -> bytes:
    """A file of orders that nobody sent before, the first of which name nobody to write to."""
    head = "order_id,sku,title,price,quantity,first_name,email,state,country"
    lines = [
        f"{uuid.uuid4()},LAMP-ARC,Arc floor lamp,89.50,1,Ada,{'' if number < without_mail else 'ada@example.com'},NY,US"
        for number in range(orders)
    ]
    return "\n".join([head, *lines]).encode()


@FOR_EVERY_EYE
def test_a_file_is_corrected_sent_and_gives_its_links(page: Page, shop: Shop, look: Look) -> None:
    open_import(page, shop)
    upload(page, "orders.csv", orders_file(orders=3, without_mail=1))
    expect(page.get_by_text("3 orders: 2 ready, 1 to correct")).to_be_visible()
    for size in reversed(SIZES):  # what the file comes to, and what sends it, before any scroll
        resize(page, size)
        expect(page.get_by_text("3 orders: 2 ready")).to_be_in_viewport()
        expect(page.get_by_role("button", name="Send 2 orders")).to_be_in_viewport()
    look("a file to correct")
    settled(page)
    open_cell(page, 0)
    page.keyboard.type("ada@example.com", delay=20)  # as a hand does
    page.keyboard.press("Enter")
    expect(page.get_by_text("3 ready, 0 to correct")).to_be_visible()
    page.reload()  # corrections are kept
    expect(page.get_by_text("3 ready, 0 to correct")).to_be_visible()
    settled(page)
    page.get_by_role("button", name="Send 3 orders").dblclick()
    expect(page.get_by_text("3 of 3 orders are stored.")).to_be_visible()
    look("a file that was sent")
    settled(page)
    click_row(page, 0)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy link: ").click()
    link, rows = copied(page), result_file(page)
    assert link == rows[0]["url"] == shop.link(rows[0]["order_id"])
    assert [len(shop.calls("submit_order", row["order_id"])) for row in rows] == [1, 1, 1]
    page.get_by_role("button", name="New import").click()
    page.get_by_role("button", name="Yes, begin a new import").click()
    expect(page.get_by_role("button", name="Template with examples")).to_be_visible()


@pytest.mark.long
def test_another_layout_is_mapped_and_an_odd_file_gets_a_sentence(page: Page, tmp_path: Path, look: Look) -> None:
    with running_shop(tmp_path / "data") as own:  # the columns of a layout are remembered for the whole shop
        open_import(page, own)
        for number, (content, sentence) in enumerate(
            (
                (b"%PDF-1.7 nothing", "This is a PDF document, not a table."),
                (b"a,b\n" + b"1,2\n" * (26 << 18), "at most 25 MB are read"),
                (b"a,b\n" + b"1,2\n" * (51 << 18), "File must be 50.0MB or smaller."),  # the platform's bound
            )
        ):
            odd = tmp_path / f"orders-{number}.csv"
            odd.write_bytes(content)
            page.locator("input[type=file]").set_input_files(odd)
            expect(page.get_by_text(sentence)).to_be_visible()
            settled(page)
        ours = (
            "Beleg;SKU;Title;Price;Customer;E-Mail;Country;State\n"
            "A-9f3c77d1-1;L1;Lampe;89,50;Zoë X;z@example.com;DE;BE\n"
        )
        upload(page, "ours.csv", ours.encode())
        expect(page.get_by_text("Which column is what?")).to_be_visible()
        recognised = ["", "SKU", "Title", "Price", "Full name", "E-mail", "Country", "State"]
        expect(page.locator('td[aria-colindex="2"]')).to_have_text(recognised)
        look("a file of another layout")
        page.get_by_role("button", name="Use these columns").click()
        expect(page.get_by_text("Choose a column for: Order number")).to_be_visible()
        settled(page)
        open_cell(page, 0, x=450)
        page.keyboard.type("Order num")
        page.get_by_role("option", name="Order number").click()
        expect(page.locator('td[aria-colindex="2"]').first).to_have_text("Order number")
        expect(page.get_by_text("Choose a column for: Order number")).to_have_count(0)  # the desk has it
        settled(page)
        page.get_by_role("button", name="Use these columns").click()
        expect(page.get_by_text("1 order: 1 ready")).to_be_visible()
        settled(page)
        height = page.get_by_test_id("stDataFrame").evaluate("table => table.offsetHeight")
        assert height < 110  # its heading and its one row: no empty ones
