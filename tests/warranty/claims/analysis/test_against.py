"""Which days are held against which, what a difference is called, and what is said of it in sentences."""

from collections.abc import Sequence
from datetime import date

import numpy as np
import pytest

from tests.builders import base
from warranty.claims.analysis import (
    Bars,
    ByProduct,
    Change,
    Figure,
    Period,
    Verdict,
    comparable,
    how_it_changed,
    which_leads,
)


def days(first: str, last: str) -> Period:
    return Period(date.fromisoformat(first), date.fromisoformat(last))


@pytest.mark.parametrize(
    ("chosen", "compared", "before"),
    [
        # This month, on the third: two days are over, and the third is not.
        (("2026-11-01", "2026-11-30"), ("2026-11-01", "2026-11-02"), ("2026-10-30", "2026-10-31")),
        (("2026-10-28", "2026-11-03"), ("2026-10-28", "2026-11-02"), ("2026-10-22", "2026-10-27")),
        (("2026-10-01", "2026-10-31"), ("2026-10-01", "2026-10-31"), ("2026-08-31", "2026-09-30")),
    ],
)
def test_days_that_are_not_over_are_held_against_no_day_that_is(
    chosen: tuple[str, str], compared: tuple[str, str], before: tuple[str, str]
) -> None:
    found = comparable(days(*chosen), today=date(2026, 11, 3))
    assert found is not None
    assert (found.days, found.before) == (days(*compared), days(*before))
    assert found.days.days == found.before.days
    assert found.cut == (compared != chosen)


@pytest.mark.parametrize("chosen", [("2026-11-03", "2026-11-03"), ("2026-12-01", "2026-12-31")])
def test_where_no_day_is_over_nothing_is_compared(chosen: tuple[str, str]) -> None:
    assert comparable(days(*chosen), today=date(2026, 11, 3)) is None


@pytest.mark.parametrize(
    ("chosen", "year_ago"),
    [
        (("2026-10-01", "2026-10-31"), ("2025-10-01", "2025-10-31")),
        (("2024-02-29", "2024-02-29"), ("2023-03-01", "2023-03-01")),
        (("2024-02-01", "2024-02-29"), ("2023-02-01", "2023-03-01")),  # as many days
        (("2025-02-01", "2025-03-01"), ("2024-02-01", "2024-02-29")),
        (("2025-01-01", "2025-12-31"), None),  # the 365 days before are the year before
        (("2024-01-01", "2024-12-31"), None),  # 366 days: a day of the year before would be its own
        (("2022-01-01", "2025-12-31"), None),
    ],
)
def test_the_same_days_last_year_are_as_many_and_nothing_is_asked_twice(
    chosen: tuple[str, str], year_ago: tuple[str, str] | None
) -> None:
    found = comparable(days(*chosen), today=date(2026, 11, 3))
    assert found is not None
    assert found.last_year == (None if year_ago is None else days(*year_ago))
    assert found.last_year is None or found.last_year.days == found.days.days


OCTOBER = comparable(days("2026-10-01", "2026-10-31"), today=date(2026, 11, 22))


@pytest.mark.parametrize(
    ("now", "before", "words"),
    [
        (42, 36, "6 more than the 31 days before (36): within chance"),
        (36, 36, "as many as in the 31 days before (36)"),
        (60, 30, "30 more than the 31 days before (30): more than chance"),
        (30, 60, "30 fewer than the 31 days before (60): more than chance"),
        (1_060, 960, f"100 more than the 31 days before (960): {Verdict.GROWING_SALES}"),
        (960, 1_040, f"80 fewer than the 31 days before (1,040): {Verdict.FALLING_SALES}"),
        (0, 0, "as many as in the 31 days before (0)"),
        (5, 0, "5 more than the 31 days before (0): more than chance"),
    ],
)
def test_a_change_has_both_counts_and_what_it_is_worth(now: int, before: int, words: str) -> None:
    assert OCTOBER is not None
    assert OCTOBER.change(now, OCTOBER.before, before).words == words


def test_of_fewer_than_four_weeks_two_numbers_stand_side_by_side_without_a_verdict() -> None:
    """Where shops are quiet on Sundays a week is told as a change in up to 19 of 100, a month's first one in 37."""
    for last, verdict in (("2026-10-27", ""), ("2026-10-28", ": more than chance")):
        found = comparable(days("2026-10-01", last), today=date(2026, 11, 22))
        assert found is not None
        for against in filter(None, (found.before, found.last_year)):
            change = found.change(300, against, 30)
            assert change.words.endswith(f"(30){verdict}")
            assert bool(change.short_verdict) is bool(verdict)


