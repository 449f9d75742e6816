"""The sending of an import: bounded at once, to be paused, and to go on after a crash; every order accounted for.

Each order goes out through the desk under a draft id that follows from batch and number: whoever goes on with the
batch, in whatever process, finds the attempt of a draft that was sent, and sends nothing twice.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor
from concurrent.futures import wait as futures_wait
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from threading import Event
from typing import Final

from warranty.access import Operator
from warranty.client.resources import Order
from warranty.desk import DataErased, Desk, EarlierSending
from warranty.desk.guidance import guidance
from warranty.desk.journal import Attempt, AttemptState, Batches, BatchOrder, BatchState, Changed, RowState
from warranty.desk.second_sending import taken_from_here
from warranty.desk.sending import body_of
from warranty.errors import DeskError, LeaseHeld
from warranty.files.order_files.assessment import Assessed
from warranty.language import _, language, ngettext, speaking
from warranty.people.audit import AuditKind

SCREEN: Final = "import_orders"
_REPEATS: Final = 2
"""Times that an order of unknown outcome is sent again at once, as long as the budget of repeats allows it."""
_GIVES_UP_AFTER: Final = 8
"""Orders in a row that the service did not judge: then it is away, and the rest waits."""
_READ_AT_ONCE: Final = 200
_LOOKS_AGAIN_SECONDS: Final = 1.0

_STATES: Final = {
    AttemptState.DONE: RowState.DONE,
    AttemptState.REFUSED: RowState.REFUSED,
    AttemptState.NOT_SENT: RowState.NOT_SENT,
    AttemptState.NOT_RECORDED: RowState.NOT_SENT,
    AttemptState.UNKNOWN: RowState.UNKNOWN,
}
UNFINISHED: Final = (RowState.NOT_SENT, RowState.UNKNOWN)
"""What may simply be sent again."""


def prepare(batches: Batches, batch_id: str, assessed: Iterable[Assessed]) -> bool:
    """Settle what is sent of a previewed batch and what is not, and let the sending begin; once per preview."""
    return batches.start(batch_id, [_prepared(found) for found in assessed])


def _prepared(found: Assessed) -> Changed:
    result: dict[str, object] = {"remarks": list(found.remarks)}
    if found.left_out:
        return Changed(number=found.number, state=RowState.LEFT_OUT, result={"words": found.left_out, **result})
    if found.order is None:
        faults = (
            _("row {n}, {column}: {fault}", n=one.row, column=one.column, fault=one.message) for one in found.faults
        )
        return Changed(number=found.number, state=RowState.FAULTY, result={"words": "; ".join(faults), **result})
    order_id, body = found.order_id, body_of(found.order)
    return Changed(number=found.number, state=RowState.WAITING, result=result, order_id=order_id, body=body)


@dataclass(frozen=True, slots=True)
class _Sent:
    """What an order became; no attempt and no problem while another process may still be sending it.

    `is_from_here`: the service took the order from this desk, as far as can be known; else the link may be another's.
    """

    order: BatchOrder
    attempt: Attempt | None
    problem: DeskError | None = None
    is_from_here: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchSender:
    """Sends a person's batch until it is finished or paused; safe to start again at any moment, in any process.

    One desk sends it at a time. `stopping` says that the program ends: the batch then stays as it is, to be gone on
    with.
    """

    desk: Desk
    operator: Operator
    concurrency: int
    stopping: Callable[[], bool] = lambda: False
    wait: Callable[[float], None] = time.sleep
    _lost: Event = field(default_factory=Event, init=False)

    @property
    def _batches(self) -> Batches:
        return self.desk.imports(self.operator)

    def run(self, batch_id: str) -> None:
        """Send what waits, unless another desk does; raises `JournalUnavailable`: the batch may then be run again."""
        self._batches.batch(batch_id)
        with (
            suppress(LeaseHeld),
            self._batches.sending(batch_id) as lease,
            lease.renewing(self._lost),
            ThreadPoolExecutor(self.concurrency, thread_name_prefix="import") as pool,
        ):
            orders = self._batches.counts(batch_id).get(RowState.WAITING, 0)
            self.desk.audit.note(AuditKind.IMPORT, self.operator, batch=batch_id, orders=orders)
            while self._sending(batch_id):
                waiting = self._batches.orders(batch_id, states=(RowState.WAITING,), limit=_READ_AT_ONCE)
                if not waiting:
                    self._batches.set_state(batch_id, BatchState.FINISHED, only_from=(BatchState.SENDING,))
                    return
                known = self._send_all(pool, batch_id, waiting)
                self._say_what_is_held(batch_id, [] if known else waiting)
                if not known:
                    self.wait(_LOOKS_AGAIN_SECONDS)

    def _say_what_is_held(self, batch_id: str, held: Sequence[BatchOrder]) -> None:
        """Say why nothing goes on: what was on its way when another process stopped, until its time has run out."""
        note = ""
        attempts = [self.desk.activity.attempt_of(self.operator, order.draft_id) for order in held]
        ends = [known.deadline for known in attempts if known and known.state is AttemptState.SENDING]
        if ends:
            seconds = max(0, round((max(ends) - self.desk.now()).total_seconds()))
            note = ngettext(
                "{n} order is held by the sending that stopped, or by another window: they may still be answered. "
                "They will be sent again automatically within {seconds} seconds, which is harmless.",
                "{n} orders are held by the sending that stopped, or by another window: they may still be answered. "
                "They will be sent again automatically within {seconds} seconds, which is harmless.",
                len(ends),
                n=len(ends),
                seconds=seconds,
            )
        if note or self._batches.batch(batch_id).note:
            self._batches.set_state(batch_id, BatchState.SENDING, note=note, only_from=(BatchState.SENDING,))

    def _sending(self, batch_id: str) -> bool:
        if self.stopping() or self._lost.is_set():
            return False
        return self._batches.batch(batch_id).state is BatchState.SENDING

    def _send_all(self, pool: ThreadPoolExecutor, batch_id: str, waiting: list[BatchOrder]) -> int:
        """Send these, so many at once, until all are sent or the batch is paused; gives how many became something."""
        known = unjudged = 0
        left = iter(waiting)
        under_way = {pool.submit(self._send, order) for order in islice(left, self.concurrency)}
        while under_way:
            done, under_way = futures_wait(under_way, return_when=FIRST_COMPLETED)
            sent = [result for future in done if (result := future.result()).attempt or result.problem]
            known += len(sent)
            if sent:
                self._batches.change(batch_id, [_changed(result) for result in sent])
            for result in sent:
                unjudged = unjudged + 1 if _changed(result).state in UNFINISHED else 0
            self._pause_where_useless(batch_id, sent, unjudged)
            if self._sending(batch_id):
                under_way |= {pool.submit(self._send, order) for order in islice(left, len(done))}
        return known

    def _send(self, waiting: BatchOrder) -> _Sent:
        attempt = self.desk.activity.attempt_of(self.operator, waiting.draft_id)
        unasked = attempt is None or attempt.state is not AttemptState.UNKNOWN  # else a person lets it go on
        if attempt is None or attempt.state.nothing_written:
            try:
                attempt = self.desk.send(
                    self.operator,
                    Order.model_validate(waiting.body),
                    draft_id=waiting.draft_id,
                    screen=SCREEN,
                    corrects=attempt.attempt_id if attempt else None,
                )
            except EarlierSending as taken:
                return _Sent(waiting, None, taken)
        for _again in range(_REPEATS):
            if attempt.state is AttemptState.UNKNOWN:
                try:
                    attempt = self.desk.send_order_again(self.operator, attempt.attempt_id, unasked=unasked)
                except DataErased as problem:
                    return _Sent(waiting, attempt, problem)
            unasked = True
        if attempt.state is AttemptState.SENDING:
            return _Sent(waiting, None)
        story = [attempt]
        if attempt.result.already_known is not False:
            story = self.desk.activity.order_timeline(self.operator, attempt.order_id)
        return _Sent(waiting, attempt, is_from_here=taken_from_here(story) is not None)

    def _pause_where_useless(self, batch_id: str, known: list[_Sent], unjudged: int) -> None:
        refused = next((sent.attempt for sent in known if _kind(sent) == "CredentialRefused"), None)
        note = ""
        if refused is not None and refused.failure is not None:
            words = guidance(refused.failure)
            note = f"{words.happened} {words.next_step}"
        elif unjudged >= _GIVES_UP_AFTER:
            note = _(
                "The service could not be reached, or did not answer as it should, for {n} orders in a row. Resume "
                "when it is back.",
                n=unjudged,
            )
        if note:
            self._batches.wait_again(batch_id, UNFINISHED if not refused else (*UNFINISHED, RowState.REFUSED))
            self._batches.set_state(batch_id, BatchState.PAUSED, note=note, only_from=(BatchState.SENDING,))


def send_in_background(sender: BatchSender, batches: Batches, batch_id: str) -> Callable[[], None]:
    """The work of a job: what stops it stands in the batch, so that every tab and the next session see it.

    It stands there in the language of who starts it: an import is one person's.
    """
    reader_language = language()

    def work() -> None:
        with speaking(reader_language):
            try:
                sender.run(batch_id)
            except DeskError as problem:
                batches.set_state(batch_id, BatchState.PAUSED, note=str(problem), only_from=(BatchState.SENDING,))

    return work


def _kind(sent: _Sent) -> str:
    failure = sent.attempt.failure if sent.attempt else None
    return failure.kind if failure else ""


def _changed(sent: _Sent) -> Changed:
    attempt = sent.attempt
    result: dict[str, object] = {"attempt_id": attempt.attempt_id} if attempt else {}
    if remarks := sent.order.result.get("remarks"):
        result["remarks"] = remarks
    if attempt is None:
        result["words"] = str(sent.problem or "")
        return Changed(number=sent.order.number, state=RowState.REFUSED, result=result)
    if attempt.state is AttemptState.DONE:
        result |= {
            "landing_url": attempt.result.landing_url if sent.is_from_here else None,
            "warrantable_products": attempt.result.warrantable_products,
            "already_known": attempt.result.already_known,
        }
    elif attempt.failure is not None:
        words = guidance(attempt.failure)
        result["words"] = " ".join([words.happened, *attempt.failure.service_words])
    if sent.problem:
        result["words"] = str(sent.problem)
    return Changed(number=sent.order.number, state=_STATES[attempt.state], result=result)
