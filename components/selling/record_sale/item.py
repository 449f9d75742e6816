"""One item of an order as it is sold: what it is, what covers it already, its term, price and units."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from functools import partial
from typing import Any, Final

import streamlit as st

from components.platform.markup import plain
from components.selling.orders.plan_choice import UsualPrices, choose, item_head, item_name, leave_out, plan_choice
from components.selling.record_sale.order_knowledge import Refusal, SaleKnowledge, removal
from components.ui.forms.draft_form import DraftForm
from components.ui.frame.code_to_scan import code_to_scan
from components.words.amounts import compared, money, months_words, plan_words, unusual
from warranty.client.resources import as_whole
from warranty.client.resources.money import format_price, price_or_none, without_sign
from warranty.desk.sales.plans_known import Coverage, Plan, SaleItem
from warranty.desk.sales.sale_lines import WITHOUT_TERM, Naming, SoldLine, cannot_choose
from warranty.desk.sales.sale_refusals import without_place
from warranty.language import N_, _
from warranty.language.written import number, price

_NAMINGS: Final = {
    Naming.AUTOMATIC: N_("The surest way known (recommended)"),
    Naming.PRODUCT: N_("The SKU alone, without term and price"),
    Naming.VARIANT: N_("The variant id"),
    Naming.OFFER: N_("The offer id alone, without term and price"),
    Naming.PRODUCTS: N_("The products of a bundle"),
}


def sale_item(
    form: DraftForm, item: SaleItem, known: SaleKnowledge, *, prices: UsualPrices, currency: str
) -> SoldLine | None:
    """Draw an item of what is known of its order, and give what was entered; None where it is not part of the sale.

    Remove takes an item that was entered by hand off the screen, any other out of the sale alone.
    """
    name, refusal = item_name(known.order_id, item.key), known.refusals.get(item.key)
    remove = removal(form, known, item)
    naming, product_id = form.content.get(f"{name}.naming", Naming.AUTOMATIC.value), ""
    tells_term = naming not in WITHOUT_TERM
    is_sold = form.content.get(f"{name}.term") is not None or not tells_term
    with st.container(border=True, key=f"item-{name}"):  # so that it stays mounted, whatever is said above it
        if is_sold and item.can_be_sold:
            remove = remove or partial(leave_out, form, name)
        _heading(form, item, name, currency, remove)
        for coverage in item.covered:
            st.badge(_covered(item, coverage, currency), color="green", icon=":material/check:")
        if refusal is not None and refusal.stands:
            _refused(form, item, refusal, name)
        if not item.can_be_sold:
            st.caption(
                _("This item cannot take another plan.")
                if item.covered
                else _("The service offers no plan on this item.")
            )
            return None
        if item.by_hand and naming != Naming.OFFER:
            product_id = form.text(f"{name}.product_id", "SKU", help=_("The same SKU as in the order."))
            item = prices.named(item, product_id)
        chosen = plan_choice(form, item, name, partial(prices.of, item)) if tells_term else ("", None)
        if chosen is None and not item.by_hand:
            return None
        line = SoldLine(item=item, months="", product_id=product_id, naming=Naming(naming))
        if chosen is not None:
            line = replace(line, months=chosen[0], plan=chosen[1])
            if replace(line, offer_id=form.content.get(f"{name}.offer_id", "")).is_for_the_landing_page:
                _to_the_landing_page(form, line, name, known.page)
            refused = refusal.months if refusal else None
            line = _price_and_units(form, line, name, prices=prices, currency=currency, refused=refused)

        line = _identified(form, line, name)
        return None if chosen is None else line


def _price_and_units(
    form: DraftForm, line: SoldLine, name: str, *, prices: UsualPrices, currency: str, refused: int | None
) -> SoldLine:
    """Draw both, and give the line with them; no price without a term."""
    places = st.columns([3, 2]) if line.states_term else [st.container()]
    paid, odd_price = "", ""
    if line.states_term:
        plan = line.plan or (Plan(line.months) if isinstance(line.months, int) else None)
        with places[0]:
            usual = prices.of(line.item, plan) if plan else None
            paid, odd_price = _price_field(form, line, name, usual=usual, refused=refused, currency=currency)
    with places[-1]:
        quantity = form.text(f"{name}.quantity", _("Units"), default="1")
        if hint := _units_hint(line.item, paid, quantity, currency):
            st.caption(hint)
    return replace(line, price=paid, odd_price=odd_price, quantity=quantity)


def _heading(form: DraftForm, item: SaleItem, name: str, currency: str, remove: Callable[[], None] | None) -> None:
    sku = f" :gray[SKU {plain(item.product_id)}]" if item.product_id and item.title else ""
    amount = "" if item.price is None else money(item.price, currency)
    item_head(form, name, f"**{plain(item.name)}**{sku}", amount=amount, remove=remove)
    if item.is_bundle:
        st.caption(_("A bundle of {n} products: one plan covers them all.", n=number(len(item.members))))


def _refused(form: DraftForm, item: SaleItem, refusal: Refusal, name: str) -> None:
    words = _("The sale was refused because of this item")
    st.markdown(f":red[**{words}**]")
    if refusal.months is None:
        for sentence in refusal.failure.service_words:
            st.text(without_place(sentence))
    elif item.can_choose(refusal.months):
        term = months_words(refusal.months)
        st.caption(_("{term} is not offered on it. Choose one of these plans:", term=term))
        plans = [plan for plan in item.plans if item.can_choose(plan.months)]
        with st.container(horizontal=True):
            for place, plan in enumerate(plans):
                st.button(
                    plan_words(plan.months, plain(plan.type or "")),
                    key=f"listed-{name}-{place}",
                    on_click=choose,
                    args=(form, name, plan),
                )


def _to_the_landing_page(form: DraftForm, line: SoldLine, name: str, page: str) -> None:
    """Say that the desk cannot sell this plan, and lead to where the customer can buy it."""
    field = f"{name}.type"
    if field not in form.faults.found:
        st.markdown(f":orange[{cannot_choose(line)}.]")
    form.faults.draw(field, at=f"{name}.term")
    if page:
        st.link_button(_("Open the customer page"), page)
        code_to_scan(page, alt=_("QR code of the customer page: hold the customer's phone in front of it"))


def _covered(item: SaleItem, coverage: Coverage, currency: str) -> str:
    what = months_words(coverage.months) if coverage.months is not None else _("a plan")
    paid = "" if coverage.price is None else money(coverage.price, currency)
    all_units = max(item.units or 1, coverage.units)
    units = _("{n} of {all} units", n=number(coverage.units), all=number(all_units)) if all_units > 1 else ""
    plan = ", ".join(filter(None, (_("Already covered: {plan}", plan=what), plain(coverage.type or ""), paid, units)))
    return _("{plan} (recorded at this desk)", plan=plan) if item.covered_here else plan


def _units_hint(item: SaleItem, paid: str, quantity: str, currency: str) -> str:
    """How many units there are, and what several cost: the price is that of one unit's plan."""
    amount = price_or_none(paid)
    if item.units is None:
        hint = _("1 to 20: each unit gets its own plan.")
    elif item.units_left is not None and item.units_left < item.units:
        hint = _("{n} of {all} without a plan.", n=number(item.units_left), all=number(item.units))
    else:
        hint = _("of {n}; each gets its own plan.", n=number(item.units)) if item.units > 1 else ""
    units = as_whole(quantity) or 0
    if amount is not None and units > 1:
        all_of_them = money(amount * units, currency)
        hint += " " + _("{n} plans, {amount} in all.", n=number(units), amount=all_of_them)
    return hint.strip()


