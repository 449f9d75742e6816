"""The basket of a post-purchase sale: the items of an order, and what was sold on each."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

import streamlit as st
from pydantic import ValidationError

from components.selling.orders.plan_choice import item_name
from components.selling.orders.usual_prices import UsualPrices
from components.selling.record_sale.item import sale_item
from components.selling.record_sale.order import sale_order
from components.selling.record_sale.order_knowledge import (
    SENT,
    SaleKnowledge,
    below_the_items,
    item_field,
    sale_knowledge,
)
from components.selling.sending.own_drafts import Sending
from components.words.amounts import money
from warranty.client.resources import Sale, as_whole
from warranty.client.resources.money import price_or_none
from warranty.client.resources.problems import problems
from warranty.desk.guidance import guidance
from warranty.desk.journal import ItemLine
from warranty.desk.sales.sale_lines import FIELDS, Naming, SoldLine, basket_problems, cannot_choose
from warranty.language import N_, _

_NAMED_BY: Final = {Naming.OFFER: "offer_id", Naming.VARIANT: "variant_id", Naming.PRODUCTS: "members"}
"""The field that is missing where a line names nothing."""

_LABELS: Final = {
    "quantity": N_("units"),
    "warranty_price": N_("price charged"),
    "warranty_duration": N_("other term in months"),
    "line_item_id": N_("line number in the order"),
}
"""What this screen calls fields of the interface."""


@dataclass(frozen=True, slots=True)
class EnteredSale:
    """What stands in the form, in the interface's own words, and the lines it came from."""

    order_id: str
    lines: tuple[SoldLine, ...]
    advice: str | None = None
    """What to do about a refusal that stands at an item; "" once its term is another, None where it stands at none."""

    @property
    def content(self) -> dict[str, Any]:
        """The sale as it is sent, not yet checked."""
        return {"id": self.order_id, "line_items": [line.content() for line in self.lines]}

    def checked(self) -> tuple[Sale | None, dict[str, str]]:
        """The sale, or the faults by field of the form."""
        if not self.order_id:
            return None, {"order": _("Enter the order: scan the slip, type the order number, or paste the link")}
        if not self.lines:
            return None, {"basket": _("Choose a term on the item that was sold")}
        faults = {
            item_field(self.order_id, item_key, field): sentence
            for (item_key, field), sentence in basket_problems(self.lines).items()
        }
        try:
            sale = Sale.model_validate(self.content)
        except ValidationError as error:
            labels = {field: _(label) for field, label in _LABELS.items()}
            found = {self._placed(fault.path): fault.message for fault in problems(error, labels)}
            return None, faults | found
        return (None, faults) if faults else (sale, {})

    def items(self) -> tuple[ItemLine, ...]:
        """What is sold, for the journal: products, terms and prices, nothing about the customer."""
        return tuple(
            ItemLine(
                title=line.item.title,
                product_id=line.item.product_id or line.product_id,
                quantity=1,
                price=line.item.price,
                term_months=line.months if isinstance(line.months, int) else None,
                warranty_price=price_or_none(line.price),
                warranty_type=line.bought_plan.type if line.bought_plan else None,
                line_item_id=line.item.line_item_id,
                warranty_offer_id=line.bought_plan.offer_id if line.bought_plan else None,
                members=line.item.members,
            )
            for line in self.lines
        )

    def to_keep(self) -> dict[str, list[str]]:
        """What the draft holds of a sending, to tell later which item a refusal concerns."""
        return {SENT: [line.item.key for line in self.lines]}

    @property
    def total(self) -> Decimal | None:
        """What the customer paid in all, in the order's currency; None while a price or quantity is not known."""
        total = Decimal(0)
        for line in self.lines:
            amount = price_or_none(line.price)
            units = as_whole(line.quantity)
            if amount is None or units is None or line.is_for_the_landing_page:
                return None
            total += amount * units
        return total

    def button(self, currency: str) -> str:
        """What the main button says: with the amount, where that is known."""
        charged = self.total if self.lines else None
        if charged is None:
            return _("Record sale")
        return _("Record sale, {amount}", amount=money(charged, currency))

    @property
    def names(self) -> dict[str, str]:
        """What each item is called in the summary of faults, where there are several."""
        names = {item_field(self.order_id, line.item.key, ""): line.item.name for line in self.lines}
        return names if len(names) > 1 else {}

    def _placed(self, path: tuple[str | int, ...]) -> str:
        if len(path) >= 2 and path[0] == "line_items" and isinstance(path[1], int):
            names = [FIELDS[part] for part in path[2:] if isinstance(part, str) and part in FIELDS]
            line, name = self.lines[path[1]], names[-1] if names else "product_id"
            field = _NAMED_BY.get(line.naming, name) if name == "product_id" else name
            return item_field(self.order_id, line.item.key, field)
        return "order" if path and path[0] == "id" else "basket"


def sale_form(sale: Sending, *, prices: UsualPrices) -> EnteredSale:
    """Draw the choice of an order and its items, keep the draft, and give what was entered."""
    form, settings = sale.form, sale.runtime.settings
    known = sale_knowledge(sale, sale_order(sale))
    begins = item_name(known.order_id, "")  # in its first term, once the order is chosen (page_head.html)
    with st.container(key=f"begin-{begins}"):
        lines = [
            line
            for item in known.items
            if (line := sale_item(form, item, known, prices=prices, currency=settings.currency))
        ]
    first = next((item.key for item in known.items if item.can_be_sold), "")
    form.faults.draw("basket", at=item_field(known.order_id, first, "term"))
    below_the_items(form, known)
    form.save()
    return EnteredSale(known.order_id, tuple(lines), advice=_advice(known, lines))


def _advice(known: SaleKnowledge, lines: Sequence[SoldLine]) -> str | None:
    refusals = [known.refusals[item.key] for item in known.items if item.key in known.refusals]
    standing = [refusal.failure for refusal in refusals if refusal.stands]
    if not standing:
        return "" if refusals else None
    dead_ends = [cannot_choose(line) for line in lines if line.is_for_the_landing_page]
    return f"{dead_ends[0]}." if dead_ends else guidance(standing[0]).next_step
