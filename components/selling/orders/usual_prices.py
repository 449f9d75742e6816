"""The usual price of a plan: the shop's own price list first, else what the service names for it."""

from dataclasses import dataclass, replace
from decimal import Decimal

from warranty.client.resources.orders import category_steps
from warranty.desk.sales.plans_known import Plan, SaleItem
from warranty.files.catalogue import Catalogue
from warranty.files.price_list import PriceList
from warranty.files.shop_files import ShopFiles
from warranty.language import ngettext
from warranty.language.written import number


@dataclass(frozen=True, slots=True)
class UsualPrices:
    """Usual prices by item and plan; `problem` says why the shop's list cannot be used, if it cannot."""

    prices: PriceList
    catalogue: Catalogue
    problem: str

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

    def named(self, item: SaleItem, sku: str) -> SaleItem:
        """An item that is entered by hand, as the catalogue names it, if it has its SKU."""
        product = self.catalogue.find(sku) if sku else None
        return replace(item, product_id=sku, title=product.title) if product else item


def usual_prices(files: ShopFiles) -> UsualPrices:
    """The shop's prices; a list that cannot be read is told, and does not stop a sale."""
    prices = files.price_list.in_use()
    problem = "".join(map(str, prices.remarks[:1]))
    if problem and prices.size:
        left_out = ngettext(
            "{n} row of the price list was left out.",
            "{n} rows of the price list were left out.",
            len(prices.remarks),
            n=number(len(prices.remarks)),
        )
        problem = f"{left_out} {problem}."
    return UsualPrices(prices, files.catalogue.in_use(), problem)


def _categories(path: str) -> tuple[str, ...]:
    """The whole path of a category, then its steps from the nearest to the widest."""
    return (path, *reversed(category_steps(path)))
