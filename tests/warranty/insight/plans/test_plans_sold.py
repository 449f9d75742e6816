"""Plans sold as a base: by files, month by month, or as recorded at this desk; each says what it does not know."""

import io
from datetime import date, datetime, timedelta
from typing import Any

import pytest
import xlsxwriter

from tests.warranty.claims.analysis.test_starts import SOME
from tests.warranty.conftest import Clock
from tests.warranty.desk.journal.intents import MakeIntent, ended
from warranty.access import Operator
from warranty.claims.analysis.starts import StartTable
from warranty.desk.journal import AttemptState, ItemLine, Journal
from warranty.errors import PermissionDenied
from warranty.files.tables import FileProblem
from warranty.insight.insight import Insight
from warranty.insight.plans.plans_file import PlansFile, read_plans
from warranty.insight.plans.plans_sold import PlansSold, exposed, unmatched

OLD = {("2026-09", "Kettle"): 10, ("2026-10", "Kettle"): 20, ("2026-10", "Gas grill"): 5}


def test_a_file_replaces_its_own_months(insight: Insight, manager: Operator, journal: Journal, clock: Clock) -> None:
    kept = insight.plans_sold(manager)
    kept.replace(OLD, file_name="first.csv")
    clock.advance(timedelta(days=1))
    kept.replace({("2026-10", "Kettle"): 21, ("2026-11", "Kettle"): 1}, file_name="second.csv")
    plans = {month: count for (month, _), count in kept.by_files().plans.items()}
    assert plans == {"2026-09": 10, "2026-10": 21, "2026-11": 1}
    first, second, third = kept.rows()
    assert (first.file_name, first.username) == ("first.csv", manager.username)
    assert (second.file_name, second.imported_at, third.imported_at) == ("second.csv", clock.now, clock.now)
    assert dict(PlansSold.load(journal.database, "staging").plans) == {}


def test_plans_are_given_by_month_or_not_at_all() -> None:
    sold = PlansSold(OLD, frozenset({"2026-09", "2026-10"}), "plans sold")
    assert _of(sold, "Gas grill", "2026-09", "2026-10") == [0, 5]
    assert _of(sold, None, "2026-09", "2026-10") == [10, 25]
    assert sold.of("Kettle", ["2026-08", "2026-09"]) is None, "of August nothing is known"
    assert sold.of("kettle", ["2026-09"]) is None, "another name"


def test_sales_recorded_here_are_plans_by_month_and_title_and_name_their_orders(
    *, insight: Insight, clerk: Operator, manager: Operator, journal: Journal, intent: MakeIntent, clock: Clock
) -> None:
    with pytest.raises(PermissionDenied, match="see trends"):
        insight.plans_sold(clerk)
    two, one = ItemLine("Kettle", "K", 2), ItemLine("Lamp", "L", 1)
    ended(journal, intent(operation="record_sale", order_id="o-1", items=(two, one)), AttemptState.DONE)
    ended(journal, intent(operation="record_sale", order_id="o-2", items=(two,)), AttemptState.REFUSED)
    for _sent in range(2):
        ended(journal, intent(operation="notify_checkout", order_id="o-3", items=(one,)), AttemptState.DONE)
    clock.advance(timedelta(days=40))
    sold = insight.plans_sold(manager).recorded_here()
    assert dict(sold.plans) == {("2026-11", "Kettle"): 2, ("2026-11", "Lamp"): 2}
    assert sold.months == {"2026-11", "2026-12"}, "a month without a sale has 0 plans"
    assert sold.orders == frozenset({"o-1", "o-3"})
    assert "plans bought on the landing page" in sold.leaves_out


def _of(sold: PlansSold, product: str | None, *months: str) -> list[int]:
    plans = sold.of(product, months)
    assert plans is not None
    return [int(count) for count in plans]


TODAY = date(2026, 11, 22)


def read(text: str) -> PlansFile:
    return read_plans(text.encode(), today=TODAY)


