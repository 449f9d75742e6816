"""What would be sent of a file: the decisions for the whole file, each fault with its place, and every order."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

import pandas as pd
import streamlit as st

from components.platform import session
from components.platform.markup import plain
from components.selling.import_orders.imports import PREVIEW, Imports, Preview, close_button, job_of
from components.selling.import_orders.questions import choices_form, faults_list
from components.selling.import_orders.result import LEFT_OUT, READY, TO_CORRECT, Outcome, outcome_filter
from components.selling.sending import press
from components.ui.frame.table_view import table_view
from components.ui.frame.two_columns import work_and_aside
from components.words.attempts import short_id
from warranty.client.resources.orders import LineItem
from warranty.desk.journal import Batch
from warranty.desk.order_imports import prepare
from warranty.files.catalogue import Catalogue
from warranty.files.order_files.assessment import Assessed, changes
from warranty.files.order_files.source import SourceOrder
from warranty.language import N_, _, ngettext
from warranty.language.written import number, price

_AT_ONCE: Final = 25
"""Orders of the table that are shown at once."""
_KINDS: Final = {
    "shop export": N_("recognised as the order export of a shop platform"),
    "template": N_("recognised as our template"),
    "other": N_("read with the columns that you chose"),
}


def import_preview(imports: Imports, batch: Batch, catalogue: Catalogue) -> None:
    """Draw the preview, and send what can be sent when the person says so."""
    preview = Preview.of(imports, batch, catalogue)
    assessed = preview.assessed()
    work, aside = work_and_aside()
    with work:
        _orders(preview, assessed)
    with aside, st.container(border=True):
        _sending(preview, assessed)
        counts: dict[str, Any] = {"unsent": len(assessed), "has_result": bool(preview.settled)}
        close_button(imports, batch, _("Choose another file"), _("Yes, choose another file"), **counts)
    if press.requested(job_of(batch)):
        with st.spinner(_("Preparing the orders")):
            prepare(imports.batches, batch.batch_id, (found for _source, found in preview.whole(assessed)))
        session.forget(PREVIEW)
        imports.start(batch)
        st.rerun()


def _sending(preview: Preview, assessed: Sequence[Assessed]) -> None:
    """Draw what the file comes to, and the button that sends what is ready: in sight together on every size."""
    batch, counts = preview.batch, Counter(map(_outcome, assessed))
    ready = counts[READY]
    st.text(f"{batch.file_name}: {preview.layout.read_as}; {_(_KINDS[preview.layout.kind])}")
    with st.container(key="main-action", gap="small"):
        st.markdown(
            ngettext(
                "**{n} order: {ready} ready, {faulty} to correct, {left_out} left out.**",
                "**{n} orders: {ready} ready, {faulty} to correct, {left_out} left out.**",
                len(assessed),
                n=number(len(assessed)),
                ready=number(ready),
                faulty=number(counts[TO_CORRECT]),
                left_out=number(counts[LEFT_OUT]),
            )
        )
        if ready or preview.settled:
            send = ngettext("Send {n} order", "Send {n} orders", ready, n=number(ready))
            press.send_button(send if ready else _("Back to the result"), job_of(batch))
        else:
            st.text(_("None of these orders can be sent yet."))
    if preview.layout.remarks:
        st.info("  \n".join(map(plain, preview.layout.remarks)))


def _orders(preview: Preview, assessed: Sequence[Assessed]) -> None:
    """Draw the decisions, the faults and every order with what happens to it."""
    choices_form(preview, assessed)
    faults_list(preview, assessed)
    st.header(_("The orders"), anchor=False)
    pressed = outcome_filter(Counter(map(_outcome, assessed)), key=f"import-outcome:preview:{preview.batch.batch_id}")
    listed = [found for found in assessed if pressed in {None, _outcome(found)}]
    every = len(listed)
    if every > _AT_ONCE:  # no second pagination: two have one name for a screen reader

        def part(first: int) -> str:
            last = number(min(first + _AT_ONCE, every))
            return _("Orders {first} to {last} of {all}", first=number(first + 1), last=last, all=number(every))

        first = st.selectbox(
            _("Part of the list"),
            range(0, every, _AT_ONCE),
            format_func=part,
            key=f"import-orders:{every}",
            filter_mode="contains",
        )
        listed = listed[first : first + _AT_ONCE]
    n = number(len(listed))
    table_view(
        pd.DataFrame([_shown(source, found) for source, found in preview.whole(listed)]),
        _("A table of {n} of {all} orders and what happens to each", n=n, all=number(len(assessed))),
    )


def _outcome(found: Assessed) -> Outcome:
    if found.left_out is not None:
        return LEFT_OUT
    return TO_CORRECT if found.faults else READY


def _shown(source: SourceOrder, found: Assessed) -> dict[str, Any]:
    """A row of the table: what is sent, then the file's own texts, with what was changed on the way in the middle."""
    order, fate = found.order, _("ready")
    if found.left_out is not None:
        fate = _("left out: {why}", why=_(found.left_out))
    elif found.faults:
        first = found.faults[0]
        fate = _("to correct: row {n}, {column}", n=first.row, column=first.column)
    address = order.billing_address if order else None
    texts = {**source.ids, **source.values}, *(line.values for line in source.lines)
    return {
        _("Row"): found.row,
        _("Order"): short_id(found.name),
        _("What happens"): fate,
        _("Items"): "; ".join(_item(item) for item in order.line_items) if order else "",
        _("Customer"): f"{address.first_name} {address.last_name or ''}".strip() if address else "",
        _("Link goes to"): ", ".join(filter(None, (address.email, address.phone))) if address else "",
        _("State and country"): f"{address.state}, {address.country}" if address else found.country,
        _("Changed on the way"): "; ".join(changes(source, order)) if order else "",
        _("In the file"): " | ".join(text for row in texts for text in row.values()),
        _("Remarks"): "; ".join(map(_, found.remarks)),
        _("Order id"): found.order_id,
    }


def _item(item: LineItem) -> str:
    return f"{item.units} × {item.product_title} ({item.product_id}), {price(item.product_price)}"
