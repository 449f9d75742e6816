"""A person's imports and what sends them: one job for each in this process, whatever is clicked.

While an import is sent, a bar says how far it is. Then a bar filters its orders; there is a link to copy for each, the
file, and what can still be done.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, NamedTuple

import pandas as pd
import streamlit as st

from components.gate import taken_away
from components.navigation import go_to
from components.platform.browser_part import copy_button
from components.platform.markup import plain
from components.platform.serving.jobs import JobRegistry
from components.selling.orders.recent_orders import copy_order_id
from components.selling.sending import press
from components.ui.frame.ask_first import ask_first
from components.ui.frame.failure_notice import reporting_outage
from components.ui.frame.polling import poll
from components.ui.frame.table_view import pressed_row
from components.words.attempts import short_id
from warranty.access import Operator, Permission
from warranty.desk import Desk
from warranty.desk.journal import Batch, Batches, BatchOrder, BatchState, RowState
from warranty.desk.order_imports import UNFINISHED, BatchSender, send_in_background
from warranty.desk.taking_away import TakenAway
from warranty.files.export import claims_csv
from warranty.language import N_, _, isolated, ngettext, speaking
from warranty.language.written import number

PREVIEW: Final = "import.preview"
"""What the tab keeps of a preview, as long as its import is open: it holds customers."""
TABLE: Final = "import.table"
"""What the tab keeps of the file until it is sent: its columns may be changed."""


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
        operator, stopping = self.operator.for_long_work(), self.jobs.closing.is_set
        sender = BatchSender(desk=self.desk, operator=operator, concurrency=self.at_once, stopping=stopping)
        self.jobs.start_once(job_of(batch), send_in_background(sender, self.batches, batch.batch_id))

    def send_again(self, batch: Batch) -> None:
        """Send once more what was not sent and what is uncertain: the journal keeps it harmless."""
        self.operator.acts(Permission.IMPORT_ORDERS)
        self.batches.wait_again(batch.batch_id, (*UNFINISHED, RowState.WAITING))
        self.start(batch)


def job_of(batch: Batch) -> str:
    """The name of the job that sends an import."""
    return f"import.{batch.batch_id}"


def close_button(imports: Imports, batch: Batch, label: str, yes: str, unsent: int, *, has_result: bool = True) -> None:
    """Offer to close the import and begin another; says first what is lost."""
    lost = ngettext(
        "{n} order of this file is not stored: it is erased here, with all that was corrected.",
        "{n} orders of this file are not stored: they are erased here, with all that was corrected.",
        unsent,
        n=number(unsent),
    )
    result = _("Download the result file first: it cannot be made again.")
    lost = " ".join([lost] * bool(unsent) + [result] * has_result)
    ask_first(label, yes, lost=lost, key="import-close", on_click=partial(imports.batches.close, batch.batch_id))


def import_progress(imports: Imports, batch: Batch) -> None:
    """Draw how far it is, as long as it runs; else go on with it where the person wants to."""
    if imports.running(batch):
        poll(lambda: _under_way(imports, batch), every=1.0)
        return
    _bar(imports, batch)
    if batch.state is BatchState.PAUSED:
        st.info(_("Paused. Nothing is sent until you resume."))
        if batch.note:
            st.warning(plain(_(batch.note)))
    else:
        words = _("**Sending these orders was interrupted.** Nothing is lost and nothing is sent twice: press Resume.")
        st.warning(words)
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
    sent = sum(counts.get(state, 0) for state in (RowState.DONE, RowState.REFUSED, RowState.NOT_SENT, RowState.UNKNOWN))
    total = sent + counts.get(RowState.WAITING, 0)
    words = ngettext("{n} of {all} order sent", "{n} of {all} orders sent", total, n=number(sent), all=number(total))
    if troubled := sent - counts.get(RowState.DONE, 0):
        words += _(", {n} of them not stored or uncertain", n=number(troubled))
    st.progress(sent / total if total else 1.0, text=words)


class Outcome(NamedTuple):
    """One end that orders come to; `name` is that of its colour and pattern in `desk.css`."""

    name: str
    word: str
    hue: str
    icon: str


READY: Final = Outcome("stored", N_("Ready"), "green", "check_circle")
STORED: Final = Outcome("stored", N_("Stored"), "green", "check_circle")
REFUSED: Final = Outcome("refused", N_("Refused"), "red", "cancel")
UNKNOWN: Final = Outcome("unknown", N_("Unknown"), "orange", "help")
TO_CORRECT: Final = Outcome("to-correct", N_("Needs fixing"), "blue", "edit")
NOT_SENT: Final = Outcome("not-sent", N_("Not sent"), "gray", "pause_circle")
LEFT_OUT: Final = Outcome("left-out", N_("Left out"), "gray", "do_not_disturb_on")
_TO_DO: Final = (REFUSED, UNKNOWN, TO_CORRECT, NOT_SENT)
_ALL: Final = (READY, STORED, *_TO_DO, LEFT_OUT)
_STATES: Final = {
    RowState.DONE: (STORED, N_("stored")),
    RowState.REFUSED: (REFUSED, N_("refused")),
    RowState.UNKNOWN: (UNKNOWN, N_("unknown")),
    RowState.FAULTY: (TO_CORRECT, N_("not sent: to correct")),
    RowState.NOT_SENT: (NOT_SENT, N_("not sent")),
    RowState.WAITING: (NOT_SENT, N_("not sent: stopped before")),
    RowState.READ: (NOT_SENT, N_("not sent")),
    RowState.LEFT_OUT: (LEFT_OUT, N_("left out")),
}
_COLUMNS: Final = {
    "row": N_("Row"), "order": N_("Order"), "order_id": N_("Order number"),
    "result": N_("Result"), "url": N_("Customer page"), "remark": N_("Remark"),
}  # fmt: skip


def import_result(imports: Imports, batch: Batch) -> None:
    """Draw the result of a finished import."""
    orders = imports.batches.orders(batch.batch_id, personal=False)
    outcomes = Counter(_STATES[order.state][0] for order in orders)
    outcome_banner(outcomes)
    _next_steps(imports, batch, orders)
    pressed = outcome_filter(outcomes, key=f"import-outcome:{batch.batch_id}")
    shown = [order for order in orders if pressed in {None, _STATES[order.state][0]}]
    shown.sort(key=lambda order: (order.state is RowState.DONE, not _remark(order)))  # what is to do, then what is news
    picked_one = st.container()
    frame = result_frame(shown)[["row", "order", "result", "remark", "order_id"]]
    frame["order_id"] = frame["order_id"].map(short_id)
    alt = _("A table of {n} of {all} orders and what became of each", n=number(len(shown)), all=number(len(orders)))
    key = f"import-orders:{batch.batch_id}:{pressed.name if pressed else 'all'}"
    labels = {name: _(label) for name, label in _COLUMNS.items() if name != "url"}
    order = pressed_row(frame, alt, shown, key=key, column_config=labels)
    with picked_one:
        if order is not None:
            _picked(order)
        elif outcomes[STORED]:
            st.caption(_("Choose a row to copy its link."))


def _next_steps(imports: Imports, batch: Batch, orders: Sequence[BatchOrder]) -> None:
    """Draw the file, and what is left to do: where there is something, that is the main button."""
    counts = Counter(order.state for order in orders)
    unfinished = sum(counts[state] for state in (*UNFINISHED, RowState.WAITING))
    to_correct = counts[RowState.FAULTY] + counts[RowState.REFUSED]
    with st.container(horizontal=True):
        if unfinished:
            again = reporting_outage(lambda: imports.send_again(batch))
            n = number(unfinished)
            words = ngettext("Try the {n} unfinished again", "Try the {n} unfinished again", unfinished, n=n)
            st.button(words, key="import-again", on_click=again, type="primary")
        if to_correct or counts[RowState.LEFT_OUT]:
            review = reporting_outage(lambda: imports.batches.preview_again(batch.batch_id))
            words = _("Correct what was not sent") if to_correct else _("Review what was left out")
            main: Any = "primary" if to_correct and not unfinished else "secondary"
            st.button(words, key="import-correct", on_click=review, type=main)
        file = taken_away(TakenAway.IMPORT_RESULT, lambda: _result_file(orders), count=len(orders))
        how: dict[str, Any] = {"on_click": "ignore", "type": "secondary" if unfinished or to_correct else "primary"}
        st.download_button(_("Result file"), file, "import_result.csv", "text/csv", icon=":material/download:", **how)
        if links := [f"{order.name}\t{link}" for order in orders if (link := _link(order))]:
            copy_button(_("Copy all links"), "\n".join(links), kind="plain", place="import")
        close_button(imports, batch, _("New import"), _("Yes, begin a new import"), len(orders) - counts[RowState.DONE])


def _picked(order: BatchOrder) -> None:
    """Draw one order: its id and its link to copy, and where to find the rest."""
    with st.container(horizontal=True, vertical_alignment="center", border=True, gap="small"):
        st.text(f"{isolated(order.name)}: {_(_STATES[order.state][1])}")
        if order.order_id:
            copy_order_id(order.order_id, place="import")
        if link := _link(order):
            copy_button(_("Copy link"), link, name=_("Copy link: {order}", order=order.name), place="import")
        if order.state is RowState.DONE and st.button(_("Open order"), key="import-open-order"):
            go_to("submit_order", order=order.order_id)
        if words := _remark(order):
            st.caption(plain(words))


def _result_file(orders: Sequence[BatchOrder]) -> bytes:
    """The file that programs read: in one language, whoever is at the screen."""
    with speaking("en"):
        return claims_csv(result_frame(orders), bom=True)


def result_frame(orders: Sequence[BatchOrder]) -> pd.DataFrame:
    """A row per order: where it stands in the file, its id, what became of it, its landing page."""
    rows = [
        (order.first_row, order.name, order.order_id, _(_STATES[order.state][1]), _page(order), _remark(order))
        for order in orders
    ]
    return pd.DataFrame(rows, columns=list(_COLUMNS), dtype="str")


def _page(order: BatchOrder) -> str:
    return str(order.result.get("landing_url") or "")


def _link(order: BatchOrder) -> str:
    """The link that its customer can use; "" where there is none, or nothing to buy there."""
    return "" if order.result.get("warrantable_products") is False else _page(order)


def _remark(order: BatchOrder) -> str:
    result, words = order.result, ""
    if order.state is not RowState.DONE:
        words = str(result.get("words", ""))
    elif not result.get("landing_url"):
        words = _(
            "the service had an order with this id, and we cannot tell whether it is this customer's: compare it "
            "under Recent orders before you hand out its link"
        )
    elif result.get("already_known"):
        words = _("the service had it before; nothing was changed")
    elif result.get("warrantable_products") is False:
        words = _("nothing to offer: none of its items can be protected")
    return "; ".join(filter(None, [words, *map(_, result.get("remarks", ()))]))


def outcome_banner(counts: Mapping[Outcome, int]) -> None:
    """Say how many orders are stored, and in the same breath how many still need a person."""
    stored, every = counts.get(STORED, 0), sum(counts.values())
    figures = {"n": number(stored), "all": number(every)}
    words = ngettext("**{n} of {all} order is stored.**", "**{n} of {all} orders are stored.**", every, **figures)
    if to_do := _counted({one: counts[one] for one in _TO_DO if counts.get(one)}):
        left = _("Still to do: {outcomes}.", outcomes=", ".join(to_do.values()))
        st.warning(f"{words} {left}", icon=":material/pending_actions:")
    else:
        st.success(words, icon=":material/check_circle:")


def outcome_filter(counts: Mapping[Outcome, int], *, key: str) -> Outcome | None:
    """Draw the bar and its buttons; give the outcome that is pressed. Nothing is drawn where all come to the same."""
    counted = _counted({one: counts[one] for one in _ALL if counts.get(one)})
    if len(counted) < 2:
        return None
    parts = "".join(f'<i class="{one.name}" style="flex-grow:{counts[one]}"></i>' for one in counted)
    st.html(f'<div class="outcomes" role="img" title="{", ".join(counted.values())}">{parts}</div>')
    words = {one: f":{one.hue}[:material/{one.icon}:] {text}" for one, text in counted.items()}.__getitem__
    return st.pills(_("Show only"), list(counted), format_func=words, key=key, label_visibility="collapsed")


def _counted(counts: Mapping[Outcome, int]) -> dict[Outcome, str]:
    """How many came to each: `Refused 2`."""
    return {one: f"{_(one.word)} {number(count)}" for one, count in counts.items()}
