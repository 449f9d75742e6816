"""An import on its way: how far, how to pause it, and how to go on after a pause, a crash or a reload."""

from functools import partial
from typing import Final

import streamlit as st

from components.forms.faults import plain
from components.frame.failure_notice import reporting_outage
from components.frame.polling import poll
from components.import_orders.imports import Imports
from warranty.journal import Batch, BatchState, RowState
from warranty.language import _, ngettext
from warranty.language.written import number

_POLL_SECONDS: Final = 1.0
_SENT: Final = (RowState.DONE, RowState.REFUSED, RowState.NOT_SENT, RowState.UNKNOWN)
_UNDER_WAY: Final = (BatchState.SENDING,)


def import_progress(imports: Imports, batch: Batch) -> None:
    """Draw how far it is, as long as it runs; else go on with it where the person wants to."""
    if imports.running(batch):
        poll(lambda: _under_way(imports, batch), every=_POLL_SECONDS, key="import-progress")
        return
    _bar(imports, batch)
    if batch.state is BatchState.PAUSED:
        st.info(_("Paused. Nothing is sent until you resume."))
        if batch.note:
            st.warning(plain(_(batch.note)))
    else:
        st.warning(
            _(
                "**Sending these orders was interrupted.** Nothing is lost and nothing is "
                "sent twice: press Resume."
            )
        )
    with st.container(horizontal=True):
        if st.button(_("Resume"), type="primary", key="import-go-on"):
            imports.start(batch)
            st.rerun()
        _stop_button(_("Stop here"), imports, batch, BatchState.FINISHED, (*_UNDER_WAY, BatchState.PAUSED))


def _under_way(imports: Imports, batch: Batch) -> bool:
    _bar(imports, batch)
    if not imports.running(batch):
        return False
    now = imports.batches.batch(batch.batch_id)
    if now.state is not BatchState.SENDING:
        st.caption(_("Orders already on their way finish first."))
        return True
    if now.note:
        st.info(plain(_(now.note)))
    st.caption(_("You can leave this screen; the sending goes on."))
    _stop_button(_("Pause"), imports, batch, BatchState.PAUSED, _UNDER_WAY)
    return True


def _stop_button(
    label: str, imports: Imports, batch: Batch, state: BatchState, only_from: tuple[BatchState, ...]
) -> None:
    stop = partial(imports.batches.set_state, batch.batch_id, state, only_from=only_from)
    st.button(label, key=f"import-{state}", on_click=reporting_outage(stop))


def _bar(imports: Imports, batch: Batch) -> None:
    counts = imports.batches.counts(batch.batch_id)
    sent = sum(counts.get(state, 0) for state in _SENT)
    total = sent + counts.get(RowState.WAITING, 0)
    troubled = sent - counts.get(RowState.DONE, 0)
    words = ngettext(
        "{n} of {all} order sent", "{n} of {all} orders sent", total, n=number(sent), all=number(total)
    )
    if troubled:
        words += _(", {n} of them not stored or uncertain", n=number(troubled))
    st.progress(sent / total if total else 1.0, text=words)
