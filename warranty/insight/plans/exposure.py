"""Claims by start and age beside the plans of these starts."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from warranty.claims.analysis.cube import Counts
from warranty.claims.analysis.starts import StartTable
from warranty.insight.plans.plans_sold import PlansSold


@dataclass(frozen=True, slots=True, eq=False)
class Exposed:
    """Claims [starts, ages] on the plans [starts] that were sold; `left_out` claims have no plans sold beside them."""

    claims: Counts
    plans: Counts
    left_out: int


def exposed(table: StartTable, sold: PlansSold, product: str | None = None) -> Exposed:
    """Give the claims of a product (None: of all) in months of start for which plans of the product were sold."""
    size = len(table.starts)
    claims, plans = np.zeros((size, size), np.int64), np.zeros(size, np.int64)
    for name, by_month in sold.by_product.items() if product is None else [(product, sold.by_product.get(product, {}))]:
        of_product = np.array([by_month.get(month, 0) for month in table.starts], np.int64)
        plans += of_product
        claims += table.counts(name) * (of_product > 0)[:, None]
    return Exposed(claims, plans, int(table.counts(product).sum() - claims.sum()))


def unmatched(table: StartTable, sold: PlansSold) -> tuple[Mapping[str, int], Mapping[str, int]]:
    """Products of claims without plans sold, with their claims; and of plans sold without claims, with their plans.

    Names are compared letter by letter, in the months of the table.
    """
    months = set(table.starts)
    plans = {
        name: sum(count for month, count in by_month.items() if month in months)
        for name, by_month in sold.by_product.items()
    }
    claims = {name: int(table.counts(name).sum()) for name in table.products if not plans.get(name)}
    return claims, {name: count for name, count in plans.items() if count and name not in table.products}
