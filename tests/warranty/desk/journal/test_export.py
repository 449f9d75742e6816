"""The activity as a file: exact, and harmless in a spreadsheet."""

import csv
import io
from dataclasses import replace
from decimal import Decimal

from tests.warranty.desk.journal.test_shift_report import NOON, entry, plan
from warranty.desk.journal import Attempt, AttemptState, Result, Settlement
from warranty.desk.journal.export import attempts_csv
from warranty.errors import Failure


def rows(*attempts: Attempt) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(attempts_csv(attempts).decode())))


def test_each_line_that_was_sent_has_a_row() -> None:
    sale = entry("record_sale", "0001", plan(24, "79.90"), replace(plan(12, "5.00", 3), title="Lamp"))
    television, lamp = rows(replace(sale, result=Result(returned_id="64fa")))
    assert (television["order_id"], television["term_months"]) == ("0001", "24")
    assert television["warranty_price"] == "79.90"
    assert (lamp["title"], lamp["quantity"], lamp["returned_id"]) == ("Lamp", "3", "64fa")
    assert television["started_at"] == "2026-11-21T12:00:00+00:00"


def test_an_attempt_without_lines_has_a_row_with_its_settlement() -> None:
    failure = Failure("RequestRefused", "record_sale", "a", 400, True, ("First.", "Second."))
    unsent = replace(entry("record_sale"), state=AttemptState.NOT_RECORDED)
    (row,) = rows(replace(unsent, settled=Settlement(False, "manager", "Maya", NOON), failure=failure))
    assert (row["state"], row["settled_by_name"]) == ("not_recorded", "Maya")
    assert (row["settled_as"], row["service_words"]) == ("not recorded", "First.; Second.")


def test_nothing_in_it_runs_in_a_spreadsheet() -> None:
    evil = replace(plan(24, "1.00"), title="=HYPERLINK(1)", product_id="@SUM(A1)", price=Decimal("2.00"))
    (row,) = rows(replace(entry("record_sale", "+1-2", evil), operator_name="-2+3"))
    cells = (row["title"], row["product_id"], row["order_id"], row["operator_name"])
    assert cells == ("'=HYPERLINK(1)", "'@SUM(A1)", "'+1-2", "'-2+3")
