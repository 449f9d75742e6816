"""Connection lists the service's words for a claim's status, open or closed, as they are counted."""

from datetime import UTC, datetime, timedelta
from typing import Final

import pytest
from streamlit.testing.v1 import AppTest

from sandbox import CLOSED_STATUSES, SandboxServer
from tests.components.stage import Stage, press, words
from warranty.claims.analysis import Period
from warranty.client.resources import ClaimQuery

TODAY: Final = datetime.now(UTC).date()
LAST_90_DAYS: Final = Period(TODAY - timedelta(days=89), TODAY)


@pytest.fixture
def sandbox(sandbox: SandboxServer) -> SandboxServer:
    sandbox.reset("demo")
    return sandbox


def listed(test: AppTest) -> dict[str, str]:
    table = next(each.value for each in test.dataframe if "Counted as" in each.value)
    return dict(zip(table["Status"], table["Counted as"], strict=True))


def test_before_a_reading_the_closed_words_are_told_and_claims_read_only_when_asked(stage: Stage) -> None:
    screen = stage.screen("connection")
    assert f"Closed: {', '.join(CLOSED_STATUSES)}. Any other word is counted as open." in words(screen)
    assert len(stage.calls("claims")) == 1, "the check of the public token"

    press(screen, "Read the claims of the last 90 days")
    stage.runtime.claims.wait(ClaimQuery(claim_dates=LAST_90_DAYS.times), longest=timedelta(seconds=20))
    counted = listed(screen.run())

    assert len(stage.calls("claims")) > 1
    assert {word for word, kind in counted.items() if kind == "closed"} == set(CLOSED_STATUSES)
    assert {"OPEN", "IN_REVIEW", "AWAITING_PARTS", "Awaiting customer"} <= set(counted)


def test_the_words_last_read_are_listed_with_counts_but_not_one_customers_claims(stage: Stage) -> None:
    readings = stage.runtime.claims
    for query in (ClaimQuery(), ClaimQuery(customer_email="ada.byron@example.com")):
        readings.start(query, viewer="a tab")
        readings.wait(query, longest=timedelta(seconds=20))
    screen = stage.screen("connection")

    table = next(each.value for each in screen.dataframe if "Counted as" in each.value)

    assert table["Claims"].sum() == 480
    assert table["Claims"].is_monotonic_decreasing
    assert "Of the 480 claims of any date" in words(screen).replace("\\", "")
