"""Imports in Chromium: the whole export from start to result file, and what happens to odd files and stops."""

import csv
import io
import re
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.browser_shop import Shop, come, running_shop, settled
from tests.browser.claims_shop import click_row

SIZES: list[ViewportSize] = [
    {"width": 390, "height": 844},
    {"width": 820, "height": 1180},
    {"width": 1280, "height": 900},
]
EXPORT = Path(__file__).parents[1] / "warranty" / "files" / "data" / "shop_orders_export.csv"


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Shop]:
    """A desk that a test may kill and start again on the same data, and to which every order of a file is new."""
    with running_shop(tmp_path, WARRANTY_IMPORT_CONCURRENCY="2") as running:
        yield running


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


def stored(shop: Shop) -> list[str]:
    return [str(call["order_id"]) for call in shop.sandbox.calls() if call.get("written")]


def orders_file(*, orders: int, without_mail: int = 0) -> bytes:
    """A file of orders that nobody sent before, the first of which name nobody to write to."""
    head = "order_id,sku,title,price,quantity,first_name,email,state,country"
    lines = [
        f"{uuid.uuid4()},LAMP-ARC,Arc floor lamp,89.50,1,Ada,{'' if number < without_mail else 'ada@example.com'},NY,US"
        for number in range(orders)
    ]
    return "\n".join([head, *lines]).encode()


def test_a_file_is_corrected_sent_and_gives_its_links(page: Page, shop: Shop) -> None:
    open_import(page, shop)
    upload(page, "orders.csv", orders_file(orders=3, without_mail=1))
    expect(page.get_by_text("3 orders: 2 ready, 1 to correct")).to_be_visible()
    for size in SIZES:  # what the file comes to, and what sends it, before any scroll
        page.set_viewport_size(size)
        expect(page.get_by_text("3 orders: 2 ready")).to_be_in_viewport()
        expect(page.get_by_role("button", name="Send 2 orders")).to_be_in_viewport()
    settled(page)
    mail = page.get_by_label(re.compile("^New text for row 2, "))
    mail.fill("ada@example.com")
    mail.press("Enter")
    expect(page.get_by_text("3 ready, 0 to correct")).to_be_visible()
    page.reload()  # corrections are kept
    expect(page.get_by_text("3 ready, 0 to correct")).to_be_visible()
    settled(page)
    page.get_by_role("button", name="Send 3 orders").dblclick()
    expect(page.get_by_text("3 of 3 orders are stored.")).to_be_visible()
    copied, rows = first_link(page), result_file(page)
    assert copied == rows[0]["url"] == shop.link(rows[0]["order_id"])
    assert [len(shop.calls("submit_order", row["order_id"])) for row in rows] == [1, 1, 1]
    page.get_by_role("button", name="New import").click()
    page.get_by_role("button", name="Yes, begin a new import").click()
    expect(page.get_by_role("button", name="Template with examples")).to_be_visible()


def first_link(page: Page) -> str:
    """Copied from the first order of the result, by a press on its row."""
    settled(page)
    click_row(page, 0)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy link: ").click()
    expect(page.get_by_role("status").get_by_text("Copied", exact=True)).to_be_visible()
    copied: str = page.evaluate("navigator.clipboard.readText()")
    return copied


@pytest.mark.long
def test_all_sixty_orders_of_the_export_from_the_file_to_the_result_file(page: Page, own: Shop) -> None:
    open_import(page, own)
    upload(page, "something.txt", EXPORT.read_bytes())
    expect(page.get_by_text("60 orders: 40 ready, 16 to correct, 4 left out.")).to_be_visible()
    expect(page.get_by_text("recognised as the order export of a shop platform")).to_be_visible()
    expect(page.get_by_text("56 order ids look like a counter or are short")).to_be_visible()
    expect(page.get_by_role("heading", name="To correct (1)")).to_be_visible()
    expect(page.get_by_text("Row 9, Billing Province", exact=True)).to_have_count(
        0
    )  # one question mends all 15
    settled(page)
    state = page.get_by_role("combobox", name=re.compile("State for orders to France"))
    state.click()
    state.press_sequentially("Île-de")
    state.press("Enter")
    expect(page.get_by_text("55 ready, 1 to correct")).to_be_visible()
    settled(page)
    page.get_by_role("radio", name="send").first.click()
    expect(page.get_by_text("57 ready, 1 to correct, 2 left out")).to_be_visible()
    settled(page)
    page.get_by_role("radio", name="use the title as SKU").click()
    expect(page.get_by_text("59 ready, 1 to correct, 0 left out")).to_be_visible()
    settled(page)
    page.get_by_label("New text for row 34, Email").fill("ada@example.com")
    page.get_by_label("New text for row 34, Email").press("Enter")
    expect(page.get_by_text("60 ready, 0 to correct, 0 left out")).to_be_visible()
    page.reload()  # decisions are kept
    expect(page.get_by_text("60 ready, 0 to correct, 0 left out")).to_be_visible()
    settled(page)
    page.get_by_role("button", name="Send 60 orders").click()
    expect(page.get_by_text("60 of 60 orders are stored.")).to_be_visible(timeout=60_000)
    settled(page)
    rows = result_file(page)
    assert [row["order"] for row in rows] == [f"#{number}" for number in range(1001, 1061)]
    assert {row["result"] for row in rows} == {"stored"}
    assert sorted(row["order_id"] for row in rows) == sorted(stored(own))
    assert all(row["url"] == own.link(row["order_id"]) for row in rows)

    # The same file again: every order is recognised, none is sent.
    page.get_by_role("button", name="New import").click()
    expect(page.get_by_text("Download the result file first: it cannot be made again.")).to_be_visible()
    page.get_by_role("button", name="Yes, begin a new import").click()
    expect(page.get_by_role("button", name="Template with examples")).to_be_visible()
    settled(page)
    upload(page, "again.csv", EXPORT.read_bytes())
    expect(page.get_by_text("Orders sent before (57)")).to_be_visible()
    expect(page.get_by_text("None of these orders can be sent yet.")).to_be_visible()


