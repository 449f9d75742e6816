"""The usual price of a plan: the shop's own price list first, else what the service names for it.

The files are read once and again when they change, never on every rerun.
"""

from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import streamlit as st

from components.orders.catalogue import catalogue_of, changed_at
from warranty.files.catalogue import EMPTY as NO_CATALOGUE
from warranty.files.catalogue import Catalogue
from warranty.files.price_list import EMPTY as NO_PRICES
from warranty.files.price_list import PriceList, load_price_list
from warranty.files.table_files import FileProblem
from warranty.resources.orders import category_steps
from warranty.sales.plans_known import Plan, SaleItem
from warranty.settings import Settings


@dataclass(frozen=True, slots=True)
class UsualPrices:
    """Usual prices by item and plan; `problem` says why the shop's list cannot be used, if it cannot."""

    prices: PriceList = NO_PRICES
    catalogue: Catalogue = NO_CATALOGUE
    problem: str = ""

    def of(self, item: SaleItem, plan: Plan) -> Decimal | None:
        """The usual price of one unit's plan, in the order's currency; None where nobody says it."""
        product = self.catalogue.find(item.product_id) if item.product_id else None
        listed = self.prices.usual(
            sku=item.product_id,
            months=plan.months,
            plan_type=plan.type,
            categories=_categories(product.category) if product else (),
        )
        return plan.price if listed is None else listed


def usual_prices(settings: Settings) -> UsualPrices:
    """The prices that the settings name; a list that cannot be read is told, and does not stop a sale."""
    if settings.price_list is None:
        return UsualPrices()
    try:
        prices = _price_list(settings.price_list, changed_at(settings.price_list))
    except FileProblem as fault:
        return UsualPrices(problem=str(fault))
    problem = ""
    if prices.remarks:
        problem = f"{len(prices.remarks)} of the price list's rows were left out. {prices.remarks[0]}."
    return UsualPrices(prices, catalogue_of(settings), problem)


def _categories(path: str) -> tuple[str, ...]:
    """The whole path of a category, then its steps from the nearest to the widest."""
    return (path, *reversed(category_steps(path)))


@st.cache_resource(max_entries=2, show_spinner=False)
def _price_list(path: Path, changed: int) -> PriceList:
    return load_price_list(path)
