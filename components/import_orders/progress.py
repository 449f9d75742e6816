"""An import on its way: how far, how to pause it, and how to go on after a pause, a crash or a reload."""

from collections.abc import Callable

import streamlit as st

from components.forms.faults import plain
from components.frame.journal_outage import told_when_away
from components.frame.polling import looking_again
from warranty.journal import Batch, Batches, BatchState, RowState

_POLL_SECONDS = 1.0
_SENT = (RowState.DONE, RowState.REFUSED, RowState.NOT_SENT, RowState.UNKNOWN)


def import_progress(batches: Batches, batch: Batch, *, running: Callable[[], bool]) -> bool:
    """Draw the progress; True when the person wants to go on."""
    if running():
        _under_way(batches, batch, running)
        return False
    _bar(batches, batch)
    if batch.state is BatchState.PAUSED:
        st.info("Paused. Nothing is sent until you go on.")
        if batch.note:
            st.warning(plain(batch.note))
    else:
        st.warning(
            "**The program stopped while it sent these orders.** Nothing is lost, and nothing is sent twice: "
            "the journal knows which orders the service has."
        )
    with st.container(horizontal=True):
        goes_on = st.button("Go on", type="primary", key="import-go-on")
        st.button(
            "Stop here", key="import-stop", on_click=told_when_away(_stop), args=(batches, batch.batch_id)
        )
    return goes_on


def _under_way(batches: Batches, batch: Batch, running: Callable[[], bool]) -> None:
    def draw() -> bool:
        _bar(batches, batch)
        if not running():
            return False
        now = batches.batch(batch.batch_id)
        if now.state is not BatchState.SENDING:
            st.caption("The orders that are on their way are finished first.")
            return True
        if now.note:
            st.info(plain(now.note))
        st.caption("You can leave this screen; the sending goes on.")
        st.button(
            "Pause", key="import-pause", on_click=told_when_away(_pause), args=(batches, batch.batch_id)
        )
        return True

    looking_again(draw, every=_POLL_SECONDS, key="import-progress")


def _bar(batches: Batches, batch: Batch) -> None:
    counts = batches.counts(batch.batch_id)
    sent = sum(counts.get(state, 0) for state in _SENT)
    total = sent + counts.get(RowState.WAITING, 0)
    troubled = sent - counts.get(RowState.DONE, 0)
    words = f"{sent:,} of {total:,} orders sent" + (
        f", {troubled:,} of them not stored or uncertain" if troubled else ""
    )
    st.progress(sent / total if total else 1.0, text=words)


def _pause(batches: Batches, batch_id: str) -> None:
    batches.set_state(batch_id, BatchState.PAUSED, only_from=(BatchState.SENDING,))


def _stop(batches: Batches, batch_id: str) -> None:
    batches.set_state(batch_id, BatchState.FINISHED, only_from=(BatchState.SENDING, BatchState.PAUSED))
