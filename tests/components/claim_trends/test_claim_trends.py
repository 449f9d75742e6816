"""Trends: every chart with its seal, its words and its data; figures against the period before; managers only."""

import re
import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from components.claims.claims_filter import ClaimsFilter
from components.words.days import service_today
from sandbox import SandboxServer
from tests.builders import MANAGER, STAFF
from tests.components.claims.screen import claim_dates
from tests.components.stage import Stage, shown, words
from tests.dashboard import ROOT
from warranty.analysis import comparable
from warranty.claims.readings import ClaimReadings
from warranty.language import Sentence
from warranty.resources import ClaimQuery
from warranty.retrieval import ClaimSet, retrieve_claims

LONG = timedelta(seconds=60)
TITLES = (
    "Claims by status, by week",
    "Products with the most claims",
    "Days from warranty start to claim",
    "Open claims, by age",
    "Weekday by hour, in service time",
)


def await_end(stage: Stage, query: ClaimQuery) -> None:
    stage.runtime.claims.wait(query, longest=LONG)
    assert not stage.runtime.claims.look(query).running


def opened(stage: Stage, **query: str) -> AppTest:
    """The screen once both periods are read."""
    test = stage.screen("claim_trends", MANAGER, query=query)
    today = service_today()
    chosen = ClaimsFilter.from_address(query)
    await_end(stage, chosen.query(today))
    shown(test.run())
    for query_of_others in compared_with(chosen):
        await_end(stage, query_of_others)
        shown(test.run())
    return test


def compared_with(chosen: ClaimsFilter) -> list[ClaimQuery]:
    """The queries of the days before, and of a year ago."""
    today = service_today()
    days = chosen.days(today)
    compared = comparable(days, today=today) if days else None
    others = [compared.before, compared.last_year] if compared else []
    return [replace(chosen, period="", claimed=days).query(today) for days in others if days]


def test_staff_may_not_open_it(stage: Stage) -> None:
    assert "is for managers. Ask one" in words(stage.screen("claim_trends", STAFF))


def test_every_chart_has_its_title_its_seal_and_words_for_who_cannot_see_it(stage: Stage) -> None:
    test = opened(stage, period="90-days")
    charts = test.get("plotly_chart")
    assert len(charts) == len(TITLES)
    said = words(test)
    assert "Squares and grey bars show numbers only." in said
    for title, chart in zip(TITLES, charts, strict=True):
        assert title in said
        assert chart.proto.alt.startswith(f"{title}. ")
        assert re.search(
            r"\. Claims dated [^.]*: (\d+)\. .*\. complete: \1 of \1, read \d\d:\d\d\.$", chart.proto.alt
        )
    assert len(re.findall(r"\bcomplete: (\d+) of \1, read", said)) == 1  # at the head: a doubt stands on each


def test_title_seal_and_words_of_a_chart_know_what_narrows_it(stage: Stage) -> None:
    test = opened(stage, period="all", product="Arc floor lamp")
    said = words(test)
    shown_claims = re.search(r"Claims of any date, product Arc floor lamp: (\d+)", said.replace("\\", ""))
    assert shown_claims
    for chart in test.get("plotly_chart"):
        assert f"Claims of any date, product Arc floor lamp: {shown_claims[1]}. " in chart.proto.alt
        assert chart.proto.alt.endswith(f"; {shown_claims[1]} of them here.")
    assert said.replace("\\", "").count(shown_claims[0]) == len(TITLES)


def test_where_the_search_leaves_nothing_a_sentence_stands_in_place_of_charts(stage: Stage) -> None:
    test = opened(stage, period="all", words="no claim has this")
    assert "No claim matches." in words(test)
    assert not test.get("plotly_chart")


def test_a_chart_without_anything_to_draw_says_so_in_its_place(stage: Stage, sandbox: SandboxServer) -> None:
    sandbox.add_claims([{"claim_date": "2015-03-01T10:00:00.000000"}])  # its warranty starts years later
    test = opened(stage, **{"claimed-from": "2015-03-01", "claimed-to": "2015-03-01"})
    sandbox.reset()
    assert "No claim here is open" in words(test)
    assert len(test.get("plotly_chart")) == len(TITLES) - 1


def test_the_data_of_a_chart_opens_as_a_table(stage: Stage) -> None:
    test = opened(stage, period="90-days")
    assert not test.dataframe
    test.session_state["trends:by-product:table"] = True
    shown(test.run())
    assert list(test.dataframe[0].value.columns) == ["product", "claims"]


def test_figures_carry_the_change_against_as_many_days_before(stage: Stage) -> None:
    test = opened(stage, period="90-days")
    assert [metric.label for metric in test.metric] == [
        "Claims",
        "Open",
        "Share open",
        "Median days to claim",
    ]
    assert [bool(metric.delta) for metric in test.metric] == [True, False, False, False]
    assert re.search(
        r"than the 89 days before \([\d,]+\): .*than the same days last year \([\d,]+\): ", words(test)
    )


@pytest.mark.parametrize(
    ("period", "others"), [("last-month", 2), ("last-year", 1), ("today", 0), ("all", 0)]
)
def test_no_days_are_read_twice_and_none_where_nothing_is_compared(
    stage: Stage, period: str, others: int
) -> None:
    asked: list[ClaimQuery] = []

    def noted(query: ClaimQuery, **how: Any) -> ClaimSet:
        asked.append(query)
        return retrieve_claims(stage.runtime.client, query, **how)

    whole = stage.runtime.claims
    stage.runtime = replace(stage.runtime, claims=ClaimReadings(read=noted, scope="noted"))
    test = opened(stage, period=period)
    shown(test.run())
    assert len(asked) == len({query.claim_dates for query in asked}) == 1 + others
    stage.runtime.claims.close()
    stage.runtime = replace(stage.runtime, claims=whole)


