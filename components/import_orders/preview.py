"""What would be sent of a file: the decisions for the whole file, each fault with its place, and every order."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import pandas as pd
import streamlit as st

from components import session
from components.forms.faults import plain
from components.frame.failure_notice import reporting_outage
from components.frame.table_view import table_view
from components.frame.two_columns import work_and_aside
from components.import_orders.choices import choices_form
from components.import_orders.faults import faults_list
from components.import_orders.imports import PREVIEW, Imports, close_button, job_of
from components.import_orders.outcomes import LEFT_OUT, READY, TO_CORRECT, Outcome, outcome_filter
from components.sending import press
from components.words.attempts import short_id
from warranty.desk.order_imports import prepare
from warranty.files.catalogue import Catalogue
from warranty.files.order_files.assessment import Assessed, Choices, assess, changes, without_duplicates
from warranty.files.order_files.layouts import Layout
from warranty.files.order_files.source import SourceOrder
from warranty.journal import Batch, RowState, SentBefore
from warranty.language import N_, Language, _, language, ngettext
from warranty.language.written import number, price
from warranty.resources.orders import LineItem

_AT_ONCE: Final = 25
"""Orders of the table that are shown at once."""
_KINDS: Final = {
    "shop export": N_("recognised as the order export of a shop platform"),
    "template": N_("recognised as our template"),
    "other": N_("read with the columns that you chose"),
}


@dataclass(slots=True)
class _Preview:
    """The orders of an import that are not settled, judged; kept in the tab, since judging thousands takes seconds."""

    batch_id: str
    layout: Layout
    choices: Choices
    catalogue: Catalogue
    currency: str
    sources: dict[int, SourceOrder]
    settled: dict[str, str]
    sent_before: Mapping[str, SentBefore]
    judged: dict[int, Assessed] = field(default_factory=dict)
    language: Language = field(default_factory=language)
    """In which the judgements are said."""

    def judge(self, source: SourceOrder) -> Assessed:
        """What would be sent of an order, and what stands against it."""
        return assess(
            source,
            self.layout,
            self.choices,
            sent_before=self.sent_before,
            catalogue=self.catalogue,
            currency=self.currency,
        )

    def assessed(self) -> list[Assessed]:
        """Every order, judged under the choices as they are; without what is sent, which is made again where needed."""
        for place, source in self.sources.items():
            if place not in self.judged:
                self.judged[place] = replace(self.judge(source), order=None)
        return without_duplicates(
            [self.judged[place] for place in self.sources],
            column=self.choices.id_column or _("Order id"),
            settled=self.settled,
        )

    def whole(self, found: Assessed) -> Assessed:
        """The same with what is sent."""
        return self.judge(self.sources[found.number]) if found.sendable else found


def import_preview(imports: Imports, batch: Batch, catalogue: Catalogue) -> None:
    """Draw the preview, and send what can be sent when the person says so."""
    preview = _opened(imports, batch, catalogue)
    assessed = preview.assessed()
    work, aside = work_and_aside()
    with work:
        _orders(imports, batch, preview, assessed)
    with aside, st.container(border=True):
        _sending(batch, preview, assessed)
        close_button(
            imports,
            batch,
            _("Choose another file"),
            _("Yes, choose another file"),
            unsent=len(preview.sources),
            has_result=bool(preview.settled),
        )
    if press.requested(job_of(batch)):
        with st.spinner(_("Preparing the orders")):
            prepare(imports.batches, batch.batch_id, map(preview.whole, assessed))
        session.forget(PREVIEW)
        imports.start(batch)
        st.rerun()


def _opened(imports: Imports, batch: Batch, catalogue: Catalogue) -> _Preview:
    """The preview of this tab, or one made anew from the journal."""
    known: _Preview | None = session.recall(PREVIEW, None)
    choices = Choices.model_validate(batch.choices)
    if known is not None and (known.batch_id, known.choices, known.language) == (
        batch.batch_id,
        choices,
        language(),
    ):
        return known
    orders = imports.batches.orders(batch.batch_id)
    read = [order for order in orders if order.state is RowState.READ and order.source]
    sources = {order.number: SourceOrder.model_validate(order.source or {}) for order in read}
    ids = [
        source.ids.get(choices.id_column) or next(iter(source.ids.values()), "")
        for source in sources.values()
    ]
    preview = _Preview(
        batch_id=batch.batch_id,
        layout=Layout.model_validate(batch.layout),
        choices=choices,
        catalogue=catalogue,
        currency=imports.currency,
        sources=sources,
        settled={order.order_id: order.name for order in orders if order.state is not RowState.READ},
        sent_before=imports.batches.sent_before(ids),
    )
    session.remember(PREVIEW, preview)
    return preview


def _sending(batch: Batch, preview: _Preview, assessed: Sequence[Assessed]) -> None:
    """Draw what the file comes to, and the button that sends what is ready: in sight together on every size."""
    ready = sum(found.sendable for found in assessed)
    left_out = sum(found.left_out is not None for found in assessed)
    st.text(f"{batch.file_name}: {batch.layout.get('read_as', '')}; {_(_KINDS[preview.layout.kind])}")
    with st.container(key="main-action", gap="small"):
        st.markdown(
            ngettext(
                "**{n} order: {ready} ready, {faulty} to correct, {left_out} left out.**",
                "**{n} orders: {ready} ready, {faulty} to correct, {left_out} left out.**",
                len(assessed),
                n=number(len(assessed)),
                ready=number(ready),
                faulty=number(len(assessed) - ready - left_out),
                left_out=number(left_out),
            )
        )
        if ready or preview.settled:
            send = ngettext("Send {n} order", "Send {n} orders", ready, n=number(ready))
            press.send_button(send if ready else _("Back to the result"), job_of(batch))
        else:
            st.text(_("None of these orders can be sent yet."))
    remarks = list(batch.layout.get("remarks", ()))
    if batch.layout.get("has_formulas"):
        remarks.append(_("This workbook has formulas. Their results as last saved are used."))
    if remarks:
        st.info("  \n".join(map(plain, remarks)))


def _orders(imports: Imports, batch: Batch, preview: _Preview, assessed: Sequence[Assessed]) -> None:
    """Draw the decisions, the faults and every order with what happens to it."""

    def choose(**changes: Any) -> None:
        imports.batches.choose(batch.batch_id, preview.choices.model_copy(update=changes).model_dump())

    def correct(found: Assessed, line: int | None, name: str, text: str) -> None:
        source = preview.sources[found.number].with_value(line, name, text)
        imports.batches.correct(batch.batch_id, found.number, source.model_dump())
        preview.sources[found.number] = source
        if name == "order_id":
            sent = imports.batches.sent_before([text])
            preview.sent_before = {**preview.sent_before, **sent}
        preview.judged.pop(found.number, None)

    choices_form(preview.layout, preview.choices, assessed, preview.currency, choose=reporting_outage(choose))
    faults_list(assessed, correct=correct)
    st.header(_("The orders"), anchor=False)
    pressed = outcome_filter(Counter(map(_outcome, assessed)), key=f"import-outcome:preview:{batch.batch_id}")
    listed = [found for found in assessed if pressed in {None, _outcome(found)}]
    parts = {
        _(
            "Orders {first} to {last} of {all}",
            first=number(first + 1),
            last=number(last),
            all=number(len(listed)),
        ): (slice(first, last))
        for first in range(0, len(listed), _AT_ONCE)
        for last in [min(first + _AT_ONCE, len(listed))]
    }
    if len(parts) > 1:  # no second pagination: two have one name for a screen reader
        listed = listed[
            parts[st.selectbox(_("Part of the list"), list(parts), key=f"import-orders:{len(listed)}")]
        ]
    table_view(
        pd.DataFrame([_shown(preview, found) for found in listed]),
        _(
            "A table of {n} of {all} orders and what happens to each",
            n=number(len(listed)),
            all=number(len(assessed)),
        ),
    )


def _outcome(found: Assessed) -> Outcome:
    if found.left_out is not None:
        return LEFT_OUT
    return TO_CORRECT if found.faults else READY


def _shown(preview: _Preview, found: Assessed) -> dict[str, Any]:
    """A row of the table: what is sent, then the file's own texts, with what was changed on the way in the middle."""
    source, order = preview.sources[found.number], preview.whole(found).order
    if found.left_out is not None:
        fate = _("left out: {why}", why=_(found.left_out))
    elif found.faults:
        first = found.faults[0]
        fate = _("to correct: row {n}, {column}", n=first.row, column=first.column)
    else:
        fate = _("ready")
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
