"""Which products can be protected, in which terms and types, at what price.

The interface says that offers come from category (breadcrumbs) and price, and that one offer is shared by every
line item of an order in its category and price band. The categories, bands, terms and prices are ours.
"""

import re
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from sandbox.store.model import LineItem, Offer, Product

# Assumption plans.eligibility
LOWEST_PRICE = Decimal("10.00")
HIGHEST_PRICE = Decimal("20000.00")
_BANDS = tuple(Decimal(edge) for edge in (10, 50, 100, 250, 500, 1000, 2500, 5000, 10000, 20001))
_OFFER_IDS = uuid.UUID("6f2b6c1e-6f0a-4f0b-9a53-0f2f5f1f3b57")

_NOT_ELIGIBLE = re.compile(
    r"\bgift[ -]?(cards?|certificates?|vouchers?)\b|\bgrocer(y|ies)\b|\bservices?\b"
    r"|^digital$|\bdigital (goods?|content|products?|downloads?|codes?)\b|\bdownloads?\b"
)
_GIFT_CARD = re.compile(r"\bgift[ -]?cards?\b")


@dataclass(frozen=True, slots=True)
class Plan:
    """A plan of a family of products: its term, its type, and its price as a share of the band's middle."""

    months: int
    type: str
    share: Decimal


@dataclass(frozen=True, slots=True)
class Family:
    """Products that get the same plans: recognised by a word in any of their breadcrumbs."""

    name: str
    words: re.Pattern[str]
    plans: tuple[Plan, ...]


def _plans(*rows: tuple[int, str, str]) -> tuple[Plan, ...]:
    return tuple(Plan(months, kind, Decimal(share)) for months, kind, share in rows)


EXTENDED = "Extended warranty"
ACCIDENT = "Accident protection"

# Assumption plans.terms-and-prices
# Laptops come first: they stand under "Electronics" too, and their 24 months come in two types, so that
# the rule "warranty_offer_id must choose between them" can be met.
_FAMILIES = (
    Family(
        "laptops",
        re.compile(r"\b(laptops?|notebook computers?)\b"),
        _plans((12, EXTENDED, "0.06"), (24, EXTENDED, "0.10"), (24, ACCIDENT, "0.16"), (36, EXTENDED, "0.15")),
    ),
    Family(
        "appliances",
        re.compile(r"\b(appliances?|washing machines?|refrigerators?|ovens?)\b"),
        _plans((24, EXTENDED, "0.09"), (36, EXTENDED, "0.12"), (60, EXTENDED, "0.18")),
    ),
    Family(
        "furniture",
        re.compile(r"\b(furniture|mattress(es)?|sofas?|tables?|chairs?|lamps?|lighting|bedding)\b"),
        _plans((24, "Furniture protection", "0.08"), (36, "Furniture protection", "0.10"),
               (60, "Furniture protection", "0.14")),
    ),
    Family(
        "jewellery",
        re.compile(r"\b(jewell?ery|rings?|watches)\b"),
        _plans((12, "Jewellery care", "0.05"), (24, "Jewellery care", "0.08"), (36, "Jewellery care", "0.11")),
    ),
    Family(
        "bicycles",
        re.compile(r"\b(e-?bikes?|bikes?|bicycles?|cycling)\b"),
        _plans((12, EXTENDED, "0.05"), (24, EXTENDED, "0.09"), (36, EXTENDED, "0.12")),
    ),
    Family(
        "electronics",
        re.compile(r"\b(electronics?|televisions?|tvs?|audio|headphones|cameras?|phones?|computers?|tablets?)\b"),
        _plans((12, EXTENDED, "0.07"), (24, EXTENDED, "0.10"), (36, EXTENDED, "0.14")),
    ),
)  # fmt: skip
_GENERAL = Family("general", re.compile(""), _plans((12, EXTENDED, "0.07"), (24, EXTENDED, "0.11")))


def is_eligible(product: Product, price: Decimal) -> bool:
    """Whether a product at this price (a bundle: its total) is offered warranties."""
    if not LOWEST_PRICE <= price <= HIGHEST_PRICE:
        return False
    if product.breadcrumbs:
        return not any(_NOT_ELIGIBLE.search(crumb.casefold().strip()) for crumb in product.breadcrumbs)
    return not _GIFT_CARD.search(product.title.casefold())


def family_of(breadcrumbs: Sequence[str]) -> Family:
    """The family whose plans a product gets; products of no known category get the general plans."""
    path = " > ".join(breadcrumbs).casefold()
    return next((family for family in _FAMILIES if family.words.search(path)), _GENERAL)


def offer_group(item: LineItem) -> str | None:
    """What line items share when they share their offers: category and price band; None: not eligible.

    A bundle is offered as one thing by its total, so it shares its offers with no other line item.
    """
    # Assumption plans.shared-offers
    # Assumption plans.bundle
    lead = item.product
    price = sum((member.price for member in item.members), Decimal(0)) if item.members else lead.price
    if not is_eligible(lead, price) or not all(_may_join(member) for member in item.members):
        return None
    breadcrumbs = lead.breadcrumbs or next((m.breadcrumbs for m in item.members if m.breadcrumbs), ())
    family = family_of(breadcrumbs)
    category = "/".join(crumb.casefold().strip() for crumb in breadcrumbs)
    band = max(edge for edge in _BANDS if edge <= price)
    shared = f"{family.name}|{band}|{category}"
    return f"{shared}|bundle {item.line_item_id}" if item.members else shared


def _may_join(member: Product) -> bool:
    """A bundle may hold cheap members, but nothing that is never eligible."""
    return is_eligible(member, LOWEST_PRICE)


def offers(order_id: str, groups: Iterable[str]) -> tuple[Offer, ...]:
    """The offers of an order: for each group of line items, one offer for each plan of its family."""
    made = []
    for group in sorted(set(groups)):
        name, band, *_ = group.split("|")
        family = next((family for family in _FAMILIES if family.name == name), _GENERAL)
        for plan in sorted(family.plans, key=lambda plan: (plan.months, plan.type)):
            key = f"{order_id}|{group}|{plan.months}|{plan.type}"
            made.append(
                Offer(str(uuid.uuid5(_OFFER_IDS, key)), group, plan.months, plan.type, _price(Decimal(band), plan))
            )
    return tuple(made)


def _price(band: Decimal, plan: Plan) -> Decimal:
    """The plan's price for a band: its share of the band's middle, ending in .99 as shops like it."""
    middle = (band + next(edge for edge in _BANDS if edge > band)) / 2
    whole = (middle * plan.share).quantize(Decimal(1), ROUND_HALF_UP)
    return max(whole, Decimal(3)) - Decimal("0.01")
