"""Claims in every state: read, empty, partial, unreadable, down, read again, since the last night; by role."""

import re
import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from components.claims.screen import export
from components.claims.screen.claims_filter import ClaimsFilter
from components.words.days import service_today
from tests.builders import STAFF
from tests.components.claims.screen.conftest import AddClaims
from tests.components.claims.screen.screen import (
    FILES,
    LONG,
    has_files,
    labels,
    opened,
    read,
    read_by,
    with_chart,
    with_files,
)
from tests.components.stage import Stage, StageWith, press, says, says_not, table, words
from warranty.claims.retrieval import ClaimSet, retrieve_claims
from warranty.claims.retrieval.update import Reading
from warranty.client import WarrantyClient
from warranty.client.resources import ClaimQuery
from warranty.insight.history.keeping import keep
from warranty.insight.history.nights import Night, Nights, stored_claims
from warranty.language import Sentence


def test_a_manager_sees_all_claims_and_staff_take_no_file(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "claims_file", pytest.fail)
    test = opened(stage)
    says(test, "complete: 480 of 480, read", "480 claims")
    assert len(table(test)) == 200
    assert not test.get("plotly_chart")
    with_chart(with_files(test))
    assert words(test).count("complete: 480 of 480, read") == 1  # at the head
    assert labels(test) == FILES
    for heard in (test.get("plotly_chart")[0].proto.alt, table(test).attrs["caption"]):
        assert "complete: 480 of 480, read" in heard
    of_staff = opened(stage, operator=STAFF)
    assert (len(table(of_staff)), labels(with_files(of_staff))) == (200, set())


def test_a_service_that_is_down_is_told_with_a_next_step_and_read_when_it_is_back(stage: Stage) -> None:
    stage.sandbox.add_fault(operation="claims", kind="status", status=401, times=1)
    test = opened(stage)
    assert "The service does not accept this shop's access" in words(test)
    assert table(test).empty
    stage.sandbox.clear_faults()
    assert "complete: 480 of 480" in words(read(stage, press(test, "Try again")))


LONG_AGO = {"claimed-from": "2020-01-01", "claimed-to": "2020-01-01"}


def test_unreadable_and_repeated_records_are_told_beside_the_seal(stage: Stage, add_claims: AddClaims) -> None:
    add_claims({"claim_date": "2020-01-01T10:00:00.000000", "served_without": ["status"]})
    test = opened(stage, LONG_AGO)
    assert "incomplete: 0 of 1, 1 unreadable, read" in words(test)
    assert has_files(test)
    assert "1 claim could not be read" in test.expander[0].label
    listed = test.dataframe[0].value
    assert list(listed["Field"]) == ["status"]
    assert listed["Reason"].iloc[0]
    twice = {"order_id": "twice", "claim_date": "2019-01-01T10:00:00.000001", "warranty_id": "w"}
    add_claims(twice, twice, {**twice, "status": "DENIED"})
    test = opened(stage, dict.fromkeys(LONG_AGO, "2019-01-01"))
    says(test, "3 of 3, 1 of them repeat another, read", "1 of the claims repeat another one in all eight fields")
    assert "complete: 3" not in words(test)


def test_an_answer_without_total_has_no_reference(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WarrantyClient, "claims_body", lambda _client, _query: b'{"data": []}')
    test = opened(stage)
    assert "an answer that we do not understand" in words(test)
    assert "Reference for support" not in words(test)
    assert "rying again will not" not in words(test)  # beside the button that does it
    assert "Try again" in [button.label for button in test.button]


class Failing:
    def __init__(self, stage: Stage) -> None:
        self._client = stage.runtime.service.client
        self.fails = False

    def __call__(self, query: ClaimQuery, **how: Any) -> ClaimSet:
        claims = retrieve_claims(self._client, query, **how)
        failed = (Sentence("The service failed while claims were read."),)
        return replace(claims, received=4, reasons=failed) if self.fails else claims


