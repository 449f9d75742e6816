"""Charts are counts: each is compared with counting the claims one by one."""

import tracemalloc
from collections import Counter
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from random import Random

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from tests.builders import claim_record
from tests.warranty.claims.retrieval.fake_service import FakeService
from warranty.claims.analysis import ClaimCube, OverTime, Period, Selection, Step, Trends, covered, trends
from warranty.claims.analysis.periods import DAY, part_of
from warranty.claims.retrieval import Bounds, ClaimSet, retrieve_claims
from warranty.client.resources import ClaimQuery

YEAR = Period(date(2025, 11, 1), date(2026, 10, 31))
STATUSES = ("RESOLVED", "OPEN", "resolved", "Awaiting customer")


def made_claims(count: int, *, seed: int = 1) -> ClaimSet:
    random, first = Random(seed), datetime.combine(YEAR.first, datetime.min.time())
    records = []
    for number in range(count):
        claimed = first + timedelta(microseconds=random.randrange(YEAR.days * 86_400_000_000))
        age = timedelta(days=random.choice([-3, 0, 1, 40, 200, 700, 1_900]), hours=random.randrange(24))
        status, product = random.choice(STATUSES), min(random.randrange(40), random.randrange(40))
        started = (claimed - age).isoformat() + random.choice(["+00:00", "-08:00", "+05:30"])
        own = {"status": status, "product_name": f"Product {product}", "warranty_start_date": started}
        records.append(claim_record(claimed, number, **own))
    return retrieve_claims(FakeService(records, page_size=count), ClaimQuery(claim_dates=YEAR.times), bounds=Bounds())


CLAIMS = made_claims(2_000)
CUBE = ClaimCube.of(CLAIMS.frame)
PERIODS = [
    YEAR, Period(date(2026, 2, 17), date(2026, 2, 17)), Period(date(2026, 1, 5), date(2026, 2, 3)),
    Period(date(2026, 2, 28), date(2026, 8, 1)), Period(date(2025, 1, 1), date(2025, 12, 24)),
]  # fmt: skip


def rows(period: Period) -> pd.DataFrame:
    days = CLAIMS.frame["claim_date"].dt.date
    found: pd.DataFrame = CLAIMS.frame[(days >= period.first) & (days <= period.last)]
    return found


def charts(period: Period) -> Trends:
    return Trends(CUBE, period)


@pytest.mark.parametrize("period", [*PERIODS, Period(date(2016, 3, 5), date(2026, 5, 5))])
def test_claims_over_time_by_status(period: Period) -> None:
    chart = charts(period).over_time()
    begin: dict[Step, Callable[[date], date]] = {
        Step.DAY: lambda day: day, Step.WEEK: lambda day: day - timedelta(days=day.weekday()),
        Step.MONTH: lambda day: day.replace(day=1), Step.YEAR: lambda day: day.replace(month=1, day=1),
    }  # fmt: skip
    counted = Counter(
        (max(begin[chart.step](moment.date()), period.first), status)
        for moment, status in zip(rows(period)["claim_date"], rows(period)["status"], strict=True)
    )
    assert int(chart.counts.sum()) == len(rows(period))
    for place, step in enumerate(chart.steps):
        for column, status in enumerate(chart.statuses):
            assert chart.counts[place, column] == counted[step.first, status]
    assert chart.steps[-1].last == period.last
    assert chart.step is Step.YEAR or chart.steps[0].first == period.first
    assert all(later.first - sooner.last == DAY for sooner, later in pairwise(chart.steps))
    assert list(chart.table.columns) == [chart.step.value, "counted", *chart.statuses, "all"]


@pytest.mark.parametrize("step", Step)
def test_a_status_called_as_one_of_our_columns_keeps_its_counts_and_its_name(step: Step) -> None:
    words = ("all", "counted", "day", "week", "month", "year", "status all")
    counts = np.arange(1, 8)[None, :]
    table = OverTime(step, (Period(date(2026, 11, 21), date(2026, 11, 21)),), words, counts, ("",)).table
    assert [*table.columns] == [step.value, "counted", *(f"status {word}" for word in words), "all"]
    assert [table[f"status {word}"].item() for word in words] == [1, 2, 3, 4, 5, 6, 7]
    assert (table["counted"].item(), table["all"].item()) == ("whole", 28)


