"""The activity as a file: exact, and harmless in a spreadsheet."""

import csv
import io
from dataclasses import replace
from decimal import Decimal

from tests.warranty.journal.test_shift_report import entry, plan
from warranty.errors import Failure
from warranty.journal import AttemptState, Settlement
from warranty.journal.export import attempts_csv


def rows(*attempts: object) -> list[dict[str, str]]:
    content = attempts_csv(attempts, bom=True)  # type: ignore[arg-type]
    assert content.startswith(b"\xef\xbb\xbf")
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))


def test_each_line_that_was_sent_has_a_row() -> None:
    sale = entry("record_sale", "0001", plan(24, "79.90"), replace(plan(12, "5.00", 3), title="Lamp"))
    television, lamp = rows(replace(sale, returned_id="64fa"))
    assert (television["order_id"], television["warranty_price"], television["term_months"]) == (
        "0001",
        "79.90",
        "24",
    )
    assert (lamp["title"], lamp["quantity"], lamp["returned_id"]) == ("Lamp", "3", "64fa")
    assert television["started_at"] == "2026-11-21T12:00:00+00:00"


def test_an_attempt_without_lines_is_not_lost_and_its_settlement_is_told() -> None:
    settled = Settlement(
        recorded=False, username="manager", operator_name="Maya", settled_at=entry("record_sale").started_at
    )
    failure = Failure("RequestRefused", "record_sale", "a", 400, True, ("First.", "Second."))
    unsent = replace(entry("record_sale"), state=AttemptState.NOT_RECORDED)
    (row,) = rows(replace(unsent, settled=settled, failure=failure))
    assert (row["state"], row["settled_by_name"], row["settled_as"], row["service_words"]) == (
        "not_recorded",
        "Maya",
        "not recorded",
        "First.; Second.",
    )


def test_nothing_in_it_runs_in_a_spreadsheet() -> None:
    evil = replace(plan(24, "1.00"), title="=HYPERLINK(1)", product_id="@SUM(A1)", price=Decimal("2.00"))
    (row,) = rows(replace(entry("record_sale", "+1-2", evil), operator_name="-2+3"))
    assert row["title"] == "'=HYPERLINK(1)"
    assert row["product_id"] == "'@SUM(A1)"
    assert row["order_id"] == "'+1-2"
    assert row["operator_name"] == "'-2+3"
