"""Bundles: lines that are protected as one thing by one plan (interface: Line item of an order, products)."""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from components import session
from components.draft_form import DraftForm
from components.order_basket import Line, basket, is_filled, keep, price_of, total_of
from components.problems import plain, problem_at
from warranty.resources.money import format_price


def bundles_of(lines: Sequence[Line]) -> dict[str, list[Line]]:
    """The members of each bundle, in the order of the basket."""
    found: dict[str, list[Line]] = {}
    for line in lines:
        if line.get("bundle"):
            found.setdefault(line["bundle"], []).append(line)
    return found


def bundle_maker(form: DraftForm, lines: Sequence[Line]) -> None:
    """Offer to group lines, where there are two that can be grouped."""
    free = {line["id"]: line for line in lines if is_filled(line) and not line.get("bundle")}
    if len(free) < 2:
        return
    key = f"{form.screen}:{form.draft_id}:bundle-members"
    with st.popover("Group as bundle"):
        st.caption("A bundle is sold as one thing: one plan covers all of it, for one price.")
        chosen = st.multiselect(
            "Items of the bundle",
            list(free),
            format_func=lambda line_id: _name(free[line_id]) if line_id in free else "",
            key=key,
        )
        members = [free[line_id] for line_id in chosen if line_id in free]
        unreadable = [line for line in members if price_of(line) is None]
        if unreadable:
            problem_at(
                {
                    "bundle": f"{_name(unreadable[0])} has no readable price, so the bundle has no total: "
                    "enter its price first"
                },
                "bundle",
            )
        elif len(members) >= 2:
            st.text(f"{len(members)} items, together {total_of(members)}")
        st.button(
            "Make the bundle",
            key="make-bundle",
            disabled=len(members) < 2 or bool(unreadable),
            on_click=_group,
            args=(form, [line["id"] for line in members], key),
        )


def bundle_head(form: DraftForm, bundle: str, members: Sequence[Line], *, currency: str) -> None:
    """Draw what the members of a bundle are together, and the way to take it apart."""
    total = total_of(members)
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        words = (
            "total unclear: one of its prices cannot be read" if total is None else f"{total:,.2f} {currency}"
        )
        st.markdown(
            f"**Bundle of {len(members)}** · {plain(words)} · one plan covers all of it", width="content"
        )
        st.button("Ungroup", key=f"ungroup-{bundle}", on_click=_ungroup, args=(form, bundle))


def bundle_item(members: Sequence[tuple[Line, Mapping[str, Any]]]) -> dict[str, Any]:
    """The line item that a bundle is sent as: its members below it, its price their total."""
    lines, items = [line for line, _ in members], [dict(item) for _, item in members]
    total = total_of(lines)
    item: dict[str, Any] = {
        "product_id": "+".join(str(item.get("product_id", "")) for item in items),
        "product_title": " + ".join(str(item.get("product_title", "")) for item in items),
        "product_price": "" if total is None else format_price(total),
        "products": items,
    }
    for shared in ("meta", "detail"):
        first = next((item[shared] for item in items if shared in item), None)
        if first is not None:
            item[shared] = first
    return item


def _name(line: Mapping[str, str]) -> str:
    return plain(line.get("product_title", "").strip() or line.get("product_id", "").strip() or "Item")


def _group(form: DraftForm, line_ids: Sequence[str], key: str) -> None:
    bundle = uuid.uuid4().hex[:8]
    lines = [{**line, "bundle": bundle} if line["id"] in line_ids else line for line in basket(form)]
    # The members stand together, where the first of them stood.
    first = next(place for place, line in enumerate(lines) if line.get("bundle") == bundle)
    members = [line for line in lines if line.get("bundle") == bundle]
    others = [line for line in lines[first:] if line.get("bundle") != bundle]
    keep(form, [*lines[:first], *members, *others])
    session.clear(key)


def _ungroup(form: DraftForm, bundle: str) -> None:
    keep(form, [_alone(line) if line.get("bundle") == bundle else line for line in basket(form)])


def _alone(line: Line) -> Line:
    return {name: value for name, value in line.items() if name != "bundle"}