def test_months_are_read_as_months_and_as_dates_also_of_a_workbook_and_products_letter_by_letter() -> None:
    file = read("Month;Product name;Plans;Shop\n2026-09;Kettle;12;A\n2026-10-01;Kettle;0\n2026-11;kettle ;3\n")
    assert (file.faults, file.read_as.split(". ")[1:]) == ((), ["Columns that are not read: Shop"])
    assert dict(file.plans) == {("2026-09", "Kettle"): 12, ("2026-10", "Kettle"): 0, ("2026-11", "kettle"): 3}
    content = io.BytesIO()
    book = xlsxwriter.Workbook(content, {"in_memory": True, "default_date_format": "mmm yy"})
    sheet = book.add_worksheet()
    rows: list[list[Any]] = [["month", "product", "plans"], [datetime(2026, 9, 1), "Kettle", 12]]  # noqa: DTZ001
    for number, row in enumerate(rows):
        sheet.write_row(number, 0, row)
    book.close()
    assert dict(read_plans(content.getvalue(), today=TODAY).plans) == {("2026-09", "Kettle"): 12}


@pytest.mark.parametrize(("row", "fault"), [
    ("Oct-26,Kettle,1", "Row 3 has no month: write YYYY-MM or a date such as 2026-10-01, not “Oct-26”."),
    ("2026-13,Kettle,1", "Row 3 has no month"), ("2026-12,Kettle,1", "Row 3 is of a month to come (2026-12)"),
    ("2026-09,,1", "Row 3 names no product"),
    ("2026-09,Kettle,-1", "Row 3 has no number of plans: write a whole number, 0 or more"),
    ("2026-09,Kettle,1.5", "Row 3 has no number of plans"), ('2026-09,Kettle,"1,204"', "in digits alone, not “1,204”"),
    ("2026-09,Kettle,٣", "Row 3 has no number of plans"),
    ("2026-10-31,Kettle,4", "Row 3 repeats the month and the product of row 2"),
])  # fmt: skip
def test_each_fault_is_named_by_its_row_with_the_rule(row: str, fault: str) -> None:
    file = read(f"month,product,plans\n2026-10,Kettle,12\n{row}\n")
    assert len(file.faults) == 1
    assert fault in file.faults[0]


def test_what_is_no_such_table_is_a_problem_in_words() -> None:
    with pytest.raises(FileProblem, match="needs the columns month, product, plans; this file lacks plans"):
        read("month,product\n2026-10,Kettle\n")
    with pytest.raises(FileProblem, match="is empty"):
        read("")


TABLE = StartTable.of(SOME, as_of=date(2026, 11, 22), first=date(2026, 6, 1))
PLANS = {("2026-06", "Kettle"): 40, ("2026-09", "Gas grill"): 5, ("2026-10", "Toaster"): 9, ("2020-01", "Iron"): 2}
SOLD = PlansSold(PLANS, frozenset({"2026-06", "2026-09", "2026-10"}), "plans sold")


def test_claims_count_beside_plans_of_their_own_product_and_month_and_names_of_one_side_are_listed() -> None:
    kettle = exposed(TABLE, SOLD, "Kettle")
    assert (kettle.plans.tolist(), kettle.claims[0].tolist()) == ([40, 0, 0, 0, 0], [1, 0, 0, 0, 0])
    assert kettle.left_out == 2, "both of September"
    every = exposed(TABLE, SOLD)
    assert every.plans.tolist() == [40, 0, 0, 5, 9]
    assert (int(every.claims.sum()), every.left_out) == (1, 3)
    assert not exposed(TABLE, SOLD, "kettle").plans.any()
    claims, plans = unmatched(TABLE, SOLD)
    assert dict(claims) == {}
    assert dict(plans) == {"Toaster": 9}
    only_toasters = PlansSold({("2026-10", "Toaster"): 9}, frozenset({"2026-10"}), "plans sold")
    assert dict(unmatched(TABLE, only_toasters)[0]) == {"Kettle": 3, "Gas grill": 1}
