"""The plans that were recorded at this desk, as a base of rates."""

from collections import Counter
from datetime import UTC

import numpy as np

from warranty.desk.journal import AttemptFilter, AttemptState, Journal
from warranty.desk.journal.shift_report import with_plans
from warranty.insight.plans.plans_sold import PlansSold


def plans_recorded(journal: Journal, environment: str) -> PlansSold:
    """What was recorded here and ended well, by the product's title: a plan starts when it is recorded."""
    done = frozenset({AttemptState.DONE})
    asked = (AttemptFilter(operation=one, states=done, limit=None) for one in ("record_sale", "notify_checkout"))
    sales = with_plans(attempt for each in asked for attempt in journal.attempts(environment, each))
    plans: Counter[tuple[str, str]] = Counter()
    for sale in sales:
        for line in sale.items:
            plans[f"{sale.started_at.astimezone(UTC):%Y-%m}", line.title] += line.quantity
    this = np.datetime64(journal.database.clock().astimezone(UTC).replace(tzinfo=None), "M")
    first = np.datetime64(min((month for month, _ in plans), default=f"{this}"), "M")
    return PlansSold(
        plans,
        frozenset(np.arange(first, this + np.timedelta64(1, "M")).astype(str).tolist()),
        "plans recorded at this desk",
        (
            "plans bought on the landing page",
            "claims on orders without a plan recorded here: by its order id a claim is taken to be on these plans",
        ),
        frozenset(sale.order_id for sale in sales),
    )
