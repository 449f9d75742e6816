"""A file of plans sold is taken whole, or not at all: each fault stands with its row and the rule."""

import io
from datetime import date, datetime
from typing import Any

import pytest
import xlsxwriter

from warranty.files.tables import FileProblem
from warranty.insight.plans.plans_file import PlansFile, read_plans

TODAY = date(2026, 11, 22)


def read(text: str) -> PlansFile:
    return read_plans(text.encode(), today=TODAY)


def test_months_are_read_as_months_and_as_dates_and_products_letter_by_letter() -> None:
    file = read("Month;Product name;Plans\n2026-09;Kettle;12\n2026-10-01;Kettle;0\n2026-11;kettle ;3\n")
    assert file.faults == ()
    assert dict(file.plans) == {("2026-09", "Kettle"): 12, ("2026-10", "Kettle"): 0, ("2026-11", "kettle"): 3}


def test_a_workbooks_dates_and_numbers_are_read_as_they_are_shown() -> None:
    content = io.BytesIO()
    book = xlsxwriter.Workbook(content, {"in_memory": True, "default_date_format": "mmm yy"})
    sheet = book.add_worksheet()
    rows: list[list[Any]] = [["month", "product", "plans"], [datetime(2026, 9, 1), "Kettle", 12]]  # noqa: DTZ001
    for number, row in enumerate(rows):
        sheet.write_row(number, 0, row)
    book.close()
    assert dict(read_plans(content.getvalue(), today=TODAY).plans) == {("2026-09", "Kettle"): 12}


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ("Oct-26,Kettle,1", "Row 3 has no month: write YYYY-MM or a date such as 2026-10-01, not “Oct-26”."),
        ("2026-13,Kettle,1", "Row 3 has no month"),
        ("2026-12,Kettle,1", "Row 3 is of a month to come (2026-12)"),
        ("2026-09,,1", "Row 3 names no product"),
        ("2026-09,Kettle,-1", "Row 3 has no number of plans: write a whole number, 0 or more"),
        ("2026-09,Kettle,1.5", "Row 3 has no number of plans"),
        ('2026-09,Kettle,"1,204"', "in digits alone, not “1,204”"),
        ("2026-09,Kettle,٣", "Row 3 has no number of plans"),
        ("2026-10-31,Kettle,4", "Row 3 repeats the month and the product of row 2"),
    ],
)
def test_each_fault_is_named_by_its_row_with_the_rule(row: str, fault: str) -> None:
    file = read(f"month,product,plans\n2026-10,Kettle,12\n{row}\n")
    assert len(file.faults) == 1
    assert fault in file.faults[0]


def test_what_is_no_such_table_is_a_problem_in_words() -> None:
    with pytest.raises(FileProblem, match="needs the columns month, product, plans; this file lacks plans"):
        read("month,product\n2026-10,Kettle\n")
    with pytest.raises(FileProblem, match="is empty"):
        read("")
