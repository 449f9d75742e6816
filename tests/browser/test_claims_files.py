"""The files of Claims in a real browser."""

import hashlib
import io
import json

import openpyxl
from playwright.sync_api import Page

from tests.browser.browser_shop import settled
from tests.browser.claims_shop import EVERY, ClaimsShop, taken_away


def test_the_files_options_say_how_cells_are_parted_and_the_manifest_has_the_files_sum(
    page: Page, claims_shop: ClaimsShop
) -> None:
    claims_shop.open_all(page, "manager")
    _, marked = taken_away(page)
    assert marked.startswith(b'\xef\xbb\xbf"claim_date",')
    page.get_by_role("button", name="Export").click()
    page.get_by_text("Semicolon").click()
    settled(page)
    page.get_by_text("Mark a CSV file as UTF-8").click()
    settled(page)
    download, content = taken_away(page)
    assert content.startswith(b'"claim_date";')
    told, manifest = taken_away(page, "Download manifest")
    assert told.suggested_filename == f"{download.suggested_filename}.manifest.json"
    assert json.loads(manifest)["sha256"] == hashlib.sha256(content).hexdigest()
    assert json.loads(manifest)["rows"] == EVERY
    _, sheet = taken_away(page, "Download XLSX")
    cells = openpyxl.load_workbook(io.BytesIO(sheet)).worksheets[0]
    assert cells.max_row == 1 + EVERY
    assert {cell.data_type for row in cells.iter_rows() for cell in row if cell.value is not None} == {"s"}
