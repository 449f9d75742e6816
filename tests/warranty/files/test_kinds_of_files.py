"""Files as shops bring them: what reaches the service is what the shop meant, or it is told and nothing goes out."""

import csv
import io
import json
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest
import xlsxwriter

from tests.warranty.files.conftest import Counter
from warranty.desk.order_imports import prepare
from warranty.files.order_files.assessment import Judge, without_duplicates
from warranty.files.order_files.decisions import READERS, Choices
from warranty.files.order_files.source import NAMES, Layout, read_orders, recognise
from warranty.files.table_files import read_table
from warranty.files.tables import FileProblem, Table

INPUTS: Final = Path(__file__).parent / "inputs"
MARA: Final = "5f0c2a9e-3b1d-4c77-9e52-0a6d1f4b8c01"
TOBIAS: Final = "a41e7d20-95c8-4f3b-8d16-7be0c2539f02"
INES: Final = "c93b5d18-60f4-4ea2-b7d9-2f81e6a04d03"
KOFI: Final = "0d7be64f-8a25-49c1-93f0-5ce18b72ad04"
ROW: Final[Mapping[str, str]] = {
    "order_id": MARA, "sku": "LAMP-ARC", "title": "Arc floor lamp", "price": "89.50", "quantity": "1",
    "first_name": "Mara", "last_name": "Lindqvist", "email": "mara@example.com", "phone": "", "address1": "4 Mill Lane",
    "city": "Albany", "zip": "12207", "state": "NY", "country": "US",
}  # fmt: skip
"""A row in which nothing is wrong."""
SOLD: Final = {
    "Name": "#1001", "Email": "mara@example.com", "Lineitem quantity": "1", "Lineitem name": "Arc floor lamp",
    "Lineitem price": "89.50", "Lineitem sku": "LAMP-ARC", "Billing Name": "Mara Lindqvist", "Billing Province": "NY",
    "Billing Country": "US", "Financial Status": "paid", "Refunded Amount": "0.00", "Total": "89.50", "Currency": "USD",
    "Id": "6599143014002", "Cancelled at": "", "Shipping Name": "", "Shipping Province": "", "Shipping Country": "",
}  # fmt: skip


def rows(*changes: Mapping[str, str], of: Mapping[str, str] = ROW, **dialect: Any) -> bytes:
    """A CSV of rows that differ from the usual one by these changes; every row has an order id of its own."""
    text = io.StringIO()
    ids = (MARA, TOBIAS, INES, KOFI)
    names = list(dict.fromkeys([*of, *(name for change in changes for name in change)]))
    writer = csv.DictWriter(text, names, restval="", **dialect)
    writer.writeheader()
    for place, change in enumerate(changes):
        own = {"order_id": ids[place % len(ids)]} if of is ROW else {}
        writer.writerow({**of, **own, **change})
    return text.getvalue().encode()


GOOD_STATUSES: Final = (
    "Ready for pickup",
    "In Bearbeitung",
    "unfulfilled",
    "Payment accepted",
    "Dispatched",
    "Erledigt",
)
STATUSES: Final = (
    "Not completed", "Payment not completed", "Undelivered", "Lost in delivery", "Paid (disputed)", "Impayé", "Closed",
    "partially_paid", "Nicht abgeschlossen", "No completado", "Offen", "Not shipped - customer refused", "Inactive",
    "Cancelled by customer", "Canceled (out of stock)", "Payment failed", "Refund requested", "abgebrochen", "Draft",
    *GOOD_STATUSES, "On hold", "Pending payment", "Not paid",
)  # fmt: skip


def export(*changes: Mapping[str, str]) -> bytes:
    numbered = ({"Name": f"#{n}", "Id": f"659914301{n}", **change} for n, change in enumerate(changes, 1001))
    return rows(*numbered, of=SOLD)


def raw(*lines: str, names: str = ",".join(ROW)) -> bytes:
    return "\r\n".join([names, *lines, ""]).encode()


def line(**changes: str) -> str:
    return rows(changes).decode().splitlines()[1]


