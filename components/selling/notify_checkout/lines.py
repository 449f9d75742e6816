"""The warranties of a checkout: one line for each, with its offer (interface: Warranty line item)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from functools import partial
from typing import Any, Final

import streamlit as st
from pydantic import ValidationError

from components.platform.markup import plain
from components.selling.orders.plan_choice import (
    PlanReading,
    UsualPrices,
    item_head,
    item_name,
    plan_choice,
    plan_reading,
)
from components.selling.orders.product_scan import NOT_IN_THE_CATALOGUE, ONE_AT_A_TIME, WHICH_ONE, product_scan
from components.ui.forms.draft_form import DraftForm, new_row
from components.ui.forms.faults import problem_at
from components.ui.frame.failure_notice import failure_notice
from components.wiring import Runtime
from components.words.amounts import money, plan_words
from warranty.client.resources import Offer, OfferedProduct, PurchasableLineItem, PurchaseWarranties, as_whole
from warranty.client.resources.money import format_price, price_or_none, without_sign
from warranty.client.resources.orders import shown_as
from warranty.client.resources.problems import problems
from warranty.desk.journal import ItemLine
from warranty.desk.sales.plans_known import items_of
from warranty.files.catalogue import Catalogue, CatalogueProduct, without_marks
from warranty.language import N_, _
from warranty.language.written import number

Line = dict[str, Any]
"""An offer as it was chosen or pasted: `id` is ours; title, sku, months, type and price where they are known."""

LINES: Final = "lines"
_CHOSEN: Final = "item."
"""What the id of a line begins with whose plan was chosen: it is the name of that choice (orders/plan_choice.py)."""


def put_line(form: DraftForm, name: str, line: Line | None) -> None:
    """Have what is chosen at this choice in the checkout: where its line stands, else as the last."""
    lines = {held["id"]: held for held in lines_of(form)} | {name: line}
    form.keep({LINES: [held for held in lines.values() if held]})


def lines_of(form: DraftForm) -> list[Line]:
    """The lines of the draft, one of them at least without a choice: it is empty until an id is pasted."""
    lines: list[Line] = form.content.get(LINES, [])
    if all(map(_is_chosen, lines)):
        lines = [*lines, {"id": new_row(form, LINES)}]
        form.keep({LINES: lines})
    return lines


def _is_chosen(line: Line) -> bool:
    return str(line["id"]).startswith(_CHOSEN)


def recognise(form: DraftForm, listed: Iterable[Line]) -> None:
    """Let a line whose offer id was pasted say what these listed offers tell of it.

    An offer may be of several items (interface: line_item_id): then its plan is shown, and no item.
    """
    known: dict[str, Line] = {}
    for offer in listed:
        of_another = known.get(offer["offer_id"])
        of_several = {**offer, "title": "", "sku": "", "units": None, "price": ""}
        known[offer["offer_id"]] = of_several if of_another else offer

    def shown(line: Line) -> Line:
        pasted = form.content.get(_field(line, "warranty_offer_id"), "")
        if pasted not in known or line.get("offer_id") == pasted:
            return line
        return {**known[pasted], "id": line["id"]}

    lines = lines_of(form)
    if (now := [shown(line) for line in lines]) != lines:
        form.keep({LINES: now})


def checkout_lines(form: DraftForm, *, aftermarket: bool, unfolded: bool) -> list[tuple[Line, dict[str, Any]]]:
    """Draw the lines, and give those that name an offer, each with what was entered under the interface's names.

    Those whose id was pasted are folded away, unless `unfolded`.
    """
    lines = lines_of(form)
    chosen = [line for line in lines if _is_chosen(line)]
    pasted = [line for line in lines if not _is_chosen(line)]
    sold = []
    for line in chosen:
        with st.container(border=True):
            sold.append((line, _row(form, line, line_words(line), aftermarket=aftermarket, removable=True)))
    holds_one = any(form.content.get(_field(line, "warranty_offer_id")) for line in pasted)
    if holds_one or not form.is_locked:
        with st.expander(_("I have the id"), expanded=unfolded or holds_one, key="by-id"):
            for place, line in enumerate(pasted, start=len(chosen) + 1):
                known = picked(line, form.content.get(_field(line, "warranty_offer_id"), ""))
                several = len(pasted) > 1
                name = line_words(known) or (_("Plan {n}", n=place) if several else "")
                sold.append((line, _row(form, line, name, aftermarket=aftermarket, removable=several)))
            st.button(
                _("Add another plan"),
                key="add-warranty",
                icon=":material/add:",
                disabled=form.is_locked,
                on_click=_add,
                args=(form,),
            )
    form.faults.draw("line_items", at=_field(pasted[0], "warranty_offer_id") if unfolded else "scan")
    return [(line, entered) for line, entered in sold if entered["warranty_offer_id"]]


def field_of(path: tuple[str | int, ...], lines: list[Line]) -> str:
    """The draft's field of a path of the interface."""
    if len(path) == 3 and path[0] == "line_items" and isinstance(path[1], int):
        return _field(lines[path[1]], str(path[2]))
    return ".".join(map(str, path))


