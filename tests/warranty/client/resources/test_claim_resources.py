"""Claims: the query's own form, and times with and without a zone kept apart."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from warranty.client.resources import ClaimPage, ClaimQuery, ClaimRecord, problems

START, END = datetime.fromisoformat("2026-01-01"), datetime.fromisoformat("2026-01-31T23:59:59.999999")
RECORD: dict[str, Any] = {
    "claim_date": "2026-03-01T09:30:00.123456", "description": "The screen stays dark.\nSince Monday.",
    "order_date": "2025-11-02T10:00:00+02:00", "order_id": "9f2c", "product_name": "55in OLED TV",
    "status": "RESOLVED", "warranty_id": "64fa", "warranty_start_date": "2025-11-02T08:00:00Z",
}  # fmt: skip


def test_a_query_is_sent_in_the_interfaces_own_form_and_without_filters_as_an_empty_object() -> None:
    query = ClaimQuery(claim_dates=(START, END), warranty_start_dates=(START, START), customer_email="ada@example.com")
    assert query.model_dump(mode="json", by_alias=True, exclude_none=True) == {
        "claimDateRange": {"startDate": "2026-01-01T00:00:00.000000", "endDate": "2026-01-31T23:59:59.999999"},
        "warrantyStartDateRange": {"startDate": "2026-01-01T00:00:00.000000", "endDate": "2026-01-01T00:00:00.000000"},
        "customerEmail": "ada@example.com",
    }
    assert ClaimQuery().body() == b"{}"


@given(st.lists(st.datetimes(), min_size=2, max_size=2).map(sorted))
def test_any_range_is_read_back_from_what_is_sent(moments: list[datetime]) -> None:
    query = ClaimQuery(claim_dates=(moments[0], moments[1]))
    assert ClaimQuery.model_validate_json(query.body()) == query


@pytest.mark.parametrize(("fields", "sentence"), [
    ({"claim_dates": (END, START)}, "first time is after the last"),
    ({"warranty_start_dates": (END, START)}, "first time is after the last"),
    ({"claim_dates": (START.replace(tzinfo=UTC), END)}, "without a zone"),
    *(({"claimDateRange": no_range}, "") for no_range in (
        {"startDate": "2026-01-01T00:00:00.000000"}, {"startDate": "2026-01-01", "endDate": "2026-02-01"},
        {"startDate": "2026-01-01T00:00:00Z", "endDate": "2026-02-01T00:00:00Z"}, {"startDate": 0, "endDate": 1},
        "2026", [START], [START, None],
    )),
    *(({"customer_email": email}, "") for email in ("ada", "ada@", "a b@example.com")),
])  # fmt: skip
def test_a_range_that_is_none_a_zone_and_an_odd_email_are_refused(fields: dict[str, object], sentence: str) -> None:
    with pytest.raises(ValidationError) as refused:
        ClaimQuery.model_validate(fields)
    [problem] = problems(refused.value)
    assert sentence in problem.message


@pytest.mark.parametrize("nothing", ["", "  ", None])
def test_an_empty_email_is_no_filter(nothing: str | None) -> None:
    assert ClaimQuery(customer_email=nothing) == ClaimQuery()


def test_a_claim_date_has_no_zone_other_dates_keep_theirs_any_word_is_a_status_and_what_was_received_stays() -> None:
    record = ClaimRecord.model_validate(RECORD)
    assert record.claim_date == datetime.fromisoformat("2026-03-01T09:30:00.123456")
    assert record.order_date == datetime(2025, 11, 2, 10, tzinfo=timezone(timedelta(hours=2)))
    assert record.order_date.utcoffset() == timedelta(hours=2)
    record = ClaimRecord.model_validate(RECORD | {"status": "awaiting Parts ⏳", "severity": 3})
    assert record.status == "awaiting Parts ⏳"
    assert not hasattr(record, "severity")
    page = ClaimPage.model_validate({"data": [RECORD], "page": 1, "per_page": 50, "total_count": 6, "next": None})
    assert page.total_count == 6
    with pytest.raises(ValidationError, match="frozen"):
        page.data[0].status = "CLOSED"


@pytest.mark.parametrize("wrong", [
    {"claim_date": "2026-03-01T09:30:00Z"}, {"order_date": "2025-11-02T10:00:00"},
    {"warranty_start_date": "2025-11-02T10:00:00"}, {"status": None}, {"description": 7},
])  # fmt: skip
def test_a_record_that_is_not_as_documented_is_not_read(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        ClaimRecord.model_validate(RECORD | wrong)
