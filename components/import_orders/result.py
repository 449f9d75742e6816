"""What became of an import: a line per order, the result file, and what can still be done."""

from collections.abc import Callable, Sequence
from typing import Final

import pandas as pd
import streamlit as st

from components.frame.ask_first import ask_first
from components.gate import guarded
from warranty.desk.order_imports import UNFINISHED
from warranty.export import claims_csv
from warranty.journal import Batch, BatchOrder, RowState

_WORDS: Final = {
    RowState.DONE: "stored",
    RowState.REFUSED: "refused",
    RowState.NOT_SENT: "not sent",
    RowState.UNKNOWN: "not known whether stored",
    RowState.LEFT_OUT: "left out",
    RowState.FAULTY: "not sent: to mend",
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
_TO_MEND: Final = (RowState.FAULTY, RowState.LEFT_OUT, RowState.REFUSED)


def import_result(
    batch: Batch,
    orders: Sequence[BatchOrder],
    *,
    send_again: Callable[[], None],
    mend: Callable[[], None],
    put_away: Callable[[], None],
) -> None:
    """Draw the result; the three deeds are callbacks."""
    frame = result_frame(orders)
    counts = {state: sum(order.state is state for order in orders) for state in RowState}
    done = counts[RowState.DONE]
    unfinished = sum(counts[state] for state in (*UNFINISHED, RowState.WAITING))
    draw = st.success if not unfinished and not counts[RowState.REFUSED] else st.warning
    draw(f"**{done:,} of {len(orders):,} orders are stored.**")
    for state, count in counts.items():
        if count and state is not RowState.DONE:
            st.text(f"{count:,} {_WORDS[state]}")
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
            st.button(f"Send the {unfinished:,} unfinished again", key="import-again", on_click=send_again)
        if any(counts[state] for state in _TO_MEND):
            st.button("Review what was not sent", key="import-mend", on_click=mend)
        lost = lost_words(len(orders) - done)
        ask_first("New import", "Yes, begin a new import", lost=lost, key="import-new", on_click=put_away)
    st.dataframe(
        frame,
        hide_index=True,
        column_config=_COLUMNS,
        alt=f"A table of {len(orders)} orders and what became of each",
    )


def lost_words(unsent: int, *, with_result: bool = True) -> str:
    """What is lost when an import is put away."""
    orders = f"{unsent:,} {'order' if unsent == 1 else 'orders'}"
    lost = [f"{orders} of this file not stored: erased here, with all that was mended."] * bool(unsent)
    if with_result:
        lost.append("The result file cannot be made again: download it first.")
    return " ".join(lost)


def result_frame(orders: Sequence[BatchOrder]) -> pd.DataFrame:
    """A row per order: where it stands in the file, its id, what became of it, its landing page."""
    rows = [
        {
            "row": str(order.first_row),
            "order": order.name,
            "order_id": order.order_id,
            "result": _WORDS[order.state],
            "url": str(order.result.get("landing_url") or ""),
            "remark": _remark(order),
        }
        for order in orders
    ]
    return pd.DataFrame(rows, columns=["row", "order", "order_id", "result", "url", "remark"], dtype="str")


def _remark(order: BatchOrder) -> str:
    """What became of it in words, and what of it was left out or will be stored otherwise than in the file."""
    return "; ".join(filter(None, [_outcome(order), *order.result.get("remarks", ())]))


def _outcome(order: BatchOrder) -> str:
    if order.state is not RowState.DONE:
        return str(order.result.get("words", ""))
    if order.result.get("already_known"):
        return "the service had it before; nothing was changed"
    if order.result.get("warrantable_products") is False:
        return "nothing to offer: none of its items can be protected"
    return ""