@pytest.mark.long
def test_after_a_kill_in_the_middle_the_import_goes_on_and_sends_nothing_twice(page: Page, own: Shop) -> None:
    open_import(page, own)
    upload(page, "orders.csv", orders_file(orders=60))
    expect(page.get_by_text("60 orders: 60 ready")).to_be_visible()
    settled(page)
    own.sandbox.add_fault(operation="submit_order", kind="delay", seconds=0.8, times=60)
    page.get_by_role("button", name="Send 60 orders").click()
    expect(page.get_by_text(re.compile(r"[1-9]\d* of 60 orders sent"))).to_be_visible()
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_text("Paused. Nothing is sent until you resume.")).to_be_visible()
    expect(page.get_by_text(f"{len(stored(own))} of 60 orders sent")).to_be_visible()
    page.get_by_role("button", name="Resume").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    own.dashboard.kill()
    page.context.clear_cookies()
    own.dashboard.start()
    come(page, own.dashboard, "staff")
    page.get_by_role("link", name="Import").click()
    # Until the lease of the program that died is over, it looks as if that one still sent.
    expect(page.get_by_text("Sending these orders was interrupted.")).to_be_visible()
    page.get_by_role("button", name="Resume").click()
    # Orders that were on their way are left alone until their time has run out; all others are sent at once.
    expect(
        page.get_by_text(re.compile(r"5[6-9] of 60 orders sent|60 of 60 orders are stored"))
    ).to_be_visible(timeout=60_000)
    assert len(stored(own)) == len(set(stored(own)))


@pytest.mark.long
def test_a_file_of_another_layout_is_mapped_once_and_odd_files_get_a_sentence(
    page: Page, own: Shop, tmp_path: Path
) -> None:
    open_import(page, own)
    for name, content, sentence in (
        ("orders.csv", b"%PDF-1.7 nothing", "This is a PDF document, not a table."),
        ("orders.xlsx", b"", "The file is empty."),
        ("orders.csv", b"a,b\n" + b"1,2\n" * 25_000, "more than 20,000 rows"),
    ):
        upload(page, name, content)
        expect(page.get_by_text(sentence)).to_be_visible()
        settled(page)
    for megabytes, sentence in ((26, "at most 25 MB are read"), (51, "File must be 50.0MB or smaller.")):
        large = tmp_path / f"orders-of-{megabytes}-years.csv"
        large.write_bytes(b"a,b\n" + b"1,2\n" * (megabytes << 18))
        page.locator("input[type=file]").set_input_files(large)
        expect(page.get_by_text(sentence)).to_be_visible()
        settled(page)
    ours = (
        "Beleg;SKU;Title;Price;Customer;E-Mail;Country;State\n"
        "A-9f3c77d1-1;L1;Lampe;89,50;Zoë X;z@example.com;DE;BE\n"
    )
    upload(page, "ours.csv", ours.encode("cp1252"))
    expect(page.get_by_text("Which column is what?")).to_be_visible()
    expect(page.get_by_text("7 columns recognised")).to_be_visible()
    expect(page.get_by_role("combobox")).to_have_count(1)  # that of the order id, which was not
    page.get_by_role("button", name="Use these columns").click()
    expect(page.get_by_text("Choose a column for: Order id")).to_be_visible()
    box = page.get_by_role("combobox", name="Order id", exact=True)
    box.click()
    box.press_sequentially("Beleg")
    box.press("Enter")
    settled(page)
    page.get_by_role("button", name="Use these columns").click()
    expect(page.get_by_text("1 order: 1 ready")).to_be_visible()
    settled(page)
    table = page.get_by_test_id("stDataFrame").bounding_box()
    assert table is not None
    assert table["height"] < 110  # its heading and its one row: no empty ones
    page.get_by_role("button", name="Choose another file").click()
    page.get_by_role("button", name="Yes, choose another file").click()
    expect(page.get_by_role("button", name="Template with examples")).to_be_visible()
    settled(page)
    upload(page, "next-week.csv", ours.replace("A-9f3c77d1-1", "A-9f3c77d1-2").encode("cp1252"))
    expect(page.get_by_text("1 order: 1 ready")).to_be_visible()
