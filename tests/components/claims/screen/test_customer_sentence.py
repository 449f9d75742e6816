"""What to tell a customer: one sentence of what is known, as of when, and nothing that is not."""

from collections.abc import Hashable
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pandas as pd
import pytest

from components.claims.screen.claim_details import customer_sentence

READ = datetime(2026, 11, 22, 14, 2, tzinfo=UTC)
CLOSED = ("RESOLVED", "DENIED")


def said(*, now: datetime = READ, zone: str = "UTC", **claim: Any) -> str:
    told: dict[Hashable, Any] = {
        "claim_date": pd.Timestamp("2026-11-03T23:59"),
        "product_name": '55" OLED',
        "status": "IN_REVIEW",
    }
    told.update(claim)
    return customer_sentence(told, closed=CLOSED, as_of=READ, now=now, zone=ZoneInfo(zone))


@pytest.mark.parametrize(
    ("zone", "claimed", "clock"),
    [
        ("UTC", "2026-11-03T12:00", "14:02"),
        ("Pacific/Auckland", "2026-11-03T23:59", "03:02"),
        ("America/Chicago", "2026-11-03T00:30", "08:02"),
    ],
)
def test_an_open_claim_is_told_by_the_services_word_with_its_day_and_age_in_service_time_and_as_of_here(
    zone: str, claimed: str, clock: str
) -> None:
    assert said(zone=zone, claim_date=pd.Timestamp(claimed)) == (
        f'Your claim of 3 Nov 2026 for the 55" OLED is at the service as “IN_REVIEW”, as of {clock} today; '
        "it is 19 days old."
    )


def test_a_closed_claim_is_told_as_closed_and_no_age_is_made_of_it() -> None:
    assert said(status="DENIED") == (
        'Your claim of 3 Nov 2026 for the 55" OLED is closed at the service, as Denied, as of 14:02 today.'
    )
    assert "closed" not in said(status="resolved"), "another word until the shop says that it means the same"


def test_another_day_is_named_by_the_readers_clock_and_all_is_one_line_whatever_the_product() -> None:
    assert said(now=READ + timedelta(days=1)).endswith("as of 14:02 on 22 Nov 2026; it was then 19 days old.")
    assert "as of 03:02 on 23 Nov 2026" in said(zone="Pacific/Auckland", now=READ + timedelta(days=1))
    assert "for the A b <b>c</b> **d**" in said(product_name="A\n b\t<b>c</b>  **d**\r\n")


@pytest.mark.parametrize("day", ["2026-11-22T10:00", "2026-11-23T00:30"])
def test_a_claim_of_today_or_dated_ahead_has_no_age(day: str) -> None:
    assert said(claim_date=pd.Timestamp(day)).endswith("as of 14:02 today.")


def test_one_day_is_one_day_and_what_is_empty_is_not_told() -> None:
    assert "it is 1 day old" in said(claim_date=pd.Timestamp("2026-11-21T10:00"))
    assert said(product_name="", status=" ").startswith(
        "Your claim of 3 Nov 2026 is at the service, which gives it no status, as of"
    )