def test_a_refresh_that_fails_on_the_way_leaves_the_whole_set_and_calls_no_claim_gone(stage: Stage) -> None:
    read_by(stage, failing := Failing(stage))
    test = opened(stage)
    failing.fails = True
    read(stage, press(test, "Refresh"))
    said = words(test)
    says(said, "complete: 480 of 480, read", "is incomplete: 4 of 480;", "The service failed while claims were read.")
    assert len(table(test)) == 200
    assert "gone" not in str([box.label for box in test.expander])
    press(test, "Show what that reading brought")
    says(test, "incomplete: 4 of 480, read", "so changes since the reading")
    press(test, next(each.label for each in test.button if each.label.startswith("Back to what was read")))
    assert "incomplete: 4 of 480, read" not in words(test)
    failing.fails = False
    read(stage, press(test, "Refresh"))
    says_not(test, "is incomplete", "Since the reading at")


def test_all_readings_together_keep_to_calls_at_once(stage_with: StageWith, monkeypatch: pytest.MonkeyPatch) -> None:
    staged = stage_with(claims_concurrency="2")
    whole, under_way, most = WarrantyClient.claims_body, list[int](), list[int]()

    def counted(client: WarrantyClient, query: ClaimQuery) -> bytes:
        under_way.append(1)
        most.append(len(under_way))
        threading.Event().wait(0.02)  # long enough for calls to meet
        under_way.pop()
        return whole(client, query)

    monkeypatch.setattr(WarrantyClient, "claims_body", counted)
    queries = [ClaimsFilter(period=period).query(service_today()) for period in ("this-year", "all")]
    for query in queries:
        staged.runtime.claims.start(query, viewer="counter")
    for query in queries:
        staged.runtime.claims.wait(query, longest=LONG)
    assert max(most) == 2


def test_without_the_desks_own_records_claims_can_still_be_read(stage: Stage) -> None:
    stage.runtime.desk.journal.close()
    assert "complete: 480 of 480" in words(opened(stage))


YESTERDAY = datetime.now(UTC) - timedelta(days=1)


@pytest.fixture
def now(stage: Stage) -> pd.DataFrame:
    return retrieve_claims(stage.runtime.service.client, ClaimQuery()).frame


def night_of(stage: Stage, claims: pd.DataFrame, *, as_of: datetime = YESTERDAY) -> Night:
    settings = stage.runtime.settings
    reading = Reading(stored_claims(claims, as_of), as_of, len(claims))
    return keep(Nights(settings.history_dir / settings.environment), reading, day=as_of.date(), environment="sandbox")


def since(test: AppTest) -> str:
    return " ".join([words(test), *(box.label for box in test.expander)])


def test_after_a_restart_the_last_night_tells_what_is_new_or_gone(stage: Stage, now: pd.DataFrame) -> None:
    before = now.iloc[3:].copy()
    before["status"] = ["WAITING", *before["status"].astype("str")[1:]]
    gone = now.iloc[[5]].assign(order_id="only-in-the-night")
    night_of(stage, pd.concat([before, gone], ignore_index=True))
    assert f"Since the night of {YESTERDAY.day} {YESTERDAY:%b %Y}: 3 new, 1 with another status, 1 gone" in since(
        opened(stage)
    )


def test_a_night_that_is_gone_from_the_disk_is_said(stage: Stage, now: pd.DataFrame) -> None:
    next(night_of(stage, now).path.glob("start_month=*/part.parquet")).unlink()
    assert "The last night on record cannot be read" in words(opened(stage))


def test_changes_since_night_and_reading_are_told_apart(stage: Stage, now: pd.DataFrame, add_claims: AddClaims) -> None:
    night_of(stage, now.iloc[2:])
    test = opened(stage)
    add_claims({"claim_date": datetime.now(UTC).replace(tzinfo=None).isoformat(timespec="microseconds")})
    said = since(read(stage, press(test, "Refresh")))
    assert re.search(r"Since the night of .*: 3 new Since the reading at .*: 1 new", said)
