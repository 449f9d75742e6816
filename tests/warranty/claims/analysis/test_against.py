"""Which days are held against which, what a difference is called, and what is said of it in sentences."""

from dataclasses import replace
from datetime import date

import pytest

from tests.builders import base
from warranty.claims.analysis import Figure, Period, Verdict, comparable, why_not_comparable
from warranty.claims.analysis.against import Compared


def days(first: str, last: str) -> Period:
    return Period(date.fromisoformat(first), date.fromisoformat(last))


OCTOBER = comparable(days("2026-10-01", "2026-10-31"))


@pytest.mark.parametrize(("month", "before", "last_year"), [
    (OCTOBER.month, days("2026-09-01", "2026-09-30"), days("2025-10-01", "2025-10-31")),
    (days("2024-02-01", "2024-02-29"), days("2024-01-01", "2024-01-31"), days("2023-02-01", "2023-02-28")),
    (days("2026-01-01", "2026-01-31"), days("2025-12-01", "2025-12-31"), days("2025-01-01", "2025-01-31")),
])  # fmt: skip
def test_a_month_is_held_against_the_last_and_last_years(month: Period, before: Period, last_year: Period) -> None:
    assert comparable(month) == (month, before, last_year)


@pytest.mark.parametrize(("now", "before", "words"), [
    (42, 36, "42 · 36 in Sep 2026 · could be chance"), (36, 36, "36 · 36 in Sep 2026 · could be chance"),
    (60, 30, "60 · 30 in Sep 2026 · unlikely to be chance"), (30, 60, "30 · 60 in Sep 2026 · unlikely to be chance"),
    (1_090, 960, f"1,090 · 960 in Sep 2026 · {Verdict.USUAL}"),
    (960, 1_040, f"960 · 1,040 in Sep 2026 · {Verdict.USUAL}"), (0, 0, "0 · 0 in Sep 2026 · could be chance"),
    (5, 0, "5 · 0 in Sep 2026 · unlikely to be chance"),
])  # fmt: skip
def test_a_change_has_both_counts_and_what_it_is_worth(now: int, before: int, words: str) -> None:
    assert OCTOBER.change(now, OCTOBER.before, before).words == words


IN_MAY = comparable(days("2026-05-01", "2026-05-31"))


@pytest.mark.parametrize(("month", "now", "against", "then", "verdict"), [
    (OCTOBER, 180, "last_year", 100, Verdict.USUAL), (OCTOBER, 180, "before", 100, Verdict.BEYOND),
    (OCTOBER, 300, "last_year", 100, Verdict.BEYOND), (IN_MAY, 1_230, "before", 1_000, Verdict.USUAL),
    (IN_MAY, 800, "before", 1_000, Verdict.USUAL), (IN_MAY, 1_400, "before", 1_000, Verdict.BEYOND),
    (IN_MAY, 620, "last_year", 1_000, Verdict.BEYOND),
])  # fmt: skip
def test_sales_grow_more_in_a_year_than_in_a_month_and_a_season_explains_no_difference_from_last_years(
    month: Compared, now: int, against: str, then: int, verdict: Verdict
) -> None:
    assert month.change(now, getattr(month, against), then).verdict is verdict


def test_nothing_is_concluded_from_the_first_year_of_a_shop_and_both_counts_have_one_form() -> None:
    young = OCTOBER.change(300, OCTOBER.last_year, 100, since=date(2024, 10, 2))
    assert young.words == "300 · 100 in Oct 2025 · too early to tell"
    assert OCTOBER.change(300, OCTOBER.last_year, 100, since=date(2024, 10, 1)).verdict is Verdict.BEYOND
    assert OCTOBER.change(46, OCTOBER.before, 35).counts == "46 · 35 before"


@pytest.mark.parametrize(("first_claim", "sentence"), [
    (date(2025, 10, 1), ""),
    (date(2025, 10, 2), "No comparison with Oct 2025: the first claim is of 2 Oct 2025"),
    (date(2025, 11, 1), "No comparison with Oct 2025: there were no claims yet"),
])  # fmt: skip
def test_no_change_is_said_against_days_before_the_first_claim(first_claim: date, sentence: str) -> None:
    assert why_not_comparable(OCTOBER.last_year, first_claim) == sentence


def test_how_many_is_said_with_both_counts_and_their_difference() -> None:
    changes = OCTOBER.change(42, OCTOBER.before, 36), OCTOBER.change(42, OCTOBER.last_year, 24)
    figure = Figure(name="Claims", value=42, base=base(f"claims dated {OCTOBER.month.words}"), changes=changes)
    assert figure.how_it_changed == (
        "42 · 36 in Sep 2026 · could be chance; 42 · 24 in Oct 2025 · could be sales or season."
    )
    assert replace(figure, changes=()).how_it_changed == ""
