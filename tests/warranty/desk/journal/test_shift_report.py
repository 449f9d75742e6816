"""What a shift did, added up exactly."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import pypdfium2
from hypothesis import given
from hypothesis import strategies as st

from components.shop.shift_report.view import charted, figures, file_name, revenue_bars, shift_csv, shift_pdf, tables
from tests.builders import NOON, entry_of
from warranty.access import Station
from warranty.claims.analysis import Period
from warranty.desk.journal import Attempt, AttemptState, ItemLine, Operation, Result
from warranty.desk.journal.shift_report import Sold, shift_report
from warranty.settings import load_settings

BERLIN = ZoneInfo("Europe/Berlin")


def entry(
    operation: Operation, order_id: str = "o-1", *items: ItemLine, who: str = "staff", at: datetime = NOON, **more: Any
) -> Attempt:  # fmt: skip
    own = {"attempt_id": f"{operation}-{order_id}-{who}", "order_id": order_id, "started_at": at}
    return entry_of(operation, *items, **own, username=who, operator_name=who.title(), **more)


def order(order_id: str, **more: Any) -> Attempt:
    return entry("submit_order", order_id, **more)


def plan(months: int | None, price: str | None, quantity: int = 1) -> ItemLine:
    return ItemLine("TV", "TV", quantity, term_months=months, warranty_price=None if price is None else Decimal(price))


SHIFT: Sequence[Attempt] = (
    order("o-1"), order("o-2", who="manager"), order("o-3", result=Result(warrantable_products=False)),
    order("o-1", result=Result(already_known=True)),
    entry("record_sale", "o-1", plan(24, "79.99"), plan(12, "0.10", 3)),
    entry("record_sale", "o-1", plan(24, "5.01"), who="manager"), entry("record_sale", "old", plan(None, None)),
    entry("record_sale", "o-2", plan(24, "99.00"), state=AttemptState.REFUSED),
    entry("record_sale", "o-2", plan(24, "99.00"), state=AttemptState.UNKNOWN),
    entry("submit_order", "o-4", state=AttemptState.NOT_SENT), entry("notify_checkout", "o-1", who="manager"),
)  # fmt: skip


def test_orders_and_sales_are_counted_once_and_are_theirs_who_sold_whoever_entered_them() -> None:
    report = shift_report(SHIFT, zone=UTC)
    assert (report.orders, report.known_before) == (3, 1)
    assert (report.sales, report.checkouts, report.on_older_orders) == (3, 1, 1)
    assert (report.attach_rate.with_plan, report.attach_rate.orders) == (1, 2)
    assert report.attach_rate.percent == Decimal("50.0")
    assert shift_report([SHIFT[6]], zone=UTC).attach_rate.percent is None, "without an order there is no rate"
    assert (len(report.refused), len(report.not_sent), len(report.unknown)) == (1, 1, 1)
    sale = replace(SHIFT[4], at=Station(sold_by="manager", sold_by_name="Manager"))
    report = shift_report([*SHIFT[:4], sale, *SHIFT[5:]], zone=UTC)
    people = [(one.name, one.sales, one.sold.revenue) for one in report.people]
    assert people == [("Manager", 2, Decimal("85.30")), ("Staff", 1, Decimal(0))]
    assert {line.person for line, sold in report.sold_by_line.items() if sold.revenue} == {"Manager"}


def test_what_was_not_sold_was_declined_or_nobody_asked_and_a_plan_that_was_sold_all_the_same_is_sold() -> None:
    asked = [*SHIFT, order("o-5", who="manager"), order("o-6")]
    report = shift_report(asked, declined={"o-1", "o-2", "o-3", "o-5", "of-yesterday"}, zone=UTC)
    rate = report.attach_rate
    assert (rate.with_plan, rate.declined, rate.orders) == (1, 2, 4)
    assert figures(report, "USD")["Attach rate"] == "1 sold, 2 declined, 1 not asked"
    people = [(person.name, person.orders, person.declined) for person in report.people]
    assert people == [("Staff", 3, 0), ("Manager", 2, 2)]
    assert figures(shift_report(asked, zone=UTC), "USD")["Attach rate"] == "1 of 4", "a shop that never notes it"
    many = [order(f"o-{n}") for n in range(10, 30)]
    all_but_one = "0.0 %: 0 sold, 1 declined, 19 not asked"
    assert figures(shift_report(many, declined={"o-10"}, zone=UTC), "USD")["Attach rate"] == all_but_one


def test_what_nobody_knows_is_the_first_table_and_what_was_not_recorded_one_of_its_own_until_redone() -> None:
    lost = entry("notify_checkout", "o-9", state=AttemptState.NOT_RECORDED)
    sale = entry("record_sale", "o-9", state=AttemptState.NOT_RECORDED)
    report = shift_report([lost, sale], zone=UTC)
    assert [title for title, _, _ in tables(report)] == ["By person", "Not recorded"]
    assert (report.not_sent, report.not_recorded) == ([], [lost, sale])
    again = shift_report([lost, sale, entry("notify_checkout", "o-9")], redone={sale.attempt_id}, zone=UTC)
    assert again.not_recorded == []
    title, columns, rows = tables(shift_report(SHIFT, zone=UTC))[0]
    assert title == "Unknown"
    assert [dict(zip(columns, row, strict=True))["Amount"] for row in rows] == ["99.00"]
    (_, columns, _), *_ = tables(shift_report([order("o-1")], zone=UTC))
    assert columns == ("Person", "Orders")


def test_revenue_is_price_times_units_to_the_cent_and_people_stand_in_the_order_of_what_they_sold() -> None:
    report = shift_report(SHIFT, zone=UTC)
    assert report.sold.revenue == Decimal("85.30")
    assert (report.sold.plans, report.sold.unpriced) == (6, 1)
    by_term = [(term, sold.revenue) for (_product, term), sold in report.sold_by_product.items()]
    assert by_term == [(24, Decimal("85.00")), (12, Decimal("0.30")), (None, Decimal(0))]
    staff, manager = shift_report(SHIFT, zone=UTC).people
    assert (staff.name, staff.orders, staff.sales, staff.refused, staff.unknown) == ("Staff", 2, 2, 1, 1)
    assert (manager.name, manager.orders, manager.sales, manager.checkouts) == ("Manager", 1, 1, 1)
    assert manager.sold.revenue == Decimal("5.01")


def test_a_checkout_sells_once_however_often_it_was_sent_and_the_attach_rate_is_without_the_orders_of_a_file() -> None:
    checkout = entry("notify_checkout", "o-7", plan(24, None, 2), plan(12, "30.00"), who="manager")
    report = shift_report([*SHIFT, order("o-7"), checkout, replace(checkout, attempt_id="again")], zone=UTC)
    assert report.sold == Sold(plans=9, revenue=Decimal("115.30"), unpriced=3)
    assert {person.name: person.sold.plans for person in report.people} == {"Manager": 4, "Staff": 5}
    assert (report.attach_rate.with_plan, report.attach_rate.orders) == (2, 3)
    imported = [replace(order(f"web-{n}"), screen="import_orders") for n in range(2)]
    alone = entry("notify_checkout", "o-8", plan(24, "9.00"))
    rate = shift_report([*SHIFT, *imported, alone], zone=UTC).attach_rate
    assert (rate.with_plan, rate.orders) == (2, 3)


def test_a_day_is_a_day_of_the_one_who_looks() -> None:
    late = replace(SHIFT[4], started_at=datetime(2026, 11, 21, 23, 30, tzinfo=UTC))
    assert list(shift_report([late], zone=BERLIN).sold_by_day) == [date(2026, 11, 22)]
    assert list(shift_report([late], zone=UTC).sold_by_day) == [date(2026, 11, 21)]
    assert [list(shift_report([late], zone=zone).sold_by_hour) for zone in (BERLIN, UTC)] == [[0], [23]]
    title, bars = charted(shift_report([late], zone=UTC))
    assert (title, [hour for hour, _ in bars]) == ("Revenue by hour", ["21:00", "22:00", "23:00"])


@given(st.lists(st.tuples(
    st.sampled_from([12, 24, 36, None]), st.decimals(min_value=0, max_value=10_000, places=2), st.integers(1, 20),
    st.sampled_from(["staff", "manager", "third"]), st.integers(0, 72),
), max_size=20))  # fmt: skip
def test_every_breakdown_adds_up_to_the_whole(sales: list[tuple[int | None, Decimal, int, str, int]]) -> None:
    entries = [
        entry("record_sale", f"o-{n}", plan(term, str(price), units), who=who, at=NOON + timedelta(hours=at))
        for n, (term, price, units, who, at) in enumerate(sales)
    ]
    report = shift_report(entries, zone=BERLIN)
    by_person = {person.name: person.sold for person in report.people}
    whole = sum((price * units for _, price, units, _, _ in sales), Decimal(0))
    for parts in (report.sold_by_line, report.sold_by_product, report.sold_by_day, report.sold_by_hour, by_person):
        assert sum((sold.revenue for sold in parts.values()), Decimal(0)) == report.sold.revenue == whole
        assert sum(sold.plans for sold in parts.values()) == report.sold.plans


def test_a_file_named_by_its_days_has_a_row_for_each_person_product_and_term_and_the_chart_the_same_amounts() -> None:
    report = shift_report(SHIFT, declined={"o-2"}, zone=UTC)
    assert shift_csv(report, "USD").decode("utf-8-sig").replace('"', "").splitlines() == [
        "person,product,term_months,plans,revenue,currency,plans_without_price,declined,to_check",
        "Staff,TV,24,1,79.99,USD,0,0,0", "Staff,TV,12,3,0.30,USD,0,0,0", "Manager,TV,24,1,5.01,USD,0,0,0",
        "Staff,TV,,1,0,USD,1,0,0", "Manager,,,0,0,USD,0,1,0", "Staff,,,0,0,USD,0,0,1",
    ]  # fmt: skip
    _title, hours = charted(report)
    (bars,) = revenue_bars(hours, "USD")["data"]
    assert dict(zip(bars["x"], bars["text"], strict=True))["12:00"] == "85.30"
    day, later = date(2026, 11, 17), date(2026, 11, 23)
    assert file_name(Period(later, later)) == "shift-report-2026-11-23"
    assert file_name(Period(day, later)) == "shift-report-2026-11-17-to-2026-11-23"
    assert file_name(None) == "shift-report-all-days"


def test_the_report_on_paper_has_all_tables_and_says_what_it_covers() -> None:
    report = shift_report(SHIFT, zone=UTC)
    printed = [(title, columns, rows) for title, columns, rows in tables(report) if not title.startswith("(")]
    settings = load_settings({"WARRANTY_SHOP_NAME": "Möbel & Söhne"})
    pdf = shift_pdf(report, printed, settings, days="21 Nov 2026", made="now")
    document = pypdfium2.PdfDocument(pdf)
    text = "\n".join(page.get_textpage().get_text_range() for page in document)
    parts = ("By product", "By person", "Refused", "Unknown")
    for words in ("Möbel & Söhne", "Training – not valid", "85.30 USD", "1 of 2", *parts):
        assert words in text
    assert "recorded at this desk" in text.replace("\r\n", " ")
