"""The warranties of a checkout: one line for each, with its offer (interface: Warranty line item)."""

from collections.abc import Iterable
from functools import partial
from typing import Any, Final

import streamlit as st

from components.platform.markup import plain
from components.selling.orders.item_row import item_head
from components.ui.forms.draft_form import DraftForm, new_row
from components.words.amounts import plan_words
from warranty.client.resources import as_whole
from warranty.client.resources.money import price_or_none
from warranty.desk.journal import ItemLine
from warranty.language import _
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


def line_problems(faults: dict[tuple[str | int, ...], str], lines: list[Line]) -> dict[str, str]:
    """Faults of the interface's paths, by the field of the draft."""
    placed = {}
    for path, sentence in faults.items():
        if len(path) == 3 and path[0] == "line_items" and isinstance(path[1], int):
            placed[_field(lines[path[1]], str(path[2]))] = sentence
        else:
            placed[".".join(map(str, path))] = sentence
    return placed


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
