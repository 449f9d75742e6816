"""Which offer a line item of a sale buys, on which units: the rules that need the order.

Section of the interface: "POST /api/post-purchase-checkout" rules 2 to 5, and its errors. Nothing is written here.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from sandbox.endpoints.sales.request import Identifiers, SaleLine
from sandbox.store.model import LineItem, Offer, Order
from sandbox.wire.answers import Refused


@dataclass(frozen=True, slots=True)
class Choice:
    """An offer and the units that it covers, as (line item, unit number)."""

    offer: Offer
    units: tuple[tuple[LineItem, int], ...]


@dataclass(slots=True)
class OfferChoice:
    """Chooses for the line items of one request in turn, and remembers what the earlier ones took."""

    order: Order
    _bought: set[str] = field(default_factory=set)
    _taken: dict[int, set[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for sold in self.order.warranties:
            self._taken.setdefault(sold.line_item_id, set()).add(sold.unit)

    def choose(self, line: SaleLine) -> Choice:
        """The offer and units for a line item; `Refused` with the sentence of the rule that it breaks."""
        items = self._items(line)
        offer = self._offer(line, items)
        if offer.warranty_offer_id in self._bought:
            # "One offer bought once per request", also for another line item that shares it.
            # Assumption sale.shared-offer-once
            raise Refused(
                f"{line.path}: the offer for product {self._name(line, items)} on order {self.order.order_id} "
                "was already bought by an earlier line item of the same request."
            )
        units = self._units(line, [item for item in items if item.offer_group == offer.offer_group])
        self._bought.add(offer.warranty_offer_id)
        for item, unit in units:
            self._taken.setdefault(item.line_item_id, set()).add(unit)
        return Choice(offer, units)

    def _name(self, line: SaleLine, items: Sequence[LineItem]) -> str:
        return line.named or items[0].product.product_id or f"of line item {items[0].line_item_id}"

    def _free(self, item: LineItem) -> list[int]:
        """The numbers of the units without a warranty."""
        if item.offer_group is None:
            return []
        taken = self._taken.get(item.line_item_id, set())
        return [unit for unit in range(1, item.quantity + 1) if unit not in taken]

    def _items(self, line: SaleLine) -> list[LineItem]:
        """The line items that a line may mean: all of one offer group, those with free units first of all."""
        items = list(self.order.line_items)
        if line.line_item_id is not None:
            items = [item for item in items if item.line_item_id == line.line_item_id]
            if not items:
                raise Refused(
                    f"{line.path}: line_item_id {line.line_item_id} is no line item of order {self.order.order_id}."
                )
        # Assumption sale.contradicting-names
        for product in line.products:
            # Each member of `products` must lead to the same offer, so they narrow one another.
            items = _named_by(product, items)
        if line.warranty_offer_id is not None:
            groups = {
                offer.offer_group for offer in self.order.offers if offer.warranty_offer_id == line.warranty_offer_id
            }
            items = [item for item in items if item.offer_group in groups]
        if not items:
            raise Refused(self._nothing_unsold(line))
        # Assumption sale.one-offer-per-unit
        usable = [item for item in items if self._free(item)] or items
        return [item for item in usable if item.offer_group == usable[0].offer_group]

    def _nothing_unsold(self, line: SaleLine) -> str:
        order = f"on order {self.order.order_id}"
        if line.warranty_offer_id is None:
            return f"{line.path}: product {line.named} has no unsold offer {order}."
        offer = f"offer {line.warranty_offer_id[:80]}"
        if line.named:
            return f"{line.path}: product {line.named} has no unsold {offer} {order}."
        return f"{line.path}: there is no unsold {offer} {order}."

    def _offer(self, line: SaleLine, items: Sequence[LineItem]) -> Offer:
        """The offer by id, by term, or the one that a bare item buys."""
        name = self._name(line, items)
        offers = self.order.offers_on(items[0])
        if not offers:
            raise Refused(f"{line.path}: product {name} has no unsold offer on order {self.order.order_id}.")
        fitting = [
            offer
            for offer in offers
            if line.warranty_offer_id in {None, offer.warranty_offer_id}
            and (line.selector is None or offer.months == line.selector.months)
        ]
        if line.selector is not None and len(fitting) != 1:
            plans = ", ".join(offer.plan for offer in offers)
            what = (
                "is offered by more than one warranty, and no warranty_offer_id chooses between them,"
                if fitting
                else "is not offered"
                if line.warranty_offer_id is None
                else "is not the term of the named offer"
            )
            raise Refused(
                f"{line.path}: {line.selector.months} months {what} for product {name} "
                f"on order {self.order.order_id}. Available plans: {plans}."
            )
        # Assumption sale.bare-product
        return min(fitting, key=lambda offer: (offer.months, offer.price))

    def _units(self, line: SaleLine, items: Sequence[LineItem]) -> tuple[tuple[LineItem, int], ...]:
        """The first free units of the items, one warranty for each."""
        # Assumption sale.units-in-order
        free = [(item, unit) for item in items for unit in self._free(item)]
        if len(free) >= line.quantity:
            return tuple(free[: line.quantity])
        name = self._name(line, items)
        if not free:
            raise Refused(f"{line.path}: product {name} has no unsold offer on order {self.order.order_id}.")
        raise Refused(
            f"{line.path}: product {name} has no unsold offer for {line.quantity} units "
            f"on order {self.order.order_id}: only {len(free)} left without a warranty."
        )


def _named_by(product: Identifiers, items: Sequence[LineItem]) -> list[LineItem]:
    """The line items that a product names, by variant id first, else by product id; a bundle by any member."""
    for variant_id, product_id in ((product.variant_id, None), (None, product.product_id)):
        found = [
            item
            for item in items
            if any(
                known.answers_to(variant_id=variant_id, product_id=product_id)
                for known in (item.product, *item.members)
            )
        ]
        if found:
            return found
    return []
