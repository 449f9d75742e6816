"""What the customer paid for a plan: suggested where a usual price is known, compared, asked about when odd."""

from decimal import Decimal

import streamlit as st

from components.draft_form import DraftForm
from components.price_words import compared, money, unusual
from components.problems import problem_at
from warranty.resources.money import PriceProblem, format_price, parse_price


def price_field(
    form: DraftForm, name: str, *, usual: Decimal | None, product_price: Decimal | None, currency: str
) -> str:
    """Draw the field and give the text as typed; the usual price stands in it until a person changes it."""
    field = f"{name}.price"
    suggested = form.kept(f"{name}.suggested", "")
    offered = "" if usual is None else format_price(usual)
    if form.kept(field, "") in {"", suggested} and offered != suggested:
        form.put(field, offered)
        form.keep(f"{name}.suggested", offered)
    typed = form.text(field, "Price charged", placeholder="What was paid for one unit")
    amount = read(typed)
    if amount is None:
        if usual is not None:
            st.caption(f"The usual price is {money(usual, currency)}.")
        return typed
    if usual is not None:
        st.caption(f"{currency}, {compared(amount, usual)}.")
    else:
        st.caption(currency)
    _asked_about(form, name, amount, product_price)
    return typed


def read(text: str) -> Decimal | None:
    """The amount that a text means, None where it means none for sure."""
    try:
        return parse_price(text)
    except PriceProblem:
        return None


def confirmed_field(name: str, amount: Decimal) -> str:
    """The draft's name for "this odd price is right": of this price only."""
    return f"{name}.confirmed.{format_price(amount)}"


def _asked_about(form: DraftForm, name: str, amount: Decimal, product_price: Decimal | None) -> None:
    reason = unusual(amount, product_price=product_price)
    if reason is None:
        return
    field = confirmed_field(name, amount)
    st.markdown(f":orange[Please look again: {reason}.]")  # a caption would fade the colour
    key = form.key(field, False)
    form.values[field] = st.checkbox(
        f"Yes, the customer paid {amount:,.2f}",
        key=key,
        disabled=form.is_locked,
        on_change=form.typed,
        args=(field, key),
    )
    problem_at(form.problems, f"{name}.confirmed")
