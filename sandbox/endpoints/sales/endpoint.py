"""Selling warranties on a stored order: POST /api/post-purchase-checkout, and the landing page's buy button.

Sections of the interface: "POST /api/post-purchase-checkout", "States and transitions".
"""

import secrets
from collections.abc import Sequence

from sandbox.endpoints.sales.offer_choice import Choice, OfferChoice
from sandbox.endpoints.sales.request import SaleLine, read_sale
from sandbox.service.service import Service
from sandbox.store.database import Records, UnitTaken
from sandbox.store.model import Order, Warranty
from sandbox.wire.answers import Answer, Refused, json_answer
from sandbox.wire.requests import Request


def record_sale(service: Service, request: Request) -> Answer:
    """Records a sale that the retailer collected the payment for."""
    # Assumption sale.refusal-precedence
    order_id, lines = read_sale(request)
    with service.store.transaction() as records:
        sold = sell(records, order_id, lines)
    number = sold[0].warranty_order_id
    request.facts.update(written=True, returned_id=number, warranties=len(sold))
    return json_answer({"id": number})


def sell(
    records: Records, order_id: str, lines: Sequence[SaleLine], *, warranty_order_id: str | None = None
) -> Sequence[Warranty]:
    """Attach what every line buys, or raise `Refused` (404: no such order) with nothing written.

    Must be called inside a transaction, which the caller gives up when this raises.
    """
    order = records.order(order_id)
    if order is None:
        raise Refused(f"No order exists for the id {order_id[:80]}.", status=404)
    # Assumption sale.further-sales
    choice = OfferChoice(order)
    # Assumption sale.id-per-sale
    number = warranty_order_id or secrets.token_hex(12)
    sold = [warranty for line in lines for warranty in _warranties(order, number, line, choice.choose(line))]
    try:
        records.add_warranties(order_id, sold)
    except UnitTaken:
        raise Refused(f"An offer on order {order_id} was bought by another request.") from None
    return sold


def _warranties(order: Order, number: str, line: SaleLine, choice: Choice) -> list[Warranty]:
    """One warranty for each unit; a bundle's covers each of its members."""
    offer, selector = choice.offer, line.selector
    return [
        Warranty(
            warranty_order_id=number,
            line_item_id=item.line_item_id,
            unit=unit,
            warranty_offer_id=offer.warranty_offer_id,
            months=offer.months,
            type=offer.type,
            # Assumption sale.amount-paid
            amount_paid=offer.price if selector is None else selector.price,
            covered_products=item.covered_products,
            warranty_id=selector.warranty_id if selector else None,
            warranty_program_id=selector.warranty_program_id if selector else None,
        )
        for item, unit in choice.units
    ]
