"""Which plans were sold: those of a product, scanned or typed, and those of an order that the service knows.

Both only where they are configured; an offer's id can always be pasted (lines.py).
"""

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from functools import partial
from typing import Final

import streamlit as st
from pydantic import ValidationError

from components.platform.markup import plain
from components.selling.notify_checkout.lines import Line, lines_of, put_line
from components.selling.orders.plan_choice import item_name, plan_choice
from components.selling.orders.plan_reading import PlanReading, plan_reading
from components.selling.orders.product_scan import NOT_IN_THE_CATALOGUE, ONE_AT_A_TIME, WHICH_ONE, product_scan
from components.selling.orders.usual_prices import UsualPrices
from components.ui.forms.draft_form import DraftForm
from components.ui.forms.faults import problem_at
from components.ui.frame.failure_notice import failure_notice
from components.wiring import Runtime
from components.words.amounts import money
from warranty.client.resources import Offer, OfferedProduct, PurchasableLineItem, PurchaseWarranties
from warranty.client.resources.money import format_price
from warranty.client.resources.orders import shown_as
from warranty.client.resources.problems import problems
from warranty.desk.sales.plans_known import items_of
from warranty.files.catalogue import Catalogue, CatalogueProduct
from warranty.language import N_, _

_FOUND: Final = N_("Found: {name}")
_INSTEAD: Final = N_("Found: {name}. No plan was chosen for {before}: scan it again if one is sold.")
_LEADS: Final = (("", N_("Order number")),)
_FIELDS: Final = ("id", "title", "price", "category")


def product_plans(runtime: Runtime, form: DraftForm, prices: UsualPrices) -> list[Line]:
    """Draw the field for a product, and the plans of the one that was entered last; gives them as lines."""
    if form.is_locked or not runtime.service.client.has("offers"):
        return []
    product_scan(form, prices.catalogue, leads=_LEADS, take=partial(_take, form, prices.catalogue))
    if "offers.id" not in form.content:
        return []
    with st.container(border=True, key="product"):
        wanted, faults = _wanted(form)
        if wanted and form.content.get("offers.known"):
            _as_known(form, wanted, runtime.settings.currency)
        else:
            _fields(form, faults)
        if wanted is None:
            return []
        reading = plan_reading(
            runtime.jobs,
            f"{form.draft_id}:{form.content['offers.times']}",
            partial(_as_an_order, runtime.service.client.offers, wanted),
            name="plans-of-a-product",
        )
        listed = _choices(form, reading, prices, named=False)
        if reading.failure is not None:
            failure_notice(reading.failure)
        elif reading.answer and not listed:
            st.caption(_("The service offers no plan for this product."))
        return listed


def order_plans(runtime: Runtime, form: DraftForm, order_id: str, prices: UsualPrices) -> list[Line]:
    """Draw the plans of the items of an order that the service knows; gives them as lines."""
    if not runtime.desk.can_look_up:
        return []
    reading = plan_reading(runtime.jobs, order_id, partial(runtime.desk.plans_of, form.operator))
    return _choices(form, reading, prices, named=True)


def _take(form: DraftForm, catalogue: Catalogue, codes: Sequence[str], taken: Mapping[str, int]) -> None:
    """Take a code for the product; where the catalogue describes it, its plans are asked for at once."""
    code, heard = codes[-1].strip(), {"scans_taken": dict(taken)}
    product = catalogue.find(code)
    if len(set(codes)) > 1:
        form.keep({**heard, "scan_said": (ONE_AT_A_TIME, {"codes": ", ".join(codes)})})
    elif product is None and catalogue.named(code):
        form.keep({**heard, "scan_said": (WHICH_ONE, {"code": code})})
    else:
        known = product or CatalogueProduct(code, "")
        price, before = _as_text(known.price), {n: form.content.get(f"offers.{n}") for n in ("id", "title")}
        has_plan = before["id"] in {None, "", known.sku, *(line.get("sku") for line in lines_of(form))}
        found = (_FOUND if has_plan else _INSTEAD, {"name": known.title, "before": before["title"] or before["id"]})
        is_whole = bool(known.title and price)
        form.put(
            {f"offers.{n}": t for n, t in zip(_FIELDS, (known.sku, known.title, price, known.category), strict=True)},
            **heard,
            scan_said=found if product else (NOT_IN_THE_CATALOGUE, {"code": code}),
            **{"offers.known": is_whole, "offers.asked": None},
        )
        if is_whole:
            _ask(form)
    form.try_to_store()  # before the page hears that it may forget them


