"""What contradicts each assumption about the service (sandbox/ASSUMPTIONS.md), where that can be seen from here."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from warranty.journal.shared.observations import Oddity, Sighting


@dataclass(frozen=True, slots=True)
class Clue:
    """An oddity that an assumption rules out: of this kind, `what` from end to end, of these operations or of any."""

    assumption: str
    kind: str
    what: re.Pattern[str]
    operations: tuple[str, ...]

    def fits(self, oddity: Oddity) -> bool:
        """Tell whether an oddity is one."""
        of_these = not self.operations or oddity.operation in self.operations
        return of_these and oddity.kind == self.kind and self.what.fullmatch(oddity.what) is not None


_SANDBOXS_WORDS: Final = (
    "OPEN|IN_REVIEW|AWAITING_PARTS|Awaiting customer|DENIED|REPLACED|CANCELLED_BY_CUSTOMER"
)
_NOT_JUST_TRUE: Final = r"(?!success: true or false$)\D.*"
_NO_ORDER_ERROR: Final = r"400 (?!message: object$|message\.validation_errors(\[\])?: (list|text)$).*"
_NO_SALE_ERROR: Final = "400 (?!error: text$).*"
_OF_ORDERS: Final = ("notify_checkout", "claims", "offers")
_OF_SALES: Final = ("verify_credentials", "purchase_warranties")

_CLUES: Final[tuple[tuple[str, str, str, tuple[str, ...]], ...]] = (
    ("auth.public-token-header", "HTTP status", "401", ("claims", "offers")),
    ("auth.401-body", "field", "401 (?!error: text$).*", ()),
    ("endpoints.headers-not-checked", "HTTP status", "406|415", ()),
    ("endpoints.no-limits-no-versions", "HTTP status", "429", ()),
    ("bodies.limits", "HTTP status", "413", ()),
    ("errors.shape-elsewhere", "field", _NO_ORDER_ERROR, _OF_ORDERS),
    ("errors.shape-elsewhere", "field", _NO_SALE_ERROR, _OF_SALES),
    ("carts.repeat", "link", ".*", ("submit_order",)),
    ("carts.not-eligible", "type", "warrantable_products: .*", ("submit_order",)),
    ("sale.id-per-sale", "form", "id: not hexadecimal", ("record_sale",)),
    ("sale.line-item-numbers", "field", r"line_items\[\]\.line_item_id: (?!number$).*", ("purchase_warranties",)),
    ("checkout.answer", "field", _NOT_JUST_TRUE, ("notify_checkout",)),
    ("claims.no-paging", "form", "page: .*|per_page: .*", ("claims",)),
    ("claims.inclusive-bounds", "form", "range: .*", ("claims",)),
    ("claims.timestamp-form", "HTTP status", "400", ("claims",)),
    ("claims.statuses", "status word", f"(?!({_SANDBOXS_WORDS})$).*", ("claims",)),
    ("verify-auth.answer", "field", _NOT_JUST_TRUE, ("verify_credentials",)),
    ("purchase-warranties.shape", "shape", "cannot be read", ("purchase_warranties",)),
    ("purchase-warranties.status", "status word", "(?!(unsold|bought)$).*", ("purchase_warranties",)),
    ("warranty-offers.shape", "shape", "cannot be read", ("offers",)),
    ("landing.percent-encoding", "link", ".*", ("submit_order",)),
)  # fmt: skip
CLUES: Final = tuple(Clue(name, kind, re.compile(what), calls) for name, kind, what, calls in _CLUES)

_REASONS: Final[Mapping[str, tuple[str, ...]]] = {
    "the desk never sends what it is about": (
        "auth.bearer-strict", "auth.no-such-endpoint", "fields.amount-as-number", "fields.integer-identifiers",
        "fields.empty-required-text", "fields.documented-types", "carts.billing-address-null",
        "carts.billing-address-no-object", "carts.empty-line-items", "carts.unreadable-price", "carts.quantity",
        "carts.delivery-date", "carts.images-at-the-top", "carts.bundle-of-one", "carts.empty-merchant",
        "sale.bare-product", "sale.line-item-id-alone", "sale.empty-identifiers", "sale.contradicting-names",
        "sale.duration-is-a-number", "checkout.repeat", "checkout.empty-line-items", "claims.open-ranges",
    ),
    "a refusal for it would differ in its sentence alone: the service record lists the sentences": (
        "carts.order-id-form", "carts.sequential-order-ids", "carts.empty-sku", "carts.merchants",
        "sale.further-sales", "sale.shared-offer-once", "sale.variant-ids", "checkout.offer-ids",
    ),
    "one answer does not tell: it takes two, and what was sold between them": (
        "carts.refusal-precedence", "plans.shared-offers", "plans.bundle", "sale.refusal-precedence",
        "sale.one-offer-per-unit", "sale.units-in-order",
    ),
    "it happens at the customer's, and no answer tells of it": (
        "carts.link-is-sent", "checkout.subscription", "landing.language", "landing.no-payment",
    ),
    "the reading of claims proves it by totals, or says that it could not": (
        "claims.order", "claims.warranty-start-zone",
    ),
    "a yes or no does not tell the rule": ("plans.eligibility",),
    "what is offered is the account's matter, and no rule of it is shown": ("plans.terms-and-prices",),
    "the service tells nobody what it wrote down as paid": ("sale.amount-paid",),
    "an address that is asked for is written as the customer wrote it, or not": ("claims.email-ignores-case",),
}  # fmt: skip
UNSEEN: Final = {assumption: reason for reason, group in _REASONS.items() for assumption in group}
"""Why no answer contradicts an assumption, for each that has no clue."""


def contradicted(seen: Iterable[Sighting]) -> Mapping[str, datetime]:
    """The first contradiction of each assumption that has met one."""
    first: dict[str, datetime] = {}
    for sighting in sorted(seen, key=lambda sighting: sighting.first_seen):
        for clue in CLUES:
            if clue.fits(sighting.oddity):
                first.setdefault(clue.assumption, sighting.first_seen)
    return first
