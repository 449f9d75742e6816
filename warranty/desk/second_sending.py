"""What stands against sending something on an order once more, as the journal tells it.

A second sale may sell a second plan, a second checkout mails the customer again: a person is asked first. An order id
of an order with other items, or of another customer, is not sent at all: the service would give that order's link.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC
from itertools import product, starmap
from typing import Final

from warranty.client.resources import Checkout, Order, Sale
from warranty.desk.journal import Attempt, AttemptState, ItemLine, Operation
from warranty.errors import DeskError
from warranty.language import N_, Sentence
from warranty.places.people_in_text import folded_address

_WORDS: Final[Mapping[Operation, str]] = {
    "submit_order": N_("This number is taken: {who} used it on {when} UTC for {items}. Make a new number."),
    "record_sale": N_(
        "Before you, {who} sent a sale on this order on {when} UTC. A second sale may sell a second plan."
    ),
    "notify_checkout": N_(
        "Before you, {who} sent a checkout of this order on {when} UTC. A second one mails the customer again."
    ),
}


class EarlierSending(DeskError):
    """Something stands against it that the person was not asked about: `earlier`, newest first."""

    def __init__(self, earlier: Sequence[Attempt]) -> None:
        first = earlier[0]
        items = ", ".join(f"{item.quantity} × {item.title or item.product_id}" for item in first.items)
        who, when = first.operator_name, first.started_at.astimezone(UTC)
        super().__init__(Sentence(_WORDS[first.operation], who=who, when=when, items=items or Sentence("no items")))
        self.earlier = tuple(earlier)


class DataErased(DeskError):
    """What was sent is no longer kept, so it can be neither repeated nor looked up: a person has to settle it."""

    def __init__(self) -> None:
        super().__init__(Sentence("What was sent is no longer kept. Find out what became of it and settle it by hand."))


def refuse_unasked(new: Attempt, earlier: Sequence[Attempt]) -> None:
    """Raise `EarlierSending` where something stands against it that its person did not acknowledge."""
    against = standing_against(new.operation, new.items, earlier, mark=new.customer_mark)
    unasked = [one for one in against if one.attempt_id not in new.acknowledged]
    if unasked:
        raise EarlierSending(unasked)


def standing_against(
    operation: Operation, items: Sequence[ItemLine], earlier: Sequence[Attempt], *, mark: str | None = None
) -> list[Attempt]:
    """Those of the order's other attempts (newest first) that stand against a new one of these items.

    A checkout: every other and every sale that may have been taken, and an order that has not all of these products. A
    sale: every other and every checkout that is open, and those that are recorded on the same item once its units would
    not suffice. An order: every other that is not the same.
    """
    sells = operation != "submit_order"
    alike = [one for one in earlier if (one.operation != "submit_order") == sells and not one.state.nothing_written]
    match operation:
        case "notify_checkout":
            order = taken_from_here(earlier)
            if order and any(line.product_id and not any(_same(line, item) for item in order.items) for line in items):
                alike.append(order)
            return alike
        case "record_sale":
            sold_out = _sold_out(items, alike, _ordered(earlier))
            return [one for one in alike if one.state.is_open or any(starmap(_same, product(sold_out, one.items)))]
        case "submit_order":
            mine = _contents(items)
            return [one for one in alike if _contents(one.items) != mine or len({one.customer_mark, mark} - {None}) > 1]


def customer_of(resource: Order | Sale | Checkout) -> str:
    """Give whom an order is for, to tell two customers of one order id apart."""
    if not isinstance(resource, Order):
        return ""
    address = resource.billing_address
    return folded_address(address.email or address.phone or "")


def taken_from_here(story: Sequence[Attempt]) -> Attempt | None:
    """The sending that the service is known to have taken as a new order, among all that was sent on an order.

    Only then its link is surely this customer's: after a silence, too, the service may have had the id before.
    """
    return next((one for one in story if one.operation == "submit_order" and one.result.already_known is False), None)


def _contents(items: Sequence[ItemLine]) -> list[object]:
    """What makes two orders the same; the title of a product is only what it is called."""
    return [(item.product_id, item.quantity, item.price, item.members) for item in items]


def _ordered(earlier: Sequence[Attempt]) -> Sequence[ItemLine]:
    """The lines of the order as the service took them from this desk."""
    orders = (one for one in earlier if one.operation == "submit_order" and one.state is AttemptState.DONE)
    return next((one.items for one in orders if not one.result.already_known), ())


def _sold_out(lines: Sequence[ItemLine], sales: Sequence[Attempt], ordered: Sequence[ItemLine]) -> list[ItemLine]:
    """The lines of a sale that were sold before and of which too few units are left, as far as this desk knows."""
    sold = [line for sale in sales if sale.state is AttemptState.DONE for line in sale.items]

    def is_sold_out(line: ItemLine) -> bool:
        before = sum(other.quantity for other in sold if _same(line, other))
        units = sum(item.quantity for item in ordered if _same(line, item))
        return bool(before) and before + line.quantity > units

    return list(filter(is_sold_out, lines))


def _same(line: ItemLine, other: ItemLine) -> bool:
    """Whether two lines name the same item of the order."""
    if line.line_item_id is not None and other.line_item_id is not None:
        return line.line_item_id == other.line_item_id
    names, others = ({one.product_id, *one.members} - {""} for one in (line, other))
    if names and others:
        return bool(names & others)
    return line.warranty_offer_id is not None and line.warranty_offer_id == other.warranty_offer_id