def workbook(
    *changes: Mapping[str, object], look: Callable[[Any, Any], None] | None = None,
    sheets: tuple[str, ...] = ("Orders",), second: Mapping[str, object] | None = None,
) -> bytes:  # fmt: skip
    """A workbook of such rows; `look` may format the sheet and write into it; `second` is an order on another sheet."""
    content = io.BytesIO()
    with xlsxwriter.Workbook(content, {"in_memory": True}) as book:
        for name in sheets[:-1]:
            other = book.add_worksheet(name)
            other.write_row(0, 0, ["state", "name"])
            other.write_row(1, 0, ["NY", "New York"])
        sheet = book.add_worksheet(sheets[-1])
        sheet.write_row(0, 0, list(ROW))
        for number, (order_id, change) in enumerate(zip((MARA, TOBIAS, INES), changes, strict=False), start=1):
            for place, cell in enumerate({**ROW, "order_id": order_id, **change}.values()):
                sheet.write(number, place, cell)
        if look:
            look(book, sheet)
        if second is not None:
            other = book.add_worksheet("November")
            other.write_row(0, 0, list(ROW))
            other.write_row(1, 0, list({**ROW, **second}.values()))
    return content.getvalue()


def shown_as(*changes: Mapping[str, object], column: int, of: tuple[tuple[float, str], ...]) -> bytes:
    def look(book: Any, sheet: Any) -> None:
        for row, (value, form) in enumerate(of, start=1):
            sheet.write(row, column, value, book.add_format({"num_format": form}))

    return workbook(*changes, look=look)


def rewritten(content: bytes, part: str, old: bytes, new: bytes) -> bytes:
    fresh = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as archive, zipfile.ZipFile(fresh, "w") as anew:
        for name in archive.namelist():
            data = archive.read(name)
            assert name != part or old in data
            anew.writestr(name, data.replace(old, new) if name == part else data)
    return fresh.getvalue()


@dataclass
class Outcome:
    """What an import came to: bodies as the service had them by order id, and what was told of all others."""

    sent: dict[str, Any]
    told: str

    def said(self, name: str) -> str:
        """What the bodies have for a field, by the ids of their orders."""
        bodies = (self.sent[order_id] for order_id in sorted(self.sent))
        parts = [part for body in bodies for part in (body["billing_address"], *body["line_items"])]
        return " | ".join(str(part[name]) for part in parts if name in part)


def imported(
    counter: Counter, content: bytes, *, laid_out: Callable[[Table], Layout | None] = recognise, reading: str = "",
    **choices: Any,
) -> Outcome:  # fmt: skip
    """Import a file with what is proposed, or these decisions, over the socket into the sandbox."""
    counter.line.bodies.clear()
    try:
        table = read_table(content, names=NAMES, reading=reading)
    except FileProblem as problem:
        return Outcome({}, f"whole file: {problem}")
    layout = laid_out(table)
    if layout is None or (table.readings and table.read_as.startswith("CSV") and not reading):
        return Outcome({}, f"whole file: {table.remarks} {table.columns}")
    chosen = Choices(**{"id_column": layout.names[layout.columns["order_id"][0]], **choices})
    sources = list(read_orders(table, layout))
    found = without_duplicates(map(Judge(layout, chosen).assess, sources), chosen.id_column)
    batch_id = counter.begin(sources, layout, chosen)
    prepare(counter.batches, batch_id, found)
    counter.sender().run(batch_id)
    bodies = [json.loads(body) for body in counter.line.bodies]
    results = [f"{order.name}: {order.result}" for order in counter.batches.orders(batch_id)]
    return Outcome({body["order_id"]: body for body in bodies}, "\n".join([*layout.remarks, *results]))


