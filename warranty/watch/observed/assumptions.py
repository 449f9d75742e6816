"""The assumptions about the service (sandbox/ASSUMPTIONS.md): what contradicts each, or why nothing does from here."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from warranty.watch.observed.observations import Oddity, Sighting

BY_ANSWER: Final = "assumption"
"""The kind of an oddity that is the id of an assumption (`warranty.watch.observed.observer`)."""


@dataclass(frozen=True, slots=True)
class Clue:
    """An oddity that an assumption rules out: of this kind, `what` from end to end, of these operations or of any."""

    kind: str
    what: re.Pattern[str]
    operations: tuple[str, ...] = ()

    def fits(self, oddity: Oddity) -> bool:
        """Tell whether an oddity is one."""
        of_these = not self.operations or oddity.operation in self.operations
        return of_these and oddity.kind == self.kind and self.what.fullmatch(oddity.what) is not None


@dataclass(frozen=True, slots=True)
class Assumption:
    """One entry: its id, and what contradicts it; `unseen` says why nothing does that a desk could see."""

    name: str
    clues: tuple[Clue, ...] = ()
    unseen: str = ""


_Entry = tuple[str, tuple[tuple[str, ...], ...], str]


def _by_field(name: str, *clues: tuple[str, ...]) -> _Entry:
    """What an answer shows: each clue its kind, its pattern, and the operations where not of any."""
    return name, clues, ""


def _by_answer(name: str) -> _Entry:
    """What an answer shows in the light of what was asked."""
    return name, ((BY_ANSWER, name),), ""


def _unseen(name: str, reason: str) -> _Entry:
    return name, (), reason


_SANDBOXS_WORDS: Final = "OPEN|IN_REVIEW|AWAITING_PARTS|Awaiting customer|DENIED|REPLACED|CANCELLED_BY_CUSTOMER"
_NOT_JUST_TRUE: Final = r"(?!success: true or false$)\D.*"
_NO_ORDER_ERROR: Final = r"400 (?!message: object$|message\.validation_errors(\[\])?: (list|text)$).*"
_NO_SALE_ERROR: Final = "400 (?!error: text$).*"
_NO_NUMBER: Final = r"line_items\[\]\.line_item_id: (?!number$).*"
_OF_ORDERS: Final = ("notify_checkout", "claims", "offers")
_OF_SALES: Final = ("verify_credentials", "purchase_warranties")

_NEVER_SENT: Final = "the desk never sends what it is about"
_TAKES_TWO: Final = "one answer does not tell: it takes two, and what was sold between them"
_AT_THE_CUSTOMERS: Final = "it happens at the customer's, and no answer tells of it"
_PROVEN: Final = "the reading of claims proves it by totals, or says that it could not"

_ENTRIES: Final = (
    _unseen("auth.bearer-strict", _NEVER_SENT),
    _by_field("auth.public-token-header", ("HTTP status", "401", "claims", "offers")),
    _by_field("auth.401-body", ("field", "401 (?!error: text$).*")),
    _unseen("auth.no-such-endpoint", _NEVER_SENT),
    _by_field("endpoints.headers-not-checked", ("HTTP status", "406|415")),
    _by_field("endpoints.no-limits-no-versions", ("HTTP status", "429")),
    _by_field("bodies.limits", ("HTTP status", "413")),
    _by_field("errors.shape-elsewhere", ("field", _NO_ORDER_ERROR, *_OF_ORDERS), ("field", _NO_SALE_ERROR, *_OF_SALES)),
    _unseen("fields.amount-as-number", _NEVER_SENT),
    _unseen("fields.integer-identifiers", _NEVER_SENT),
    _unseen("fields.empty-required-text", _NEVER_SENT),
    _unseen("fields.documented-types", _NEVER_SENT),
    _unseen("carts.refusal-precedence", _TAKES_TWO),
    _unseen("carts.billing-address-null", _NEVER_SENT),
    _unseen("carts.billing-address-no-object", _NEVER_SENT),
    _by_answer("carts.order-id-form"),
    _by_answer("carts.sequential-order-ids"),
    _by_field("carts.repeat", ("link", ".*", "submit_order")),
    _by_field("carts.not-eligible", ("type", "warrantable_products: .*", "submit_order")),
    _unseen("carts.empty-line-items", _NEVER_SENT),
    _unseen("carts.empty-sku", _NEVER_SENT),
    _unseen("carts.unreadable-price", _NEVER_SENT),
    _unseen("carts.quantity", _NEVER_SENT),
    _unseen("carts.delivery-date", _NEVER_SENT),
    _unseen("carts.images-at-the-top", _NEVER_SENT),
    _unseen("carts.bundle-of-one", _NEVER_SENT),
    _unseen("carts.merchants", "which are known is the account's matter, and the refusal is documented"),
    _unseen("carts.empty-merchant", _NEVER_SENT),
    _unseen("carts.link-is-sent", _AT_THE_CUSTOMERS),
    _by_answer("plans.eligibility"),
    _by_answer("plans.terms-and-prices"),
    _by_answer("plans.shared-offers"),
    _unseen("plans.bundle", _TAKES_TWO),
    _unseen("sale.refusal-precedence", _TAKES_TWO),
    _by_answer("sale.further-sales"),
    _by_field("sale.id-per-sale", ("form", "id: not hexadecimal", "record_sale")),
    _by_answer("sale.one-offer-per-unit"),
    _unseen("sale.shared-offer-once", "no answer tells which offer a line came to, and the desk names none twice"),
    _unseen("sale.bare-product", _NEVER_SENT),
    _unseen("sale.line-item-id-alone", _NEVER_SENT),
    _by_field("sale.line-item-numbers", ("field", _NO_NUMBER, "purchase_warranties")),
    _unseen("sale.variant-ids", "a refusal would differ in its sentence alone"),
    _unseen("sale.empty-identifiers", _NEVER_SENT),
    _unseen("sale.contradicting-names", _NEVER_SENT),
    _unseen("sale.duration-is-a-number", _NEVER_SENT),
    _unseen("sale.units-in-order", _TAKES_TWO),
    _unseen("sale.amount-paid", "the service tells nobody what it wrote down as paid"),
    _by_field("checkout.answer", ("field", _NOT_JUST_TRUE, "notify_checkout")),
    _unseen("checkout.repeat", _TAKES_TWO),
    _unseen("checkout.empty-line-items", _NEVER_SENT),
    _by_answer("checkout.offer-ids"),
    _unseen("checkout.subscription", _AT_THE_CUSTOMERS),
    _by_field("claims.no-paging", ("form", "page: .*|per_page: .*", "claims")),
    _unseen("claims.order", _PROVEN),
    _by_field("claims.inclusive-bounds", ("form", "range: .*", "claims")),
    _unseen("claims.open-ranges", _NEVER_SENT),
    _by_field("claims.timestamp-form", ("HTTP status", "400", "claims")),
    _unseen("claims.warranty-start-zone", _PROVEN),
    _unseen("claims.email-ignores-case", "no claim shows the address that it was found by"),
    _by_field("claims.statuses", ("status word", f"(?!({_SANDBOXS_WORDS})$).*", "claims")),
    _by_field("verify-auth.answer", ("field", _NOT_JUST_TRUE, "verify_credentials")),
    _by_field("purchase-warranties.shape", ("shape", "cannot be read", "purchase_warranties")),
    _by_field("purchase-warranties.status", ("status word", "(?!(unsold|bought)$).*", "purchase_warranties")),
    _by_field("warranty-offers.shape", ("shape", "cannot be read", "offers")),
    _by_field("landing.percent-encoding", ("link", ".*", "submit_order")),
    _unseen("landing.language", _AT_THE_CUSTOMERS),
    _unseen("landing.no-payment", _AT_THE_CUSTOMERS),
)  # fmt: skip
ASSUMPTIONS: Final = tuple(
    Assumption(name, tuple(Clue(kind, re.compile(what), tuple(of)) for kind, what, *of in clues), unseen)
    for name, clues, unseen in _ENTRIES
)


def contradicted(seen: Iterable[Sighting]) -> Mapping[str, datetime]:
    """The first contradiction of each assumption that has met one."""
    first: dict[str, datetime] = {}
    for sighting in sorted(seen, key=lambda sighting: sighting.first_seen):
        for assumption in ASSUMPTIONS:
            if any(clue.fits(sighting.oddity) for clue in assumption.clues):
                first.setdefault(assumption.name, sighting.first_seen)
    return first
