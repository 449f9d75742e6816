"""The use cases of the counter: permission, intent on disk, send, outcome on disk.

Whatever the service does, each write ends as an `Attempt` that says what is known; only what stands on our side
(a role, the journal) is raised, and then nothing was sent.
"""

from collections.abc import Callable, Collection, Sequence
from datetime import timedelta
from functools import partial
from typing import Any, Final
from uuid import uuid4

from warranty.access import Operator, Permission
from warranty.client import WarrantyClient
from warranty.client.resources import Checkout, Order, PurchaseWarranties, Sale
from warranty.database.preferences import Preference
from warranty.database.schema import JournalFacts, journal_facts
from warranty.desk.activity import Activity, order_of
from warranty.desk.item_lines import sent_lines
from warranty.desk.journal import (
    FOUND_BY_READING,
    LOOKED_UP,
    Attempt,
    AttemptState,
    Batches,
    Drafts,
    Intent,
    ItemLine,
    Journal,
    Outcome,
    Result,
    Settlement,
)
from warranty.desk.sale_lookup import Doubt, LookUp, Verdict, found_by_reading, sale_of
from warranty.desk.scrubbing import without_customer
from warranty.desk.second_sending import DataErased, customer_of, standing_against
from warranty.desk.sending import OPERATIONS, PERMISSIONS, Resource, Sender, UnwrittenOutcomes, body_of
from warranty.desk.taking_away import describe_settlement
from warranty.errors import WarrantyError
from warranty.people.audit import AuditKind, AuditTrail
from warranty.places.people_in_text import without_addresses

MARGIN: Final = timedelta(seconds=30)
"""Beyond the longest a call takes: finding the host's address, and clocks of two machines that differ."""
LATE: Final = timedelta(minutes=2)
"""How long after silence a service may still record a sale: before, an order that lacks it proves nothing."""


