"""What is kept of the lines that were sent: products, terms and prices, and nothing about the customer."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from warranty.client.resources import Checkout, Order, Sale, SaleLineItem
from warranty.desk.journal import Attempt, ItemLine


def sent_lines(
    resource: Order | Sale | Checkout, *, given: Sequence[ItemLine], order: Callable[[str], Attempt | None]
) -> tuple[ItemLine, ...]:
    """The lines of what is sent; `order` gives the order that a sale is on, where this desk sent it."""
    if isinstance(resource, Order):
        return order_lines(resource)
    if isinstance(resource, Checkout):
        return checkout_lines(resource, given=given)
    sent = order(resource.id)
    ordered = sent.items if sent and not sent.result.already_known else ()
    return sale_lines(resource, given=given, ordered=ordered)


def order_lines(order: Order) -> tuple[ItemLine, ...]:
    """The lines of an order as the service keeps them, numbered from 1 (our assumption of what line_item_id means)."""
    return tuple(
        ItemLine(
            title=item.product_title,
            product_id=item.product_id,
            quantity=item.stored_quantity,
            price=item.product_price,
            line_item_id=number,
            members=tuple(product.product_id for product in item.products or ()) if item.is_bundle else (),
        )
        for number, item in enumerate(order.line_items, start=1)
    )


def sale_lines(sale: Sale, *, given: Sequence[ItemLine], ordered: Sequence[ItemLine]) -> tuple[ItemLine, ...]:
    """The lines of a sale: what was sold as sent, described by what the screen gave, else by the order's lines.

    A term and a price that the service was not told are not known here, whatever stood on the screen.
    """
    described = _matching(given, len(sale.line_items))
    lines = zip(sale.line_items, described, strict=True)
    return tuple(_sale_line(line, known or _on_order(line, ordered)) for line, known in lines)


def checkout_lines(checkout: Checkout, *, given: Sequence[ItemLine]) -> tuple[ItemLine, ...]:
    """The lines of a checkout: offers and quantities as sent, described by what the screen gave."""
    described = _matching(given, len(checkout.line_items))
    return tuple(
        replace(
            description or ItemLine(title="", product_id="", quantity=1),
            quantity=1 if line.quantity is None else line.quantity,
            warranty_offer_id=line.warranty_offer_id,
        )
        for line, description in zip(checkout.line_items, described, strict=True)
    )


def _matching(given: Sequence[ItemLine], count: int) -> Sequence[ItemLine | None]:
    return given if len(given) == count else [None] * count


def _sale_line(line: SaleLineItem, described: ItemLine | None) -> ItemLine:
    product_id = line.product_id or line.variant_id or next(iter(_members(line)), "")
    known = described or ItemLine(title="", product_id=product_id, quantity=1)
    return ItemLine(
        title=known.title,
        product_id=known.product_id or product_id,
        quantity=line.units,
        price=known.price,
        term_months=line.warranty.warranty_duration if line.warranty else None,
        warranty_price=line.warranty.warranty_price if line.warranty else None,
        warranty_type=known.warranty_type if line.warranty else None,
        line_item_id=line.line_item_id if line.line_item_id is not None else known.line_item_id,
        warranty_offer_id=line.warranty_offer_id or known.warranty_offer_id,
        members=known.members or _members(line),
    )


def _on_order(line: SaleLineItem, ordered: Sequence[ItemLine]) -> ItemLine | None:
    """The order's line that a sale's line is for; None when nothing or more than one thing answers to it."""
    names = {name for name in (line.product_id, line.variant_id, *_members(line)) if name}
    fitting = [item for item in ordered if names & {item.product_id, *item.members}]
    if line.line_item_id is not None:
        fitting = [item for item in ordered if item.line_item_id == line.line_item_id]
    return fitting[0] if len(fitting) == 1 else None


def _members(line: SaleLineItem) -> tuple[str, ...]:
    return tuple(product.product_id or product.variant_id or "" for product in line.products or ())
