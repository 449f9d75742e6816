"""The items of an order: a scan field above, one row of fields per line below, each fault beside its field; bundles.

The fields of a line are fields of the draft like any other (`line_items.<id>.product_price`); beside them the draft's
`line_items` hold, for each line, what is not typed: its id, its bundle, the SKU looked up last.
"""

import uuid
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

import streamlit as st

from components.platform import session
from components.platform.markup import plain
from components.selling.orders.plan_choice import remove_button
from components.selling.orders.product_scan import QUESTIONS, product_scan
from components.selling.submit_order.basket import (
    FIELDS,
    Bundle,
    Line,
    Said,
    bundles_of,
    completed,
    field_of,
    grouped,
    is_filled,
    is_meant,
    name_of,
    new_line,
    price_doubt,
    price_of,
    price_problem,
    scanned,
    units_of,
)
from components.ui.forms.draft_form import DraftForm, new_row
from components.ui.forms.faults import problem_at
from components.words.amounts import money
from warranty.client.resources import as_whole
from warranty.client.resources.orders import STORED_QUANTITY_LIMIT
from warranty.files.catalogue import Catalogue
from warranty.language import N_, _, ngettext
from warranty.language.written import number, price

_ROW: Final = (
    ("product_id", "SKU", 1.3),
    ("product_title", N_("Title"), 2.1),
    ("product_price", N_("Price"), 0.95),
    ("quantity", N_("Quantity"), 0.75),
    ("category", N_("Category"), 2.05),
)
_MORE: Final = (".product_delivery_date", ".image")
_LEADS: Final = (
    ("", N_("First name")),
    (N_("First name"), N_("E-mail or phone")),
    (N_("E-mail or phone"), N_("State")),
)
_WIDTHS: Final = [width for *_named, width in _ROW] + [0.5]
_MOST_UNDONE: Final = 10


def line_items_editor(form: DraftForm, *, catalogue: Catalogue, currency: str) -> list[Line]:
    """Draw the basket and give its lines as typed; rows left empty are not in the answer."""
    lines = _basket(form) or [new_line(id=new_row(form, "line_items"))]
    if not form.is_locked:
        lines = [completed(line, catalogue, currency) for line in lines]
        _keep(form, lines)
        with st.container(gap="xsmall"):
            taken, added = partial(_take, form, catalogue), partial(_add_new, form, catalogue)
            product_scan(form, catalogue, leads=_LEADS, take=taken, add=added)
    if any(fault.endswith(_MORE) for fault in form.faults.found):  # nothing that holds a fault is folded away
        session.fill(f"{form.screen}:more-fields", True)
    more = session.value_of(f"{form.screen}:more-fields", False)
    bundles = bundles_of(lines)
    entered: list[Line] = []
    opened = [line for line in lines if more or not _is_folded(form, line)]
    with st.container(gap="xsmall", key="basket"):  # one place for all: what is below stays mounted when a row is added
        for place, line in enumerate(lines, start=1):
            bundle = bundles.get(line.get("bundle", ""))
            with st.container(key=f"item-{line['id']}", gap="xsmall"):  # and one for each, for the same reason
                if bundle and bundle.members[0] is line:
                    _bundle_head(form, bundle, currency)
                if line in opened:
                    entered.append(_fields(form, place, line, named=line is opened[0], more=more))
                else:
                    entered.append(_folded(form, line))
                _doubts(form, entered[-1], catalogue, currency)
    with st.container():
        form.faults.draw("line_items", at=field_of(lines[0], "product_id"))
    with st.container(horizontal=True, vertical_alignment="center"):
        if not form.is_locked:
            st.button(_("Add item"), key="add-item", on_click=_add, args=(form,))
            _bundle_maker(form, entered, currency)
            for gone in form.content.get("removed", [])[-1:]:
                title = gone["line"].get("product_title") or gone["line"].get("product_id") or _("the item")
                st.button(_("Undo: put back {name}", name=plain(title)), key="undo", on_click=_undo, args=(form,))
        filled = [line for line in entered if is_filled(line)]
        if filled or more:
            st.toggle(_("Delivery dates and images"), key=f"{form.screen}:more-fields")
    return filled


def _is_folded(form: DraftForm, line: Line) -> bool:
    """Whether it is one line of text: the catalogue knew it, and nobody opened it or has to mend it."""
    return bool(line.get("folded")) and not any(field_of(line, field) in form.faults.found for field in FIELDS)


