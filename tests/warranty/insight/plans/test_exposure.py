"""Claims beside the plans of their starts: what has no plans sold is left out, and counted."""

from datetime import date

from tests.warranty.claims.analysis.test_starts import SOME
from warranty.claims.analysis.starts import StartTable
from warranty.insight.plans.plans_sold import PlansSold, exposed, unmatched

TABLE = StartTable.of(SOME, as_of=date(2026, 11, 22), first=date(2026, 6, 1))
PLANS = {
    ("2026-06", "Kettle"): 40, ("2026-09", "Gas grill"): 5, ("2026-10", "Toaster"): 9, ("2020-01", "Iron"): 2,
}  # fmt: skip
SOLD = PlansSold(PLANS, frozenset({"2026-06", "2026-09", "2026-10"}), "plans sold")


def test_claims_count_beside_plans_of_their_own_product_and_month_alone() -> None:
    kettle = exposed(TABLE, SOLD, "Kettle")
    assert kettle.plans.tolist() == [40, 0, 0, 0, 0]
    assert kettle.claims[0].tolist() == [1, 0, 0, 0, 0]
    assert kettle.left_out == 2, "both of September"
    every = exposed(TABLE, SOLD)
    assert every.plans.tolist() == [40, 0, 0, 5, 9]
    assert (int(every.claims.sum()), every.left_out) == (1, 3)
    assert not exposed(TABLE, SOLD, "kettle").plans.any()


def test_names_that_only_one_side_knows_are_listed_with_their_counts() -> None:
    claims, plans = unmatched(TABLE, SOLD)
    assert dict(claims) == {}
    assert dict(plans) == {"Toaster": 9}
    only_toasters = PlansSold({("2026-10", "Toaster"): 9}, frozenset({"2026-10"}), "plans sold")
    assert dict(unmatched(TABLE, only_toasters)[0]) == {"Kettle": 3, "Gas grill": 1}
