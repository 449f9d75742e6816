"""What was seen of the service beyond its document, in counts that all desks of a shop add to.

Below it the assumptions about the service (sandbox/ASSUMPTIONS.md): what contradicts each, or why nothing does from
here; and all that was seen, as JSON for support.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Integer, Table, case, select

from warranty import VERSION
from warranty.database.database import Repository, upsert
from warranty.database.tables import METADATA, Instant, keys, required
from warranty.settings import Settings

DRIFT: Final = Table(
    "drift",
    METADATA,
    # What an answer showed that the interface's document does not: never a value of a customer.
    *keys("environment", "operation", "kind", "what"),
    *required(first_seen=Instant, last_seen=Instant, times=Integer),
)


@dataclass(frozen=True, slots=True, order=True)
class Oddity:
    """A thing that an answer showed and the document does not: of what kind, and what, never a customer's value."""

    operation: str
    kind: str
    what: str


@dataclass(frozen=True, slots=True)
class Sighting:
    """An oddity with its first and last sight, and how many answers or readings showed it."""

    oddity: Oddity
    first_seen: datetime
    last_seen: datetime
    times: int


class Observations(Repository):
    """The counts of an environment."""

    def add(self, sightings: Iterable[Sighting]) -> None:
        """Add to what is counted already, by whichever desk; all of it or nothing."""
        with self._database.write() as connection:
            # Always in one order: two desks that add at once would else wait for each other.
            for seen in sorted(sightings, key=lambda seen: seen.oddity):
                values = {"first_seen": seen.first_seen, "last_seen": seen.last_seen, "times": seen.times}
                first, last = DRIFT.c.first_seen, DRIFT.c.last_seen
                changes = {
                    "first_seen": case((first < seen.first_seen, first), else_=seen.first_seen),
                    "last_seen": case((last > seen.last_seen, last), else_=seen.last_seen),
                    "times": DRIFT.c.times + seen.times,
                }
                key = {"environment": self._environment, **asdict(seen.oddity)}
                upsert(connection, DRIFT, key=key, values=values, changes=changes)

    def drift(self) -> Sequence[Sighting]:
        """All that was seen beyond the document, the newest first sight first."""
        rows = self._found(select(DRIFT).filter_by(environment=self._environment))
        found = [Sighting(Oddity(*row[1:4]), *row[4:]) for row in rows]  # the first is the environment
        return sorted(found, key=lambda seen: (-seen.first_seen.timestamp(), seen.oddity))


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


_SANDBOXS_WORDS: Final = r"OPEN|IN_REVIEW|AWAITING_PARTS|Awaiting\scustomer|DENIED|REPLACED|CANCELLED_BY_CUSTOMER"
_NOT_JUST_TRUE: Final = r"(?!success: true or false$)\D.*"
_NO_ORDER_ERROR: Final = r"400 (?!message: object$|message\.validation_errors(\[\])?: (list|text)$).*"
_NO_SALE_ERROR: Final = "400 (?!error: text$).*"
_NO_NUMBER: Final = r"line_items\[\]\.line_item_id: (?!number$).*"
_OF_ORDERS: Final = ("notify_checkout", "claims", "offers")
_OF_SALES: Final = ("verify_credentials", "purchase_warranties")

