"""What the customer paid for a plan: suggested where a usual price is known, compared, asked about when odd."""

from decimal import Decimal

import streamlit as st

from components.ui.forms.draft_form import DraftForm
from components.words.amounts import compared, money, months_words, unusual
from warranty.client.resources.money import format_price, price_or_none
from warranty.language import _
from warranty.language.written import price


def price_field(
    form: DraftForm,
    name: str,
    *,
    months: int | str,
    refused: int | None = None,
    usual: Decimal | None,
    product_price: Decimal | None,
    currency: str,
) -> tuple[str, str]:
    """Draw the field and give the text as typed, and what a person has to confirm of it, if anything.

    The usual price stands in it until a person changes it; one typed for another term stays, and is asked about, but
    not that of the term which was `refused`.
    """
    field = f"{name}.price"
    suggested, priced_for = form.kept(f"{name}.suggested", ""), form.kept(f"{name}.priced", ("", 0))[1]
    offered = "" if usual is None else format_price(usual)
    is_ours = form.kept(field, "") in {"", suggested} and offered != suggested
    if is_ours or (refused and priced_for == refused != months):
        form.put_all({field: offered}, **{f"{name}.suggested": offered, f"{name}.priced": ("", 0)})
    typed = form.text(field, _("Price charged"), placeholder=_("What was paid for one unit"))
    amount = price_or_none(typed)
    if amount is None:
        if usual is not None:
            st.caption(_("The usual price is {price}.", price=money(usual, currency)))
        return typed, ""
    if usual is not None and amount != usual:
        st.caption(f"{compared(amount, usual).capitalize()}.")
    kept_over = _of_another_term(form, name, typed, months if isinstance(months, int) else 0)
    odd = unusual(amount, product_price=product_price, usual=usual) or ("" if typed == offered else kept_over)
    if not odd or _confirmed(form, name, amount, months, odd):
        return typed, ""
    return typed, _("Confirm the price of {price}: {why}", price=price(amount), why=odd)


def _of_another_term(form: DraftForm, name: str, typed: str, months: int) -> str:
    """Note for which term a price was typed; tells it where that is another one than is chosen now."""
    field = f"{name}.priced"
    text, term = form.kept(field, ("", 0))
    if text != typed or not term:
        form.keep(field, [typed, months])
        return ""
    return _("it was entered for {term}", term=months_words(term)) if months not in {term, 0} else ""


def _confirmed(form: DraftForm, name: str, amount: Decimal, months: int | str, odd: str) -> bool:
    """Ask whether an odd price is right: this price for this term only."""
    field = f"{name}.confirmed.{months}.{format_price(amount)}"
    look = _("Check the price: {why}.", why=odd)
    st.markdown(f":orange[{look}]")  # a caption would fade the colour
    yes = form.tick(field, _("Yes, the customer paid {price}", price=price(amount)))
    form.fault((f"{name}.confirmed", form.widget_key(field)))
    return yes
