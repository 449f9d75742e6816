"""Claims in every state: read, empty, working, partial, unreadable records, service down, refused filter, by role."""

import re
import threading
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from components.claims import export, filter_fields
from components.claims.chart_view import OPENED
from components.claims.claims_filter import ClaimsFilter
from components.words.days import service_today
from sandbox import SandboxServer
from tests.builders import MANAGER, STAFF
from tests.components.claims.dates import claim_dates, days_field, pick_days
from tests.components.stage import Stage, shown, words
from warranty.access import Operator
from warranty.analysis import Period
from warranty.claims.readings import ClaimReadings
from warranty.client import WarrantyClient
from warranty.language import Sentence
from warranty.resources import ClaimQuery
from warranty.retrieval import ClaimSet, retrieve_claims

LONG = timedelta(seconds=20)


@pytest.fixture(scope="module")
def sandbox() -> Iterator[SandboxServer]:
    with SandboxServer(seed="demo") as running:
        yield running


@pytest.fixture
def stage(sandbox: SandboxServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    staged = Stage(sandbox, tmp_path, monkeypatch, claims_calls_per_second="1000")
    yield staged
    staged.runtime.close()


def opened(stage: Stage, query: Mapping[str, str] | None = None, *, operator: Operator = MANAGER) -> AppTest:
    """The screen once its claims are read, as a browser shows it by looking again itself."""
    address = query or {"period": "all"}
    test = stage.screen("claims", operator, query=address)
    asked = ClaimsFilter.from_address(address).query(service_today())
    stage.runtime.claims.wait(asked, longest=LONG)
    return shown(test.run())


def labels(test: AppTest) -> set[str]:
    return {element.proto.label for element in test.get("download_button")}


FILES = {"Download CSV", "Download XLSX", "Download manifest"}


def with_files(test: AppTest) -> AppTest:
    """The screen with its files folded out."""
    test.session_state["claims-export"] = True
    return shown(test.run())


def press(test: AppTest, label: str) -> AppTest:
    next(button for button in test.button if button.label == label).click()
    return shown(test.run())


def a_second_later(test: AppTest) -> None:
    """The screen looks again by itself."""
    test.session_state[f"desk.{OPENED}"] -= 1
    shown(test.run())


def field(test: AppTest, label: str) -> object:
    return next(each for each in test.text_input if each.label == label)


def test_a_manager_sees_all_claims_with_seal_figures_chart_and_files(stage: Stage) -> None:
    test = opened(stage)
    assert "complete: 480 of 480, read" in words(test)
    assert "480 claims" in words(test)
    assert len(test.dataframe[0].value) == 200
    # A browser that has just opened the tab draws the table before it takes in what charts need.
    assert not test.get("plotly_chart")
    with_files(test)
    a_second_later(test)
    assert (
        words(test).count("complete: 480 of 480, read") == 1
    )  # at the head; only a doubt stands at the chart too
    assert labels(test) == FILES
    chart = test.get("plotly_chart")[0].proto
    assert "complete: 480 of 480, read" in chart.alt
    assert "complete: 480 of 480" in test.dataframe[0].proto.alt


def test_staff_see_the_table_and_no_files(stage: Stage) -> None:
    test = opened(stage, operator=STAFF)
    assert "complete: 480 of 480" in words(test)
    assert len(test.dataframe[0].value) == 200
    assert labels(with_files(test)) == set()


def test_an_email_finds_the_claims_of_one_customer_and_is_not_in_the_address(stage: Stage) -> None:
    claim = {
        "order_id": "an-order-of-ada",
        "customer_email": "ada@example.com",
        "description": "*boom* <b>x</b>",
    }
    stage.sandbox.add_claims([claim])
    test = opened(stage)
    field(test, "Customer's e-mail").set_value("ada@example.com")  # type: ignore[attr-defined]
    shown(test.run())
    assert list(test.dataframe[0].value["order_id"]) == ["an-order…"]
    assert "complete: 1 of 1" in words(test)
    assert "ada" not in str(dict(test.query_params))
    stage.sandbox.reset()


def test_a_link_opens_the_same_view(stage: Stage) -> None:
    test = opened(
        stage,
        {"period": "all", "status": "RESOLVED", "sort": "product", "columns": "product_name,status"},
    )
    table = test.dataframe[0]
    assert set(table.value["status"]) == {"Resolved"}
    assert table.value["product_name"].str.casefold().is_monotonic_increasing
    assert list(table.proto.column_order) == ["product_name", "status"]
    assert "of them shown: status Resolved" in words(test)
    press(test, "Show all that was read")
    assert "of them shown" not in words(test)
    assert "status" not in test.query_params


def test_words_are_searched_in_what_was_read_without_asking_again(stage: Stage) -> None:
    test = opened(stage)
    asked = len(stage.calls("claims"))
    field(test, "Search in what was read").set_value("battery")  # type: ignore[attr-defined]
    shown(test.run())
    assert "of them shown: with “battery”" in words(test)
    assert len(stage.calls("claims")) == asked


def test_where_the_search_leaves_nothing_a_sentence_stands_in_place_of_table_and_chart(stage: Stage) -> None:
    test = opened(stage, {"period": "all", "words": "no claim has this"})
    assert "None of the 480 claims that were read fits" in words(test)
    assert not test.dataframe
    assert not test.get("plotly_chart")
    assert labels(with_files(test)) == FILES
    press(test, "Show all that was read")
    assert test.dataframe


def test_days_picked_freely_are_no_named_range_and_both_ends_are_asked_for_whole(stage: Stage) -> None:
    test = opened(stage)
    pick_days(test, date(2026, 1, 5), date(2026, 1, 6))
    shown(test.run())
    assert dict(test.query_params) == {"claimed-from": "2026-01-05", "claimed-to": "2026-01-06"}
    asked = ClaimsFilter.from_address({"claimed-from": "2026-01-05", "claimed-to": "2026-01-06"})
    stage.runtime.claims.wait(asked.query(service_today()), longest=LONG)
    shown(test.run())
    assert "Claims dated 5 Jan 2026 to 6 Jan 2026; first and last day count whole, in service time." in words(
        test
    )


def test_a_named_range_stays_marked_where_a_run_is_cut_off_and_the_date_field_still_sends_its_old_days(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    test = opened(stage, {"claimed-from": "2026-01-05", "claimed-to": "2026-01-06"})
    claim_dates(test).set_value("all")
    sent = test._tree.get_widget_states()
    with monkeypatch.context() as cut:
        cut.setattr(filter_fields, "_range_input", lambda *_: st.stop())
        test._run(sent)
    test._run(sent)
    assert claim_dates(test).value == "all"
    assert dict(test.query_params) == {"period": "all"}
    assert not test.date_input


def test_days_of_ones_own_begin_with_those_of_the_range_that_was_shown(stage: Stage) -> None:
    test = opened(stage, {"period": "7-days"})
    claim_dates(test).set_value("")
    shown(test.run())
    assert days_field(test).value == (service_today() - timedelta(days=6), service_today())
    assert "period" not in test.query_params
    assert "complete: " in words(test)  # the same days are not asked for again


def test_more_filters_narrow_by_status_and_ask_the_service_for_another_warranty_start(stage: Stage) -> None:
    test = opened(stage)
    asked = len(stage.calls("claims"))
    test.session_state["claims-more"] = True
    shown(test.run())
    next(each for each in test.multiselect if each.label == "Status").set_value(["DENIED"])
    start = next(each for each in test.date_input if each.label.startswith("Warranty start"))
    start.set_value((date(2025, 1, 1), date(2025, 6, 30)))
    shown(test.run())
    chosen = ClaimsFilter(period="all", started=Period(date(2025, 1, 1), date(2025, 6, 30)))
    stage.runtime.claims.wait(chosen.query(service_today()), longest=LONG)
    shown(test.run())
    assert len(stage.calls("claims")) > asked
    table = test.dataframe[0].value
    assert set(table["status"]) == {"Denied"}
    assert table["warranty_start_date"].min() >= pd.Timestamp("2024-12-31")
    assert table["warranty_start_date"].max() <= pd.Timestamp("2025-07-01")
    assert "of them shown: status Denied." in words(test)
    assert "on warranties that started 1 Jan 2025 to 30 Jun 2025" in words(test)


def test_a_day_in_the_table_is_the_day_that_the_filter_of_the_warranty_start_means(stage: Stage) -> None:
    stage.sandbox.add_claims(
        [
            {
                "order_id": "late in the evening",
                "claim_date": "2020-01-01T10:00:00.000000",
                "order_date": "2019-06-29T23:30:00-04:00",
                "warranty_start_date": "2019-06-30T00:30:00+05:30",
            }
        ]
    )
    try:
        test = opened(stage, {"period": "all", "started-from": "2019-06-29", "started-to": "2019-06-29"})
        row = test.dataframe[0].value.iloc[0]
        assert row["order_id"] == "late in …"
        assert row["warranty_start_date"].date() == date(2019, 6, 29)
        assert row["order_date"].date() == date(2019, 6, 30)
    finally:
        stage.sandbox.reset()


def test_a_file_is_built_when_its_button_is_pressed_and_not_when_the_screen_is_drawn(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    def build(*_: object, **__: object) -> None:
        raise AssertionError("a file was built")

    monkeypatch.setattr(export, "claims_file", build)
    test = opened(stage)
    assert labels(with_files(test)) == FILES


def test_columns_are_chosen_in_an_order_and_the_address_keeps_them(stage: Stage) -> None:
    test = opened(stage)
    test.session_state["claims-columns"] = True
    shown(test.run())
    columns = next(each for each in test.multiselect if each.label.startswith("Columns"))
    columns.set_value(["status", "product_name"])
    shown(test.run())
    assert list(test.dataframe[0].proto.column_order) == ["status", "product_name"]
    assert test.query_params["columns"] == "status,product_name"


def test_a_filter_that_nothing_fits_says_so_and_what_to_do(stage: Stage) -> None:
    test = opened(stage, {"claimed-from": "1990-01-01", "claimed-to": "1990-01-02"})
    assert "complete: 0 of 0" in words(test)
    assert "No claims fit this filter" in words(test)
    assert not test.dataframe
    assert labels(with_files(test)) == FILES  # a heading is an answer too


def test_an_email_that_is_none_is_told_once_leads_to_its_field_and_leaves_the_table_that_was_read(
    stage: Stage,
) -> None:
    test = opened(stage)
    asked = len(stage.calls("claims"))
    field(test, "Customer's e-mail").set_value("nonsense")  # type: ignore[attr-defined]
    shown(test.run())
    assert words(test).count("no complete e-mail address") == 1
    assert re.search(r"\]\(#st-key-claims-filter-\d+-email\)$", test.error[0].value)
    assert "@" not in words(test)  # an example of an address would be drawn as a link to it
    assert test.dataframe
    assert field(test, "Search in what was read")
    assert field(test, "Customer's e-mail").value == "nonsense"  # type: ignore[attr-defined]
    assert len(stage.calls("claims")) == asked
    field(test, "Customer's e-mail").set_value("nobody@example.com")  # type: ignore[attr-defined]
    shown(test.run())
    assert "no complete e-mail address" not in words(test)


def test_a_service_that_is_down_is_told_with_a_next_step_and_read_when_it_is_back(stage: Stage) -> None:
    stage.sandbox.add_fault(operation="claims", kind="status", status=401, times=1)
    test = opened(stage)
    assert "The service does not accept this shop's access." in words(test)
    assert not test.dataframe
    stage.sandbox.clear_faults()
    press(test, "Try again")
    stage.runtime.claims.wait(ClaimQuery(), longest=LONG)
    shown(test.run())
    assert "complete: 480 of 480" in words(test)


def test_records_that_cannot_be_read_are_shown_with_their_reason_and_count_as_received(stage: Stage) -> None:
    stage.sandbox.add_claims(
        [{"order_id": "odd", "claim_date": "2020-01-01T10:00:00.000000", "served_without": ["status"]}]
    )
    test = opened(stage, {"claimed-from": "2020-01-01", "claimed-to": "2020-01-01"})
    assert "incomplete: 0 of 1, 1 unreadable, read" in words(test)
    assert "No claims fit this filter" not in words(test)
    assert labels(with_files(test)) == FILES
    assert "1 claim could not be read" in test.expander[0].label
    listed = test.dataframe[0].value
    assert list(listed["Field"]) == ["status"]
    assert listed["Reason"].iloc[0]
    stage.sandbox.reset()


def test_claims_that_repeat_another_in_every_field_are_counted_beside_the_seal(stage: Stage) -> None:
    twice = {"order_id": "twice", "claim_date": "2020-01-01T10:00:00.000001", "warranty_id": "w"}
    stage.sandbox.add_claims([twice, twice, {**twice, "status": "DENIED"}])
    test = opened(stage, {"claimed-from": "2020-01-01", "claimed-to": "2020-01-01"})
    assert "complete: 3 of 3, 1 of them repeat another, read" in words(test)
    assert "1 of the claims repeat another one in all eight fields" in words(test)
    stage.sandbox.reset()


def test_an_answer_without_a_total_has_no_empty_reference(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(WarrantyClient, "claims_body", lambda _client, _query: b'{"data": []}')
    test = opened(stage)
    assert "an answer that we do not understand" in words(test)
    assert "Reference for support" not in words(test)
    assert "rying again will not" not in words(test)  # beside the button that does it
    assert "Try again" in [button.label for button in test.button]


def test_a_refresh_tells_what_changed_since(stage: Stage) -> None:
    test = opened(stage)
    assert "Since the reading" not in words(test)
    now = datetime.now(UTC).replace(tzinfo=None).isoformat(timespec="microseconds")
    stage.sandbox.add_claims([{"order_id": "new-one", "claim_date": now}])
    press(test, "Refresh")
    stage.runtime.claims.wait(ClaimQuery(), longest=LONG)
    shown(test.run())
    assert "complete: 481 of 481" in words(test)
    assert "1 new" in " ".join(box.label for box in test.expander)
    stage.sandbox.reset()


class Failing:
    """A reader whose service fails on the way once it is told to."""

    def __init__(self, stage: Stage) -> None:
        self._client = stage.runtime.client
        self.fails = False

    def __call__(self, query: ClaimQuery, **how: Any) -> ClaimSet:
        claims = retrieve_claims(self._client, query, **how)
        failed = (Sentence("The service failed while claims were read."),)
        return replace(claims, received=4, reasons=failed) if self.fails else claims


@pytest.fixture
def failing(stage: Stage) -> Iterator[Failing]:
    reader = Failing(stage)
    readings = ClaimReadings(read=reader, scope="failing")
    stage.runtime = replace(stage.runtime, claims=readings)
    yield reader
    readings.close()


def refresh(stage: Stage, test: AppTest) -> None:
    press(test, "Refresh")
    stage.runtime.claims.wait(ClaimQuery(), longest=LONG)
    shown(test.run())


def test_a_refresh_that_fails_on_the_way_leaves_the_whole_set_and_calls_no_claim_gone(
    stage: Stage, failing: Failing
) -> None:
    test = opened(stage)
    failing.fails = True
    refresh(stage, test)
    said = words(test)
    assert "complete: 480 of 480, read" in said
    assert "is incomplete: 4 of 480." in said
    assert "The service failed while claims were read." in said
    assert len(test.dataframe[0].value) == 200
    assert "gone" not in str([box.label for box in test.expander])
    press(test, "Show what that reading brought")
    assert "incomplete: 4 of 480, read" in words(test)
    assert "so changes since the reading" in words(test)
    next(button for button in test.button if button.label.startswith("Back to what was read")).click()
    shown(test.run())
    assert "incomplete: 4 of 480, read" not in words(test)
    failing.fails = False
    refresh(stage, test)
    assert "is incomplete" not in words(test)
    assert "nothing has changed" in words(test)


def test_all_readings_together_keep_to_the_settings_for_calls(
    sandbox: SandboxServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    staged = Stage(sandbox, tmp_path, monkeypatch, claims_concurrency="2", claims_calls_per_second="1000")
    whole, lock, now, most = WarrantyClient.claims_body, threading.Lock(), 0, 0

    def counted(client: WarrantyClient, query: ClaimQuery) -> bytes:
        nonlocal now, most
        with lock:
            now, most = now + 1, max(most, now + 1)
        try:
            threading.Event().wait(0.02)  # long enough for calls to meet
            return whole(client, query)
        finally:
            with lock:
                now -= 1

    monkeypatch.setattr(WarrantyClient, "claims_body", counted)
    queries = [
        ClaimsFilter(period=period).query(service_today()) for period in ("last-year", "this-year", "all")
    ]
    for query in queries:
        staged.runtime.claims.start(query, viewer="counter")
    for query in queries:
        staged.runtime.claims.wait(query, longest=LONG)
    staged.runtime.close()
    assert most == 2


def test_without_the_desks_own_records_claims_can_still_be_read(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage.runtime.journal.close()
    test = opened(stage)
    assert "complete: 480 of 480" in words(test)


def test_the_figures_over_a_picked_bar_are_those_of_the_claims_in_the_table(stage: Stage) -> None:
    test = opened(stage, {"period": "all", "pick": "status:OPEN"})
    found = re.search(r"(\d+) of them shown: status Open", words(test))
    assert found
    assert f"{found[1]} claims · {found[1]} open · " in words(test)


def test_of_several_filters_each_can_be_taken_away_alone(stage: Stage) -> None:
    test = opened(stage, {"period": "all", "status": "RESOLVED,OPEN", "words": "e"})
    assert [button.label for button in test.button if (button.key or "").startswith("claims-chip")] == [
        "with “e”",
        "status Resolved",
        "status Open",
    ]
    press(test, "status Resolved")
    assert dict(test.query_params) == {"period": "all", "status": "OPEN", "words": "e"}
    assert "of them shown: with “e”, status Open." in words(test)
