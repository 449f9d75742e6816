"""Small workbooks that grow without end are refused before they are read (docs/security.md: L9)."""

import io
import zipfile
from collections.abc import Iterator
from itertools import chain

import pytest

from warranty.files import workbooks
from warranty.files.table_files import read_table
from warranty.files.tables import FileProblem

WORKBOOK = (
    '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">'
    '<sheets><sheet name="a" sheetId="1" r:id="rId1"/></sheets></workbook>'
)
LONG = "x" * 20_000


def workbook(**parts: Iterator[str]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        archive.writestr("xl/workbook.xml", WORKBOOK)
        for name, texts in parts.items():
            with archive.open(name.replace("__", "/") + ".xml", "w") as part:
                for text in texts:
                    part.write(text.encode())
    return packed.getvalue()


@pytest.mark.parametrize(
    ("part", "texts"),
    [
        ("xl__sharedStrings", (f"<si><t>{LONG}</t></si>" for _ in range(7_000))),
        ("xl__sharedStrings", ("<si><t>x</t></si>" * 1_000 for _ in range(3_000))),
        ("xl__worksheets__sheet1", ("<c><v>1</v></c>" * 300 for _ in range(20_000))),
        ("xl__styles", ("<xf/>" * 1_000 for _ in range(10_000))),
        ("xl__worksheets__sheet1", chain(["<row"], (f' a{n}=""' for n in range(100_000)), [">"])),
        ("xl__worksheets__sheet1", chain(["<row a='>"], [LONG] * 100, ["'/>"])),
        ("xl__worksheets__sheet1", chain(["<row"], (f" a{n}='{LONG[:520]}'" for n in range(1_900)), ["/>"])),
        ("xl__worksheets__sheet1", chain(["<row/><!--"], ["<" + LONG[:1000]] * 100, ["--><row/>"])),
        ("xl__worksheets__sheet1", chain(["<row/><?a"], ["<" + LONG[:1000]] * 100)),
        ("xl__worksheets__sheet1", iter(["\ufeff \0<row/>"])),
    ],
    ids=[
        *("long strings", "many strings", "many cells", "many styles", "many attributes of a tag"),
        *("a long attribute", "many long attributes", "a long comment", "an instruction without an end", "in UTF-16"),
    ],
)
def test_a_small_workbook_that_holds_millions_of_things_is_refused_unread(
    part: str, texts: Iterator[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    content = workbook(**{part: texts})
    monkeypatch.setattr(workbooks, "load_workbook", pytest.fail)
    assert len(content) < 1_000_000
    with pytest.raises(FileProblem, match="holds more than a list of orders does"):
        read_table(content)
