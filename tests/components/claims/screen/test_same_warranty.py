"""Claims on one warranty: told in the drawer with the others to open, and counted on Trends."""

from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
from streamlit.testing.v1 import AppTest

from components.words.days import service_today
from sandbox import SandboxServer
from tests.components.claims.screen.screen import open_row, opened
from tests.components.stage import Stage, copied, shown, words

MONTH = {"period": "30-days"}


@pytest.fixture(scope="module")
def sandbox() -> Iterator[SandboxServer]:
    with SandboxServer(seed="empty") as running:
        today = datetime.combine(service_today(), datetime.min.time())
        made = ((9, "w-1", "OPEN"), (5, "w-1", "DENIED"), (2, "w-1", "OPEN"), (1, "w-2", "OPEN"))
        running.add_claims(
            [
                {
                    "claim_date": (today - timedelta(days=back)).isoformat(timespec="microseconds"),
                    "order_id": "o-1",
                    "warranty_id": warranty,
                    "status": status,
                    "product_name": "TV",
                }
                for back, warranty, status in made
            ]
        )
        yield running


def others(test: AppTest) -> dict[str | None, str]:
    return {button.key: button.label.replace("\\", "") for button in test.button if "claims-same" in (button.key or "")}


def test_the_drawer_says_which_claim_on_its_warranty_it_is_and_opens_the_others(stage: Stage) -> None:
    test = open_row(opened(stage, MONTH), 1)
    assert "Claim 3 of 3 on this warranty among the 4 that were read. Others that were not read" in words(test)
    days = [service_today() - timedelta(days=back) for back in (9, 5)]
    assert list(others(test).values()) == [
        f"1: {days[0].day} {days[0]:%b %Y}, Open",
        f"2: {days[1].day} {days[1]:%b %Y}, Denied",
    ]
    test.button(key="claims-same:1").click()
    shown(test.run())
    assert "4 of 4" in words(test)
    assert "Claim 1 of 3 on this warranty" in words(test)


def test_one_that_the_filter_leaves_out_is_told_without_a_button(stage: Stage) -> None:
    test = open_row(opened(stage, {**MONTH, "status": "OPEN"}), 1)
    assert list(others(test)) == ["claims-same:1"]
    assert "Denied (not in the list as it is filtered)" in words(test)


def test_a_claim_alone_on_its_warranty_says_so_and_of_what(stage: Stage) -> None:
    of_a_month = words(open_row(opened(stage, MONTH), 0))
    only = "No other claim on this warranty among the 4 that were read."
    assert f"{only} Others that were not read are not" in of_a_month
    everything = words(open_row(opened(stage), 0))
    assert only in everything
    assert "Others that were not read" not in everything


def test_the_drawer_has_the_sentence_for_the_customer_to_copy(stage: Stage) -> None:
    offered = copied(open_row(opened(stage, MONTH), 2))
    assert any("for the TV is closed at the service, as Denied, as of" in text for text in offered.values())
