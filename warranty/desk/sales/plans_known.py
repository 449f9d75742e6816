"""Which plans are known for the items of an order, and what of it is covered already.

Three sources, the first that says something wins: what the service says of the order (purchase-warranties, where
the settings name it), the plans that a refusal listed, the terms of the settings. The items themselves come from
the same read, else from the journal's entry of the order, else from what a person types.

Interface: Post-purchase line item; POST /api/post-purchase-checkout, rules 2 to 5; GET /api/purchase-warranties
(assumed). What `line_item_id` numbers is not said, so only the service's own numbers are sent, never our count.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from warranty.client.resources import CarriedWarranty, PurchasableLineItem, PurchaseWarranties
from warranty.desk.journal import Attempt, AttemptState, ItemLine
from warranty.errors import AvailablePlan
from warranty.language import _


@dataclass(frozen=True, slots=True)
class Plan:
    """A plan that can be sold on an item: its term in months, and what else is known of it.

    `price` is what the service names for one unit, in the order's currency.
    """

    months: int
    type: str | None = None
    price: Decimal | None = None
    offer_id: str | None = None


@dataclass(frozen=True, slots=True)
class Coverage:
    """A plan that an item carries already, on so many of its units; None where it is not said."""

    months: int | None
    type: str | None
    price: Decimal | None
    units: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SaleItem:
    """One line of an order, as it can be sold.

    `key` is its own within the order. `line_item_id` is the service's number, None where only we count the lines.
    `units` is what the customer bought, None where that is not known; `units_left` those without a plan, None where
    the service does not say. `members` are the SKUs of a bundle. `names_offers`: the service says which plans there
    are, so that plans of one term can be told apart. `covered_here` are sales that this desk recorded; they count only
    where the service does not say what the item carries.
    """

    key: str
    product_id: str = ""
    title: str = ""
    line_item_id: int | None = None
    price: Decimal | None = None
    units: int | None = None
    units_left: int | None = None
    members: tuple[str, ...] = ()
    plans: tuple[Plan, ...] = ()
    names_offers: bool = False
    covered: tuple[Coverage, ...] = ()
    covered_here: bool = False
    by_hand: bool = False

    @property
    def name(self) -> str:
        """What people call it: its title, else its SKU, else what it is."""
        number = self.key.removeprefix("hand") if self.by_hand and self.key != "hand1" else ""
        return self.title or self.product_id or " ".join(filter(None, (_("Custom item"), number)))

    @property
    def is_bundle(self) -> bool:
        """Two or more products on one line are a bundle, sold as one (Limits)."""
        return len(self.members) >= 2

    @property
    def can_be_sold(self) -> bool:
        """Whether anything speaks against a sale: the service says that no unit, or no plan, is left."""
        return self.units_left != 0 and (not self.names_offers or bool(self.plans))

    @property
    def terms(self) -> tuple[int, ...]:
        """The terms of its plans in months, each once, shortest first."""
        return tuple(sorted({plan.months for plan in self.plans}))

    def plans_of(self, months: int) -> tuple[Plan, ...]:
        """The plans of one term: more than one where it comes in several types."""
        return tuple(plan for plan in self.plans if plan.months == months)

    def can_choose(self, months: int) -> bool:
        """Whether a plan of this term can be named to the service: by its term alone, or by its offer."""
        return self.names_offers or len(self.plans_of(months)) < 2


def items_of(
    order: Attempt | None,
    read: PurchaseWarranties | None,
    *,
    sales: Sequence[Attempt] = (),
    listed: Callable[[str], Sequence[AvailablePlan]] = lambda _key: (),
    terms: Sequence[int],
    by_hand: int = 0,
) -> tuple[SaleItem, ...]:
    """Give the items of an order, then those that a person enters by hand: so many, and one where none is known.

    `sales` are this desk's sales on the order, `listed` gives the plans that a refusal listed for an item, by
    its key, `terms` are the settings' terms in months.
    """
    lines = order.items if order else ()
    if read is not None and read.line_items:
        items = [_as_read(item, lines) for item in read.line_items]
    else:
        items = [_as_journalled(line, sales) for line in lines]
    count = by_hand if items else max(by_hand, 1)
    items += [SaleItem(key=f"hand{number}", by_hand=True) for number in range(1, count + 1)]
    return tuple(_with_plans(item, listed(item.key), terms) for item in items)


def _with_plans(item: SaleItem, listed: Sequence[AvailablePlan], terms: Sequence[int]) -> SaleItem:
    """Give the item with the plans of a refusal, else the settings' terms, where the service said nothing."""
    if item.names_offers:
        return item
    if listed:
        plans = tuple(dict.fromkeys(Plan(plan.months, plan.type) for plan in listed))
        return replace(item, plans=plans)
    return replace(item, plans=tuple(Plan(months) for months in terms))


def _as_read(item: PurchasableLineItem, lines: Sequence[ItemLine]) -> SaleItem:
    line = _same_line(item, lines)
    members = tuple(product.product_id or "" for product in item.products) or (line.members if line else ())
    return SaleItem(
        key=f"line{item.line_item_id}",
        line_item_id=item.line_item_id,
        product_id=item.product_id or "",
        title=item.product_title or (line.title if line else ""),
        price=item.product_price,
        units=item.quantity,
        units_left=_units_left(item),
        members=members,
        plans=tuple(
            Plan(offer.warranty_duration, offer.warranty_type, offer.warranty_price, offer.warranty_offer_id)
            for offer in item.offers
            if offer.warranty_duration is not None and not offer.is_bought
        ),
        names_offers=True,
        covered=_coverages(item.warranties),
    )


def _same_line(item: PurchasableLineItem, lines: Sequence[ItemLine]) -> ItemLine | None:
    """The journal's line for an item that was read: by its SKU, where only one line has it."""
    fitting = [line for line in lines if line.product_id == item.product_id]
    return fitting[0] if len(fitting) == 1 else None


def _units_left(item: PurchasableLineItem) -> int | None:
    if item.offers and all(offer.is_bought for offer in item.offers):
        return 0
    if item.quantity is None:
        return None
    return max(item.quantity - len(item.warranties), 0)


def _coverages(warranties: Sequence[CarriedWarranty]) -> tuple[Coverage, ...]:
    counted = Counter((one.warranty_duration, one.warranty_type, one.warranty_price) for one in warranties)
    return tuple(Coverage(*key, units) for key, units in counted.items())


def _as_journalled(line: ItemLine, sales: Sequence[Attempt]) -> SaleItem:
    return SaleItem(
        key=f"line{line.line_item_id}",
        product_id=line.product_id,
        title=line.title,
        price=line.price,
        units=line.quantity,
        members=line.members,
        covered=tuple(
            Coverage(sold.term_months, sold.warranty_type, sold.warranty_price, sold.quantity)
            for sale in sales
            if sale.operation == "record_sale" and sale.state is AttemptState.DONE
            for sold in sale.items
            if sold.product_id and sold.product_id in {line.product_id, *line.members}
        ),
        covered_here=True,
    )