def _price_field(
    form: DraftForm, line: SoldLine, name: str, *, usual: Decimal | None, refused: int | None, currency: str
) -> tuple[str, str]:
    """Draw what the customer paid, and give the text as typed, and what a person has to confirm of it, if anything.

    The usual price stands in it until a person changes it; one typed for another term stays, and is asked about, but
    not that of the term which was `refused`.
    """
    field, months = f"{name}.price", line.months
    suggested, priced_for = form.content.get(f"{name}.suggested", ""), form.content.get(f"{name}.priced", ("", 0))[1]
    offered = "" if usual is None else format_price(usual)
    is_ours = form.content.get(field, "") in {"", suggested} and offered != suggested
    if is_ours or (refused and priced_for == refused != months):
        form.put({field: offered}, **{f"{name}.suggested": offered, f"{name}.priced": ("", 0)})
    typed = without_sign(form.text(field, _("Price charged"), placeholder=_("What was paid for one unit")), currency)
    amount = price_or_none(typed)
    if amount is None:
        if usual is not None:
            st.caption(_("The usual price is {price}.", price=money(usual, currency)))
        return typed, ""
    if usual is not None and amount != usual:
        st.caption(f"{compared(amount, usual).capitalize()}.")
    carried_over = _of_another_term(form, name, typed, months if isinstance(months, int) else 0)
    odd = unusual(amount, product_price=line.item.price, usual=usual) or ("" if typed == offered else carried_over)
    if not odd or _confirmed(form, name, amount, months, odd):
        return typed, ""
    return typed, _("Confirm the price of {price}: {why}", price=price(amount), why=odd)