def unit_problems(entered: list[dict[str, Any]], lines: list[Line]) -> dict[str, str]:
    """More warranties than the order has of an item, where that is known, by the field of the draft."""
    return {
        _field(line, "quantity"): _("Enter {n} at most: the order holds no more of this item", n=number(line["units"]))
        for line, values in zip(lines, entered, strict=True)
        if line.get("units") and values["quantity"].isdigit() and int(values["quantity"]) > line["units"]
    }


def item_lines(entered: list[dict[str, Any]], lines: list[Line]) -> tuple[ItemLine, ...]:
    """What was sold, for the journal: as far as it is known."""
    shown = [(picked(line, sent["warranty_offer_id"]), sent) for line, sent in zip(lines, entered, strict=True)]
    return tuple(
        ItemLine(
            title=line.get("title", ""),
            product_id=line.get("sku", ""),
            quantity=as_whole(sent["quantity"]) or 1,
            term_months=line.get("months"),
            warranty_price=price_or_none(line.get("price") or ""),
            warranty_type=line.get("type"),
        )
        for line, sent in shown
    )


def picked(line: Line, offer_id: str) -> Line:
    """What is known of a line: nothing more than its id, where another offer was entered than was picked."""
    return line if line.get("offer_id", offer_id) == offer_id else {"id": line["id"]}


def line_words(line: Line) -> str:
    """What a line is, as far as it is known: `24 months, Extended warranty on 55in OLED television`."""
    plan = plan_words(line.get("months"), line.get("type"))
    product = line.get("title") or line.get("sku") or ""
    return _("{plan} on {product}", plan=plan, product=product) if plan and product else plan or product


def line_names(lines: list[Line]) -> dict[str, str]:
    """What each line is called, by the beginning of its fields' names."""
    return {_field(line, ""): line_words(line) or _("Plan {n}", n=place) for place, line in enumerate(lines, 1)}


def _row(form: DraftForm, line: Line, name: str, *, aftermarket: bool, removable: bool) -> dict[str, Any]:
    offer, units = st.columns([3, 1], vertical_alignment="bottom")
    with offer:
        if name or removable:
            remove = partial(_remove, form, line["id"]) if removable else None
            item_head(form, line["id"], f"**{plain(name)}**", remove=remove)
        offer_id = line.get("offer_id", "")
        if not _is_chosen(line):
            hint = _("36 characters, with dashes")
            offer_id = form.text(_field(line, "warranty_offer_id"), _("Offer id"), placeholder=hint)
    with units:
        quantity = form.text(_field(line, "quantity"), _("Quantity"), default="1")
    entered: dict[str, Any] = {"warranty_offer_id": offer_id, "quantity": quantity}
    if aftermarket:
        months, start = st.columns(2)
        with months:
            entered["mfw_duration_months"] = (
                form.text(_field(line, "mfw_duration_months"), _("Manufacturer warranty in months (optional)")) or None
            )
        with start:
            start_date = _field(line, "mfw_start_date")
            entered["mfw_start_date"] = form.day(start_date, _("Manufacturer warranty starts (optional)"))
            form.faults.draw(start_date)
    return entered


def _field(line: Line, field: str) -> str:
    return f"line.{line['id']}.{field}"


def _add(form: DraftForm) -> None:
    form.keep({LINES: [*lines_of(form), {"id": new_row(form, LINES)}]})


def _remove(form: DraftForm, line_id: str) -> None:
    """Take a line out of the checkout, with the choice that it came from and what was entered for it."""
    left = [line for line in lines_of(form) if line["id"] != line_id]
    form.put({f"{line_id}.term": None, f"line.{line_id}.quantity": "1"}, **{LINES: left})


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
        wanted, faults = _wanted(form, runtime.settings.currency)
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
        known = product or CatalogueProduct(without_marks(code), "")
        price, before = _as_text(known.price), {n: form.content.get(f"offers.{n}") for n in ("id", "title")}
        has_plan = before["id"] in {None, "", known.sku, *(line.get("sku") for line in lines_of(form))}
        found = (_FOUND if has_plan else _INSTEAD, {"name": known.title, "before": before["title"] or before["id"]})
        is_whole = bool(known.title and price)
        form.put(
            {f"offers.{n}": t for n, t in zip(_FIELDS, (known.sku, known.title, price, known.category), strict=True)},
            **heard,
            scan_said=found if product else (NOT_IN_THE_CATALOGUE, {"code": known.sku}),
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


def _wanted(form: DraftForm, currency: str) -> tuple[OfferedProduct | None, Mapping[str, str]]:
    """The product whose plans are asked for, or what is wrong with it by field."""
    texts = form.content.get("offers.asked")
    if not texts:
        return None, {}
    try:
        typed = {**texts, "price": without_sign(texts["price"], currency) or None, **shown_as(texts["category"])}
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
