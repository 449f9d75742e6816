"""Claims in every state: read, empty, partial, unreadable records, service down, read again; by role."""

import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from components.claims.screen import export
from components.claims.screen.claims_filter import ClaimsFilter
from components.words.days import service_today
from sandbox import SandboxServer
from tests.builders import STAFF
from tests.components.claims.screen.conftest import AddClaims
from tests.components.claims.screen.screen import FILES, LONG, labels, opened, read, read_by, with_chart, with_files
from tests.components.stage import Stage, press, table, words
from warranty.claims.retrieval import ClaimSet, retrieve_claims
from warranty.client import WarrantyClient
from warranty.client.resources import ClaimQuery
from warranty.language import Sentence


def test_a_manager_sees_all_claims_with_seal_figures_chart_and_files(stage: Stage) -> None:
    test = opened(stage)
    assert "complete: 480 of 480, read" in words(test)
    assert "480 claims" in words(test)
    assert len(table(test)) == 200
    assert not test.get("plotly_chart")
    with_chart(with_files(test))
    assert words(test).count("complete: 480 of 480, read") == 1  # at the head
    assert labels(test) == FILES
    for heard in (test.get("plotly_chart")[0].proto.alt, table(test).attrs["caption"]):
        assert "complete: 480 of 480, read" in heard


def test_staff_see_the_table_and_no_files(stage: Stage) -> None:
    test = opened(stage, operator=STAFF)
    assert len(table(test)) == 200
    assert labels(with_files(test)) == set()


def test_a_file_is_built_when_its_button_is_pressed(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    def build(*_: object, **__: object) -> None:
        raise AssertionError("a file was built")

    monkeypatch.setattr(export, "claims_file", build)
    test = opened(stage)
    assert labels(with_files(test)) == FILES


def test_a_service_that_is_down_is_told_with_a_next_step_and_read_when_it_is_back(stage: Stage) -> None:
    stage.sandbox.add_fault(operation="claims", kind="status", status=401, times=1)
    test = opened(stage)
    assert "The service does not accept this shop's access" in words(test)
    assert table(test).empty
    stage.sandbox.clear_faults()
    assert "complete: 480 of 480" in words(read(stage, press(test, "Try again")))


LONG_AGO = {"claimed-from": "2020-01-01", "claimed-to": "2020-01-01"}


def test_unreadable_records_are_shown_with_reason_and_counted(stage: Stage, add_claims: AddClaims) -> None:
    add_claims({"claim_date": "2020-01-01T10:00:00.000000", "served_without": ["status"]})
    test = opened(stage, LONG_AGO)
    assert "incomplete: 0 of 1, 1 unreadable, read" in words(test)
    assert labels(with_files(test)) == FILES
    assert "1 claim could not be read" in test.expander[0].label
    listed = test.dataframe[0].value
    assert list(listed["Field"]) == ["status"]
    assert listed["Reason"].iloc[0]


def test_claims_that_repeat_another_are_counted_beside_the_seal(stage: Stage, add_claims: AddClaims) -> None:
    twice = {"order_id": "twice", "claim_date": "2020-01-01T10:00:00.000001", "warranty_id": "w"}
    add_claims(twice, twice, {**twice, "status": "DENIED"})
    test = opened(stage, LONG_AGO)
    assert "3 of 3, 1 of them repeat another, read" in words(test)
    assert "complete: 3" not in words(test)
    assert "1 of the claims repeat another one in all eight fields" in words(test)


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
    assert "complete: 480 of 480, read" in said
    assert "is incomplete: 4 of 480;" in said
    assert "The service failed while claims were read." in said
    assert len(table(test)) == 200
    assert "gone" not in str([box.label for box in test.expander])
    press(test, "Show what that reading brought")
    assert "incomplete: 4 of 480, read" in words(test)
    assert "so changes since the reading" in words(test)
    press(test, next(each.label for each in test.button if each.label.startswith("Back to what was read")))
    assert "incomplete: 4 of 480, read" not in words(test)
    failing.fails = False
    read(stage, press(test, "Refresh"))
    assert "is incomplete" not in words(test)
    assert "Since the reading at" not in words(test)


def test_all_readings_together_keep_to_the_setting_for_calls_at_once(
    sandbox: SandboxServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    staged = Stage(sandbox, tmp_path, monkeypatch, claims_concurrency="2")
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
    staged.runtime.process.close()
    assert max(most) == 2


def test_without_the_desks_own_records_claims_can_still_be_read(stage: Stage) -> None:
    stage.runtime.desk.journal.close()
    assert "complete: 480 of 480" in words(opened(stage))
