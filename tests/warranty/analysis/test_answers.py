"""What the figures say in sentences."""

from collections.abc import Sequence
from datetime import date

import numpy as np
import pytest

from tests.builders import base
from warranty.analysis import Bars, ByProduct, Change, Figure, Period, comparable, how_it_changed, which_leads

OCTOBER = Period(date(2026, 10, 1), date(2026, 10, 31))
NOVEMBER = Period(date(2026, 11, 1), date(2026, 11, 30))
TODAY = date(2026, 11, 22)


def claims(value: int, period: Period = OCTOBER, *changes: Change) -> Figure[int]:
    return Figure(name="Claims", value=value, base=base(f"claims dated {period.words}"), changes=changes)


def products(*counts: int, names: Sequence[str] = "ABCDEF", rest: int = 0) -> ByProduct:
    top = Bars("product", tuple(names[: len(counts)]), np.array(counts))
    return ByProduct(top, rest=rest, other_products=int(rest > 0))


def change(period: Period, now: int, before: int, *, last_year: int | None = None) -> list[Change]:
    compared = comparable(period, today=TODAY)
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
            claims(42, OCTOBER, *change(OCTOBER, 42, 36, last_year=24)),
            "42 claims, 6 more than the 31 days before (36): within chance; "
            "18 more than the same days last year (24): no more than sales growing 6 % a month would bring.",
        ),
        (
            claims(45, NOVEMBER, *change(NOVEMBER, 44, 20)),
            "44 claims until 21 Nov 2026, the last day that is over, 24 more than the 21 days before (20): "
            "more than chance.",
        ),
        (claims(1), ""),
        (claims(0), ""),
    ],
)
def test_how_many_is_said_with_both_counts_what_their_difference_is_worth_and_which_days_are_over(
    figure: Figure[int], sentence: str
) -> None:
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
