"""Intent on disk, send, outcome on disk: the one path that every write takes."""

import logging
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, Final

from warranty.access import Permission
from warranty.client import WarrantyClient
from warranty.client.resources import Checkout, CheckoutReceipt, Order, OrderReceipt, Sale, SaleReceipt
from warranty.desk.journal import Attempt, AttemptState, Intent, Journal, Operation, Outcome, Result
from warranty.desk.scrubbing import without_customer
from warranty.desk.second_sending import refuse_unasked
from warranty.errors import (
    BillingAddressMissing,
    CredentialRefused,
    Failure,
    JournalUnavailable,
    NotSent,
    RequestRefused,
    WarrantyError,
)

Resource = Order | Sale | Checkout
Receipt = OrderReceipt | SaleReceipt | CheckoutReceipt

OPERATIONS: Final[Mapping[type, Operation]] = {Order: "submit_order", Sale: "record_sale", Checkout: "notify_checkout"}
PERMISSIONS: Final[Mapping[str, Permission]] = {
    "submit_order": Permission.SUBMIT_ORDERS,
    "record_sale": Permission.RECORD_SALES,
    "notify_checkout": Permission.NOTIFY_CHECKOUTS,
}
_log: Final = logging.getLogger("warranty.desk")


class UnwrittenOutcomes:
    """Outcomes that this process knows and could not write down: in memory, and written when that works again.

    They are lost with it, and then the attempts read as unknown.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._lock = threading.Lock()
        self._unwritten: dict[str, Outcome] = {}

    def write(self, attempt: Attempt, outcome: Outcome) -> Attempt:
        """Write an outcome, or keep it; gives the attempt as it truly is, flagged when it is not journalled."""
        try:
            return self._journal.conclude(attempt.attempt_id, outcome)
        except JournalUnavailable:
            self.keep(attempt.attempt_id, outcome)
        _log.error("attempt %s ended as %s and is not journalled yet", attempt.attempt_id, outcome.state)
        return replace(outcome.applied_to(attempt), journalled=False)

    def keep(self, attempt_id: str, outcome: Outcome) -> None:
        """Keep an outcome to write later."""
        with self._lock:
            self._unwritten[attempt_id] = outcome

    def write_all(self) -> None:
        """Write what is kept, as far as the journal takes it now."""
        with self._lock:
            pending = dict(self._unwritten)
        for attempt_id, outcome in pending.items():
            try:
                self._journal.conclude(attempt_id, outcome)
            except JournalUnavailable:
                return
            except KeyError:
                pass  # its intent never reached the journal either, so nothing is left open
            with self._lock:
                self._unwritten.pop(attempt_id, None)

    def applied_to(self, attempt: Attempt) -> Attempt:
        """The attempt with what this process knows and the journal does not."""
        with self._lock:
            outcome = self._unwritten.get(attempt.attempt_id)
        if outcome is None or not attempt.state.is_open:
            return attempt
        return replace(outcome.applied_to(attempt), journalled=False)


@dataclass(eq=False)
class Sender:
    """Makes the calls of a desk's writes.

    `_margin` comes on top of the longest that a call takes. `_landing_page` builds the address of the landing page of
    an order id: where it is known, an order of the counter that the service could not take waits, and is sent by
    itself.
    """

    _client: WarrantyClient
    _journal: Journal
    _unwritten: UnwrittenOutcomes
    _margin: timedelta
    _landing_page: Callable[[str], str] | None

    def reaches(self) -> bool:
        """Whether the service can be reached now; makes no call."""
        return self._client.reaches()

    def patience(self, operation: Operation, *, once: bool = False) -> timedelta:
        """How long a call may take before its silence counts."""
        return self._client.longest_call(operation, once=once) + self._margin

    def may_wait(self, operation: str, screen: str) -> bool:
        """Whether what the service cannot take waits here; an import waits as a whole, and by itself."""
        return self._landing_page is not None and operation == screen == "submit_order"

    def send(self, intent: Intent, resource: Resource, *, corrects: str | None) -> Attempt:
        """Do what is intended, if nothing stands against sending its draft; gives its attempt, or the one before it.

        An order that may wait is tried once, as its customer stands there, and not at all while others wait: it takes
        its place behind them. Raises `JournalUnavailable`, and `EarlierSending` where something of the order stands
        against it; then nothing was sent.
        """
        self._unwritten.write_all()
        link = self._link(intent)
        waits = link is not None and self._journal.queue(intent.environment).length > 0
        try:
            begun = self._journal.begin(intent, corrects=corrects, check=refuse_unasked)
        except JournalUnavailable:
            # A connection that breaks while it commits leaves open whether the intent is there. Nothing was sent.
            self._unwritten.keep(intent.attempt_id, self._outcome(AttemptState.NOT_SENT))
            raise
        if not begun.may_send:
            return self._unwritten.applied_to(begun.attempt)
        if waits:
            self._client.retry_budget.forgo()
            queued = self._outcome(AttemptState.QUEUED, result=Result(landing_url=link))
            return self._unwritten.write(begun.attempt, queued)
        return self._concluded(begun.attempt, resource, once=link is not None)

    def hand_out(self, attempt: Attempt) -> Attempt:
        """Promise the link of an order of the counter that nobody has answered yet: it is sent by itself if need be.

        Gives the attempt as it then is; one that may not wait stays as it was. Raises `JournalUnavailable`.
        """
        link = self._link(attempt)
        return attempt if link is None else self._journal.promise(attempt.attempt_id, link)

    def repeat(self, attempt: Attempt, order: Order, *, once: bool = False) -> Attempt:
        """Send an order that waits or is unknown once more, if it still is; gives the attempt as it then is.

        `once`: as one call, which the client does not repeat. Raises `JournalUnavailable`; then nothing was sent.
        """
        tried = attempt.failure
        after_silence = attempt.state is AttemptState.UNKNOWN or bool(tried and not tried.nothing_written)
        deadline = self._journal.database.clock() + self.patience("submit_order", once=once)
        under_way = self._outcome(AttemptState.SENDING, deadline=deadline, result=attempt.result)
        repeating, mine = self._journal.advance(attempt.attempt_id, under_way)
        if not mine:
            return self._unwritten.applied_to(repeating)
        return self._concluded(repeating, order, once=once, after_silence=after_silence)

    def repeat_unasked(self, attempt: Attempt, order: Order) -> Attempt:
        """Send it once more, as one call, if the budget of all repeats has that left; else it stays as it was."""
        silent = attempt.failure is None or attempt.failure.status is None
        if not self._client.retry_budget.spend(after_silence=silent):
            return attempt
        return self.repeat(attempt, order, once=True)

    def send_waiting(self, attempt: Attempt) -> Attempt:
        """Try an order that waits, once; one whose content is no longer kept is left to a person.

        Raises `JournalUnavailable`; then nothing was sent.
        """
        body = self._journal.body_of(attempt.attempt_id)
        if body is not None:
            return self.repeat(attempt, Order.model_validate(body), once=True)
        lost = self._outcome(AttemptState.UNKNOWN, failure=_silence("DataErased", attempt))
        return self._journal.advance(attempt.attempt_id, lost)[0]

    def give_back(self, attempt: Attempt) -> Attempt:
        """Leave an order that waits to a person: it is tried no more by itself. Raises `JournalUnavailable`."""
        left = self._outcome(AttemptState.UNKNOWN, failure=attempt.failure, result=attempt.result)
        return self._journal.advance(attempt.attempt_id, left)[0]

    def _concluded(self, attempt: Attempt, resource: Resource, *, once: bool, after_silence: bool = False) -> Attempt:
        """Make the call and write down what became of it."""
        try:
            receipt = self._call(resource, attempt.attempt_id, once=once)
        except WarrantyError as error:
            outcome = self._after(error, self._newest(attempt), resource, after_silence=after_silence)
        except BaseException as stopped:
            failure = _silence(type(stopped).__name__, attempt)
            self._unwritten.write(attempt, self._outcome(AttemptState.UNKNOWN, failure=failure))
            raise
        else:
            outcome = self._outcome(AttemptState.DONE, result=_result(receipt, after_silence=after_silence))
        return self._unwritten.write(attempt, outcome)

    def _newest(self, attempt: Attempt) -> Attempt:
        """The attempt as it is now: while its call was out, its link may have been promised."""
        with suppress(JournalUnavailable):
            return self._journal.attempt(attempt.environment, attempt.attempt_id) or attempt
        return attempt

    def _call(self, resource: Resource, attempt_id: str, *, once: bool) -> Receipt:
        match resource:
            case Order():
                return self._client.submit_order(resource, attempt_id=attempt_id, once=once)
            case Sale():
                return self._client.record_sale(resource, attempt_id=attempt_id)
            case Checkout():
                return self._client.notify_checkout(resource, attempt_id=attempt_id)

    def _after(self, error: WarrantyError, attempt: Attempt, resource: Resource, *, after_silence: bool) -> Outcome:
        """What an ending that is no success says of the attempt."""
        failure = without_customer(error.failure, body_of(resource))
        link = self._link(attempt)
        if link is not None and _is_for_later(error, promised=attempt.is_promised):
            state = AttemptState.QUEUED
        else:
            state = _state_after_repeat(error) if after_silence else _state_after(error)
            link = attempt.result.landing_url if state is AttemptState.UNKNOWN else None
        if after_silence and state is not AttemptState.REFUSED and failure.nothing_written:
            # The repeat wrote nothing, which says nothing about the sending before it.
            failure = replace(failure, kind="OutcomeUnknown", nothing_written=False)
        return self._outcome(state, failure=failure, result=Result(landing_url=link))

    def _link(self, attempt: Attempt) -> str | None:
        """The link of an order that may wait for the service."""
        if self._landing_page is None or not self.may_wait(attempt.operation, attempt.screen):
            return attempt.result.landing_url
        return self._landing_page(attempt.order_id)

    def _outcome(self, state: AttemptState, **known: Any) -> Outcome:
        return Outcome(state=state, recorded_at=self._journal.database.clock(), **known)


def body_of(resource: Resource) -> dict[str, Any]:
    """Give what is sent, as the journal keeps it until it is settled."""
    return resource.model_dump(mode="json", by_alias=True, exclude_none=True)


def _silence(kind: str, attempt: Attempt) -> Failure:
    return Failure(kind, attempt.operation, attempt.attempt_id, status=None, nothing_written=False)


def _result(receipt: Receipt, *, after_silence: bool) -> Result:
    if not isinstance(receipt, OrderReceipt):
        return Result(returned_id=receipt.id)
    known: bool | None = receipt.already_known
    if known and (after_silence or receipt.after_silence):
        known = None  # the service may know it from this very attempt
    return Result(landing_url=receipt.url, warrantable_products=receipt.warrantable_products, already_known=known)


def _is_for_later(error: WarrantyError, *, promised: bool) -> bool:
    """Whether the order itself was not judged, so that it may be sent later; a repeat of it is harmless.

    A token that is refused concerns all orders: those whose links are handed out wait until it is put right. A status
    that the interface does not show is the word of something in between, as a gateway's 403 or its page for 404.
    """
    if isinstance(error, CredentialRefused):
        return promised
    return not isinstance(error, RequestRefused | BillingAddressMissing)


def _state_after(error: WarrantyError) -> AttemptState:
    if not error.nothing_written:
        return AttemptState.UNKNOWN
    return AttemptState.NOT_SENT if isinstance(error, NotSent) else AttemptState.REFUSED


def _state_after_repeat(error: WarrantyError) -> AttemptState:
    """A refusal of the order itself holds for the first sending, too; that a repeat did not arrive does not."""
    if isinstance(error, RequestRefused | BillingAddressMissing):
        return AttemptState.REFUSED
    return AttemptState.UNKNOWN