def _folded(form: DraftForm, line: Line) -> Line:
    name, units, amount = name_of(line, 1), as_whole(line["quantity"] or "1") or 0, price_of(line)
    sides: dict[str, Any] = {"horizontal": True, "vertical_alignment": "center", "gap": "small"}
    with st.container(horizontal_alignment="distribute", **sides):
        with st.container(width="content", **sides):
            st.button(
                plain(name),
                key=f"open-{line['id']}",
                icon=":material/chevron_right:",
                type="tertiary",
                disabled=form.is_locked,
                on_click=_open,
                args=(form, line["id"]),
            )
            st.caption(plain(line["product_id"]))
        with st.container(width="content", **sides):
            st.text("" if amount is None else price(amount), width=72)
            field = field_of(line, "quantity")
            key = f"{form.widget_key(field)}:units"
            st.number_input(
                _("Quantity of {name}", name=plain(name)),
                value=units,  # without a least one: the browser would keep a lower one to itself
                key=key,
                label_visibility="collapsed",
                width=128,
                disabled=form.is_locked,
                on_change=_count,
                args=(form, field, key),
            )
            remove_button(form, line["id"], partial(_remove, form, line["id"]))
    if units < 1:
        problem_at({field: _("Enter 1 or more, or remove the item")}, field, alone=True)
    return dict(line)


def _fields(form: DraftForm, place: int, line: Line, *, named: bool, more: bool) -> Line:
    entered = dict(line)
    columns = st.columns(_WIDTHS, vertical_alignment="bottom", gap="xsmall")
    for (field, name, _width), column in zip(_ROW, columns, strict=False):
        label, hint = _(name), _("Electronics > Audio") if field == "category" else None
        with column:
            entered[field] = form.text(
                field_of(line, field),
                label if named else _("{field} of item {n}", field=label, n=place),
                show_fault=False,  # below the whole row
                autocomplete="off",
                label_visibility="visible" if named else "collapsed",
                placeholder=hint or (None if named else label),
            )
    with columns[-1]:
        remove_button(form, line["id"], partial(_remove, form, line["id"]))
    if more:
        date_column, image_column = st.columns([1, 3])
        with date_column:
            entered["product_delivery_date"] = form.day(
                field_of(line, "product_delivery_date"), _("Delivery date of item {n} (optional)", n=place)
            )
        with image_column:
            entered["image"] = form.text(
                field_of(line, "image"),
                _("Image address of item {n} (optional)", n=place),
                show_fault=False,
                autocomplete="off",
            )
    form.faults.draw(*(field_of(line, field) for field in FIELDS))
    return entered


def _doubts(form: DraftForm, entered: Line, catalogue: Catalogue, currency: str) -> None:
    units, amount, field = units_of(entered), price_of(entered), field_of(entered, "product_price")
    if (problem := price_problem(entered, currency)) and field not in form.faults.found:
        problem_at({field: problem}, field, alone=True)
    if units is not None and units > STORED_QUANTITY_LIMIT:
        most = number(STORED_QUANTITY_LIMIT)
        st.warning(
            _("The service stores {most} of these {n}, and no more units of a line.", most=most, n=number(units))
        )
    doubt = price_doubt(entered, catalogue)
    if doubt and amount is not None:
        st.markdown(f":orange[{doubt}]")
        form.tick(is_meant(entered), _("{price} each is correct", price=price(amount)))


# What changes the basket, in callbacks: it is read anew there, since the form may be that of an older run.


def _basket(form: DraftForm) -> list[Line]:
    return [
        {**line, **{field: _held(form, field_of(line, field)) for field in FIELDS}}
        for line in form.content.get("line_items", [])
    ]


def _keep(form: DraftForm, lines: Sequence[Line], **more: Any) -> None:
    """Make these the lines of the basket; only fields whose text is another are mounted anew."""
    texts = {field_of(line, field): line.get(field, "") for line in lines for field in FIELDS}
    beside = [{name: text for name, text in line.items() if name not in FIELDS} for line in lines]
    form.put({field: text for field, text in texts.items() if text != _held(form, field)}, line_items=beside, **more)


def _held(form: DraftForm, field: str) -> str:
    return str(form.content.get(field, "") or "").strip()


def _open(form: DraftForm, line_id: str) -> None:
    _keep(form, [line | {"folded": ""} if line["id"] == line_id else line for line in _basket(form)])