@pytest.mark.parametrize(("length", "step"), [
    (1, Step.DAY), (45, Step.DAY), (46, Step.WEEK), (270, Step.WEEK), (271, Step.MONTH), (3_660, Step.MONTH),
    (3_661, Step.YEAR),
])  # fmt: skip
def test_the_step_follows_the_length_of_the_range(length: int, step: Step) -> None:
    first = date(2026, 1, 1)
    assert Period(first, first + timedelta(days=length - 1)).step is step


@pytest.mark.parametrize("period", PERIODS)
def test_the_products_with_most_claims_and_the_rest(period: Period) -> None:
    counted = Counter(rows(period)["product_name"])
    chart = charts(period).by_product(top=10)
    assert list(chart.counts) == sorted(counted.values(), reverse=True)[:10]
    assert all(counted[name] == n for name, n in zip(chart.names, chart.counts, strict=True))
    assert chart.rest + chart.counts.sum() == len(rows(period))
    assert chart.other_products == max(0, len(counted) - 10)


CLOSED_WORDS = [("RESOLVED",), ("RESOLVED", "resolved"), ("no such word",)]


@pytest.mark.parametrize("closed", CLOSED_WORDS)
def test_open_claims_by_age(closed: tuple[str, ...]) -> None:
    today = date(2026, 11, 3)
    chart = trends(CLAIMS, selection=Selection(closed=closed)).open_by_age(today=today)
    still_open = CLAIMS.frame[~CLAIMS.frame["status"].isin(closed)]
    days = [(today - moment.date()).days for moment in still_open["claim_date"]]
    assert chart.labels[:2] == ("0 to 30 days", "31 to 60 days")
    assert (chart.labels[-2:], chart.closed) == (("151 to 180 days", "over 180 days"), closed)
    assert set(chart.statuses) == set(still_open["status"])
    assert list(chart.counts) == [
        sum(first <= day <= last for day in days)
        for first, last in ((0, 30), *((first, first + 29) for first in range(31, 180, 30)), (181, 999))
    ]


@pytest.mark.parametrize("period", [YEAR, Period(date(2026, 5, 1), date(2026, 5, 30))])
@pytest.mark.parametrize("closed", CLOSED_WORDS)
def test_headline_figures_are_of_the_period(period: Period, closed: tuple[str, ...]) -> None:
    found, headline = rows(period), Trends(CUBE, period, closed=closed)
    assert (headline.claims, headline.open_claims) == (len(found), (~found["status"].isin(closed)).sum())


def test_a_period_is_asked_for_from_its_first_microsecond_to_its_last() -> None:
    begin, end = "2026-02-28T00:00:00.000000", "2026-03-01T23:59:59.999999"
    times = Period(date(2026, 2, 28), date(2026, 3, 1)).times
    assert tuple(moment.isoformat(timespec="microseconds") for moment in times) == (begin, end)


def test_claims_of_whatever_year_are_in_every_figure_and_chart() -> None:
    dates = (
        ("0001-01-01T00:00:00.000000", "0001-01-01"), ("2014-02-28T23:59:59.999999", "2014-01-31"),
        ("2026-05-01T10:00:00.000000", "0001-01-01"), ("9999-12-31T23:59:59.999999", "9998-12-31"),
    )  # fmt: skip
    records = [
        claim_record(claimed, number, status="OPEN", warranty_start_date=f"{started}T00:00:00+00:00")
        for number, (claimed, started) in enumerate(dates)
    ]
    now = datetime(2026, 11, 21, 12, tzinfo=UTC)
    claims = retrieve_claims(FakeService(records), ClaimQuery(), now=lambda: now)
    assert claims.is_complete
    assert covered(claims) == Period(date(1, 1, 1), date(9999, 12, 31))
    counts = trends(claims)
    over_time = counts.over_time()
    years = [step.first.year for step in over_time.steps]
    by_year = dict(zip(years, over_time.counts.sum(axis=1).tolist(), strict=True))
    assert (over_time.step, by_year) == (Step.YEAR, {1: 1, 2014: 1, 2026: 1, 9999: 1})
    of_all = [int(chart.counts.sum()) for chart in (counts.by_product(), counts.open_by_age(today=now.date()))]
    assert [counts.claims, *of_all] == [4, 4, 4]


