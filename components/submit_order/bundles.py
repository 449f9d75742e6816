"""Bundles: lines that are protected as one thing by one plan (interface: Line item of an order, products)."""

import uuid
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

import streamlit as st

from components import session
from components.forms.draft_form import DraftForm
from components.forms.faults import plain, problem_at
from components.submit_order.basket import (
    Line,
    basket,
    is_filled,
    keep,
    name_of,
    price_of,
    total_of,
    units_of,
)
from components.words.money import counted, money
from warranty.resources.money import format_price
from warranty.resources.orders import STORED_QUANTITY_LIMIT


def bundles_of(lines: Sequence[Line]) -> dict[str, list[Line]]:
    """The members of each bundle, in the order of the basket."""
    found: dict[str, list[Line]] = {}
    for line in lines:
        if line.get("bundle"):
            found.setdefault(line["bundle"], []).append(line)
    return found


def units_in_bundle(line: Mapping[str, str]) -> int | None:
    """How many units of a line are in its bundle; None where its quantity cannot be read."""
    units = units_of(line)
    return None if units is None else min(units, STORED_QUANTITY_LIMIT)


def bundle_total(members: Sequence[Mapping[str, str]]) -> Decimal | None:
    """What a bundle costs, each unit in it counted; None where a price or a quantity cannot be read."""
    return total_of(members, units_in_bundle)


def bundle_maker(form: DraftForm, lines: Sequence[Line], *, currency: str) -> None:
    """Offer to group lines, where there are two that can be grouped."""
    free = {line["id"]: line for line in lines if is_filled(line) and not line.get("bundle")}
    if len(free) < 2:
        return
    names = {line["id"]: name_of(line, number) for number, line in enumerate(lines, 1)}
    key = f"{form.screen}:{form.draft_id}:bundle-members"
    with st.popover("Group as bundle"):
        st.caption("A bundle is sold as one thing: one plan covers all of it, for one price.")
        chosen = st.multiselect(
            "Items of the bundle",
            list(free),
            format_func=lambda line_id: names.get(line_id, ""),
            key=key,
        )
        members = [free[line_id] for line_id in chosen if line_id in free]
        unreadable = [line for line in members if price_of(line) is None]
        if unreadable:
            words = f"{names[unreadable[0]['id']]} has no readable price, so the bundle has no total"
            problem_at({"bundle": f"{words}: enter its price first"}, "bundle")
        elif len(members) >= 2:
            st.text(f"Together: {_summed(members, currency)}")
        st.button(
            "Make the bundle",
            key="make-bundle",
            disabled=len(members) < 2 or bool(unreadable),
            on_click=_group,
            args=(form, [line["id"] for line in members], key),
        )


def bundle_head(form: DraftForm, bundle: str, members: Sequence[Line], *, currency: str) -> None:
    """Draw what the members of a bundle are together, and the way to take it apart."""
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.markdown(
            f"**Bundle** · {plain(_summed(members, currency))} · one plan covers all of it", width="content"
        )
        st.button(
            "Ungroup",
            key=f"ungroup-{bundle}",
            disabled=form.is_locked,
            on_click=_ungroup,
            args=(form, bundle),
        )


def bundle_item(
    members: Sequence[tuple[Line, Mapping[str, Any]]],
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The line item that a bundle is sent as, and the row of each product in it.

    Each unit is a product of its own without a quantity: the interface does not say whether a member's quantity
    counts in the bundle's total, and so the total is the sum of the prices either way.
    """
    products: list[dict[str, Any]] = []
    rows: list[str] = []
    for line, item in members:
        units = units_in_bundle(line)
        unit = {name: value for name, value in item.items() if name != "quantity" or units is None}
        products += [unit] * (units or 1)
        rows += [line["id"]] * (units or 1)
    lines, items = [line for line, _ in members], [item for _, item in members]
    total = bundle_total(lines)
    bundle: dict[str, Any] = {
        "product_id": "+".join(str(item.get("product_id", "")) for item in items),
        "product_title": " + ".join(_counted(line, item) for line, item in members),
        "product_price": "" if total is None else format_price(total),
        "products": products,
    }
    for shared in ("meta", "detail"):
        first = next((item[shared] for item in items if shared in item), None)
        if first is not None:
            bundle[shared] = first
    return bundle, tuple(rows)


def _counted(line: Line, item: Mapping[str, Any]) -> str:
    title, units = str(item.get("product_title", "")), units_in_bundle(line) or 1
    return title if units == 1 else f"{units} × {title}"


def _summed(members: Sequence[Line], currency: str) -> str:
    total = bundle_total(members)
    if total is None:
        return "total unclear, since a price or a quantity in it cannot be read"
    units = sum(units_in_bundle(line) or 0 for line in members)
    return f"{counted(units, 'unit')}, {money(total, currency)}"


def _group(form: DraftForm, line_ids: Sequence[str], key: str) -> None:
    bundle = uuid.uuid4().hex[:8]
    lines = basket(form)
    members = [{**line, "bundle": bundle} for line in lines if line["id"] in line_ids]
    others = [line for line in lines if line["id"] not in line_ids]
    first = next(place for place, line in enumerate(lines) if line["id"] in line_ids)
    keep(form, [*others[:first], *members, *others[first:]])  # together, where the first of them stood
    session.clear(key)


def _ungroup(form: DraftForm, bundle: str) -> None:
    keep(form, [line | {"bundle": ""} if line.get("bundle") == bundle else line for line in basket(form)])