def _count(form: DraftForm, field: str, key: str) -> None:
    """So many as the field shows: two quick presses of its plus are two."""
    if key == f"{form.widget_key(field)}:units":  # else code has changed the number meanwhile, and it is mounted anew
        form.keep({field: str(session.value_of(key, 1))})
        form.try_to_store()


def _add(form: DraftForm) -> None:
    _keep(form, [*_basket(form), new_line()])


def _add_new(form: DraftForm, catalogue: Catalogue, code: str) -> None:
    lines, message = scanned(_basket(form), code, catalogue, as_new=True)
    _keep(form, lines, scan_said=message)


def _take(form: DraftForm, catalogue: Catalogue, codes: Sequence[str], taken: Mapping[str, int]) -> None:
    lines: Sequence[Line] = _basket(form)
    message: Said | None = None
    for code in codes:
        lines, words = scanned(lines, code, catalogue)
        if message is None or message[0] not in QUESTIONS or words[0] in QUESTIONS:
            message = words  # a question that nobody has seen yet stays until the next one
    _keep(form, lines, scans_taken=dict(taken), scan_said=message)
    form.try_to_store()  # before the page hears that it may forget them


def _remove(form: DraftForm, line_id: str) -> None:
    lines = _basket(form)
    place = next((place for place, line in enumerate(lines) if line["id"] == line_id), None)
    if place is None:
        return
    undone = [*form.content.get("removed", []), {"place": place, "line": lines[place]}][-_MOST_UNDONE:]
    _keep(form, lines[:place] + lines[place + 1 :], removed=undone)


def _undo(form: DraftForm) -> None:
    *earlier, last = form.content.get("removed", [])
    lines = _basket(form)
    line = {**last["line"], "id": uuid.uuid4().hex[:8]}
    _keep(form, [*lines[: last["place"]], line, *lines[last["place"] :]], removed=earlier)


def _group(form: DraftForm, key: str, line_ids: Sequence[str]) -> None:
    _keep(form, grouped(_basket(form), line_ids))
    session.clear(key)


def _ungroup(form: DraftForm, bundle: str) -> None:
    _keep(form, [line | {"bundle": ""} if line.get("bundle") == bundle else line for line in _basket(form)])


def _bundle_head(form: DraftForm, bundle: Bundle, currency: str) -> None:
    """Draw what the members of a bundle are together, and the way to take it apart."""
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        words = _("**Bundle** · {sum} · one plan covers all of it", sum=_summed(bundle, currency))
        st.markdown(words, width="content")
        key, args = f"ungroup-{bundle.id}", (form, bundle.id)
        st.button(_("Ungroup"), key=key, disabled=form.is_locked, on_click=_ungroup, args=args)


def _bundle_maker(form: DraftForm, lines: Sequence[Line], currency: str) -> None:
    """Offer to group lines, where there are two that can be grouped."""
    key = f"{form.screen}:{form.draft_id}:bundle-members"
    free = {line["id"]: line for line in lines if is_filled(line) and not line.get("bundle")}
    if len(free) < 2:
        return
    names = {line["id"]: name_of(line, place) for place, line in enumerate(lines, 1)}
    with st.popover(_("Group as bundle")):
        st.caption(_("A bundle is sold as one thing: one plan covers all of it, for one price."))
        chosen = st.multiselect(
            _("Items of the bundle"),
            list(free),
            format_func=lambda line_id: names.get(line_id, ""),
            key=key,
            filter_mode="contains",
        )
        members = [free[line_id] for line_id in chosen if line_id in free]
        unreadable = [line for line in members if price_of(line) is None]
        if unreadable:
            words = _(
                "{name} has no readable price, so the bundle has no total: enter its price first",
                name=names[unreadable[0]["id"]],
            )
            problem_at({"bundle": words}, "bundle")
        elif len(members) >= 2:
            st.text(_("Together: {sum}", sum=_summed(Bundle("", members), currency)))
        st.button(
            _("Create bundle"),
            key="make-bundle",
            disabled=len(members) < 2 or bool(unreadable),
            on_click=_group,
            args=(form, key, [line["id"] for line in members]),
        )


def _summed(bundle: Bundle, currency: str) -> str:
    total = bundle.total
    if total is None:
        return _("no total yet: check its prices and quantities")
    units = ngettext("{n} unit", "{n} units", bundle.units, n=number(bundle.units))
    return f"{units}, {money(total, currency)}"