def test_rows_in_no_order_are_counted_and_a_claim_without_a_status_or_product_under_an_empty_name() -> None:
    shuffled = CLAIMS.frame.sample(frac=1, random_state=1)
    chart, by_product = Trends(ClaimCube.of(shuffled), PERIODS[2]), charts(PERIODS[2]).by_product()
    assert (chart.over_time().counts.sum(axis=1) == charts(PERIODS[2]).over_time().counts.sum(axis=1)).all()
    assert chart.by_product().counts.tolist() == by_product.counts.tolist()
    frame = CLAIMS.frame.head(60).reset_index(drop=True)
    frame.loc[3, "status"], frame.loc[4, "product_name"] = None, None
    counts = Trends(ClaimCube.of(frame), YEAR)
    over_time = counts.over_time()
    assert dict(zip(over_time.statuses, over_time.counts.sum(axis=0), strict=True))[""] == 1
    assert (int(over_time.counts.sum()), "" in counts.by_product(top=60).names) == (60, True)


@pytest.mark.parametrize("kinds", [3, 130, 33_000])
def test_any_number_of_statuses_and_products_is_counted(kinds: int) -> None:
    count = 3 * kinds
    words = [f"Word {number % kinds}" for number in range(count)]
    pieces = pa.chunked_array([pa.array(words[:7]), pa.array(words[7:])])
    moments = [datetime(2026, 5, 1) + timedelta(minutes=number % 3_000) for number in range(count)]  # noqa: DTZ001
    table = {"claim_date": moments, "warranty_start_date": [moment.replace(tzinfo=UTC) for moment in moments]}
    frame = pa.table({**table, "status": pieces.dictionary_encode(), "product_name": pieces}).to_pandas()
    counts = Trends(ClaimCube.of(frame), YEAR)
    over_time, by_product = counts.over_time(), counts.by_product(top=kinds)
    assert (over_time.counts.sum(axis=0) == 3).all()
    assert len(over_time.statuses) == len(by_product.names) == kinds
    assert (by_product.counts == 3).all()


def test_a_status_for_each_claim_does_not_fill_the_memory() -> None:
    frame = CLAIMS.frame[(CLAIMS.frame["claim_date"] < "2026-01-01")].reset_index(drop=True)
    frame["status"] = pd.Categorical([f"Case {number}" for number in range(len(frame))])
    tracemalloc.start()
    ClaimCube.of(frame)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    days = 61
    assert most < 3 * 8 * days * len(frame)


@pytest.mark.parametrize(("unit", "first", "last", "words"), [
    (Step.DAY, "2026-11-21", "2026-11-21", ""), (Step.DAY, "2026-11-22", "2026-11-22", "so far"),
    (Step.DAY, "2026-11-23", "2026-11-23", "to come"), (Step.WEEK, "2026-11-09", "2026-11-15", ""),
    (Step.WEEK, "2026-11-11", "2026-11-15", "from 11 Nov"), (Step.WEEK, "2026-11-16", "2026-11-22", "so far"),
    (Step.WEEK, "2026-11-17", "2026-11-21", "from 17 Nov to 21 Nov"), (Step.MONTH, "2026-10-01", "2026-10-31", ""),
    (Step.MONTH, "2025-05-22", "2025-05-31", "from 22 May"), (Step.MONTH, "2026-11-01", "2026-11-30", "so far"),
    (Step.MONTH, "2026-10-01", "2026-10-09", "to 9 Oct"), (Step.YEAR, "2026-03-01", "2026-11-30", "from 1 Mar so far"),
    (Step.YEAR, "9999-01-01", "9999-12-31", "to come"),
])  # fmt: skip
def test_a_step_says_which_part_of_it_is_counted(unit: Step, first: str, last: str, words: str) -> None:
    assert part_of(Period(date.fromisoformat(first), date.fromisoformat(last)), unit, today=date(2026, 11, 22)) == words


def test_days_to_come_are_no_days_without_claims() -> None:
    november = Period(date(2026, 11, 1), date(2026, 11, 30))
    frame = CLAIMS.frame.iloc[:3].copy()
    frame["claim_date"] = pd.to_datetime(["2026-11-25 10:00", "2026-11-20 10:00", "2026-11-02 10:00"])

    def last(shown: pd.DataFrame) -> tuple[date, str]:
        over_time = Trends(ClaimCube.of(shown), november, today=date(2026, 11, 22)).over_time()
        return over_time.steps[-1].first, over_time.parts[-1]

    assert last(frame.iloc[1:]) == (date(2026, 11, 22), "so far")
    assert last(frame) == (date(2026, 11, 25), "to come")  # dated ahead: it is in the chart all the same
