"""One item of an order as it is sold: what it is, what covers it already, its term, price and units."""

from collections.abc import Callable
from decimal import Decimal

import streamlit as st

from components.forms.draft_form import DraftForm
from components.forms.faults import plain
from components.record_sale.identifiers import identifier_fields
from components.record_sale.plan_choice import ChosenPlan, choose, plan_choice
from components.record_sale.price_field import price_field
from components.words.amounts import money, months_words, plan_words
from warranty.errors import AvailablePlan, Failure
from warranty.resources import as_whole
from warranty.resources.money import price_or_none
from warranty.sales.plans_known import Coverage, Plan, SaleItem
from warranty.sales.sale_lines import WITHOUT_TERM, Naming, SoldLine

UsualPrice = Callable[[SaleItem, Plan], Decimal | None]


def sale_item(
    form: DraftForm,
    item: SaleItem,
    *,
    name: str,
    currency: str,
    usual_price: UsualPrice,
    refusal: Failure | None,
) -> SoldLine | None:
    """Draw the item and give what was entered; None where it is not part of the sale.

    `name` is what the draft's fields of this item begin with.
    """
    with st.container(border=True, key=f"item-{name}"):  # so that it stays mounted, whatever is said above it
        _heading(item, currency)
        for coverage in item.covered:
            st.badge(
                _covered(coverage, currency, here=item.covered_here), color="green", icon=":material/check:"
            )
        if refusal is not None:
            _refused(form, item, refusal, name)
        if not item.can_be_sold:
            st.caption(
                "Nothing more can be sold on this item."
                if item.covered
                else "The service offers no plan on this item."
            )
            return None
        naming, product_id = form.kept(f"{name}.naming", ""), ""
        if item.by_hand and naming != Naming.OFFER:
            product_id = form.text(f"{name}.product_id", "SKU", help="The same SKU as in the order.")
        tells_term = naming not in WITHOUT_TERM
        chosen = plan_choice(form, item, name) if tells_term else ChosenPlan("", None)
        if chosen is None and not item.by_hand:
            return None
        price, odd_price, quantity = "", "", "1"
        if chosen is not None:
            places = st.columns([3, 2]) if tells_term else [st.container()]
            if tells_term:
                with places[0]:
                    price, odd_price = price_field(
                        form,
                        name,
                        months=chosen.months,
                        usual=usual_price(item, chosen.meant) if chosen.meant else None,
                        product_price=item.price,
                        currency=currency,
                    )
            with places[-1]:
                quantity = form.text(f"{name}.quantity", "Units", default="1")
                st.caption(_units_hint(item, price, quantity, currency))
        more = identifier_fields(form, item, name)
        if chosen is None:
            return None
        line = SoldLine(
            item=item,
            months=chosen.months,
            plan=chosen.plan,
            price=price,
            odd_price=odd_price,
            quantity=quantity,
            product_id=product_id,
            **more,
        )
        st.caption(f"Named to the service by {plain(line.in_words())}." if line.in_words() else "")
        return line


def _heading(item: SaleItem, currency: str) -> None:
    sku = f" :gray[SKU {plain(item.product_id)}]" if item.product_id and item.title else ""
    with st.container(horizontal=True, horizontal_alignment="distribute"):
        st.markdown(f"**{plain(item.name)}**{sku}", width="content")
        if item.price is not None:
            st.text(money(item.price, currency), width="content")
    if item.is_bundle:
        st.caption(
            f"A bundle of {len(item.members)} products: one plan covers them all, and it is sold once, on this line."
        )


def _refused(form: DraftForm, item: SaleItem, refusal: Failure, name: str) -> None:
    st.markdown(":red[**The sale was refused because of this item**]")
    for sentence in refusal.service_words:
        st.text(sentence)
    if not refusal.plans:
        return
    st.caption("The service offers these plans on it. Choose one:")
    by_term: dict[int, list[AvailablePlan]] = {}
    for plan in refusal.plans:
        by_term.setdefault(plan.months, []).append(plan)
    clear = [plans for plans in by_term.values() if item.names_offers or len(plans) == 1]
    with st.container(horizontal=True):
        for number, plan in enumerate(plan for plans in clear for plan in plans):
            st.button(
                plan_words(plan.months, plain(plan.type)),
                key=f"listed-{name}-{number}",
                on_click=choose,
                args=(form, name, Plan(plan.months, plan.type or None)),
            )
    for months, plans in sorted(by_term.items()):
        if plans not in clear:
            kinds = ", ".join(plan.type or "no type named" for plan in plans)
            st.text(
                f"{months_words(months)} comes as several plans ({kinds}), and only the offer id says which. Unless "
                "you have it (enter it under More), let the customer choose on the landing page."
            )


def _covered(coverage: Coverage, currency: str, *, here: bool) -> str:
    what = months_words(coverage.months) if coverage.months is not None else "a plan"
    words = [f"Already covered: {what}"]
    if coverage.type:
        words.append(plain(coverage.type))
    if coverage.price is not None:
        words.append(money(coverage.price, currency))
    if coverage.units > 1:
        words.append(f"{coverage.units} units")
    return ", ".join(words) + (" (recorded at this desk)" if here else "")


def _units_hint(item: SaleItem, price: str, quantity: str, currency: str) -> str:
    """How many units there are, and what several cost: the price is that of one unit's plan."""
    amount = price_or_none(price)
    if item.units is None:
        hint = "1 to 20: each unit gets its own plan."
    elif item.units_left is not None and item.units_left < item.units:
        hint = f"{item.units_left} of {item.units} without a plan."
    else:
        hint = f"of {item.units}; each gets its own plan." if item.units > 1 else "of 1."
    units = as_whole(quantity) or 0
    if amount is not None and units > 1:
        hint += f" {units} plans, {money(amount * units, currency)} in all."
    return hint
