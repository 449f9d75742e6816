"""POST /api/warranty-claim-customer-status: filters, the page, and the records themselves."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import combinations, product
from typing import Any

import pytest

from sandbox import SandboxServer
from sandbox.endpoints.claims.records import FIELDS
from sandbox.endpoints.claims.request import is_email, read_timestamp
from sandbox.seeds.people import UNRULY
from tests.sandbox.shop import CLAIMS, Shop

clause = pytest.mark.clause
START = datetime(2026, 3, 1, 12)  # noqa: DTZ001 - claim dates have no zone


def stamp(moment: datetime) -> str:
    return moment.isoformat(timespec="microseconds")


def window(first: datetime | str, last: datetime | str) -> dict[str, str]:
    start, end = (each if isinstance(each, str) else stamp(each) for each in (first, last))
    return {"startDate": start, "endDate": end}


@clause("claims.account", "claims.answer", "service.claims", "limits.per-page")
@clause("claim.claim-date", "claim.description", "claim.dates", "claim.texts")
@clause("claims.warranty-start-range", "claim.dates")
def test_a_record_comes_back_as_added_and_is_found_by_its_warranty_start_as_a_moment_in_utc(shop: Shop) -> None:
    assert shop.claims() == {"data": [], "page": 1, "per_page": 50, "total_count": 0}
    record = {
        "claim_date": "2026-03-01T12:00:00.000001", "description": "=1+1\r\n\u202eשבור 😡 <b>\"',;",
        "order_date": "2026-01-31T23:59:59-08:00", "order_id": "0007", "product_name": "Café table, round",
        "status": "Awaiting customer", "warranty_id": "64fa",
        "warranty_start_date": "2026-02-01T00:00:00+05:30",
    }  # fmt: skip
    shop.sandbox.add_claims([record])
    assert shop.claims()["data"] == [record]
    starts = [
        "2026-02-01T01:30:00+02:00", "2026-02-01T00:00:00+00:00", "2026-01-31T19:00:00-05:00",
        "2026-02-01T06:00:00+05:30",
    ]  # fmt: skip
    shop.sandbox.add_claims([{"warranty_start_date": start} for start in starts])
    found = shop.claims(warrantyStartDateRange=window("2026-02-01T00:00:00.000000", "2026-02-01T00:30:00.000000"))
    assert sorted(record["warranty_start_date"] for record in found["data"]) == sorted(starts[1:])


@clause("claims.account", "claims.claim-date-range", "claims.warranty-start-range", "claims.email")
def test_filters_work_alone_and_together(shop: Shop) -> None:
    late = START + timedelta(days=1)
    emails = ("ada@example.com", "bob@example.com")
    for claimed, started, email in product((START, late), (START, late), emails):
        zoned = started.replace(tzinfo=UTC).isoformat()
        claim = {"claim_date": stamp(claimed), "warranty_start_date": zoned, "customer_email": email}
        shop.sandbox.add_claims([claim])
    on_that_day = window(START, START)
    filters = {"claimDateRange": on_that_day, "warrantyStartDateRange": on_that_day, "customerEmail": "ADA@example.com"}
    for how_many in range(4):
        for names in combinations(filters, how_many):
            found = shop.claims(**{name: filters[name] for name in names})
            assert found["total_count"] == len(found["data"]) == 8 // 2**how_many


@clause("claims.no-paging", "limits.per-page", "claims.answer")
def test_at_most_fifty_records_come_shuffled_and_no_parameter_brings_the_others(shop: Shop) -> None:
    shop.sandbox.add_claims([{"claim_date": stamp(START + timedelta(hours=step))} for step in range(120)])
    plain = shop.claims()
    assert (len(plain["data"]), plain["page"], plain["per_page"], plain["total_count"]) == (50, 1, 50, 120)
    dates = [record["claim_date"] for record in plain["data"]]
    assert dates not in (sorted(dates), sorted(dates, reverse=True))
    for parameters in ({"page": 2}, {"per_page": 500}, {"limit": 7, "offset": 50}):
        assert shop.claims(**parameters) == plain
    assert shop.http.post(CLAIMS, params={"page": 2}, json={}, headers=shop.public).json() == plain


@clause("claims.no-paging")
@pytest.mark.parametrize(("name", "newest_first"), [("newest", True), ("oldest", False)])
def test_a_start_option_sorts_the_records(name: Any, newest_first: bool) -> None:
    moments = [stamp(START + timedelta(hours=step)) for step in range(120)]
    with SandboxServer(claims_order=name) as sandbox, Shop(sandbox) as shop:
        for first, email in enumerate(("a@example.com", "b@example.com")):
            sandbox.add_claims([{"claim_date": at, "customer_email": email} for at in moments[first::2]])
        pages = [shop.claims(), shop.claims(customerEmail="a@example.com")]
    for page, expected in zip(pages, (moments, moments[::2]), strict=True):
        in_order = sorted(expected, reverse=newest_first)[:50]
        assert [record["claim_date"] for record in page["data"]] == in_order


@clause("other-errors.claims", "claims.claim-date-range", "claims.warranty-start-range", "claims.email")
@pytest.mark.parametrize(("read", "given"), [
    *((read_timestamp, date) for date in (
        "yesterday", "", "2026-02-30T00:00:00.000000", "2026-13-01T00:00:00.000000", "2026-03-01", 20260301, True,
        "2026-03-01T00:00:00.000000Z", "2026-03-01T00:00:00+00:00", "2026-03-01 00:00:00", "2026-W09-7T00:00:00",
        "2026-03-01T00:00:00.0000001", "0000-01-01T00:00:00.000000", "2026-03-01T24:00:01.000000",
    )),
    (read_timestamp, []),
    *((is_email, email) for email in ("", "ada", "ada@", "@example.com", "ada@example", "a b@x.de", "a@b@c.de")),
])  # fmt: skip
def test_what_is_no_date_of_the_interface_and_no_address_is_none(read: Callable[[Any], object], given: Any) -> None:
    assert not read(given)


@clause("other-errors.claims", "claims.claim-date-range", "claims.warranty-start-range", "claims.email")
def test_a_filter_that_cannot_be_understood_is_named_and_an_end_may_be_left_open(shop: Shop) -> None:
    def refused(**filters: Any) -> list[str]:
        answer = shop.post(CLAIMS, filters)
        assert answer.status_code == 400
        return list(answer.json()["message"]["validation_errors"])

    ends = {"startDate": "yesterday", "endDate": "2026-03-01"}
    form = "must be a timestamp of the form YYYY-MM-DDTHH:MM:SS.ffffff."
    assert refused(claimDateRange=ends, warrantyStartDateRange=ends, customerEmail="ada@") == [
        *[f"{name}.{end} {form}" for name in ("claimDateRange", "warrantyStartDateRange") for end in ends],
        "customerEmail must be a valid e-mail address.",
    ]
    assert refused(claimDateRange=[], warrantyStartDateRange="2026", customerEmail=7) == [
        "claimDateRange must be an object.", "warrantyStartDateRange must be an object.", "customerEmail must be text.",
    ]  # fmt: skip
    shop.sandbox.add_claims([{"claim_date": stamp(START + timedelta(days=step))} for step in range(4)])
    third = stamp(START + timedelta(days=2))
    assert shop.claims(claimDateRange={"startDate": third})["total_count"] == 2
    assert shop.claims(claimDateRange={"endDate": third, "startDate": None})["total_count"] == 3
    assert shop.claims(claimDateRange={}, warrantyStartDateRange=None, customerEmail=None)["total_count"] == 4
    assert shop.claims(claimDateRange=window(third, START))["total_count"] == 0
    assert shop.claims(claimDateRange={"startDate": third[:-7]})["total_count"] == 2


@clause("claim.claim-date", "claim.dates", "claim.texts", "claim.description", "claim.statuses")
@clause("states.claims")
def test_the_demo_claims_are_as_varied_as_real_ones() -> None:
    with SandboxServer(seed="demo") as sandbox, Shop(sandbox) as shop:
        records = sandbox.claims()
        assert shop.claims(customerEmail="ada.byron@example.com")["total_count"] == 7
    assert len(records) == 480
    for record in records:
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}", record["claim_date"])
        started, ordered = (datetime.fromisoformat(record[name]) for name in ("warranty_start_date", "order_date"))
        assert ordered <= started
        assert started.utcoffset() is not None
        assert [name for name in FIELDS if not isinstance(record[name], str)] == []
    assert len({datetime.fromisoformat(record["order_date"]).utcoffset() for record in records}) >= 4
    statuses = {record["status"] for record in records}
    assert (len(statuses) >= 6, "RESOLVED" in statuses) == (True, True)
    assert len({record["description"] for record in records} & set(UNRULY)) >= 12
