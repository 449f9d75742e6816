"""The items of an order: a scan field above, one row of fields per line below, each fault beside its field."""

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

import streamlit as st

from components import session
from components.forms.draft_form import DraftForm
from components.forms.faults import plain
from components.forms.scan_field import scan_field
from components.submit_order.basket import (
    FIELDS,
    Line,
    basket,
    completed,
    field_of,
    is_filled,
    is_meant,
    keep,
    new_line,
    price_of,
    remove,
    scanned,
    undo,
    units_of,
)
from components.submit_order.bundles import bundle_head, bundle_item, bundle_maker, bundles_of
from warranty.files.catalogue import Catalogue
from warranty.resources.orders import STORED_QUANTITY_LIMIT, shown_as

_ROW: Final = (
    ("product_id", "SKU", 1.35),
    ("product_title", "Title", 2.3),
    ("product_price", "Price", 1.05),
    ("quantity", "Quantity", 0.8),
    ("category", "Category", 1.5),
)
_MORE: Final = (".product_delivery_date", ".image")
_HOW: Final = "Enter adds it. Enter in the empty field goes on to the customer."
_WIDTHS: Final = [width for _, _, width in _ROW] + [0.95]


def line_items_editor(form: DraftForm, *, catalogue: Catalogue, currency: str) -> list[Line]:
    """Draw the basket and give its lines as typed; rows left empty are not in the answer."""
    if not form.is_locked:
        scan_field(
            mark=lambda: form.kept("scan_mark", []),
            said=form.kept("said", _HOW),
            next_field="First name",
            key=f"{form.screen}:{form.draft_id}:scan",
            take=partial(_take, form, catalogue),
        )
    keep(form, [completed(line, catalogue) for line in basket(form)] or [new_line()])
    lines = basket(form) or [new_line()]
    if any(fault.endswith(_MORE) for fault in form.problems):  # nothing that holds a fault is folded away
        session.fill(f"{form.screen}:more-fields", True)
    more = session.value_of(f"{form.screen}:more-fields", False)
    bundles = bundles_of(lines)
    entered: list[Line] = []
    with st.container():  # one place for all rows: what stands below them stays mounted when one is added
        for number, line in enumerate(lines, start=1):
            bundle = line.get("bundle")
            with st.container():  # and one for each, for the same reason
                if bundle and bundles[bundle][0] is line:
                    bundle_head(form, bundle, bundles[bundle], currency=currency)
                entered.append(_row(form, number, line, more=more))
                _price_asked_about(form, entered[-1], catalogue)
    with st.container():
        form.fault(("line_items", form.widget_key(field_of(lines[0], "product_id"))))
    with st.container(horizontal=True, vertical_alignment="center"):
        removed = form.kept("removed", [])
        if not form.is_locked:
            st.button("Add item", key="add-item", on_click=lambda: keep(form, [*basket(form), new_line()]))
            bundle_maker(form, entered, currency=currency)
        if removed and not form.is_locked:
            gone = removed[-1]["line"]
            title = gone.get("product_title") or gone.get("product_id") or "the item"
            st.button(f"Undo: put back {plain(title)}", key="undo", on_click=undo, args=(form,))
        st.toggle("Delivery dates and images", key=f"{form.screen}:more-fields")
    return [line for line in entered if is_filled(line)]


def _take(form: DraftForm, catalogue: Catalogue, codes: Sequence[str], mark: Sequence[Any]) -> None:
    lines = basket(form)
    said = ""
    for code in codes:
        lines, said = scanned(lines, code, catalogue)
    keep(form, lines, scan_mark=mark, said=said)


def _row(form: DraftForm, number: int, line: Line, *, more: bool) -> Line:
    entered = dict(line)
    columns = st.columns(_WIDTHS, vertical_alignment="bottom", gap="xsmall")
    for (field, label, _), column in zip(_ROW, columns, strict=False):
        with column:
            entered[field] = form.text(
                field_of(line, field),
                label if number == 1 else f"{label} of item {number}",
                told=False,  # below the whole row
                autocomplete="off",
                label_visibility="visible" if number == 1 else "collapsed",
                placeholder="Electronics > Audio" if field == "category" else None,
            )
    with columns[-1]:
        st.button(
            "Remove",
            key=f"remove-{line['id']}",
            type="tertiary",
            disabled=form.is_locked,
            on_click=remove,
            args=(form, line["id"]),
        )
    if more:
        date_column, image_column = st.columns([1, 3])
        with date_column:
            entered["product_delivery_date"] = form.day(
                field_of(line, "product_delivery_date"), f"Delivery date of item {number} (optional)"
            )
        with image_column:
            entered["image"] = form.text(
                field_of(line, "image"),
                f"Image address of item {number} (optional)",
                told=False,
                autocomplete="off",
            )
    _remarks(form, entered)
    return entered


def _remarks(form: DraftForm, line: Line) -> None:
    form.fault(*((field_of(line, field), form.widget_key(field_of(line, field))) for field in FIELDS))
    units = units_of(line)
    if units is not None and units > STORED_QUANTITY_LIMIT:
        st.warning(
            f"The service stores {STORED_QUANTITY_LIMIT} of these {units}: it keeps at most "
            f"{STORED_QUANTITY_LIMIT} units of a line"
            + (
                ", so the bundle holds no more."
                if line.get("bundle")
                else ", and offers a plan for each of them."
            )
        )


def _price_asked_about(form: DraftForm, line: Line, catalogue: Catalogue) -> None:
    price = price_of(line)
    usual = catalogue.far_from(line["product_id"], price)
    if usual is None or price is None:
        return
    st.markdown(f":orange[Please look again: the catalogue says {usual:,.2f}.]")
    form.tick(is_meant(line), f"Yes, one unit costs {price:,.2f}")


def line_items_of(lines: list[Line]) -> list[tuple[dict[str, Any], tuple[str, ...]]]:
    """The line items in the interface's words, each with the ids of the rows that it came from."""
    items: list[tuple[dict[str, Any], tuple[str, ...]]] = []
    seen: set[str] = set()
    bundles = bundles_of(lines)
    for line in lines:
        bundle = line.get("bundle")
        members = bundles.get(bundle, []) if bundle else []
        if len(members) < 2:
            items.append((_line_item(line), (line["id"],)))
        elif bundle not in seen:
            seen.add(str(bundle))
            items.append(bundle_item([(member, _line_item(member)) for member in members]))
    return items


def _line_item(line: Line) -> dict[str, Any]:
    """One line in the interface's words."""
    item: dict[str, Any] = {
        field: value
        for field in ("product_id", "product_title", "product_price", "quantity", "product_delivery_date")
        if (value := line.get(field, "").strip())
    }
    item |= shown_as(line.get("category", ""), line.get("image", "").strip())
    return item
