"""Files as people hand them over, and as somebody who means harm would."""

import io
import time
import tracemalloc
import zipfile
from collections.abc import Callable

import pytest
import xlsxwriter

from tests.warranty.files.conftest import workbook
from warranty.files.table_files import LARGEST_FILE, read_table
from warranty.files.tables import FileProblem


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
def test_a_csv_is_read_in_whatever_encoding_and_separator_it_is(encoding: str, separator: str) -> None:
    text = separator.join(["Título", "Preis"]) + "\r\n" + separator.join(["Café “rond”", "1.299,00"]) + "\r\n"
    text = text.replace("1.299,00", '"1.299,00"')
    table = read_table(text.encode(encoding))
    assert (table.columns, table.rows[0].cells) == (("Título", "Preis"), ("Café “rond”", "1.299,00"))


@pytest.mark.parametrize("reading", ["cp1252", "mac-roman", "cp850"])
def test_letters_are_read_as_the_person_chose_whichever_is_likelier(reading: str) -> None:
    content = "sku,title\nA,Café\n".encode("cp1252")
    table = read_table(content, reading=reading)
    assert table.rows[0].cells[1] == content.decode(reading)[-5:-1]
    assert {"cp1252", "mac-roman", "cp850"} <= table.readings.keys()


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_a_csv_with_every_cell_in_quotation_marks_is_split_at_its_own_mark(separator: str) -> None:
    text = "\n".join(separator.join(f'"{cell}"' for cell in row) for row in [("sku", "title"), ("A", "x; y, z")])
    assert read_table(text.encode()).rows[0].cells == ("A", "x; y, z")


def test_rows_keep_a_spreadsheets_numbers_empty_ones_are_passed_over_and_short_ones_filled() -> None:
    table = read_table('a,b\n\n"x\ny",2\n,\n3,4\n\u200b,\n'.encode())
    assert [(row.number, row.cells) for row in table.rows] == [(3, ("x\ny", "2")), (5, ("3", "4"))]
    assert read_table(b" a , b , c \n1\n").rows[0].cells == ("1", "", "")


def test_a_workbook_gives_numbers_with_their_zeros_as_the_person_sees_them_and_formulas_as_last_shown() -> None:
    table = read_table(workbook([["id", "price", "text"], [6599143014002, 899.99, "=1+1 Ring"], [1, 0.1 + 0.2, "a"]]))
    assert (table.rows[0].cells, table.rows[1].cells) == (("6599143014002", "899.99", "=1+1 Ring"), ("1", "0.3", "a"))
    assert not table.remarks
    table = read_table(workbook([["a", "b"]], formula="=6*7"))
    assert [str(remark) for remark in table.remarks] == ["Row 2: a formula, read as its result was last saved"]
    assert table.rows[0].cells[0] == "42"
    content = io.BytesIO()
    with xlsxwriter.Workbook(content, {"in_memory": True}) as book:
        sheet = book.add_worksheet()
        sheet.write_row(0, 0, ["zip", "zip+4", "price", "plain"])
        for column, number_format in enumerate(["00000", "00000\\-0000", "0.00", "0"]):
            sheet.write(1, column, 21081234 if column == 1 else 2108, book.add_format({"num_format": number_format}))
    assert read_table(content.getvalue()).rows[0].cells == ("02108", "02108-1234", "2108", "2108")


def zipped(**files: bytes) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return content.getvalue()


def entities() -> bytes:
    """A workbook whose sheet is a billion laughs."""
    good = zipfile.ZipFile(io.BytesIO(workbook([["a", "b"], ["1", "2"]])))
    many = b"".join(b'<!ENTITY %c "%s">' % (98 + n, b"&%c;" % (97 + n) * 10) for n in range(9))
    laughs = b'<!DOCTYPE x [<!ENTITY a "ha">' + many
    parts = {name: good.read(name) for name in good.namelist()}
    texts = parts["xl/sharedStrings.xml"].replace(b"<sst", laughs + b"]><sst").replace(b"<t>1<", b"<t>&j;<")
    return zipped(**{**parts, "xl/sharedStrings.xml": texts})


@pytest.mark.parametrize(("content", "sentence"), [
    (b"", "empty"), (b"\r\n \t\n", "empty"), (b"\xef\xbb\xbf", "no table|empty|fewer than two"),
    (b"a,b\n", "no row below"), (b"just one line of words", "fewer than two columns"), (b"%PDF-1.7 ...", "PDF"),
    (b"\x89PNG\r\n\x1a\n....", "picture"), (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "old Excel"),
    (b"<!DOCTYPE html><html><body>Sign in</body></html>", "web page"), (b"MZ" + bytes(range(256)) * 20, "program"),
    (bytes(range(256)) * 40, "not a table"), (b"PK\x03\x04 broken", "damaged"),
    (zipped(**{"word/document.xml": b"<w/>"}), "another office document"),
    (zipped(**{"xl/workbook.xml": b"not xml"}), "cannot be read"),
    (b"a,b\n" + b"1,2\n" * 25_000, "more than 20,000 rows"), (b"a,b\n" + b"\n" * 100_000, "more than 20,000 rows"),
    (b"a,b\n1,\"" + b"x" * 300_000 + b"\n", "quotation mark"), (b"a;" * 400 + b"\n" + b"1;" * 400, "columns"),
])  # fmt: skip
def test_what_is_no_usable_table_gets_a_sentence(content: bytes, sentence: str) -> None:
    with pytest.raises(FileProblem, match=sentence):
        read_table(content)


@pytest.mark.parametrize(
    "write", [lambda text: f"a,b\n1,{text}\n".encode(), lambda text: workbook([["a", "b"], ["1", text]])]
)
def test_a_cell_is_kept_whole_or_refused_never_cut(write: Callable[[str], bytes]) -> None:
    assert read_table(write("x" * 20_000)).rows[0].cells == ("1", "x" * 20_000)
    with pytest.raises(FileProblem, match=r"Row 2 holds a text of more than 20,000 characters\."):
        read_table(write("x" * 20_001))


def test_a_bomb_and_a_billion_laughs_are_refused_in_little_time_and_memory() -> None:
    hostile = {
        "bomb": zipped(**{"xl/workbook.xml": b"<w/>", "xl/worksheets/sheet1.xml": b"\0" * 300 * 1024 * 1024}),
        "laughs": entities(), "50 MB": b"a,b\n" + b"1,2\n" * (50 * 1024 * 1024 // 4),
        "a million rows": b"a,b\n" + b"12345,67890\n" * 1_000_000,
    }  # fmt: skip
    assert len(hostile["a million rows"]) < LARGEST_FILE
    for name, content in hostile.items():
        tracemalloc.start()
        started = time.perf_counter()
        with pytest.raises(FileProblem):
            read_table(content)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert time.perf_counter() - started < 5, name
        assert peak < 60 * 1024 * 1024, name
