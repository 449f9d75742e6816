"""What one answer shows against an assumption (sandbox/ASSUMPTIONS.md), in the light of what was asked."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from contextlib import suppress
from decimal import Decimal
from typing import Final

from pydantic import ValidationError

from warranty.client.observer import Try
from warranty.client.resources import Checkout, LineItem, Order, PurchaseWarranties, order_id_warning
from warranty.client.resources.purchase_warranties import PurchasableLineItem

_CHEAPEST, _DEAREST = Decimal(10), Decimal(20_000)
_BANDS: Final = tuple(map(Decimal, (10, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000)))
_NAMES_ORDER_ID: Final = re.compile(r"order.?id", re.IGNORECASE)
_NAMES_OFFER: Final = re.compile(r"offer", re.IGNORECASE)


def contradictions(one: Try) -> Iterator[str]:
    """Give the ids of the assumptions that this answer contradicts, beside those that a field of it alone does."""
    match one.sent:
        case Order() as order:
            yield from _of_order(order, one)
        case Checkout() if one.status == 400 and _is_said(_NAMES_OFFER, one):
            yield "checkout.offer-ids"
    if one.operation == "purchase_warranties" and one.failure is None and one.body:
        with suppress(ValidationError):
            yield from _of_plans(PurchaseWarranties.model_validate_json(one.body))


def _of_order(order: Order, one: Try) -> Iterator[str]:
    if one.status == 400 and _is_said(_NAMES_ORDER_ID, one):
        is_guessable = order_id_warning(order.order_id) is not None
        yield "carts.sequential-order-ids" if is_guessable else "carts.order-id-form"
    is_offered = one.status == 200 and re.search(rb'"warrantable_products"\s*:\s*true', one.body or b"")
    if is_offered and not any(_CHEAPEST <= _price(line) <= _DEAREST for line in order.line_items):
        yield "plans.eligibility"


def _price(line: LineItem) -> Decimal:
    members = line.products or ()
    return sum((each.product_price for each in members), Decimal()) if line.is_bundle else line.product_price


def _of_plans(read: PurchaseWarranties) -> Iterator[str]:
    bands: dict[str, int] = {}
    for line in read.line_items:
        yield from _of_line(line)
        if line.product_price is not None:
            band = bisect_right(_BANDS, line.product_price)
            if any(bands.setdefault(offer.warranty_offer_id, band) != band for offer in line.offers):
                yield "plans.shared-offers"


def _of_line(line: PurchasableLineItem) -> Iterator[str]:
    units, carried = line.quantity or 1, len(line.warranties)
    terms = [offer.warranty_duration for offer in line.offers]
    found: Mapping[str, bool] = {
        "plans.terms-and-prices": bool(terms) and (24 not in terms or not 2 <= len(terms) <= 4),
        "sale.further-sales": bool(terms) and carried < units and all(each.is_bought for each in line.offers),
        "sale.one-offer-per-unit": carried > units,
    }
    yield from (name for name, is_so in found.items() if is_so)


def _is_said(what: re.Pattern[str], one: Try) -> bool:
    return one.failure is not None and any(what.search(sentence) for sentence in one.failure.service_words)
