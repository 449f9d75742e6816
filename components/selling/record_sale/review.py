"""The sale in words: what the customer is charged, line by line and in all, and what is next when it is recorded."""

import streamlit as st

from components.platform.markup import plain
from components.selling.orders.confirmation import confirmation_button
from components.selling.record_sale.sale_form import EnteredSale
from components.selling.sending.ending import went_through
from components.selling.sending.own_drafts import Sending
from components.system.customer_screen.shown import ShownPlan, plans, sold_plans
from components.system.customer_screen.telling import tell
from components.ui.frame.failure_notice import reporting_outage
from components.words.amounts import each_of, money, months_words
from components.words.attempts import amount_of, short_id, sold_words
from warranty.client.resources import as_whole
from warranty.client.resources.money import price_or_none
from warranty.desk.journal import Attempt
from warranty.desk.sales.sale_lines import SoldLine
from warranty.language import _


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
        st.text(_("Order {order}", order=short_id(sent.order_id)))
    elif entered.lines:
        for line in entered.lines:
            st.text(line_words(line, currency))
        st.text(_("Order {order}", order=short_id(entered.order_id)))
        if entered.total is not None:
            st.metric(_("Total"), money(entered.total, currency))
    else:
        st.caption(_("Nothing to charge yet."))


def sale_question(entered: EnteredSale, *, currency: str) -> None:
    """Draw what is asked about: `74.99 USD for 24 months on 55in OLED TV, order 9f2c1a2b`."""
    for line in entered.lines[:-1]:
        st.text(line_words(line, currency))
    for line in entered.lines[-1:]:
        words = line_words(line, currency)
        st.text(_("{line}, order {order}", line=words, order=short_id(entered.order_id)))
    if len(entered.lines) > 1 and entered.total is not None:
        st.text(_("In all {amount}", amount=money(entered.total, currency)))


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
        sold=[*lines, _("Order {order}", order=short_id(attempt.order_id))],
        copied=_("Copy warranty order number"),
        paid="" if paid is None else money(paid, settings.currency),
        first=confirmation,
        following=_("Next sale"),
        more=same_order,
    )