NOTHING: Final[tuple[str, ...]] = ()
NO_PRODUCTS: Final = ("Shipping", "Versandkosten", "Sales tax", "Tip", "Gift card", "3-Year Protection Plan")
GIVEN: Final = {
    "decimal_comma_not_quoted.csv": (NOTHING, "row 2, whole row: the row has more cells"),
    "two_shops_one_number.csv":
        (NOTHING, "row 3, whole row: it has the number of an order above it, and another first_name"),
    "quotation_mark_never_closed.csv": (NOTHING, "From row 2 on, a quotation mark is missing"),
    "utf8_with_one_windows_byte.csv": ((MARA, TOBIAS), "Row 3: a letter that is not of the file's encoding"),
    "cells_with_formula_errors.xlsx": (NOTHING, "row 2, sku: “#N/A” is no content"),
    "zeros_kept_by_equals_and_quotes.csv": ((MARA,), "Row 2: read without the signs"),
    "line_breaks_as_x000D.xlsx": ((MARA,), ""), "refunded_and_voided_orders.csv": (("6599143014002",), "refunded"),
    "cancelled_says_no.csv": ((MARA, TOBIAS, INES), "cancelled"),
    "orders_in_another_currency.csv": (("6599143014002",), "in another currency"),
    "placeholder_phones.csv": (NOTHING, "its only phone is in doubt"),
    "prices_with_thousands_commas.csv": ((MARA, TOBIAS), "row 4 is left out: it costs nothing"),
    "hidden_sheet_before_the_orders.xlsx": ((MARA, TOBIAS), "Other sheets are not read: Lists"),
    "report_title_above_the_columns.csv": ((MARA, TOBIAS), "Rows 1, 2: above the names of the columns"),
    "saved_as_strict_open_xml.xlsx": ((MARA, TOBIAS), ""), "prices_with_currency_signs.csv": ((MARA, TOBIAS, INES), ""),
    "net_price_computed_shown_with_two_decimals.xlsx": ((MARA,), "read as its cell shows it"),
    "delivery_day_with_a_time.xlsx": ((MARA,), ""),
    "returned_lines_quantity_zero_or_below.csv": ((MARA,), "row 3 is left out: it has no units"),
    "only_the_shipping_address_is_filled.csv": (("6599143014002",), "is taken from its shipping address"),
    "countries_as_people_write_them.csv": ((MARA, TOBIAS, INES, KOFI), ""),
    "orders.json": (NOTHING, "This is JSON, not a table."),
}  # fmt: skip
"""For each file that was brought: the orders that are sent with what is proposed, and what is told."""

