"""Was an unknown sale recorded? What purchase-warranties shows, compared with what this desk sold before.

The interface names that read without showing it, so only what adds up decides; everything else is left to a person.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from pydantic import ValidationError

from warranty.client.resources import PurchaseWarranties, Sale, SaleLineItem
from warranty.client.resources.purchase_warranties import CarriedWarranty, CoveredProduct, PurchasableLineItem
from warranty.desk.journal import Attempt, AttemptState, Drafts, ItemLine, Journal
from warranty.errors import Failure

PLANS_READ: Final = "plans-read"
"""A draft's name for what was read of each order's plans: when, and the answer."""


class Verdict(StrEnum):
    """What a look-up says about a sale."""

    RECORDED = "recorded"
    NOT_RECORDED = "not recorded"
    TOO_EARLY = "too early"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class LookUp:
    """The verdict, the attempt after it, and what went wrong when the service could not be read."""

    verdict: Verdict
    attempt: Attempt
    failure: Failure | None = None


@dataclass(frozen=True, slots=True)
class Doubt:
    """A sale that nobody answered, as it was sent, and what else there is of its order."""

    sale: Sale
    attempt: Attempt
    story: Sequence[Attempt]

    @property
    def others(self) -> list[Attempt]:
        """The other sales of the order."""
        mine = self.attempt.attempt_id
        return [one for one in self.story if one.operation == "record_sale" and one.attempt_id != mine]

    @property
    def is_alone(self) -> bool:
        """Whether no other sale is open, of which what is found could be as well."""
        return not any(other.state.is_open for other in self.others)

    def verdict(self, carried: PurchaseWarranties, *, is_late: bool) -> Verdict:
        """The verdict on it; `is_late`: the service records it no more."""
        found = verdict(self.sale, carried, sold_before=_sold(self.others))
        settled = self.attempt.settled
        if found is Verdict.NOT_RECORDED and settled is not None and settled.is_hearsay:
            return Verdict.UNCLEAR
        return Verdict.TOO_EARLY if found is Verdict.NOT_RECORDED and not is_late else found

    def came_since(self, carried: PurchaseWarranties, *, before: PurchaseWarranties) -> bool:
        """Whether the order carries it now, and what was read `before` it was sent proves that it did not then."""
        earlier = [one for one in self.others if one.started_at < self.attempt.started_at]
        was_not_there = verdict(self.sale, before, sold_before=_sold(earlier)) is Verdict.NOT_RECORDED
        return self.is_alone and was_not_there and self.verdict(carried, is_late=True) is Verdict.RECORDED

    def number(self, carried: PurchaseWarranties) -> str | None:
        """The service's own number of it: the only one on its lines that is not of one of the others."""
        ours = (place for line in self.sale.line_items for place in _found(line, carried))
        numbers = {carried.line_items[at].warranties[number].warranty_order_id for at, number in ours}
        left = numbers - {None, *(other.result.returned_id for other in self.others)}
        return left.pop() if len(left) == 1 else None


def verdict(sale: Sale, carried: PurchaseWarranties, *, sold_before: Sequence[ItemLine]) -> Verdict:
    """Compare, line by line, what the order carries with what earlier sales of this desk explain.

    All lines carry exactly the units of this sale on top: recorded. None carries any: not recorded, since a sale is
    recorded whole or not at all. Anything else, also where two lines could mean the same warranties, is unclear.
    """
    counted: set[tuple[int, int]] = set()
    recorded: set[bool] = set()
    for line in sale.line_items:
        found = set(_found(line, carried))
        certain = sum(before.quantity for before in sold_before if _same(line, before, surely=True))
        possible = sum(before.quantity for before in sold_before if _same(line, before, surely=False))
        if found & counted or certain != possible:
            return Verdict.UNCLEAR
        counted |= found
        new = len(found) - certain
        if new not in (0, line.units):
            return Verdict.UNCLEAR
        recorded.add(new == line.units)
    if len(recorded) != 1:
        return Verdict.UNCLEAR
    return Verdict.RECORDED if recorded.pop() else Verdict.NOT_RECORDED


