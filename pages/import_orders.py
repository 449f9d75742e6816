"""Import orders: many orders from a file, seen before they are sent (POST /api/carts for each)."""

from functools import partial

import streamlit as st

from components import wiring
from components.frame.ask_first import ask_first
from components.frame.journal_outage import told_when_away
from components.gate import require
from components.import_orders.preview import close_preview, import_preview, open_preview
from components.import_orders.progress import import_progress
from components.import_orders.result import import_result, lost_words
from components.import_orders.run import after_preview, send_again, start
from components.import_orders.upload import import_upload
from components.orders.catalogue import catalogue_of
from components.sending import press
from components.words.money import counted
from warranty.access import Permission
from warranty.journal import BatchState

operator = require(Permission.IMPORT_ORDERS)
runtime = wiring.runtime()
batches = runtime.journal.batches
environment = runtime.settings.environment

st.title("Import orders", anchor=False)
batch = batches.open_batch(environment=environment, username=operator.username)
if batch is None:
    close_preview()
    import_upload(runtime.journal, operator, environment)
    st.stop()

job = f"import.{batch.batch_id}"
press.take_answer(runtime.jobs, job)
put_away = told_when_away(partial(batches.put_away, batch.batch_id))
if batch.state is BatchState.PREVIEW:
    preview = open_preview(batches, batch, catalogue_of(runtime.settings))
    ready = import_preview(preview, batches, batch)
    ask_first(
        "Choose another file",
        "Yes, choose another file",
        lost=lost_words(len(preview.sources), with_result=bool(preview.settled)),
        key="import-other",
        on_click=put_away,
    )
    if ready:
        press.send_button(f"Send {counted(ready, 'order')}", job)
    elif preview.settled:
        press.send_button("Back to the result", job)
    else:
        st.text("None of these orders can be sent as it is.")
    if press.requested(job) and (ready or preview.settled):
        after_preview(runtime, operator, batch, preview)
elif batch.state is BatchState.FINISHED:
    import_result(
        batch,
        batches.orders(batch.batch_id, personal=False),
        send_again=told_when_away(partial(send_again, runtime, operator, batch)),
        mend=told_when_away(partial(batches.preview_again, batch.batch_id)),
        put_away=put_away,
    )
elif import_progress(batches, batch, running=partial(runtime.jobs.running, job)):
    start(runtime, operator, batch)
    st.rerun()