THREE: Final = rows({}, {"first_name": "Björk"}, {"city": "Málaga"})
SHIPPED: Final = {
    **dict.fromkeys(("Billing Name", "Billing Province", "Billing Country"), ""),
    "Shipping Name": "M L", "Shipping Province": "NY", "Shipping Country": "US",
}  # fmt: skip
ATTRIBUTES: Final = " ".join(f'spans{n}="1:14"' for n in range(40)).encode()
ABROAD: Final = (("Deutschland", "BE"), ("England", "England"))
HIDDEN_ROW: Final = workbook({}, {}, {}, look=lambda _book, sheet: sheet.set_row(2, None, None, {"hidden": True}))
HIDDEN_COLUMN: Final = workbook(
    {"phone": "12"}, look=lambda _book, sheet: sheet.set_column(8, 8, None, None, {"hidden": True})
)
SISTERS: Final[dict[str, tuple[bytes, tuple[str, ...], str]]] = {
    "a decimal comma before an empty last column":
        (raw(line(price="0").replace(",0,1,", ",899,99,1,") + ",", names=",".join([*ROW, "cancelled"])),
         NOTHING, "more cells"),
    "a comma in a title, without quotation marks": (raw(line(title="Lamp") + ",black"), NOTHING, "more cells"),
    "a text beside the table":
        (workbook({}, look=lambda _book, sheet: sheet.write(1, 16, "call her")), NOTHING, "more cells"),
    "a row that an order has twice": (rows({}, {"order_id": MARA}, {}), (INES,), "This row stands there twice"),
    "one number, another e-mail alone":
        (rows({}, {"order_id": MARA, "email": "tobias@example.com"}), NOTHING, "another email"),
    "a row without a number that names somebody":
        (rows({}, {"order_id": "", "first_name": "Tobias", "email": "tobias@example.com"}), (MARA,), "row 3, order_id"),
    "one number, another id in a second column":
        (rows(SOLD, {**SOLD, "Id": "7700", "Email": ""}, of=SOLD), NOTHING, "another Id"),
    "a quotation mark that is closed by nothing": (raw(line(title="X").replace("X", '"X')), NOTHING, "From row 2 on"),
    "rows of the file within a cell":
        (raw(line(title="X").replace("X", '"X\r\n' + line() + '"')), NOTHING, "From row 2 on"),
    "a file that ends within a letter": (THREE[: THREE.index("ö".encode()) + 1], NOTHING, "Letters are read as"),
    "a file that ends within a row": (rows({}, {})[:-20], (MARA,), "the file ends within this row"),
    "letters that were garbled before": (rows({"city": "MÃ¡laga"}), NOTHING, "“MÃ¡laga” has letters that were lost"),
    "a letter that is lost": (rows({"city": "M\ufffdlaga"}), NOTHING, "has letters that were lost"),
    "an error of a spreadsheet in Spanish": (rows({"sku": "#¡REF!"}), NOTHING, "row 2, sku: “#¡REF!” is no content"),
    "a column that was too narrow": (rows({"phone": "########"}), NOTHING, "row 2, phone"),
    "a formula whose result was not saved":
        (rewritten(workbook({}, look=lambda _book, sheet: sheet.write_formula(1, 2, "=A1", None, "")),
                   "xl/worksheets/sheet1.xml", b"<v></v>", b""), NOTHING, "row 2, title"),
    "digits that were lost":
        (rows({"order_id": "6.59914E+12"}), NOTHING, "row 2, order_id: “6.59914E+12” has lost digits"),
    "more digits than a spreadsheet keeps": (workbook({"order_id": 6599143014002123456}), NOTHING, "has lost digits"),
    "an id that became a float": (rows({"order_id": "6599143014002.0"}), ("6599143014002",), ""),
    "a repeated row of names":
        (raw(line(), ",".join(ROW), line(order_id=TOBIAS)), (MARA, TOBIAS), "Row 3: the names of the columns again"),
    "two tables in one file": (raw(line(), "Name,Email,Lineitem name,Lineitem sku,,,,,,,,,,"), NOTHING, "two tables"),
    "a total below": (raw(line(), "Total,,,89.50,,,,,,,,,,", "End of report"), (MARA,), "Rows 3, 4: totals or notes"),
    "a title of two cells above": (b"Shop,Linden\r\n\r\n" + rows({}), (MARA,), "Row 1: above the names of the columns"),
    "a hidden row": (HIDDEN_ROW, (MARA, INES), "Row 3: hidden, not read"),
    "a hidden row of a program that writes many attributes":
        (rewritten(HIDDEN_ROW, "xl/worksheets/sheet1.xml", b'<row r="3" spans="1:14" hidden="1"',
                   b'<row r="3" ' + ATTRIBUTES + b" hidden='true' " + ATTRIBUTES.replace(b"spans", b"other")),
         (MARA, INES), "Row 3: hidden, not read"),
    "a hidden column": (HIDDEN_COLUMN, (MARA,), "Hidden columns are not read: 9"),
    "a list before the orders":
        (workbook({}, sheets=("States", "Orders")), (MARA,), "Other sheets are not read: States"),
    "an empty fill":
        (rewritten(workbook({}), "xl/styles.xml", b'<fill><patternFill patternType="none"/></fill>', b"<fill/>"),
         (MARA,), ""),
    "a status in Spanish":
        (export(*({"Financial Status": said} for said in ("Reembolsado", "Parcialmente reembolsado", "Pagado"))),
         ("6599143011003",), "refunded in part"),
    "a status of another platform":
        (export({"Financial Status": "wc-failed"}, {"Financial Status": "completed"}), ("6599143011002",), "not paid"),
    "statuses as people name them": (
        export(*({"Financial Status": status} for status in STATUSES)),
        tuple(f"65991430110{n:02}" for n, status in enumerate(STATUSES, 1) if status in GOOD_STATUSES),
        "not paid or not finished",
    ),
    "a status that nobody here knows":
        (export({"Financial Status": "In Prüfung"}, {"Financial Status": "paid"}), ("6599143011002",),
         "its status is not known here"),
    "an amount refunded in part": (export({"Refunded Amount": "10.00"}, {}), ("6599143011002",), "refunded in part"),
    "cancelled in Spanish":
        (rows({"cancelled": "sí"}, {"cancelled": "no"}, {"cancelled": "0000-00-00 00:00:00"}),
         (TOBIAS, INES), "cancelled"),
    "one line of two is cancelled":
        (rows({"cancelled": "no"}, {"cancelled": "yes", "order_id": MARA, "sku": "TV-55"}),
         (MARA,), "row 3 is left out: cancelled"),
    "one line of two is cancelled, and only the shipping address is filled":
        (export({**SHIPPED, "Cancelled at": "no"},
                {**SHIPPED, "Cancelled at": "yes", "Name": "#1001", "Id": "6599143011001", "Lineitem sku": "TV-55"}),
         ("6599143011001",), "row 3 is left out: cancelled"),
    "the sign of another currency": (rows({"price": "89,50 €"}), NOTHING, "is in another currency than USD"),
    "another currency in words":
        (export({"Currency": "cad"}, {"Currency": "$"}), ("6599143011002",), "in another currency"),
    "a discount as a line":
        (rows({}, {"order_id": MARA, "sku": "OFF", "title": "Discount", "price": "-10.00"}),
         (MARA,), "row 3 is left out: it costs less than nothing"),
    "a line of 0 units in words of a program":
        (rows({}, {"quantity": "0.0"}, {"quantity": "-2"}), (MARA,), "it has no units"),
    "a state that is none": (rows({"state": "Texax"}), NOTHING, "“Texax” is no state of United States"),
    "a name turned round":
        (rows({"first_name": "Lindqvist, Mara", "last_name": ""}), (MARA,), "is read as Mara Lindqvist"),
    "a phone with an extension": (rows({"phone": "212-555-0100 x12"}), (MARA,), "extension"),
    "a phone that became a float": (rows({"phone": "2125550100.0"}, {"phone": "+1 212 555 0188"}), (MARA, TOBIAS), ""),
    "amounts in two readings": (rows({"price": "1,299"}), NOTHING, "can be read as"),
    "amounts with six decimals": (rows({"price": "899.991666"}), NOTHING, "more than two decimals"),
    "a quantity with a comma": (rows({"quantity": "2,0"}), NOTHING, "row 2, quantity"),
    "a day first": (rows({"delivery_date": "28/11/2026"}), NOTHING, "row 2, delivery_date"),
    "apostrophes before digits, and letters that cannot be seen":
        (rows({"sku": "'00412", "zip": "'02108", "state": "MA", "email": "mara\u200b@example.com"}),
         (MARA,), "Row 2: read without letters that cannot be seen"),
    "a formula with a quotation mark in its text": (rows({"title": '="Lamp 10"" wide"'}), (MARA,), "without the signs"),
    "other signs of a workbook's texts":
        (workbook({"title": "Lamp_x000a_grey", "address1": "4 Mill_x0009_Lane"}), (MARA,), ""),
    "a line break within a cell": (rows({"title": "Lamp\r\ngrey"}, {"address1": "4 Mill\nLane"}), (MARA, TOBIAS), ""),
    "a toll-free number as the only way": (rows({"email": "", "phone": "800-555-0199"}), NOTHING, "is in doubt"),
    "an empty fill with an end of its own":
        (rewritten(workbook({}), "xl/styles.xml", b'<fill><patternFill patternType="none"/></fill>', b"<fill ></fill>"),
         (MARA,), ""),
    "the own currency in letters": (rows({"price": "USD 89.50"}, {"price": "89.50$"}), (MARA, TOBIAS), ""),
    "a number that its cell rounds":
        (workbook({}, look=lambda book, sheet: sheet.write(1, 3, 899.4, book.add_format({"num_format": "0"}))),
         (MARA,), "read as its cell shows it"),
    "a day with a time behind it":
        (rows({"delivery_date": "2026-11-28T09:30:00Z"}, {"delivery_date": "2026/11/28 09:30"}), (MARA, TOBIAS), ""),
    "units in brackets": (rows({}, {"quantity": "(2)"}), (MARA,), "it has no units"),
    "a shipping address in words":
        (export({**SHIPPED, "Shipping Province": "Massachusetts", "Shipping Country": "United States"}),
         ("6599143011001",), "is taken from its shipping address"),
    "an e-mail of a mistyped provider":
        (rows({"email": "kim@gmial.com"}, {}), (TOBIAS,), "Did you mean kim@gmail.com?"),
    "no columns of a billing address":
        (rows({}, of={name: text for name, text in {**SOLD, **SHIPPED}.items() if not name.startswith("Billing")}),
         ("6599143014002",), "is taken from its shipping address"),
    "a billing name alone":
        (export({**SHIPPED, "Billing Name": "Mara Lindqvist"}), ("6599143011001",), "is taken from its shipping"),
    "no address at all": (export({**SHIPPED, "Shipping Country": ""}), NOTHING, "Billing Country"),
    "countries in other words":
        (rows({"country": "U.S.A."}, *({"country": name, "state": state} for name, state in ABROAD)),
         (MARA, TOBIAS, INES), ""),
    "states as people write them":
        (rows({"state": "N.Y."}, {"state": "Calif.", "zip": ""}, {"state": "PQ", "country": "Canada"}),
         (MARA, TOBIAS, INES), ""),
    "a list of objects behind a byte order mark": (b'\xef\xbb\xbf[{"order_id": "1"}]', NOTHING, "This is JSON"),
    "objects, a line each": (b'{"order_id": "1"}\n{"order_id": "2"}\n', NOTHING, "This is JSON"),
    "amounts in the usual formats of a workbook":
        (shown_as({}, {}, {}, column=3, of=((89.5, "#,##0.00"), (1299.99, "_($* #,##0.00_)"), (899.4, "$#,##0.00"))),
         (MARA, TOBIAS, INES), ""),
    "amounts whose format has another currency":
        (shown_as({}, {}, column=3, of=((89.5, '0.00\\ "€"'), (89, "#,##0 [$€-2]"))), NOTHING, "in another currency"),
    "codes with letters of their format":
        (shown_as({}, {}, column=1, of=((45, '"SKU-"0000'), (45, '0000"-B"'))), (MARA, TOBIAS), ""),
    "a code that became a date": (rows({"sku": "2026-03-10"}, {"title": "12:00:00"}), NOTHING, "is a date or a time"),
    "the phone of who gets the parcel":
        (rows({**SOLD, "Phone": "", "Shipping Phone": "+1 415 555 0188"}, of=SOLD), ("6599143014002",), ""),
    "a line whose order is hidden":
        (workbook({}, {"order_id": "B"}, {**dict.fromkeys(ROW, ""), "sku": "SOFA", "title": "Sofa", "price": "700"},
                  look=lambda _book, sheet: sheet.set_row(2, None, None, {"hidden": True})), (MARA,), "row 4"),
    "refunds as people write them":
        (export(*({"Refunded Amount": said} for said in ("$89.50", "-89.50", "(89.50)", "yes", "1,299", "0", "no"))),
         ("6599143011006", "6599143011007"), "refunded"),
    "a word before a name, and another title": (rows({"title": "Mr", "Product name": "Arc floor lamp"}),
                                                (MARA,), "Columns that are not read: title"),
    "a price of the line beside that of a unit":
        (rows({"quantity": "2", "price": "179.00", "Unit price": "89.50"}), (MARA,), "not read: price"),
    "columns that say the same in other words":
        (rows({"sku": "", "Product ID": "4711"}, {"city": "Chicago", "Billing City": ""}), (TOBIAS,), "it has no SKU"),
    "no line with the names of the columns": (raw(line(), names=line(order_id=TOBIAS)), NOTHING, "no line that names"),
    "letters that were garbled in part":
        (rows({"last_name": "GarcÃ\u00ada"}, {"city": "Ã\u0081vila"}, {"address1": "Straße 4, MÃ¼nchen"},
              {"last_name": "Oâ€™Neill"}), NOTHING, "has letters that were lost"),
    "letters that became question marks": (rows({"last_name": "M?ller"}), NOTHING, "has letters that were lost"),
    "letters as pages write them": (rows({"title": "55&quot; OLED<br />black &amp; white"}), (MARA,), "the signs"),
    "a salutation": (export({"Billing Name": "Frau Dr. Ada Byron"}), ("6599143011001",), "is read as Ada Byron"),
    "words for nothing": (rows({"last_name": "NULL", "phone": "n/a"}, {"title": "nan"}), (MARA,), "the signs"),
    "errors of another spreadsheet":
        (rows({"sku": "Err:502"}, {"title": "=VLOOKUP(A2;B)"}, {"sku": "4.00599E12"}), NOTHING, "row 3, title"),
    "lines that are no product":
        (rows({}, *({"order_id": MARA, "sku": f"X{n}", "title": title} for n, title in enumerate(NO_PRODUCTS))),
         (MARA,), "it looks like no product"),
    "another currency in a second row": (rows({"currency": "USD"}, {"order_id": MARA, "sku": "B", "currency": "CAD"}),
                                         NOTHING, "another currency"),
    "a ZIP of another state": (rows({"zip": "02108"}, {"zip": "2108", "state": "MA"}), (TOBIAS,), "This ZIP is one of"),
    "an e-mail that is made up": (rows({"email": "none@none.com"}), NOTHING, "looks made up"),
    "the marks of a scanner": (rows({"sku": "*LAMP-ARC*"}, {"sku": "]C1LAMP-ARC"}), (MARA, TOBIAS), ""),
    "a quantity that is missing": (rows({"quantity": ""}), (MARA,), "row 2 has no quantity"),
    "no day yet, and days in words":
        (rows({"delivery_date": "0000-00-00 00:00:00"}, {"delivery_date": "28-Nov-2026"},
              {"delivery_date": "Nov 28, 2026"}), (MARA, TOBIAS, INES), ""),
}  # fmt: skip
"""Two more of each kind: the file, the orders that are sent with what is proposed, and what is told."""

