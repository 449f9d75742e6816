"""Intent on disk, send, outcome on disk: the one path that every write takes."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from warranty.desk.scrubbing import without_customer
from warranty.desk.second_sending import refuse_unasked
from warranty.desk.unwritten import UnwrittenOutcomes
from warranty.errors import (
    BillingAddressMissing,
    Failure,
    JournalUnavailable,
    NotSent,
    RequestRefused,
    WarrantyError,
)
from warranty.journal import Attempt, AttemptState, Intent, Journal, Outcome
from warranty.resources import CheckoutReceipt, OrderReceipt, SaleReceipt

Receipt = OrderReceipt | SaleReceipt | CheckoutReceipt


class Sender:
    """Makes the calls of a desk's writes; `call` is given the attempt's id."""

    def __init__(self, journal: Journal, unwritten: UnwrittenOutcomes) -> None:
        self._journal = journal
        self._unwritten = unwritten

    def send(self, intent: Intent, call: Callable[[str], Receipt], *, corrects: str | None) -> Attempt:
        """Do what is intended, if nothing stands against sending its draft; gives its attempt, or the one before it.

        Raises `JournalUnavailable`, and `EarlierSending` where something of the order stands against it; then nothing
        was sent.
        """
        self._unwritten.write_all()
        try:
            begun = self._journal.begin(intent, corrects=corrects, check=refuse_unasked)
        except JournalUnavailable:
            # A connection that breaks while it commits leaves open whether the intent is there. Nothing was sent.
            self._unwritten.keep(intent.attempt_id, self._outcome(AttemptState.NOT_SENT))
            raise
        if not begun.may_send:
            return self._unwritten.applied_to(begun.attempt)
        return self._concluded(begun.attempt, intent.body, call)

    def repeat(
        self, attempt: Attempt, body: Mapping[str, Any], call: Callable[[str], Receipt], *, deadline: datetime
    ) -> Attempt:
        """Make the call of an unknown attempt once more, if it still is unknown; gives the attempt as it then is.

        Only for calls that are harmless twice. Raises `JournalUnavailable`; then nothing was sent.
        """
        under_way = self._outcome(AttemptState.SENDING, deadline=deadline)
        repeating, mine = self._journal.advance(attempt.attempt_id, under_way)
        if not mine:
            return self._unwritten.applied_to(repeating)
        return self._concluded(repeating, body, call, is_repeat=True)

    def _concluded(
        self,
        attempt: Attempt,
        body: Mapping[str, Any],
        call: Callable[[str], Receipt],
        *,
        is_repeat: bool = False,
    ) -> Attempt:
        """Make the call and write down what became of it."""
        try:
            receipt = call(attempt.attempt_id)
        except WarrantyError as error:
            state = _state_after_repeat(error) if is_repeat else _state_after(error)
            failure = without_customer(error.failure, body)
            if state is AttemptState.UNKNOWN and failure.nothing_written:
                # The repeat wrote nothing, which says nothing about the sending before it.
                failure = replace(failure, kind="OutcomeUnknown", nothing_written=False)
            outcome = self._outcome(state, failure=failure)
        except BaseException as stopped:
            failure = Failure(
                kind=type(stopped).__name__,
                operation=attempt.operation,
                attempt_id=attempt.attempt_id,
                status=None,
                nothing_written=False,
            )
            self._unwritten.write(attempt, self._outcome(AttemptState.UNKNOWN, failure=failure))
            raise
        else:
            outcome = self._outcome(AttemptState.DONE, **_known_from(receipt, is_repeat=is_repeat))
        return self._unwritten.write(attempt, outcome)

    def _outcome(self, state: AttemptState, **known: Any) -> Outcome:
        return Outcome(state=state, recorded_at=self._journal.now(), **known)


def _known_from(receipt: Receipt, *, is_repeat: bool) -> dict[str, Any]:
    if not isinstance(receipt, OrderReceipt):
        return {"returned_id": receipt.id}
    already_known: bool | None = receipt.already_known
    if already_known and (is_repeat or receipt.after_silence):
        already_known = None  # the service may know it from this very attempt
    return {
        "landing_url": receipt.url,
        "warrantable_products": receipt.warrantable_products,
        "already_known": already_known,
    }


def _state_after(error: WarrantyError) -> AttemptState:
    if not error.nothing_written:
        return AttemptState.UNKNOWN
    return AttemptState.NOT_SENT if isinstance(error, NotSent) else AttemptState.REFUSED


def _state_after_repeat(error: WarrantyError) -> AttemptState:
    """A refusal of the order itself holds for the first sending, too; that a repeat did not arrive does not."""
    if isinstance(error, RequestRefused | BillingAddressMissing):
        return AttemptState.REFUSED
    return AttemptState.UNKNOWN