_BY_FIELD: Final[Mapping[str, tuple[tuple[str, ...], ...]]] = {
    "auth.public-token-header": (("HTTP status", "401", "claims", "offers"),),
    "auth.401-body": (("field", "401 (?!error: text$).*"),),
    "endpoints.headers-not-checked": (("HTTP status", "406|415"),),
    "endpoints.no-limits-no-versions": (("HTTP status", "429"),),
    "bodies.limits": (("HTTP status", "413"),),
    "errors.shape-elsewhere": (("field", _NO_ORDER_ERROR, *_OF_ORDERS), ("field", _NO_SALE_ERROR, *_OF_SALES)),
    "carts.repeat": (("link", ".*", "submit_order"),),
    "carts.not-eligible": (("type", "warrantable_products: .*", "submit_order"),),
    "sale.id-per-sale": (("form", "id: not hexadecimal", "record_sale"),),
    "sale.line-item-numbers": (("field", _NO_NUMBER, "purchase_warranties"),),
    "checkout.answer": (("field", _NOT_JUST_TRUE, "notify_checkout"),),
    "claims.no-paging": (("form", "page: .*|per_page: .*", "claims"),),
    "claims.inclusive-bounds": (("form", "range: .*", "claims"),),
    "claims.timestamp-form": (("HTTP status", "400", "claims"),),
    "claims.statuses": (("status word", f"(?!({_SANDBOXS_WORDS})$).*", "claims"),),
    "verify-auth.answer": (("field", _NOT_JUST_TRUE, "verify_credentials"),),
    "purchase-warranties.shape": (("shape", "cannot be read", "purchase_warranties"),),
    "purchase-warranties.status": (("status word", "(?!(unsold|bought)$).*", "purchase_warranties"),),
    "warranty-offers.shape": (("shape", "cannot be read", "offers"),),
    "landing.percent-encoding": (("link", ".*", "submit_order"),),
}  # fmt: skip
"""What an answer shows: each clue its kind, its pattern, and the operations where not of any."""
_BY_ANSWER: Final = (
    "carts.order-id-form", "carts.sequential-order-ids", "plans.eligibility", "plans.terms-and-prices",
    "plans.shared-offers", "sale.further-sales", "sale.one-offer-per-unit", "checkout.offer-ids",
)  # fmt: skip
"""What an answer shows in the light of what was asked."""
_UNSEEN: Final = {
    "the desk never sends what it is about": (
        "auth.bearer-strict", "auth.no-such-endpoint", "fields.amount-as-number", "fields.integer-identifiers",
        "fields.empty-required-text", "fields.documented-types", "carts.billing-address-null",
        "carts.billing-address-no-object", "carts.empty-line-items", "carts.empty-sku", "carts.unreadable-price",
        "carts.quantity", "carts.delivery-date", "carts.images-at-the-top", "carts.bundle-of-one",
        "carts.empty-merchant", "sale.bare-product", "sale.line-item-id-alone", "sale.empty-identifiers",
        "sale.contradicting-names", "sale.duration-is-a-number", "checkout.empty-line-items", "claims.open-ranges",
    ),
    "one answer does not tell: it takes two, and what was sold between them": (
        "carts.refusal-precedence", "plans.bundle", "sale.refusal-precedence", "sale.units-in-order",
        "checkout.repeat",
    ),
    "which are known is the account's matter, and the refusal is documented": ("carts.merchants",),
    "it happens at the customer's, and no answer tells of it": (
        "carts.link-is-sent", "checkout.subscription", "landing.language", "landing.no-payment",
    ),
    "no answer tells which offer a line came to, and the desk names none twice": ("sale.shared-offer-once",),
    "a refusal would differ in its sentence alone": ("sale.variant-ids",),
    "the service tells nobody what it wrote down as paid": ("sale.amount-paid",),
    "the reading of claims proves it by totals, or says that it could not": (
        "claims.order", "claims.warranty-start-zone",
    ),
    "no claim shows the address that it was found by": ("claims.email-ignores-case",),
}  # fmt: skip
"""Why nothing that a desk could see contradicts them."""
ASSUMPTIONS: Final = (
    *(
        Assumption(name, tuple(Clue(kind, re.compile(what), tuple(of)) for kind, what, *of in clues))
        for name, clues in _BY_FIELD.items()
    ),
    *(Assumption(name, (Clue(BY_ANSWER, re.compile(name)),)) for name in _BY_ANSWER),
    *(Assumption(name, unseen=reason) for reason, names in _UNSEEN.items() for name in names),
)


def contradicted(seen: Iterable[Sighting]) -> Mapping[str, datetime]:
    """The first contradiction of each assumption that has met one."""
    first: dict[str, datetime] = {}
    for sighting in sorted(seen, key=lambda sighting: sighting.first_seen):
        for assumption in ASSUMPTIONS:
            if any(clue.fits(sighting.oddity) for clue in assumption.clues):
                first.setdefault(assumption.name, sighting.first_seen)
    return first


def drift_json(seen: Sequence[Sighting], settings: Settings, *, made: datetime) -> bytes:
    """All that was seen beside the document, and what became of each assumption; no value of a customer is in it."""
    first = {name: moment.isoformat() for name, moment in contradicted(seen).items()}
    report = {
        "program": f"Warranty Desk {VERSION}",
        "environment": settings.environment,
        "made": made.isoformat(),
        "seen": [
            {
                **asdict(each.oddity),
                "first_seen": each.first_seen.isoformat(),
                "last_seen": each.last_seen.isoformat(),
                "answers": each.times,
            }
            for each in seen
        ],
        "assumptions": {
            one.name: {"cannot_be_seen_because": one.unseen}
            if one.unseen
            else {"first_contradicted": first.get(one.name)}
            for one in ASSUMPTIONS
        },
    }
    return json.dumps(report, indent=1, ensure_ascii=False).encode()