class Desk:
    """The counter of one environment; safe to share between threads and sessions."""

    def __init__(
        self,
        *,
        client: WarrantyClient,
        journal: Journal,
        environment: str,
        margin: timedelta = MARGIN,
        late: timedelta = LATE,
        landing_page: Callable[[str], str] | None = None,
        audit: AuditTrail | None = None,
    ) -> None:
        """Take the client and the journal; `margin` and `landing_page` are as in `Sender`."""
        self.audit = audit or AuditTrail(journal.database, environment)
        self._client = client
        self.can_look_up = client.has("purchase_warranties")
        self.journal = journal
        self.now = journal.database.clock
        self.environment = environment
        self._late = late
        self._unwritten = UnwrittenOutcomes(journal)
        self.activity = Activity(journal, environment, self._unwritten, self.audit)
        self.sender = Sender(client, journal, self._unwritten, margin, landing_page)

    def send(
        self,
        operator: Operator,
        resource: Resource,
        *,
        draft_id: str,
        screen: str,
        items: Sequence[ItemLine] = (),
        corrects: str | None = None,
        acknowledged: Collection[str] = (),
    ) -> Attempt:
        """Submit an order, record a sale or notify of a checkout, once for this draft.

        `items` describe the lines of a sale or a checkout one by one (title, price, type); where they are not given,
        the order's lines in the journal do. `corrects` is the id of the attempt of this draft that wrote nothing and
        that this sending corrects; without it a draft that has an attempt is not sent, whatever became of it.
        `acknowledged` are the attempts that the person was asked about (`sent_before`).

        Raises `PermissionDenied`, `JournalUnavailable`, and `EarlierSending` where the order id was sent with other
        items or for another customer, or where something stands against it that is not acknowledged; then nothing
        was sent.
        """
        operation = OPERATIONS[type(resource)]
        operator.acts(PERMISSIONS[operation])
        now = self.now()
        intent = Intent(
            attempt_id=uuid4().hex,
            draft_id=draft_id,
            operation=operation,
            username=operator.username,
            operator_name=operator.name,
            screen=screen,
            environment=self.environment,
            order_id=resource.order_id if isinstance(resource, Order) else resource.id,
            started_at=now,
            deadline=now + self.sender.patience(operation, once=self.sender.may_wait(operation, screen)),
            items=self._lines(resource, items),
            body=body_of(resource),
            customer=customer_of(resource),
            acknowledged=tuple(acknowledged),
            at=operator.at,
        )
        return self.sender.send(intent, resource, corrects=corrects)

    def sent_before(
        self, operator: Operator, resource: Sale | Checkout, *, draft_id: str, items: Sequence[ItemLine]
    ) -> list[Attempt]:
        """What a person is to be asked about before this is sent, newest first; decided once more when it is sent."""
        lines = self._lines(resource, items)
        others = [one for one in self.activity.order_timeline(operator, resource.id) if one.draft_id != draft_id]
        return standing_against(OPERATIONS[type(resource)], lines, others[::-1])

    def _lines(self, resource: Resource, given: Sequence[ItemLine]) -> tuple[ItemLine, ...]:
        return sent_lines(resource, given=given, order=partial(order_of, self.journal, self.environment))

    def send_order_again(self, operator: Operator, attempt_id: str, *, unasked: bool = False) -> Attempt:
        """Send an unknown order once more, which the interface makes harmless; anything else stays as it is.

        `unasked`: nobody asked for it, so it is one call, and only where the budget of repeats has one left. Raises
        `PermissionDenied`, `KeyError`, `ValueError` for no order, `DataErased`, `JournalUnavailable`: nothing was sent.
        """
        body = self.journal.body_of(attempt_id)
        attempt = self._to_settle(operator, attempt_id)
        if attempt.operation != "submit_order":
            raise ValueError("only an order may be sent again: a sale or a checkout could act twice")
        if attempt.state is not AttemptState.UNKNOWN:
            return attempt
        if body is None:
            raise DataErased
        order = Order.model_validate(body)
        return (self.sender.repeat_unasked if unasked else self.sender.repeat)(attempt, order)

    def look_up_sale(self, operator: Operator, attempt_id: str) -> LookUp:
        """Look whether an unknown sale was recorded (GET /api/purchase-warranties); settle it if that is clear.

        Also a sale recorded by a person's word alone: it is only ever confirmed. Nothing changes when it is not clear.
        Raises `SettingsProblem` where the settings name no path for it, `ValueError` when the attempt is no sale, and
        else as `send_order_again`.
        """
        body = self.journal.body_of(attempt_id)
        attempt = self._to_settle(operator, attempt_id)
        if attempt.operation != "record_sale":
            raise ValueError("only a sale can be looked up")
        is_hearsay = attempt.settled is not None and attempt.settled.is_hearsay
        if attempt.state is not AttemptState.UNKNOWN and not is_hearsay:
            known = Verdict.NOT_RECORDED if attempt.state.nothing_written else Verdict.UNCLEAR
            return LookUp(Verdict.RECORDED if attempt.state is AttemptState.DONE else known, attempt)
        if body is None and not is_hearsay:
            raise DataErased
        sale = sale_of(attempt.order_id, attempt.items) if body is None else Sale.model_validate(body)
        if sale is None:
            return LookUp(Verdict.UNCLEAR, attempt)
        doubt = Doubt(sale, attempt, self.activity.order_timeline(operator, attempt.order_id))
        if not doubt.is_alone:
            return LookUp(Verdict.UNCLEAR, attempt)
        try:
            carried = self._client.purchase_warranties(attempt.order_id)
        except WarrantyError as error:
            return LookUp(Verdict.UNCLEAR, attempt, without_customer(error.failure, body or {}))
        # Settled as not recorded while a slow service could still record it, it would be sold twice.
        is_late = self.now() >= (attempt.finished_at or attempt.deadline) + self._late
        found = doubt.verdict(carried, is_late=is_late)
        if found in {Verdict.UNCLEAR, Verdict.TOO_EARLY}:
            return LookUp(found, attempt)
        recorded = found is Verdict.RECORDED
        number = doubt.number(carried) or attempt.result.returned_id if recorded else None
        word = {"recorded": recorded, "note": LOOKED_UP, "seen": True}
        return LookUp(found, self._settled(operator, attempt, number, corrects=attempt.settled, **word))

    def plans_of(self, operator: Operator, order_id: str) -> PurchaseWarranties:
        """What an order can buy and carries; an unknown sale that came to it since it was sent is settled by that.

        Whoever reads: it is the service's word, no person's. Raises as the client does, and `JournalUnavailable`.
        """
        carried = self._client.purchase_warranties(order_id)
        story = self.activity.order_timeline(operator, order_id) if operator.may(Permission.RECORD_SALES) else []
        if found := found_by_reading(story, carried, self.journal):
            word = {"recorded": True, "note": FOUND_BY_READING, "seen": True}
            self._settled(operator, found.attempt, found.number(carried), corrects=None, **word)
        return carried

    def settle(
        self,
        operator: Operator,
        attempt_id: str,
        *,
        recorded: bool,
        note: str,
        returned_id: str | None = None,
        corrects: Settlement | None = None,
        drops: bool = False,
    ) -> Attempt:
        """Write down what was found out about an unknown attempt; anything else stays as it is.

        Recorded, the attempt is done and its draft erased; not recorded, the draft may be sent again. `corrects` is
        the settlement that this one takes the place of, if it is still the newest word; both stay on record. `drops`:
        an attempt that wrote nothing is not needed any more, and its draft is erased; one that was sent again since
        stays as it is. Others' entries take a right of their own. Raises `PermissionDenied`, `KeyError` when there is
        no such attempt, and `JournalUnavailable`.
        """
        attempt = self._to_settle(operator, attempt_id)
        if drops and not attempt.state.nothing_written:
            return attempt
        word = {"recorded": recorded, "note": without_addresses(note), "drops": drops}
        return self._settled(operator, attempt, returned_id, corrects=corrects, **word)

    def _settled(
        self, by: Operator, attempt: Attempt, number: str | None, *, corrects: Settlement | None, **word: Any
    ) -> Attempt:
        now = self.now()
        settlement = Settlement(username=by.username, operator_name=by.name, settled_at=now, **word)
        noting = self.audit.noting(AuditKind.SETTLEMENT, by, **describe_settlement(attempt, settlement))
        state = attempt.state if settlement.drops else AttemptState.NOT_SENT
        outcome = Outcome(
            state=AttemptState.DONE if settlement.recorded else state,
            recorded_at=now,
            result=Result(returned_id=number),
            failure=None if settlement.recorded else attempt.failure,
            settled=settlement,
        )
        settled, _ = self.journal.advance(attempt.attempt_id, outcome, corrects=corrects, noting=noting)
        noting.tell()
        return self._unwritten.applied_to(settled)

    def hand_out_link(self, operator: Operator, attempt_id: str) -> Attempt:
        """Promise the link of an order that is not answered yet. Who may, and what is raised, as in `settle`."""
        return self.sender.hand_out(self._to_settle(operator, attempt_id))

    def saw_to(self, operator: Operator, attempt_id: str) -> None:
        """Write down that a person has seen to an order that came back. Who may, and what is raised, as in `settle`."""
        self._to_settle(operator, attempt_id)
        self.journal.seen_to(attempt_id)

    def drafts(self, operator: Operator, screen: str) -> Drafts:
        """The person's drafts of a screen that sends. Raises `PermissionDenied`."""
        operator.require(PERMISSIONS[screen])
        return Drafts(self.journal.database, self.environment, operator.username, screen, at=operator.at)

    def preference(self, operator: Operator, name: str, *, may: Permission | None = None) -> Preference:
        """What the person chose for themselves under a name, for who `may`. Raises `PermissionDenied`."""
        if may is not None:
            operator.require(may)
        return Preference(self.journal.database, operator.username, name)

    def imports(self, operator: Operator) -> Batches:
        """The person's imports of orders. Raises `PermissionDenied`."""
        operator.require(Permission.IMPORT_ORDERS)
        return Batches(self.journal.database, self.environment, operator.username, at=operator.at)

    def journal_facts(self, operator: Operator) -> JournalFacts:
        """Which database the journal is, and how it stands. Raises `PermissionDenied`."""
        operator.require(Permission.CHECK_CONNECTION)
        return journal_facts(self.journal.database)

    def _to_settle(self, operator: Operator, attempt_id: str) -> Attempt:
        """An attempt that this person may settle: their own, or any for who settles others'; and they might send it."""
        attempt = self.activity.attempt(operator, attempt_id)
        if attempt is None:
            raise KeyError(attempt_id)
        if attempt.username != operator.username:
            operator.acts(Permission.SETTLE_OTHERS)
        operator.acts(PERMISSIONS[attempt.operation])
        return attempt
