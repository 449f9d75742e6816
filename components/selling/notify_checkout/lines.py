"""The warranties of a checkout: one line for each, with its offer (interface: Warranty line item)."""

import uuid
from collections.abc import Iterable
from typing import Any, Final

import streamlit as st

from components.platform.markup import plain
from components.ui.forms.draft_form import DraftForm, new_row
from components.words.amounts import plan_words
from warranty.desk.journal import ItemLine
from warranty.language import _
from warranty.language.written import number

Line = dict[str, Any]
"""An offer as it was picked or pasted: `id` is ours; title, sku, months and type where they are known."""

LINES: Final = "lines"


def new_line(**known: Any) -> Line:
    """A line with an id of its own."""
    return {"id": uuid.uuid4().hex[:8], **known}


def add_line(form: DraftForm, line: Line) -> None:
    """Put a picked offer into the checkout, in place of a line that is still empty, once; for callbacks."""
    if is_picked(form, line):
        return
    content = form.content
    filled = [held for held in lines_of(form) if held.get("sku") or content.get(_field(held, "warranty_offer_id"))]
    form.keep({LINES: [*filled, line], _field(line, "warranty_offer_id"): line.get("offer_id", "")})


def is_picked(form: DraftForm, line: Line) -> bool:
    """Whether this offer is in the checkout for this item."""
    what = ("offer_id", "sku", "title")
    return any(all(held.get(name) == line.get(name) for name in what) for held in lines_of(form))


def lines_of(form: DraftForm) -> list[Line]:
    """The lines of the draft; one empty line where there is none."""
    lines: list[Line] = form.content.get(LINES, [])
    if not lines:
        lines = [new_line(id=new_row(form, LINES))]
        form.keep({LINES: lines})
    return lines


def recognise(form: DraftForm, listed: Iterable[Line]) -> None:
    """Let a line whose offer id was pasted say what these listed offers tell of it.

    An offer may be of several items (interface: line_item_id): then its plan is told, and no item.
    """
    known: dict[str, Line] = {}
    for offer in listed:
        of_another = known.get(offer["offer_id"])
        of_several = {**offer, "title": "", "sku": "", "units": None}
        known[offer["offer_id"]] = of_several if of_another else offer

    def recognised(line: Line) -> Line:
        pasted = form.content.get(_field(line, "warranty_offer_id"), "")
        if pasted not in known or line.get("offer_id") == pasted:
            return line
        return {**known[pasted], "id": line["id"]}

    lines = lines_of(form)
    if (now := [recognised(line) for line in lines]) != lines:
        form.keep({LINES: now})


def checkout_lines(form: DraftForm, *, aftermarket: bool) -> list[dict[str, Any]]:
    """Draw the lines and give them under the interface's names, as typed."""
    lines = lines_of(form)
    entered = []
    for place, line in enumerate(lines, start=1):
        with st.container(border=True):
            entered.append(_row(form, line, place, aftermarket=aftermarket, several=len(lines) > 1))
    form.faults.draw("line_items", at=_field(lines[0], "warranty_offer_id"))
    st.button(
        _("Add another plan"),
        key="add-warranty",
        icon=":material/add:",
        disabled=form.is_locked,
        on_click=_add,
        args=(form, lines),
    )
    return entered


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
    sold = [picked(line, sent["warranty_offer_id"]) for line, sent in zip(lines, entered, strict=True)]
    return tuple(
        ItemLine(
            title=line.get("title", ""),
            product_id=line.get("sku", ""),
            quantity=1,
            term_months=line.get("months"),
            warranty_type=line.get("type"),
        )
        for line in sold
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


def _row(form: DraftForm, line: Line, place: int, *, aftermarket: bool, several: bool) -> dict[str, Any]:
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        known = picked(line, form.content.get(_field(line, "warranty_offer_id"), ""))
        name = line_words(known) or _("Plan {n}", n=place)
        st.markdown(f"**{plain(name)}**", width="content")
        if several:
            st.button(
                _("Remove"),
                key=f"remove-{line['id']}",
                icon=":material/close:",
                disabled=form.is_locked,
                on_click=_remove,
                args=(form, line["id"]),
            )
    offer, units = st.columns([3, 1])
    with offer:
        offer_id = form.text(
            _field(line, "warranty_offer_id"), _("Offer id"), placeholder=_("36 characters, with dashes")
        )
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


def _add(form: DraftForm, lines: list[Line]) -> None:
    form.keep({LINES: [*lines, new_line()]})


def _remove(form: DraftForm, line_id: str) -> None:
    form.keep({LINES: [line for line in lines_of(form) if line["id"] != line_id]})