MEANT: Final[dict[str, dict[str, str]]] = {
    "zeros_kept_by_equals_and_quotes.csv": {"product_id": "0012345", "zip": "02108", "phone": "+12125550100"},
    "line_breaks_as_x000D.xlsx": {"product_title": "Sofa grey", "address1": "4 Mill Lane Rear building"},
    "utf8_with_one_windows_byte.csv": {"product_title": "Lámpara de pie | Lamp 10 – 20 W", "city": "Málaga | Albany"},
    "prices_with_currency_signs.csv": {"product_price": "89.50 | 1299.00 | 89.50"},
    "net_price_computed_shown_with_two_decimals.xlsx": {"product_price": "899.99"},
    "delivery_day_with_a_time.xlsx": {"product_delivery_date": "2026-11-28"},
    "returned_lines_quantity_zero_or_below.csv": {"quantity": "1"},
    "only_the_shipping_address_is_filled.csv": {"first_name": "Mara", "state": "NY", "zip": "12207"},
    "countries_as_people_write_them.csv": {"country_code": "IE | NL | TR | HK"},
    "states as people write them": {"province_code": "NY | CA | QC"},
    "a number that its cell rounds": {"product_price": "899.00"},
    "a day with a time behind it": {"product_delivery_date": "2026-11-28 | 2026-11-28"},
    "other signs of a workbook's texts": {"product_title": "Lamp grey"},
    "apostrophes before digits, and letters that cannot be seen":
        {"product_id": "00412", "zip": "02108", "email": "mara@example.com"},
    "a shipping address in words": {"state": "MA"},
    "a formula with a quotation mark in its text": {"product_title": 'Lamp 10" wide'},
    "amounts in the usual formats of a workbook": {"product_price": "89.50 | 1299.99 | 899.40"},
    "codes with letters of their format": {"product_id": "SKU-0045 | 0045-B"},
    "lines that are no product": {"product_id": "LAMP-ARC"},
    "the phone of who gets the parcel": {"phone": ""}, "a line whose order is hidden": {"product_id": "LAMP-ARC"},
    "a word before a name, and another title": {"product_title": "Arc floor lamp"},
    "a price of the line beside that of a unit": {"product_price": "89.50"},
    "letters as pages write them": {"product_title": '55" OLED black & white'}, "a salutation": {"first_name": "Ada"},
    "words for nothing": {"last_name": "", "phone": ""},
    "the marks of a scanner": {"product_id": "LAMP-ARC | LAMP-ARC"},
    "no day yet, and days in words": {"product_delivery_date": "2026-11-28 | 2026-11-28"},
}  # fmt: skip
"""What the bodies say, of each order, where the file means something that could be read otherwise."""


