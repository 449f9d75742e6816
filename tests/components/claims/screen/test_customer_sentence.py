"""A claim in its drawer: the sentence for its customer, and the other claims on its warranty."""

from collections.abc import Hashable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from components.claims.screen.claim_details import customer_sentence
from components.words.days import service_today
from sandbox import SandboxServer
from tests.components.claims.screen.screen import open_row, opened
from tests.components.stage import Stage, copied, says, shown, words

READ = datetime(2026, 11, 22, 14, 2, tzinfo=UTC)
CLOSED = ("RESOLVED", "DENIED")


def said(*, now: datetime = READ, zone: str = "UTC", **claim: Any) -> str:
    third = pd.Timestamp("2026-11-03T23:59")
    told: dict[Hashable, Any] = {"claim_date": third, "product_name": '55" OLED', "status": "IN_REVIEW"}
    return customer_sentence(told | claim, closed=CLOSED, as_of=READ, now=now, zone=ZoneInfo(zone))


@pytest.mark.parametrize(("zone", "claimed", "clock"), [
    ("UTC", "2026-11-03T12:00", "14:02"), ("Pacific/Auckland", "2026-11-03T23:59", "03:02"),
    ("America/Chicago", "2026-11-03T00:30", "08:02"),
])  # fmt: skip
def test_an_open_claim_is_told_with_day_and_age_in_service_time_as_of_here(zone: str, claimed: str, clock: str) -> None:
    assert said(zone=zone, claim_date=pd.Timestamp(claimed)) == (
        f'Your claim of 3 Nov 2026 for the 55" OLED is at the service as “IN_REVIEW”, as of {clock} today; '
        "it is 19 days old."
    )


def test_a_closed_claim_is_told_as_closed_without_an_age_and_another_day_by_the_readers_clock() -> None:
    assert said(status="DENIED") == (
        'Your claim of 3 Nov 2026 for the 55" OLED is closed at the service, as Denied, as of 14:02 today.'
    )
    assert "closed" not in said(status="resolved"), "another word until the shop says that it means the same"
    assert said(now=READ + timedelta(days=1)).endswith("as of 14:02 on 22 Nov 2026; it was then 19 days old.")
    assert "as of 03:02 on 23 Nov 2026" in said(zone="Pacific/Auckland", now=READ + timedelta(days=1))
    assert "for the A b <b>c</b> **d**" in said(product_name="A\n b\t<b>c</b>  **d**\r\n")


def test_a_claim_of_today_or_dated_ahead_has_no_age_one_day_is_one_day_and_what_is_empty_is_not_told() -> None:
    for day, ends in (("22T10:00", "today."), ("23T00:30", "today."), ("21T10:00", "today; it is 1 day old.")):
        assert said(claim_date=pd.Timestamp(f"2026-11-{day}")).endswith(f"as of 14:02 {ends}")
    assert said(product_name="", status=" ").startswith(
        "Your claim of 3 Nov 2026 is at the service, which gives it no status, as of"
    )


MONTH = {"period": "30-days"}


@pytest.fixture(scope="module")
def sandbox() -> Iterator[SandboxServer]:
    with SandboxServer(seed="empty") as running:
        today = datetime.combine(service_today(), datetime.min.time())
        made = ((9, "w-1", "OPEN"), (5, "w-1", "DENIED"), (2, "w-1", "OPEN"), (1, "w-2", "OPEN"))
        for back, warranty, status in made:
            day = (today - timedelta(days=back)).isoformat(timespec="microseconds")
            of_a_tv = {"claim_date": day, "order_id": "o-1", "warranty_id": warranty, "product_name": "TV"}
            running.add_claims([{**of_a_tv, "status": status}])
        yield running


def others(test: AppTest) -> dict[str | None, str]:
    return {button.key: button.label.replace("\\", "") for button in test.button if "claims-same" in (button.key or "")}


def test_the_drawer_says_which_claim_of_its_warranty_it_is_opens_others_and_has_the_sentence(stage: Stage) -> None:
    test = open_row(opened(stage, MONTH), 1)
    assert "Claim 3 of 3 on this warranty among the 4 that were read. Others that were not read" in words(test)
    first, second = (service_today() - timedelta(days=back) for back in (9, 5))
    days = [f"1: {first.day} {first:%b %Y}, Open", f"2: {second.day} {second:%b %Y}, Denied"]
    assert list(others(test).values()) == days
    test.button(key="claims-same:1").click()
    shown(test.run())
    says(test, "4 of 4", "Claim 1 of 3 on this warranty")
    offered = copied(open_row(opened(stage, MONTH), 2))
    assert any("for the TV is closed at the service, as Denied, as of" in text for text in offered.values())


def test_one_that_the_filter_leaves_out_has_no_button_and_a_claim_alone_on_its_warranty_says_so(stage: Stage) -> None:
    test = open_row(opened(stage, {**MONTH, "status": "OPEN"}), 1)
    assert list(others(test)) == ["claims-same:1"]
    assert "Denied (not in the list as it is filtered)" in words(test)
    of_a_month = words(open_row(opened(stage, MONTH), 0))
    only = "No other claim on this warranty among the 4 that were read."
    assert f"{only} Others that were not read are not" in of_a_month
    everything = words(open_row(opened(stage), 0))
    assert only in everything
    assert "Others that were not read" not in everything
