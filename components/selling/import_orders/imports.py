"""A person's imports and what sends them: one job for each in this process, whatever is clicked; and how far it is."""

from dataclasses import dataclass
from functools import partial
from typing import Final

import streamlit as st

from components.platform.markup import plain
from components.platform.serving.jobs import JobRegistry
from components.selling.sending import press
from components.ui.frame.ask_first import ask_first
from components.ui.frame.failure_notice import reporting_outage
from components.ui.frame.polling import poll
from warranty.access import Operator, Permission
from warranty.desk import Desk
from warranty.desk.journal import Batch, Batches, BatchState, RowState
from warranty.desk.order_imports import UNFINISHED, BatchSender, send_in_background
from warranty.language import _, ngettext
from warranty.language.written import number

PREVIEW: Final = "import.preview"
"""What the tab keeps of a preview, as long as its import is open: it holds customers."""
_POLL_SECONDS: Final = 1.0
_SENT: Final = (RowState.DONE, RowState.REFUSED, RowState.NOT_SENT, RowState.UNKNOWN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Imports:
    """What the steps of an import work with; `at_once` is how many orders are sent at the same time.

    `currency` is that of the desk's prices.
    """

    operator: Operator
    batches: Batches
    desk: Desk
    jobs: JobRegistry
    at_once: int
    currency: str

    def open_batch(self) -> Batch | None:
        """The import that this person is at; a sending of it that has ended makes room for another."""
        batch = self.batches.open_batch()
        if batch is not None:
            press.take_answer(self.jobs, job_of(batch))
        return batch

    def running(self, batch: Batch) -> bool:
        """Whether its orders are sent now, by this desk or by another."""
        return self.jobs.running(job_of(batch)) or self.batches.is_being_sent(batch.batch_id)

    def start(self, batch: Batch) -> None:
        """Send what waits of a batch, unless this desk or another does so already. Raises as `Operator.acts`."""
        self.operator.acts(Permission.IMPORT_ORDERS)
        self.batches.set_state(batch.batch_id, BatchState.SENDING, only_from=(BatchState.PAUSED, BatchState.FINISHED))
        sender = BatchSender(
            desk=self.desk,
            operator=self.operator.for_long_work(),
            concurrency=self.at_once,
            stopping=self.jobs.closing.is_set,
        )
        work = send_in_background(sender, self.batches, batch.batch_id)
        self.jobs.start_once(job_of(batch), work)

    def send_again(self, batch: Batch) -> None:
        """Send once more what was not sent and what is uncertain: the journal keeps it harmless."""
        self.operator.acts(Permission.IMPORT_ORDERS)
        self.batches.wait_again(batch.batch_id, (*UNFINISHED, RowState.WAITING))
        self.start(batch)


def job_of(batch: Batch) -> str:
    """The name of the job that sends an import."""
    return f"import.{batch.batch_id}"


def close_button(imports: Imports, batch: Batch, label: str, yes: str, *, unsent: int, has_result: bool = True) -> None:
    """Offer to close the import and begin another; says first what is lost."""
    lost = ngettext(
        "{n} order of this file is not stored: it is erased here, with all that was corrected.",
        "{n} orders of this file are not stored: they are erased here, with all that was corrected.",
        unsent,
        n=number(unsent),
    )
    result = _("Download the result file first: it cannot be made again.")
    lost = " ".join([lost] * bool(unsent) + [result] * has_result)
    close = partial(imports.batches.close, batch.batch_id)
    ask_first(label, yes, lost=lost, key="import-close", on_click=close)


def import_progress(imports: Imports, batch: Batch) -> None:
    """Draw how far it is, as long as it runs; else go on with it where the person wants to."""
    if imports.running(batch):
        poll(lambda: _under_way(imports, batch), every=_POLL_SECONDS)
        return
    _bar(imports, batch)
    if batch.state is BatchState.PAUSED:
        st.info(_("Paused. Nothing is sent until you resume."))
        if batch.note:
            st.warning(plain(_(batch.note)))
    else:
        st.warning(
            _("**Sending these orders was interrupted.** Nothing is lost and nothing is sent twice: press Resume.")
        )
    with st.container(horizontal=True):
        if st.button(_("Resume"), type="primary", key="import-go-on"):
            imports.start(batch)
            st.rerun()
        left = (BatchState.SENDING, BatchState.PAUSED)
        stop = partial(imports.batches.set_state, batch.batch_id, BatchState.FINISHED, only_from=left)
        st.button(_("Stop here"), key="import-stop", on_click=reporting_outage(stop))


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
    pause = partial(imports.batches.set_state, batch.batch_id, BatchState.PAUSED, only_from=(BatchState.SENDING,))
    st.button(_("Pause"), key="import-pause", on_click=reporting_outage(pause))
    return True


def _bar(imports: Imports, batch: Batch) -> None:
    counts = imports.batches.counts(batch.batch_id)
    sent = sum(counts.get(state, 0) for state in _SENT)
    total = sent + counts.get(RowState.WAITING, 0)
    troubled = sent - counts.get(RowState.DONE, 0)
    words = ngettext("{n} of {all} order sent", "{n} of {all} orders sent", total, n=number(sent), all=number(total))
    if troubled:
        words += _(", {n} of them not stored or uncertain", n=number(troubled))
    st.progress(sent / total if total else 1.0, text=words)