@pytest.mark.parametrize("name", [*GIVEN, *SISTERS])
def test_a_file_as_shops_bring_them_sends_what_was_meant_and_tells_the_rest(counter: Counter, name: str) -> None:
    content, sent, told = SISTERS[name] if name in SISTERS else ((INPUTS / name).read_bytes(), *GIVEN[name])
    outcome = imported(counter, content)
    assert sorted(outcome.sent) == sorted(sent)
    assert told in outcome.told
    for field, meant in MEANT.get(name, {}).items():
        assert outcome.said(field) == meant


DECIDED: Final[dict[str, tuple[bytes, dict[str, Any], str, str]]] = {
    "thousands": (rows({"price": "1,299"}), {"decimal_mark": "."}, "product_price", "1299.00"),
    "decimals by a comma":
        (rows({"price": "1,299"}), {"decimal_mark": ",", "rounded": "round"}, "product_price", "1.30"),
    "rounded": (rows({"price": "899.991666"}), {"rounded": "round"}, "product_price", "899.99"),
    "units": (rows({"quantity": "2,0"}), {"quantity_mark": ","}, "quantity", "2"),
    "the day": (rows({"delivery_date": "03/04/2026"}), {"dates": "day first"}, "product_delivery_date", "2026-04-03"),
    "the month":
        (rows({"delivery_date": "03/04/2026"}), {"dates": "month first"}, "product_delivery_date", "2026-03-04"),
    "a status that is not known here all the same":
        (export({"Financial Status": "In Prüfung"}), {"strange": "send"}, "first_name", "Mara"),
    "refunded all the same": (export({"Financial Status": "refunded"}), {"refunded": "send"}, "first_name", "Mara"),
    "another currency all the same": (export({"Currency": "CAD"}), {"other_currency": "send"}, "first_name", "Mara"),
    "a doubtful phone all the same":
        (rows({"email": "", "phone": "000-000-0000"}), {"doubtful_phone": "send"}, "phone", "+10000000000"),
    "a doubtful e-mail all the same":
        (rows({"email": "kim@gmial.com"}), {"mistyped_email": "send"}, "email", "kim@gmial.com"),
    "the billing name stays":
        (export({**SHIPPED, "Billing Name": "Mara Lindqvist"}), {"from_shipping": "take"}, "first_name", "Mara"),
    "no address of the shipping": (export(SHIPPED), {"from_shipping": "leave out"}, "first_name", ""),
    "a row twice, for two units": (rows({}, {"order_id": MARA}), {"doubled": "send"}, "quantity", "1 | 1"),
    "a row twice, for one unit": (rows({}, {"order_id": MARA}), {"doubled": "leave out"}, "quantity", "1"),
    "a name as it is":
        (rows({"first_name": "Lindqvist, Mara", "last_name": ""}),
         {"last_first": "as it is"}, "first_name", "Lindqvist, Mara"),
}  # fmt: skip


@pytest.mark.parametrize("name", DECIDED)
def test_a_question_for_the_file_is_answered_once_and_told_in_the_result(counter: Counter, name: str) -> None:
    content, choices, field, meant = DECIDED[name]
    outcome = imported(counter, content, **choices)
    assert outcome.said(field) == meant
    if choices.keys() & READERS.keys():
        assert "is read as" in outcome.told