def found_by_reading(story: Sequence[Attempt], carried: PurchaseWarranties, journal: Journal) -> Doubt | None:
    """The sale without an answer, of all that was sent on an order, that the order is proved to carry since."""
    for sale in story:
        if sale.operation == "record_sale" and sale.state is AttemptState.UNKNOWN:
            drafts = Drafts(journal.database, sale.environment, sale.username, sale.screen).all()
            content = next((draft.content for draft in drafts if draft.draft_id == sale.draft_id), {})
            read, body = content.get(PLANS_READ, {}).get(sale.order_id), journal.body_of(sale.attempt_id)
            if read and body:
                doubt = Doubt(Sale.model_validate(body), sale, story)
                if doubt.came_since(carried, before=PurchaseWarranties.model_validate(read[1])):
                    return doubt
    return None


def sale_of(order_id: str, items: Sequence[ItemLine]) -> Sale | None:
    """A sale as its lines tell it, where what was sent is no longer kept; None where they do not tell enough."""
    lines = [
        {
            "product_id": item.product_id or None,
            "line_item_id": item.line_item_id,
            "warranty_offer_id": item.warranty_offer_id,
            "quantity": item.quantity,
            "warranty": None
            if item.term_months is None or item.warranty_price is None
            else {"warranty_duration": item.term_months, "warranty_price": item.warranty_price},
        }
        for item in items
    ]
    try:
        return Sale.model_validate({"id": order_id, "line_items": lines})
    except ValidationError:
        return None


def _sold(sales: Sequence[Attempt]) -> list[ItemLine]:
    return [line for sale in sales if sale.state is AttemptState.DONE for line in sale.items]


def _found(line: SaleLineItem, carried: PurchaseWarranties) -> Iterable[tuple[int, int]]:
    """The warranties on the order that could be this line's, by the positions of item and warranty."""
    for at, item in enumerate(carried.line_items):
        for number, warranty in enumerate(item.warranties):
            if _is_on(line, item, warranty) and _is_sold(line, warranty):
                yield at, number


def _is_on(line: SaleLineItem, item: PurchasableLineItem, warranty: CarriedWarranty) -> bool:
    if line.line_item_id is not None:
        return item.line_item_id == line.line_item_id
    covered = {one.product_id if isinstance(one, CoveredProduct) else one for one in warranty.covered_products}
    names = _names(line)
    return not names or bool(names & {item.product_id, *covered})


def _is_sold(line: SaleLineItem, warranty: CarriedWarranty) -> bool:
    wanted, term = line.warranty_offer_id, line.warranty
    if wanted is not None and (warranty.warranty_offer_id or "").lower() != wanted.lower():
        return False
    if term is None:
        return True
    return (term.warranty_duration, term.warranty_price) == (warranty.warranty_duration, warranty.warranty_price)


def _same(line: SaleLineItem, before: ItemLine, *, surely: bool) -> bool:
    """Whether an earlier sale's line is of the same kind; what is not known of it counts against `surely`."""
    pairs: list[tuple[object, object]] = []
    if line.line_item_id is not None:
        pairs.append((line.line_item_id, before.line_item_id))
    elif _names(line):
        known = {before.product_id, *before.members} - {""}
        pairs.append((True, bool(_names(line) & known) if known else None))
    if line.warranty_offer_id is not None:
        pairs.append((line.warranty_offer_id.lower(), (before.warranty_offer_id or "").lower() or None))
    if line.warranty is not None:
        pairs.append((line.warranty.warranty_duration, before.term_months))
        pairs.append((line.warranty.warranty_price, before.warranty_price))
    return all(wanted == known or (known is None and not surely) for wanted, known in pairs)


def _names(line: SaleLineItem) -> set[str]:
    members = ((one.product_id, one.variant_id) for one in line.products or ())
    return {name for names in ((line.product_id, line.variant_id), *members) for name in names if name}
