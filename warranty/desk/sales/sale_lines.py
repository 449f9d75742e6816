"""How a sale names what was sold: the line items of POST /api/post-purchase-checkout, the safest way by itself.

Interface: Post-purchase line item; POST /api/post-purchase-checkout, rules 2 to 6; Limits.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from warranty.client.resources import as_whole
from warranty.desk.sales.plans_known import Plan, SaleItem
from warranty.language import _

Problems = dict[tuple[str, str], str]
"""What is wrong, by item key and field of the form."""


class Naming(StrEnum):
    """The ways in which a line item may say which offer was bought."""

    AUTOMATIC = "automatic"
    PRODUCT = "product"
    VARIANT = "variant"
    OFFER = "offer"
    PRODUCTS = "products"


WITHOUT_TERM: Final = frozenset({Naming.OFFER, Naming.PRODUCT})
"""Neither term nor price is told: the service takes its own, and nobody here knows which."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SoldLine:
    """What was entered for one item of the basket, as typed.

    `months` is a chosen term, or the text typed for another one; `plan` the known plan that it means, if it means
    exactly one. `product_id`, `variant_id`, `offer_id`, `line_item_id` and `members` hold what was typed where the
    person names the item; `odd_price` is what has yet to be confirmed of the price; `warranty_id` and `program_id` are
    the retailer's own.
    """

    item: SaleItem
    months: int | str
    plan: Plan | None = None
    price: str = ""
    odd_price: str = ""
    quantity: str = "1"
    naming: Naming = Naming.AUTOMATIC
    product_id: str = ""
    variant_id: str = ""
    offer_id: str = ""
    line_item_id: str = ""
    members: tuple[str, ...] = ()
    warranty_id: str = ""
    program_id: str = ""

    @property
    def is_ambiguous(self) -> bool:
        """Whether its term comes in several types and nothing yet chooses between them (rule 4)."""
        return isinstance(self.months, int) and len(self.item.plans_of(self.months)) > 1 and not self.sent_offer_id

    @property
    def is_for_the_landing_page(self) -> bool:
        """Whether only the customer can choose its plan: the service names no offer that would."""
        return self.is_ambiguous and not self.item.can_choose(int(self.months))

    @property
    def sent_offer_id(self) -> str:
        """The offer id that goes with the line: typed, or that of a plan which shares its term with another."""
        if self.offer_id and self.naming in {Naming.OFFER, Naming.AUTOMATIC}:
            return self.offer_id
        if not self.states_term:
            return ""
        shares = self.plan is not None and len(self.item.plans_of(self.plan.months)) > 1
        return (self.plan.offer_id or "") if self.plan and shares else ""

    @property
    def bought_plan(self) -> Plan | None:
        """The plan that the line buys, where term or offer told the service which one."""
        plan = self.plan if self.states_term else None
        return plan if plan and self.sent_offer_id.lower() in {"", (plan.offer_id or "").lower()} else None

    @property
    def bought_offer_id(self) -> str:
        """The offer that the line buys as far as it is known, sent or not: an offer is bought once in one sale."""
        return (self.sent_offer_id or (self.bought_plan.offer_id if self.bought_plan else "") or "").lower()

    @property
    def states_term(self) -> bool:
        """Whether term and price are told: not with an offer id alone, which names no item (rule 4)."""
        return self.naming not in WITHOUT_TERM

    def identifiers(self) -> dict[str, Any]:
        """The fields that say which offer was bought, under the interface's names."""
        naming = self.naming
        if naming is Naming.AUTOMATIC:
            naming = Naming.PRODUCTS if self.item.is_bundle else Naming.PRODUCT
        members = self.item.members or self.members
        number = _number(self.line_item_id) if self.line_item_id else self.item.line_item_id
        by_naming = {
            Naming.VARIANT: ("variant_id", self.variant_id),
            Naming.PRODUCT: ("product_id", self.item.product_id or self.product_id),
            Naming.PRODUCTS: ("products", [{"product_id": member} for member in members]),
        }
        named = {
            "warranty_offer_id": self.sent_offer_id,
            **dict([by_naming[naming]] if naming in by_naming else []),
            "line_item_id": number if self.states_term else None,
        }
        return {name: value for name, value in named.items() if value not in ("", [], None)}

    def content(self) -> dict[str, Any]:
        """The line item as it is sent, not yet checked."""
        content = self.identifiers()
        if self.states_term:
            content["warranty"] = {
                "warranty_duration": self.months,
                "warranty_price": self.price or None,
                "warranty_id": self.warranty_id or None,
                "warranty_program_id": self.program_id or None,
            }
        content["quantity"] = self.quantity
        return content

    def in_words(self) -> str:
        """How the line is named to the service, in plain words."""
        named = self.identifiers()
        labels = {
            "line_item_id": _("line {n} of the order", n=named.get("line_item_id")),
            "product_id": _("SKU {sku}", sku=named.get("product_id")),
            "variant_id": _("variant {variant}", variant=named.get("variant_id")),
            "products": _("the {n} products of the bundle", n=len(named.get("products", []))),
            "warranty_offer_id": _("offer {offer}…", offer=self.sent_offer_id[:8]),
        }
        words = [sentence for name, sentence in labels.items() if name in named]
        if len(words) < 2:
            return "".join(words)
        return _("{others} and {last}", others=", ".join(words[:-1]), last=words[-1])


FIELDS: Final[Mapping[str, str]] = {
    "warranty_duration": "term",
    "warranty_price": "price",
    "quantity": "quantity",
    "warranty_offer_id": "offer_id",
    "line_item_id": "line_item_id",
    "product_id": "product_id",
    "variant_id": "variant_id",
    "products": "members",
}
"""Where the form shows a fault of the interface's field."""


def basket_problems(lines: Sequence[SoldLine]) -> Problems:
    """Give what the service would refuse, as far as it follows from what is known of the order.

    Rules 2 and 4, "each line item bought once per request", "one offer bought once per request" (Limits). A term that
    is not in the list is no fault here: the list may be older than the order's plans, so the service decides.
    """
    found: Problems = {}
    first_with: dict[str, SoldLine] = {}
    for line in lines:
        key = line.item.key
        if line.odd_price:
            found[key, "confirmed"] = line.odd_price
        if line.is_for_the_landing_page:
            found[key, "type"] = cannot_choose(line)
        elif line.is_ambiguous:
            found[key, "type"] = _("Choose a type: {n} months come in several types on this item", n=line.months)
        units_left, quantity = line.item.units_left, _number(line.quantity)
        if units_left is not None and isinstance(quantity, int) and quantity > units_left:
            found[key, "quantity"] = _("Enter {n} at most: no more units of this item are without a plan", n=units_left)
        offer_id = line.bought_offer_id
        if offer_id and offer_id in first_with:
            found[key, "term"] = _(
                "This is the same offer as on {item}, and a sale takes an offer once. Remove "
                "this item, and record it in a sale of its own",
                item=first_with[offer_id].item.name,
            )
        elif offer_id:
            first_with[offer_id] = line
    return found


def cannot_choose(line: SoldLine) -> str:
    """Why a line is for the landing page, and that it is."""
    plans = len(line.item.plans_of(int(line.months)))
    return _(
        "The desk can't choose between the {count} {months}-month plans. Let the customer buy it on the customer page",
        count=_("two") if plans == 2 else plans,
        months=line.months,
    )


def _number(text: str) -> int | str:
    units = as_whole(text)
    return text if units is None else units
