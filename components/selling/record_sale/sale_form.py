"""The basket of a post-purchase sale: the items of an order, and what was sold on each."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

import streamlit as st

from components.platform.markup import plain
from components.selling.orders.confirmation import confirmation_button
from components.selling.orders.plan_choice import UsualPrices, item_name
from components.selling.record_sale.item import sale_item
from components.selling.record_sale.order_knowledge import (
    SENT,
    SaleKnowledge,
    below_the_items,
    item_field,
    sale_knowledge,
    sale_order,
)
from components.selling.sending.ending import went_through
from components.selling.sending.own_drafts import Sending
from components.selling.sending.send_once import Sendable, checked_as
from components.system.customer_screen.shown import ShownPlan, plans, sold_plans, tell
from components.ui.frame.failure_notice import reporting_outage
from components.words.amounts import each_of, money, months_words
from components.words.attempts import amount_of, order_words, short_id, sold_words
from warranty.client.resources import Sale, as_whole
from warranty.client.resources.money import price_or_none
from warranty.desk.guidance import guidance
from warranty.desk.journal import Attempt, ItemLine
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
class EnteredSale(Sendable):
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
        labels = {field: _(label) for field, label in _LABELS.items()}
        return checked_as(Sale, self.content, faults, self._placed, labels)

    @property
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

    @property
    def kept(self) -> dict[str, list[str]]:
        """What the draft holds of a sending, to tell later which item a refusal concerns."""
        return {SENT: [line.item.key for line in self.lines]}

    @property
    def total(self) -> Decimal | None:
        """What the customer paid in all, in the order's currency; None while a price or quantity is not known."""
        if not self.lines:
            return None
        total = Decimal(0)
        for line in self.lines:
            amount = price_or_none(line.price)
            units = as_whole(line.quantity)
            if amount is None or units is None or line.is_for_the_landing_page:
                return None
            total += amount * units
        return total

    def words(self, currency: str) -> list[str]:
        """Each line with its price, and the order."""
        return [*(line_words(line, currency) for line in self.lines), order_words(self.order_id)]

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
    begins = item_name(known.order_id, "")  # in its first term, once the order is chosen (page_head.js)
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


def sale_review(entered: EnteredSale, sale: Sending, *, price_problem: str = "") -> None:
    """Draw what is about to be recorded, or what was sent while it is not known what became of it.

    The customer sees the plans too.
    """
    sent, currency = sale.sent, sale.runtime.settings.currency
    chosen = plans(_seen(entered), currency=currency, sold=False)
    tell(sale.runtime.customer_screens, sale.operator, chosen, ends=("plans", "sold"))
    st.header(_("Charge") if sent is None else _("This sale"), anchor=False)
    if price_problem:
        st.markdown(f":orange[{plain(price_problem)}]")
    if sent is not None:
        for item in sent.items:
            st.text(sold_words(item, currency))
        st.text(order_words(sent.order_id))
    elif entered.lines:
        for words in entered.words(currency):
            st.text(words)
        if entered.total is not None:
            st.metric(_("Total"), money(entered.total, currency))
    else:
        st.caption(_("Nothing to charge yet."))


def line_words(line: SoldLine, currency: str) -> str:
    """One line of the basket as a sentence: `79.99 USD for 24 months on 55in OLED TV`."""
    units = each_of(line.quantity)
    if not line.states_term:
        return _("A plan on {product}: the service takes its own term and price", product=f"{line.item.name}{units}")
    amount = price_or_none(line.price)
    term = months_words(line.months) if isinstance(line.months, int) else _("A term to enter")
    kind = f" ({line.plan.type})" if line.plan and line.plan.type else ""
    product = f"{line.item.name}{_which(line)}{units}"
    what = _("{plan} on {product}", plan=f"{term}{kind}", product=product)
    if amount is None:
        to_do = _("check the price") if line.price else _("enter the price")
        return f"{what}: {to_do}"
    return _("{amount} for {what}", amount=money(amount, currency), what=f"{what[0].lower()}{what[1:]}")


def _seen(entered: EnteredSale) -> list[ShownPlan]:
    """The plans as their customer sees them; a price is none until it can be read."""
    return [
        ShownPlan(
            line.item.name,
            line.months if isinstance(line.months, int) else None,
            (line.plan.type if line.plan else "") or "",
            price_or_none(line.price),
            as_whole(line.quantity) or 1,
        )
        for line in entered.lines
    ]


def _which(line: SoldLine) -> str:
    """How the item is told from others: as it is named to the service where a person entered it, else by its SKU."""
    item = line.item
    words = line.in_words() if item.by_hand else f"SKU {item.product_id}" if item.title and item.product_id else ""
    return f" ({words})" if words else ""


def sale_result(sale: Sending, attempt: Attempt) -> None:
    """Draw a sale that the service has recorded, or that a person found recorded: then nothing is printed yet."""
    settings, number, paid = sale.runtime.settings, attempt.result.returned_id, amount_of(attempt)
    is_hearsay = attempt.settled is not None and attempt.settled.is_hearsay
    happened = _("**Recorded.** The service shows the sale, but not its number.")
    if is_hearsay:
        happened = _("**Recorded, as you settled it.** The service has not shown it yet: nothing can be printed.")
    elif number:
        happened = _("**Recorded.** Warranty order {order} is active.", order=plain(short_id(number)))
    if not is_hearsay:
        sold = plans(sold_plans(attempt.items), currency=settings.currency, sold=True)
        tell(sale.runtime.customer_screens, sale.operator, sold)

    def confirmation() -> None:
        if not is_hearsay:
            st.text(_("Give the customer the confirmation: they need its number to make a claim."))
            confirmation_button(attempt, settings, sale.runtime.shop_files.catalogue.in_use(), width="stretch")

    def same_order() -> None:
        anew, order = reporting_outage(sale.form.start_anew), {"order": attempt.order_id}
        st.button(_("Another sale on this order"), key="same-order", on_click=anew, kwargs=order, width="stretch")

    lines = [sold_words(item, settings.currency, sold_at=attempt.started_at) for item in attempt.items]
    went_through(
        sale,
        attempt,
        happened,
        sold=[*lines, order_words(attempt.order_id)],
        copied=_("Copy warranty order number"),
        paid="" if paid is None else money(paid, settings.currency),
        first=confirmation,
        following=_("Next sale"),
        more=same_order,
    )