def _as_text(amount: Decimal | None) -> str:
    return "" if amount is None else format_price(amount)


def _ask(form: DraftForm) -> None:
    """Ask for the plans of the product as it stands; what is chosen of them is each time of another one."""
    texts = {name: form.content.get(f"offers.{name}", "") for name in _FIELDS}
    form.keep({"offers.asked": texts, "offers.times": form.content.get("offers.times", 0) + 1})


def _as_known(form: DraftForm, product: OfferedProduct, currency: str) -> None:
    """What the catalogue knows of the product, in a line."""
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        name = f"**{plain(product.title)}** :gray[SKU {plain(product.id)}]"
        st.markdown(f"{name} {plain(money(product.price, currency))}", width="content")
        st.button(_("Change"), key="change-product", on_click=form.keep, args=({"offers.known": False},))


def _fields(form: DraftForm, faults: Mapping[str, str]) -> None:
    labels = ("SKU", _("Title"), _("Product price"), _("Category (optional)"))
    for place, name, label in zip(st.columns([1, 2, 1, 2]), _FIELDS, labels, strict=True):
        with place:
            form.text(f"offers.{name}", label)
            problem_at(faults, name)
    st.button(_("Find plans"), key="find-offers", icon=":material/search:", on_click=_ask, args=(form,))


def _wanted(form: DraftForm) -> tuple[OfferedProduct | None, Mapping[str, str]]:
    """The product whose plans are asked for, or what is wrong with it by field."""
    texts = form.content.get("offers.asked")
    if not texts:
        return None, {}
    try:
        typed = {**texts, "price": texts["price"] or None, **shown_as(texts["category"])}
        return OfferedProduct.model_validate(typed), {}
    except ValidationError as error:
        found = {str(fault.path[0]): fault.message for fault in problems(error, {"price": _("product price")})}
        return None, {name: known for name, known in found.items() if texts[name] == form.content[f"offers.{name}"]}


def _as_an_order(
    ask: Callable[[OfferedProduct], Sequence[Offer]], product: OfferedProduct, order_id: str
) -> PurchaseWarranties:
    """Ask for the offers of a product: they are read as those of an order's one line."""
    offers = tuple(ask(product))
    item = PurchasableLineItem(line_item_id=0, product_id=product.id, product_title=product.title, offers=offers)
    return PurchaseWarranties(order_id=order_id, line_items=(item,))


def _choices(form: DraftForm, reading: PlanReading, prices: UsualPrices, *, named: bool) -> list[Line]:
    """Draw the plans of each item, of which one can be chosen; gives them all as lines."""
    listed: list[Line] = []
    for item in items_of(None, reading.answer, terms=()):
        if not (item.plans and item.can_be_sold):
            continue
        name = item_name(reading.order_id, item.key)
        of_it = {"id": name, "title": item.title, "sku": item.product_id, "units": item.units}
        lines = {
            plan: {
                **of_it,
                "offer_id": plan.offer_id,
                "months": plan.months,
                "type": plan.type,
                "price": _as_text(prices.of(item, plan)),
            }
            for plan in item.plans
        }
        with st.container(border=named, key=f"offered-{name}"):
            if named:
                st.markdown(f"**{plain(item.name)}**")
            chosen = plan_choice(form, item, name, partial(prices.of, item), offered_only=True)
        if chosen is not None:
            put_line(form, name, lines[chosen[1]] if chosen[1] else None)
        listed += lines.values()
    return listed