def test_what_sales_may_have_grown_in_a_year_is_more_than_in_a_month() -> None:
    assert OCTOBER is not None
    assert OCTOBER.last_year is not None
    year = OCTOBER.change(180, OCTOBER.last_year, 100)
    sentence = "80 more than the same days last year (100): no more than sales growing 6 % a month would bring"
    assert year.words == sentence
    assert OCTOBER.change(180, OCTOBER.before, 100).verdict is Verdict.BEYOND
    assert OCTOBER.change(300, OCTOBER.last_year, 100).verdict is Verdict.BEYOND


def test_a_change_is_written_in_one_form_with_the_two_counts_that_were_compared() -> None:
    for first, last in (("2026-10-01", "2026-10-31"), ("2026-10-28", "2026-11-03")):
        compared = comparable(days(first, last), today=date(2026, 11, 3))
        assert compared is not None
        assert compared.change(46, compared.before, 35).counts == "46 · 35 before"


@pytest.mark.parametrize(
    ("first_claim", "sentence"),
    [
        (date(2025, 10, 1), ""),
        (date(2025, 10, 2), "No comparison with the same days last year: the first claim is of 2 Oct 2025"),
        (date(2025, 11, 1), "No comparison with the same days last year: there were no claims yet"),
    ],
)
def test_no_change_is_said_against_days_before_the_first_claim(first_claim: date, sentence: str) -> None:
    assert OCTOBER is not None
    assert OCTOBER.last_year is not None
    assert OCTOBER.no_change(OCTOBER.last_year, first_claim) == sentence


IN_OCTOBER, IN_NOVEMBER = days("2026-10-01", "2026-10-31"), days("2026-11-01", "2026-11-30")


def claims(value: int, period: Period = IN_OCTOBER, *changes: Change) -> Figure[int]:
    return Figure(name="Claims", value=value, base=base(f"claims dated {period.words}"), changes=changes)


def products(*counts: int, names: Sequence[str] = "ABCDEF", rest: int = 0) -> ByProduct:
    top = Bars("product", tuple(names[: len(counts)]), np.array(counts))
    return ByProduct(top, rest=rest, other_products=int(rest > 0))


def change(period: Period, now: int, before: int, *, last_year: int | None = None) -> list[Change]:
    compared = comparable(period, today=date(2026, 11, 22))
    assert compared is not None
    told = [compared.change(now, compared.before, before)]
    if last_year is not None:
        assert compared.last_year is not None
        told.append(compared.change(now, compared.last_year, last_year))
    return told


@pytest.mark.parametrize(
    ("figure", "sentence"),
    [
        (
            claims(42, IN_OCTOBER, *change(IN_OCTOBER, 42, 36, last_year=24)),
            "42 claims, 6 more than the 31 days before (36): within chance; "
            "18 more than the same days last year (24): no more than sales growing 6 % a month would bring.",
        ),
        (
            claims(45, IN_NOVEMBER, *change(IN_NOVEMBER, 44, 20)),
            "44 claims until 21 Nov 2026, the last day that is over, 24 more than the 21 days before (20).",
        ),
        (claims(1), ""),
        (claims(0), ""),
    ],
)
def test_how_many_is_said_with_both_counts_and_their_difference(figure: Figure[int], sentence: str) -> None:
    assert how_it_changed(figure) == sentence


@pytest.mark.parametrize(
    ("counted", "said"),
    [
        (products(12, 11, 4), "A leads with 12 of 27, B has 11: within chance."),
        (products(30, 11, rest=9), "A leads with 30 of 50, B has 11: more than chance."),
        (products(30, 17), "A leads with 30 of 47, B has 17: within chance."),  # one of 13 of two alike
        (products(12, 12, 4), ""),  # nobody leads
        (products(12), ""),  # nobody to lead
        (products(2, 1, names=("", "**Lamp**")), "(empty) leads with 2 of 3, **Lamp** has 1: within chance."),
    ],
)
def test_a_product_leads_where_it_alone_has_the_most(counted: ByProduct, said: str) -> None:
    assert which_leads(counted) == said