def test_a_day_that_is_not_over_is_in_no_change(stage: Stage) -> None:
    test = opened(stage, period="today")
    assert "No day of it is over yet, so no change is told." in words(test)
    assert not [metric for metric in test.metric if metric.delta]


@pytest.mark.parametrize(
    ("narrowed", "why"),
    [
        ({"status": "OPEN"}, "Older claims have had longer to change their status, so no change is told."),
        ({"open": "1"}, "Older claims have had longer to change their status, so no change is told."),
        ({"words": "e"}, "Older claims have had longer to change their status, so no change is told."),
        (
            {"started-from": "2000-01-01", "started-to": "2030-01-01"},
            "Warranties that started in given days were younger before, so no change is told.",
        ),
    ],
)
def test_claims_that_were_younger_or_older_then_are_not_compared(
    stage: Stage, narrowed: dict[str, str], why: str
) -> None:
    test = opened(stage, period="90-days", **narrowed)
    assert why in words(test)
    assert not [metric for metric in test.metric if metric.delta]


def test_no_change_is_told_where_claims_of_the_period_are_missing(stage: Stage) -> None:
    whole = stage.runtime.claims

    def in_part(query: ClaimQuery, **how: Any) -> ClaimSet:
        claims = retrieve_claims(stage.runtime.client, query, **how)
        return replace(claims, total=claims.received + 7, reasons=(Sentence("Some were not shown."),))

    stage.runtime = replace(stage.runtime, claims=ClaimReadings(read=in_part, scope="in part"))
    test = opened(stage, period="90-days")
    assert "incomplete: " in words(test)
    assert [metric.delta for metric in test.metric] == ["", "", "", ""]
    assert "so no change is told" in words(test)
    missing = "7 of the claims that the service counts were not read"
    assert sum(caption.value.startswith(missing) for caption in test.caption) == 5, "under each chart"
    stage.runtime.claims.close()
    stage.runtime = replace(stage.runtime, claims=whole)


class SlowBefore:
    """A reader that waits, for any but the claims of the period itself, until it is dropped or stopped."""

    def __init__(self, stage: Stage, at_once: ClaimQuery) -> None:
        self._client = stage.runtime.client
        self._at_once = at_once
        self.stopped: list[ClaimQuery] = []

    def __call__(self, query: ClaimQuery, **how: Any) -> ClaimSet:
        cancel: threading.Event = how.pop("cancel")
        claims = retrieve_claims(self._client, query, **how)
        if query != self._at_once:
            cancel.wait()  # without an end: a slow machine takes its time to press, and the fixture closes
            self.stopped.append(query)
            return replace(claims, received=claims.received - 1, reasons=(Sentence("It was stopped."),))
        return claims


@pytest.fixture
def slow_before(stage: Stage) -> Iterator[SlowBefore]:
    reader = SlowBefore(stage, ClaimsFilter(period="90-days").query(service_today()))
    stage.runtime = replace(stage.runtime, claims=ClaimReadings(read=reader, scope="slow"))
    yield reader
    stage.runtime.claims.close()


def before_of(period: str) -> ClaimQuery:
    return compared_with(ClaimsFilter(period=period))[0]


def test_the_period_before_shows_that_it_is_read_and_can_be_stopped(
    stage: Stage, slow_before: SlowBefore
) -> None:
    test = stage.screen("claim_trends", MANAGER, query={"period": "90-days"})
    await_end(stage, slow_before._at_once)
    shown(test.run())
    assert "Reading the days before: " in words(test)
    next(button for button in test.button if button.label == "Skip").click()
    shown(test.run())
    await_end(stage, before_of("90-days"))
    shown(test.run())
    assert "Claims of the days before were not read completely" in words(test)
    assert not [metric for metric in test.metric if metric.delta]
    assert len(test.get("plotly_chart")) == len(TITLES)


@pytest.mark.parametrize("goes_on_to", ["another period", "claims"])
def test_the_period_before_is_dropped_by_whoever_goes_on(
    stage: Stage, slow_before: SlowBefore, goes_on_to: str
) -> None:
    test = stage.screen("claim_trends", MANAGER, query={"period": "90-days"})
    await_end(stage, slow_before._at_once)
    shown(test.run())
    assert stage.runtime.claims.look(before_of("90-days")).running
    if goes_on_to == "claims":
        test._script_path = str(ROOT / "pages" / "claims.py")  # the same tab on another screen
    else:
        claim_dates(test).set_value("this-year")
    shown(test.run())
    await_end(stage, before_of("90-days"))
    assert slow_before.stopped == [before_of("90-days")]


def test_all_dates_have_no_period_before(stage: Stage) -> None:
    test = opened(stage, period="all")
    assert not [metric for metric in test.metric if metric.delta]
    assert test.metric[0].value == "480"


def test_a_bar_picked_for_the_table_does_not_narrow_the_charts(stage: Stage) -> None:
    test = opened(stage, period="all", pick="status:OPEN")
    assert test.metric[0].value == "480"
    assert "pick" not in test.query_params
