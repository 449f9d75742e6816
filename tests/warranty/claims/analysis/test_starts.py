"""Claims by month of start and age, counted by hand: a number, 0 and not seen yet are three things."""

from datetime import date

import pandas as pd
import pytest

from warranty.claims.analysis.starts import StartTable, starts_back

AS_OF = date(2026, 11, 22)


def claims(*rows: tuple[str, str, str]) -> pd.DataFrame:
    """Claims of (start, claimed, product)."""
    started, claimed, products = zip(*rows, strict=True) if rows else ((), (), ())
    times = {
        "claim_date": pd.to_datetime(list(claimed)), "warranty_start_date": pd.to_datetime(list(started), utc=True),
    }  # fmt: skip
    return pd.DataFrame({**times, "product_name": pd.Series(products, dtype="str")})


SOME = claims(
    ("2026-06-30", "2026-07-01", "Gas grill"), ("2026-06-30", "2026-06-30", "Kettle"),
    ("2026-09-02", "2026-10-31", "Kettle"), ("2026-09-02", "2026-10-01", "Kettle"),
)  # fmt: skip


def test_a_plan_of_30_june_claimed_on_1_july_counts_as_1_month_later() -> None:
    table = StartTable.of(SOME, as_of=AS_OF, first=date(2026, 6, 1))
    assert table.starts == ("2026-06", "2026-07", "2026-08", "2026-09", "2026-10")
    assert table.counts("Gas grill")[0].tolist() == [0, 1, 0, 0, 0]
    assert (table.counts("Kettle")[0].tolist(), table.counts()[3].tolist()) == ([1, 0, 0, 0, 0], [0, 2, 0, 0, 0])
    assert (int(table.counts().sum()), bool(table.counts("Toaster").any())) == (4, False)
    assert table.products == ("Kettle", "Gas grill"), "with the most claims first"


def test_a_cell_is_seen_once_its_month_is_over() -> None:
    table = StartTable.of(SOME, as_of=AS_OF, first=date(2026, 8, 1))
    assert table.seen.tolist() == [[True, True, True], [True, True, False], [True, False, False]]
    assert [table.starts[table.reached(age)][1:] for age in range(4)] == [("2026-09", "2026-10"), ("2026-09",), (), ()]
    on_the_last_day = StartTable.of(SOME, as_of=date(2026, 11, 30), first=date(2026, 8, 1))
    assert on_the_last_day.starts[-1] == "2026-10", "a day that is read is not over"
    assert StartTable.of(SOME, as_of=date(2026, 12, 1), first=date(2026, 8, 1)).starts[-1] == "2026-11"


@pytest.mark.parametrize(("first", "months"), [(date(2026, 7, 1), 0), (date(2026, 9, 1), 1), (date(2026, 9, 2), 2)])
def test_a_cell_before_the_first_claim_is_not_seen_and_nothing_is_counted_there(first: date, months: int) -> None:
    table = StartTable.of(SOME, as_of=AS_OF, first=date(2026, 8, 1), known_from=first)
    whole = [[True, True, True], [True, True, False], [True, False, False]]
    assert table.seen.tolist() == [[start + age >= months and seen for age, seen in enumerate(row)]
                                   for start, row in enumerate(whole)]  # fmt: skip
    assert table.starts[table.reached(0)] == ("2026-08", "2026-09", "2026-10")[months:]
    assert int(table.counts()[~table.seen].sum()) == 0
    last = StartTable.of(SOME, as_of=AS_OF, first=date(2026, 8, 1), known_from=date(2026, 10, 2))
    assert (last.left_out["dated before Nov 2026, the first that is known whole"], last.reached(0)) == (2, slice(3, 3))


def test_what_is_in_no_cell_is_named_with_its_number_and_once() -> None:
    days = (
        ("2026-06-10", "2026-06-09"), ("2026-06-10", "2026-11-23"), ("2026-06-10", "2026-11-22"),
        ("2026-11-10", "2026-11-22"), ("2026-05-31", "2026-06-10"), ("2026-06-10", "2026-06-10"),
    )  # fmt: skip
    table = StartTable.of(claims(*((*each, "Kettle") for each in days)), as_of=AS_OF, first=date(2026, 6, 1))
    assert dict(table.left_out) == {
        "dated before the start of their plan": 1, "dated after 22 Nov 2026": 1,
        "dated in Nov 2026, which is not over": 1, "on plans started in Nov 2026, which is not over": 1,
        "on plans started before Jun 2026": 1,
    }  # fmt: skip
    assert int(table.counts().sum()) == 1


def test_no_claims_one_claim_and_a_start_of_the_year_1_make_a_table_of_few_rows() -> None:
    nothing = StartTable.of(claims(), as_of=AS_OF, first=date(2025, 11, 1))
    assert (len(nothing.starts), bool(nothing.counts().any())) == (12, False)
    assert StartTable.of(claims(), as_of=AS_OF).starts == ("2026-10",)
    one = StartTable.of(SOME[:1], as_of=AS_OF)
    assert (one.starts[0], int(one.counts().sum())) == ("2026-06", 1)
    frame = SOME.copy()
    frame["warranty_start_date"] = frame["warranty_start_date"].dt.as_unit("us")
    frame.loc[0, "warranty_start_date"] = pd.Timestamp("0001-01-01", tz="UTC").as_unit("us")
    assert len(StartTable.of(frame, as_of=AS_OF).starts) == 240


@pytest.mark.parametrize(("today", "months", "words"), [
    (date(2026, 11, 22), 12, "1 Nov 2025 to 31 Oct 2026"), (date(2026, 1, 1), 36, "1 Jan 2023 to 31 Dec 2025"),
    (date(2026, 3, 31), 60, "1 Mar 2021 to 28 Feb 2026"),
])  # fmt: skip
def test_starts_are_asked_for_by_whole_months_before_this_one(today: date, months: int, words: str) -> None:
    assert starts_back(today, months).words == words
