"""Plans sold as a base: by files, month by month, or as recorded at this desk; each says what it does not know."""

from datetime import timedelta

import pytest

from tests.warranty.conftest import Clock
from tests.warranty.desk.journal.intents import MakeIntent, ended
from warranty.access import Operator
from warranty.desk.journal import AttemptState, ItemLine, Journal
from warranty.errors import PermissionDenied
from warranty.insight.insight import Insight
from warranty.insight.plans.plans_sold import PlansSold

OLD = {("2026-09", "Kettle"): 10, ("2026-10", "Kettle"): 20, ("2026-10", "Gas grill"): 5}


def test_a_file_replaces_the_months_that_it_holds_and_no_others(
    insight: Insight, manager: Operator, journal: Journal, clock: Clock
) -> None:
    kept = insight.plans_sold(manager)
    kept.replace(OLD, file_name="first.csv")
    clock.advance(timedelta(days=1))
    kept.replace({("2026-10", "Kettle"): 21, ("2026-11", "Kettle"): 1}, file_name="second.csv")
    plans = {month: count for (month, _), count in kept.by_files().plans.items()}
    assert plans == {"2026-09": 10, "2026-10": 21, "2026-11": 1}
    first, second, third = kept.rows()
    assert second.imported_at == third.imported_at
    assert (first.file_name, first.username) == ("first.csv", manager.username)
    assert (second.file_name, second.imported_at) == ("second.csv", clock.now)
    assert dict(PlansSold.load(journal.database, "staging").plans) == {}


def test_plans_are_given_by_month_or_not_at_all() -> None:
    sold = PlansSold(OLD, frozenset({"2026-09", "2026-10"}), "plans sold")
    assert sold.of("Gas grill", ["2026-09", "2026-10"]) is not None
    assert _of(sold, "Gas grill", "2026-09", "2026-10") == [0, 5]
    assert _of(sold, None, "2026-09", "2026-10") == [10, 25]
    assert sold.of("Kettle", ["2026-08", "2026-09"]) is None, "of August nothing is known"
    assert sold.of("kettle", ["2026-09"]) is None, "another name"


def test_sales_recorded_here_are_plans_by_month_and_title_and_name_their_orders(
    *, insight: Insight, clerk: Operator, manager: Operator, journal: Journal, intent: MakeIntent, clock: Clock
) -> None:
    with pytest.raises(PermissionDenied, match="see trends"):
        insight.plans_sold(clerk)
    two, one = ItemLine("Kettle", "K", 2), ItemLine("Lamp", "L", 1)
    ended(journal, intent(operation="record_sale", order_id="o-1", items=(two, one)), AttemptState.DONE)
    ended(journal, intent(operation="record_sale", order_id="o-2", items=(two,)), AttemptState.REFUSED)
    for _sent in range(2):
        ended(journal, intent(operation="notify_checkout", order_id="o-3", items=(one,)), AttemptState.DONE)
    clock.advance(timedelta(days=40))
    sold = insight.plans_sold(manager).recorded_here()
    assert dict(sold.plans) == {("2026-11", "Kettle"): 2, ("2026-11", "Lamp"): 2}
    assert sold.months == {"2026-11", "2026-12"}, "a month without a sale has 0 plans"
    assert sold.orders == frozenset({"o-1", "o-3"})
    assert "plans bought on the landing page" in sold.leaves_out


def _of(sold: PlansSold, product: str | None, *months: str) -> list[int]:
    plans = sold.of(product, months)
    assert plans is not None
    return [int(count) for count in plans]
