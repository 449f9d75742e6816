"""The basket in words beside the form: what the customer paid for, and how much in all."""

import streamlit as st

from components.forms.faults import plain
from components.record_sale.sale_form import EnteredSale
from components.words.amounts import each_of, money, months_words
from components.words.attempts import sold_words
from warranty.journal import Attempt
from warranty.resources.money import price_or_none
from warranty.sales.sale_lines import SoldLine


def sale_review(
    entered: EnteredSale, *, currency: str, price_problem: str = "", sent: Attempt | None = None
) -> None:
    """Draw what is about to be recorded, or what was sent while it is not known what became of it."""
    st.header("You have been paid")
    if price_problem:
        st.markdown(f":orange[{plain(price_problem)}]")
    if sent is not None:
        for item in sent.items:
            st.text(sold_words(item, currency))
        st.text(f"Order {sent.order_id}")
        return
    if not entered.lines:
        st.caption("Nothing yet.")
        return
    for line in entered.lines:
        st.text(line_words(line, currency))
    st.text(f"Order {entered.order_id}")
    if entered.total is not None:
        st.metric("Total", money(entered.total, currency))


def line_words(line: SoldLine, currency: str) -> str:
    """One line of the basket as a sentence: `79.99 USD for 24 months on 55in OLED TV`."""
    units = each_of(line.quantity)
    if not line.states_term:
        return f"A plan on {line.item.name}{units}: the service takes its own term and price"
    amount = price_or_none(line.price)
    paid = money(amount, currency) if amount is not None else "a price still to enter"
    term = months_words(line.months) if isinstance(line.months, int) else "a term still to enter"
    kind = f" ({line.plan.type})" if line.plan and line.plan.type else ""
    return f"{paid} for {term}{kind} on {line.item.name}{_which(line)}{units}"


def _which(line: SoldLine) -> str:
    """How the item is told from others: as it is named to the service where a person entered it, else by its SKU."""
    item = line.item
    words = (
        line.in_words()
        if item.by_hand
        else f"SKU {item.product_id}"
        if item.title and item.product_id
        else ""
    )
    return f" ({words})" if words else ""
