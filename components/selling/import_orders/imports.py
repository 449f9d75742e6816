"""A person's imports: what is judged of one, what sends it, one job for each in this process, and how far it is."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Final

import streamlit as st

from components.platform import session
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
from warranty.files.catalogue import Catalogue
from warranty.files.order_files.assessment import Assessed, Fault, assess, without_duplicates
from warranty.files.order_files.decisions import Choices
from warranty.files.order_files.source import Layout, SourceOrder
from warranty.language import _, language, ngettext
from warranty.language.written import number

PREVIEW: Final = "import.preview"
"""What the tab keeps of a preview, as long as its import is open: it holds customers."""
_READ_AT_ONCE: Final = 1_000
_POLL_SECONDS: Final = 1.0
_SENT: Final = (RowState.DONE, RowState.REFUSED, RowState.NOT_SENT, RowState.UNKNOWN)
_UNDER_WAY: Final = (BatchState.SENDING,)


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


@dataclass(slots=True)
class Preview:
    """The judgements of an import, which take seconds; its texts and what is sent are read again where needed."""

    imports: Imports
    batch: Batch
    layout: Layout
    choices: Choices
    assess: Callable[..., Assessed]
    settled: dict[str, str]
    judged: dict[int, Assessed | None]
    """By the orders' numbers; None for what is still to be judged."""
    made_of: tuple[object, ...]
    """The import, the choices and the language in which the judgements are said."""

    @classmethod
    def of(cls, imports: Imports, batch: Batch, catalogue: Catalogue) -> "Preview":
        """That of this tab, or one made anew from the journal."""
        known: Preview | None = session.recall(PREVIEW, None)
        choices = Choices(**batch.choices)
        now = batch.batch_id, choices, language()
        if known is not None and known.made_of == now:
            known.imports = imports
            return known
        layout = Layout.model_validate(batch.layout)
        orders = imports.batches.orders(batch.batch_id, personal=False)
        preview = cls(
            imports,
            batch,
            layout,
            choices,
            partial(assess, layout=layout, choices=choices, catalogue=catalogue, currency=imports.currency),
            settled={order.order_id: order.name for order in orders if order.state is not RowState.READ},
            judged={order.number: None for order in orders if order.state is RowState.READ},
            made_of=now,
        )
        session.remember(PREVIEW, preview)
        return preview

    def judge(self, numbers: Sequence[int]) -> Iterator[tuple[SourceOrder, Assessed]]:
        """What the file has of these orders, what would be sent, and what stands against it."""
        batches = self.imports.batches
        left = iter(numbers)
        while part := list(islice(left, _READ_AT_ONCE)):
            orders = batches.orders(self.batch.batch_id, numbers=part)
            sources = [SourceOrder.model_validate(order.source) for order in orders]
            sent = batches.sent_before(source.order_id(self.choices.id_column) for source in sources)
            for source in sources:
                yield source, self.assess(source, sent_before=sent)

    def assessed(self) -> list[Assessed]:
        """Every order, judged under the choices as they are; without what is sent."""
        for _source, found in self.judge([place for place, known in self.judged.items() if known is None]):
            found.order = None
            self.judged[found.number] = found
        column = self.choices.id_column or _("Order id")
        return without_duplicates(filter(None, self.judged.values()), column=column, settled=self.settled)

    def whole(self, assessed: Sequence[Assessed]) -> Iterator[tuple[SourceOrder, Assessed]]:
        """The same with the file's texts, and with what is sent."""
        for known, (source, found) in zip(assessed, self.judge([found.number for found in assessed]), strict=True):
            yield source, found if known.sendable else known

    def choose(self, **decided: object) -> None:
        """Take decisions for the whole file by their names, in a callback."""
        choices = self.choices.model_copy(update=decided)
        self.imports.batches.choose(self.batch.batch_id, choices.model_dump())

    def correct(self, found: Assessed, fault: Fault, text: str) -> None:
        """Take a new text for what is at fault, in a callback."""
        (order,) = self.imports.batches.orders(self.batch.batch_id, numbers=[found.number])
        source = SourceOrder.model_validate(order.source).with_value(fault.line, fault.field, text)
        self.imports.batches.correct(self.batch.batch_id, found.number, source.model_dump())
        self.judged[found.number] = None


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
        poll(lambda: _under_way(imports, batch), every=_POLL_SECONDS, key="import-progress")
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
    words = ngettext("{n} of {all} order sent", "{n} of {all} orders sent", total, n=number(sent), all=number(total))
    if troubled:
        words += _(", {n} of them not stored or uncertain", n=number(troubled))
    st.progress(sent / total if total else 1.0, text=words)
