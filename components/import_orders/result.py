"""What became of an import: a line per order, the result file, and what can still be done."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

import pandas as pd
import streamlit as st

from components.frame.failure_notice import reporting_outage
from components.gate import guarded
from components.import_orders.imports import Imports, close_button
from warranty.desk.order_imports import UNFINISHED
from warranty.export import claims_csv
from warranty.journal import Batch, BatchOrder, RowState

_WORDS: Final = {
    RowState.DONE: "stored",
    RowState.REFUSED: "refused",
    RowState.NOT_SENT: "not sent",
    RowState.UNKNOWN: "not known whether stored",
    RowState.LEFT_OUT: "left out",
    RowState.FAULTY: "not sent: to correct",
    RowState.WAITING: "not sent: stopped before",
    RowState.READ: "not sent",
}
_COLUMNS: Final = {
    "row": "Row",
    "order": "Order",
    "order_id": "Order id",
    "result": "Result",
    "url": "Landing page",
    "remark": "Remark",
}
_TO_CORRECT: Final = (RowState.FAULTY, RowState.LEFT_OUT, RowState.REFUSED)


def import_result(imports: Imports, batch: Batch) -> None:
    """Draw the result of a finished import."""
    orders = imports.batches.orders(batch.batch_id, personal=False)
    frame = result_frame(orders)
    counts = Counter(order.state for order in orders)
    done = counts[RowState.DONE]
    unfinished = sum(counts[state] for state in (*UNFINISHED, RowState.WAITING))
    draw = st.success if not unfinished and not counts[RowState.REFUSED] else st.warning
    draw(f"**{done:,} of {len(orders):,} orders are stored.**")
    for state in RowState:
        if counts[state] and state is not RowState.DONE:
            st.text(f"{counts[state]:,} {_WORDS[state]}")
    with st.container(horizontal=True):
        st.download_button(
            "Result file",
            data=guarded(lambda: claims_csv(frame, bom=True)),
            file_name="import_result.csv",
            mime="text/csv",
            on_click="ignore",
            type="primary",
        )
        if unfinished:
            again = reporting_outage(lambda: imports.send_again(batch))
            st.button(f"Send the {unfinished:,} unfinished again", key="import-again", on_click=again)
        if any(counts[state] for state in _TO_CORRECT):
            review = reporting_outage(lambda: imports.batches.preview_again(batch.batch_id))
            st.button("Review what was not sent", key="import-correct", on_click=review)
        close_button(imports, batch, "New import", "Yes, begin a new import", unsent=len(orders) - done)
    st.dataframe(
        frame,
        hide_index=True,
        column_config=_COLUMNS,
        alt=f"A table of {len(orders)} orders and what became of each",
    )


def result_frame(orders: Sequence[BatchOrder]) -> pd.DataFrame:
    """A row per order: where it stands in the file, its id, what became of it, its landing page."""
    rows = [
        (
            str(order.first_row),
            order.name,
            order.order_id,
            _WORDS[order.state],
            str(order.result.get("landing_url") or ""),
            "; ".join(filter(None, [_outcome(order), *order.result.get("remarks", ())])),
        )
        for order in orders
    ]
    return pd.DataFrame(rows, columns=list(_COLUMNS), dtype="str")


def _outcome(order: BatchOrder) -> str:
    if order.state is not RowState.DONE:
        return str(order.result.get("words", ""))
    if not order.result.get("landing_url"):
        return (
            "the service had an order with this id, and we cannot tell whether it is this customer's: compare it "
            "under Recent orders before you hand out its link"
        )
    if order.result.get("already_known"):
        return "the service had it before; nothing was changed"
    if order.result.get("warrantable_products") is False:
        return "nothing to offer: none of its items can be protected"
    return ""
