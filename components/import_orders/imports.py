"""A person's imports and what sends them: one job for each in this process, whatever is clicked."""

from dataclasses import dataclass
from functools import partial
from typing import Final

from components.frame.ask_first import ask_first
from components.sending import press
from components.serving.jobs import JobRegistry
from warranty.access import Operator, Permission
from warranty.desk import Desk
from warranty.desk.order_imports import UNFINISHED, BatchSender, send_in_background
from warranty.journal import Batch, Batches, BatchState, RowState
from warranty.language import _, ngettext
from warranty.language.written import number

PREVIEW: Final = "import.preview"
"""What the tab keeps of a preview, as long as its import is open: it holds customers."""


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
        self.batches.set_state(
            batch.batch_id, BatchState.SENDING, only_from=(BatchState.PAUSED, BatchState.FINISHED)
        )
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


def close_button(
    imports: Imports, batch: Batch, label: str, yes: str, *, unsent: int, has_result: bool = True
) -> None:
    """Offer to close the import and begin another; says first what is lost."""
    lost = []
    if unsent:
        lost.append(
            ngettext(
                "{n} order of this file is not stored: it is erased here, with all that was corrected.",
                "{n} orders of this file are not stored: they are erased here, with all that was corrected.",
                unsent,
                n=number(unsent),
            )
        )
    if has_result:
        lost.append(_("Download the result file first: it cannot be made again."))
    ask_first(
        label,
        yes,
        lost=" ".join(lost),
        key="import-close",
        on_click=partial(imports.batches.close, batch.batch_id),
    )
