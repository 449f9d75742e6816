"""Sets an import going: one job per batch in this process, whatever is clicked."""

import streamlit as st

from components.import_orders.preview import Preview, close_preview
from components.wiring import Runtime
from warranty.access import Operator
from warranty.desk.order_imports import UNFINISHED, BatchSender, prepare, send_in_background
from warranty.journal import Batch, BatchState, RowState


def after_preview(runtime: Runtime, operator: Operator, batch: Batch, preview: Preview) -> None:
    """Settle what is sent, and send it."""
    with st.spinner("Preparing the orders"):
        prepare(runtime.journal.batches, batch.batch_id, preview.assessed)
    close_preview()
    start(runtime, operator, batch)
    st.rerun()


def start(runtime: Runtime, operator: Operator, batch: Batch) -> None:
    """Send what waits of a batch, unless this process does so already."""
    batches = runtime.journal.batches
    batches.set_state(batch.batch_id, BatchState.SENDING, only_from=(BatchState.PAUSED, BatchState.FINISHED))
    sender = BatchSender(
        desk=runtime.desk,
        batches=batches,
        concurrency=runtime.settings.import_concurrency,
        stopping=runtime.jobs.closing.is_set,
    )
    runtime.jobs.start_once(
        f"import.{batch.batch_id}", send_in_background(sender, operator, batches, batch.batch_id)
    )


def send_again(runtime: Runtime, operator: Operator, batch: Batch) -> None:
    """Send once more what was not sent and what is uncertain; for callbacks: the journal keeps it harmless."""
    runtime.journal.batches.wait_again(batch.batch_id, (*UNFINISHED, RowState.WAITING))
    start(runtime, operator, batch)
