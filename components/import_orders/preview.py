"""What would be sent of a file: the decisions for the whole file, each fault with its place, and every order."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import pandas as pd
import streamlit as st

from components import session
from components.frame.journal_outage import told_when_away
from components.import_orders.choices import choices_form
from components.import_orders.faults import faults_list
from components.words.money import counted
from warranty.files.catalogue import Catalogue
from warranty.files.order_files import Assessed, Choices, Layout, SourceOrder, assess, without_twins
from warranty.journal import Batch, Batches, RowState, SentBefore

_PREVIEW = "import.preview"


@dataclass(slots=True)
class Preview:
    """The orders of an import that are not settled, judged; kept in the tab, since judging thousands takes seconds."""

    batch_id: str
    layout: Layout
    choices: Choices
    catalogue: Catalogue
    sources: dict[int, SourceOrder]
    settled: dict[str, str]
    sent_before: Mapping[str, SentBefore] = field(default_factory=dict)
    judged: dict[int, Assessed] = field(default_factory=dict)

    @property
    def assessed(self) -> list[Assessed]:
        """Every order, judged under the choices as they are."""
        for number, source in self.sources.items():
            if number not in self.judged:
                self.judged[number] = assess(
                    source,
                    self.layout,
                    self.choices,
                    sent_before=self.sent_before,
                    catalogue=self.catalogue,
                )
        return without_twins(
            [self.judged[number] for number in self.sources],
            column=self.choices.id_column or "Order id",
            settled=self.settled,
        )


def open_preview(batches: Batches, batch: Batch, catalogue: Catalogue) -> Preview:
    """The preview of this tab, or one made anew from the journal."""
    known: Preview | None = session.recall(_PREVIEW, None)
    choices = Choices.from_json(batch.choices)
    if known is not None and known.batch_id == batch.batch_id and known.choices == choices:
        return known
    orders = batches.orders(batch.batch_id)
    preview = Preview(
        batch_id=batch.batch_id,
        layout=Layout.from_json(batch.layout),
        choices=choices,
        catalogue=catalogue,
        sources={
            order.number: SourceOrder.from_json(order.source)
            for order in orders
            if order.source and order.state is RowState.READ
        },
        settled={order.order_id: order.name for order in orders if order.state is not RowState.READ},
    )
    ids = [
        source.ids.get(choices.id_column) or next(iter(source.ids.values()), "")
        for source in preview.sources.values()
    ]
    preview.sent_before = batches.sent_before(batch.environment, ids)
    session.remember(_PREVIEW, preview)
    return preview


def close_preview() -> None:
    """Forget the preview of this tab."""
    session.forget(_PREVIEW)


def import_preview(preview: Preview, batches: Batches, batch: Batch) -> int:
    """Draw the preview; gives how many orders can be sent."""
    assessed = preview.assessed
    ready = sum(found.sendable for found in assessed)
    left_out = sum(found.left_out is not None for found in assessed)
    facts = batch.layout
    st.text(f"{batch.file_name}: {facts.get('read_as', '')}; {_KINDS.get(preview.layout.kind, '')}")
    if facts.get("has_formulas"):
        st.warning("This workbook holds formulas. What their cells showed when it was last saved is taken.")
    st.markdown(
        f"**{counted(len(assessed), 'order')}: {ready:,} ready, {len(assessed) - ready - left_out:,} to mend, "
        f"{left_out:,} left out.**"
    )

    def choose(**changes: Any) -> None:
        batches.choose(batch.batch_id, replace(preview.choices, **changes).as_json())

    def mend(found: Assessed, line: int | None, name: str, text: str) -> None:
        source = preview.sources[found.number].with_value(line, name, text)
        batches.mend(batch.batch_id, found.number, source.as_json())
        preview.sources[found.number] = source
        if name == "order_id":
            preview.sent_before = {**preview.sent_before, **batches.sent_before(batch.environment, [text])}
        preview.judged.pop(found.number, None)

    choices_form(
        preview.layout,
        preview.choices,
        list(preview.sources.values()),
        assessed,
        choose=told_when_away(choose),
    )
    faults_list(assessed, mend=mend)
    st.header("The orders", anchor=False)
    st.dataframe(
        pd.DataFrame([_shown(found) for found in assessed]),
        hide_index=True,
        alt=f"A table of {len(assessed)} orders and what happens to each",
    )
    return ready


def _shown(found: Assessed) -> dict[str, Any]:
    if found.left_out is not None:
        fate = f"left out: {found.left_out}"
    elif found.faults:
        fate = f"to mend: row {found.faults[0].row}, {found.faults[0].column}"
    else:
        fate = "ready"
    return {
        "Row": found.row,
        "Order": found.name,
        "Order id": found.order_id,
        "Units": found.units,
        "Country": found.country,
        "What happens": fate,
        "Remarks": "; ".join(found.remarks),
    }


_KINDS = {
    "shop export": "recognised as the order export of a shop platform",
    "template": "recognised as our template",
    "other": "read with the columns that you chose",
}
