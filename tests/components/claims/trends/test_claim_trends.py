"""Trends: every chart with its seal, its words and its data; figures against the period before; managers only."""

import re
import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from components.claims.screen.charts import CountedClaims
from components.claims.screen.claims_filter import ClaimsFilter
from components.words.days import service_today
from sandbox import SandboxServer
from tests.builders import claim_record
from tests.components.claims.screen.screen import claim_dates, in_part, read, read_by
from tests.components.claims.screen.screen import opened as first_read
from tests.components.stage import Stage, press, shown, words
from tests.dashboard import ROOT
from tests.warranty.claims.retrieval.fake_service import FakeService
from warranty.claims.analysis import comparable
from warranty.claims.readings.readings import KeptClaims
from warranty.claims.retrieval import ClaimSet, retrieve_claims
from warranty.client.resources import ClaimQuery
from warranty.language import Sentence

TITLES = (
    "Claims by status, by week", "Products with the most claims", "Days from warranty start to claim",
    "Open claims, by age", "Weekday by hour, in service time",
)  # fmt: skip


def opened(stage: Stage, **query: str) -> AppTest:
    test = first_read(stage, query, "claim_trends")
    for days in compared_with(ClaimsFilter.from_address(query)):
        read(stage, test, days)
    return test


def compared_with(chosen: ClaimsFilter) -> list[ClaimsFilter]:
    days = chosen.days(service_today())
    compared = comparable(days, today=service_today()) if days else None
    others = (compared.before, compared.last_year) if compared else ()
    return [replace(chosen, period="", claimed=days) for days in others if days]


def test_every_chart_has_its_title_its_seal_and_words_for_who_cannot_see_it(stage: Stage) -> None:
    test = opened(stage, period="90-days")
    charts = test.get("plotly_chart")
    assert len(charts) == len(TITLES)
    said = words(test)
    assert "Squares and grey bars show numbers only." in said
    for title, chart in zip(TITLES, charts, strict=True):
        assert title in said
        assert chart.proto.alt.startswith(f"{title}. ")
        assert re.search(r"\. Claims dated [^.]*: (\d+)\. .*\. complete: \1 of \1, read \d\d:\d\d\.$", chart.proto.alt)
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


def test_figures_carry_the_change_against_as_many_days_before(stage: Stage) -> None:
    test = opened(stage, period="90-days")
    assert [(metric.label, bool(metric.delta)) for metric in test.metric] == [
        ("Claims", True),
        ("Open", False),
        ("Share open", False),
        ("Median days to claim", False),
    ]
    assert re.search(r"than the 89 days before \([\d,]+\): .*than the same days last year \([\d,]+\): ", words(test))


@pytest.mark.parametrize(
    ("period", "others", "said"),
    [
        ("last-month", 3, ""),
        ("last-year", 2, "No comparison with the 365 days before: there were no claims yet."),
        ("today", 1, "No day of it is over yet, so no change is told."),
        ("all", 0, ""),
    ],
)
def test_no_days_are_read_twice_or_without_need_also_for_what_stands_as_a_warning(
    stage: Stage, period: str, others: int, said: str
) -> None:
    asked: list[ClaimQuery] = []

    def noted(query: ClaimQuery, **how: Any) -> ClaimSet:
        if not (query.claim_dates and query.claim_dates[0].year == 1):  # whether claims are older than all these
            asked.append(query)
        return retrieve_claims(stage.runtime.service.client, query, **how)

    read_by(stage, noted)
    test = opened(stage, period=period)
    shown(test.run())
    assert len(asked) == len({query.claim_dates for query in asked}) == 1 + others
    assert said in words(test)
    assert bool(test.metric[0].delta) is (period == "last-month")


MISSING = "Not all claims of the period are here, so no change is told"
CLOSED_LATER = "Older claims have had longer to change their status, so no change is told"
YOUNGER = "Warranties that started in given days were younger before, so no change is told"


@pytest.mark.parametrize(
    ("narrowed", "doubt", "why"),
    [
        ({}, {}, ""),
        ({"product": "Arc floor lamp"}, {}, ""),
        ({"status": "OPEN"}, {}, CLOSED_LATER),
        ({"open": "1"}, {}, CLOSED_LATER),
        ({"words": "e"}, {}, CLOSED_LATER),
        ({"started-from": "2000-01-01", "started-to": "2030-01-01"}, {}, YOUNGER),
        ({}, {"total": 487}, MISSING),
    ],
)
def test_claims_that_were_younger_or_older_then_or_are_not_all_here_are_not_compared(
    kept: KeptClaims, narrowed: dict[str, str], doubt: dict[str, Any], why: str
) -> None:
    chosen = ClaimsFilter.from_address(narrowed)
    claims = replace(kept.claims, query=chosen.query(date(2026, 11, 22)), **doubt)
    assert CountedClaims(KeptClaims(claims), chosen).why_not_comparable == why


def test_claims_of_which_one_came_twice_are_not_compared() -> None:
    twice = claim_record("2026-09-01T10:00:00.000000")
    claims = retrieve_claims(FakeService([twice, twice]), ClaimQuery())
    assert CountedClaims(KeptClaims(claims), ClaimsFilter()).why_not_comparable == MISSING


def test_no_change_is_told_where_claims_of_the_period_are_missing(stage: Stage) -> None:
    read_by(stage, in_part(stage))
    test = opened(stage, period="90-days")
    assert "incomplete: " in words(test)
    assert [metric.delta for metric in test.metric] == ["", "", "", ""]
    assert MISSING in words(test)
    missing = "7 of the claims that the service counts were not read"
    assert sum(caption.value.startswith(missing) for caption in test.caption) == 5, "under each chart"


class SlowBefore:
    """A reader that waits, for any but the claims of the period itself, until it is dropped or stopped."""

    def __init__(self, stage: Stage, at_once: ClaimQuery) -> None:
        self._client = stage.runtime.service.client
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
    reader = SlowBefore(stage, QUARTER.query(service_today()))
    read_by(stage, reader)
    yield reader
    stage.runtime.claims.close()


QUARTER = ClaimsFilter(period="90-days")
BEFORE = compared_with(QUARTER)[0]


def test_the_period_before_shows_progress_and_can_be_stopped(stage: Stage, slow_before: SlowBefore) -> None:
    test = first_read(stage, QUARTER.address(), "claim_trends")
    assert "Reading the days before: " in words(test)
    read(stage, press(test, "Skip"), BEFORE)
    assert "Claims of the days before were not read completely" in words(test)
    assert not [metric for metric in test.metric if metric.delta]
    assert len(test.get("plotly_chart")) == len(TITLES)


@pytest.mark.parametrize("goes_on_to", ["another period", "claims"])
def test_the_period_before_goes_with_its_view(stage: Stage, slow_before: SlowBefore, goes_on_to: str) -> None:
    test = first_read(stage, QUARTER.address(), "claim_trends")
    before = BEFORE.query(service_today())
    assert stage.runtime.claims.look(before).running
    if goes_on_to == "claims":
        test._script_path = str(ROOT / "pages" / "claims.py")  # the same tab on another screen
    else:
        claim_dates(test).set_value("this-year")
    shown(test.run())
    read(stage, test, BEFORE)
    assert slow_before.stopped == [before]


def test_all_dates_are_not_compared_and_a_bar_picked_for_the_table_narrows_no_chart(stage: Stage) -> None:
    test = opened(stage, period="all", pick="status:OPEN")
    assert (test.metric[0].value, test.metric[0].delta) == ("480", "")
    assert "pick" not in test.query_params