def _of_another_term(form: DraftForm, name: str, typed: str, months: int) -> str:
    """Note for which term a price was typed; tells it where that is another one than is chosen now."""
    field = f"{name}.priced"
    text, term = form.content.get(field, ("", 0))
    if text != typed or not term:
        form.keep({field: [typed, months]})
        return ""
    return _("it was entered for {term}", term=months_words(term)) if months not in {term, 0} else ""


def _confirmed(form: DraftForm, name: str, amount: Decimal, months: int | str, odd: str) -> bool:
    """Ask whether an odd price is right: this price for this term only."""
    field = f"{name}.confirmed.{months}.{format_price(amount)}"
    look = _("Check the price: {why}.", why=odd)
    st.markdown(f":orange[{look}]")  # a caption would fade the colour
    yes = form.tick(field, _("{price} is correct", price=price(amount)))
    form.faults.draw(f"{name}.confirmed", at=field)
    return yes


def _identified(form: DraftForm, line: SoldLine, name: str) -> SoldLine:
    """Draw the ways to name the item to the service, and give the line with what was entered."""
    item = line.item
    with st.expander(_("Other ways to name the item"), key=f"more-{name}"):
        ways = [way for way in Naming if way is not Naming.PRODUCT or item.product_id or item.by_hand]
        words = {way.value: _(_NAMINGS[way]) for way in ways}
        naming = Naming(form.choice(f"{name}.naming", _("How the item is named to the service"), words, ways[0].value))
        entered: dict[str, Any] = {"naming": naming, **_identifiers(form, item, name, naming)}
        if naming in WITHOUT_TERM:
            st.caption(_("The service takes its own term and price: no report here counts them."))
        else:
            labels = {"warranty_id": _("Your own warranty id"), "program_id": _("Your own program id")}
            stored = _("Optional. Stored with the sale; it does not choose the plan.")
            for place, own in zip(st.columns(2), labels, strict=True):
                with place:
                    entered[own] = form.text(f"{name}.{own}", labels[own], help=stored)
        line = replace(line, **entered)
        if summary := line.in_words():
            st.caption(_("Sent to the service: {words}.", words=plain(summary)))
    if not item.by_hand:
        form.faults.draw(f"{name}.product_id", at=f"{name}.naming")
    return line


def _identifiers(form: DraftForm, item: SaleItem, name: str, naming: Naming) -> dict[str, Any]:
    entered: dict[str, Any] = {}
    if naming is Naming.VARIANT:
        entered["variant_id"] = form.text(f"{name}.variant_id", _("Variant id"))
    if naming in {Naming.OFFER, Naming.AUTOMATIC}:
        entered["offer_id"] = form.text(
            f"{name}.offer_id",
            _("Offer id") if naming is Naming.OFFER else _("Offer id (optional)"),
            help=_("36 characters. It chooses between plans of the same term."),
        )
    if naming is Naming.AUTOMATIC and item.line_item_id is None:
        entered["line_item_id"] = form.text(
            f"{name}.line_item_id",
            _("Line number in the order (optional)"),
            help=_("Only if the service gave it to you: it says for certain which item was sold."),
        )
    if naming is Naming.PRODUCTS and not item.is_bundle:
        field = f"{name}.members"
        typed = form.text(field, _("SKUs of the bundle, one in a line"), draw=st.text_area, height=90)
        entered["members"] = tuple(sku.strip() for sku in typed.splitlines() if sku.strip())
    return entered
