"""Open claims: those whose status is none of the closed words, told the same way wherever they are told."""

import json
from datetime import date
from typing import Final

import pandas as pd
import pytest

from components.claims.screen.claims_filter import ClaimsFilter
from components.claims.screen.shown_rows import days_open
from sandbox import CLOSED_STATUSES
from warranty.claims.readings.readings import KeptClaims
from warranty.files.export import claims_file

OPEN_ONLY: Final = ClaimsFilter(period="all", open_only=True)


@pytest.fixture(scope="module")
def demo(kept: KeptClaims) -> KeptClaims:
    return KeptClaims(kept.claims, closed=CLOSED_STATUSES)


def test_days_open_are_whole_days_in_service_time_and_empty_for_a_closed_claim() -> None:
    dates = pd.to_datetime(["2026-11-20T23:59", "2026-11-22T00:01", "2026-11-23T00:30", "2026-01-01T10:00"])
    claims = pd.DataFrame({"claim_date": dates, "status": ["OPEN", "OPEN", "OPEN", "RESOLVED"]})

    counted = days_open(claims, closed=("RESOLVED",), today=date(2026, 11, 22))

    assert counted.tolist() == [2, 0, 0, pd.NA]


def test_a_file_of_open_claims_names_them_and_their_words_and_no_other_file_does(demo: KeptClaims) -> None:
    file = claims_file(demo.claims, selection=OPEN_ONLY.selection(closed=demo.closed))

    assert "_open-only_" in file.name
    told = json.loads(file.manifest)["filter"]
    assert (told["open_only"], told["closed_statuses"]) == ("yes", list(CLOSED_STATUSES))

    assert "closed_statuses" not in json.loads(claims_file(demo.claims).manifest)["filter"]
