"""The use cases of the counter: permission, intent on disk, send, outcome on disk.

Whatever the service does, each write ends as an `Attempt` that says what is known; only what stands on our side
(a role, the journal) is raised, and then nothing was sent.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import datetime, timedelta, tzinfo
from functools import partial
from typing import Any, Final
from uuid import uuid4

from warranty.access import Operator, Permission
from warranty.client import WarrantyClient
from warranty.client.resources import Checkout, Order, PurchaseWarranties, Sale
from warranty.database.preferences import Preference
from warranty.database.schema import JournalFacts, journal_facts
from warranty.desk.item_lines import sent_lines
from warranty.desk.journal import (
    FOUND_BY_READING,
    LOOKED_UP,
    Attempt,
    AttemptFilter,
    AttemptState,
    Batches,
    Drafts,
    Intent,
    ItemLine,
    Journal,
    LinkShown,
    Outcome,
    Queue,
    Result,
    Settlement,
)
from warranty.desk.journal.shift_report import ShiftReport, shift_report
from warranty.desk.plans_recorded import plans_recorded
from warranty.desk.sale_lookup import Doubt, LookUp, Verdict, found_by_reading, sale_of
from warranty.desk.scrubbing import without_customer
from warranty.desk.second_sending import DataErased, customer_of, standing_against
from warranty.desk.sending import OPERATIONS, PERMISSIONS, Resource, Sender, body_of
from warranty.desk.taking_away import TakenAway, told_filter, told_settlement
from warranty.desk.unwritten import UnwrittenOutcomes
from warranty.errors import JournalUnavailable, WarrantyError
from warranty.insight.history.time_notes import TimeNote, TimeNotes
from warranty.insight.outlook.diary import ForecastDiary
from warranty.insight.plans.plans_sold import KeptPlans
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
        self._journal = journal
        self._environment = environment
        self._late = late
        self._unwritten = UnwrittenOutcomes(journal)
        self.sender = Sender(client, journal, self._unwritten, margin=margin, landing_page=landing_page)

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
        now = self._journal.now()
        intent = Intent(
            attempt_id=uuid4().hex,
            draft_id=draft_id,
            operation=operation,
            username=operator.username,
            operator_name=operator.name,
            screen=screen,
            environment=self._environment,
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
        others = [one for one in self.order_timeline(operator, resource.id) if one.draft_id != draft_id]
        return standing_against(OPERATIONS[type(resource)], lines, others[::-1])

    def _lines(self, resource: Resource, given: Sequence[ItemLine]) -> tuple[ItemLine, ...]:
        order = partial(self._journal.delivered_order, self._environment)
        return sent_lines(resource, given=given, order=order)

    def send_order_again(self, operator: Operator, attempt_id: str, *, unasked: bool = False) -> Attempt:
        """Send an unknown order once more, which the interface makes harmless; anything else stays as it is.

        `unasked`: nobody asked for it, so it is one call, and only where the budget of repeats has one left. Raises
        `PermissionDenied`, `KeyError`, `ValueError` for no order, `DataErased`, `JournalUnavailable`: nothing was sent.
        """
        body = self._journal.body_of(attempt_id)
        attempt = self._to_settle(operator, attempt_id)
        if attempt.operation != "submit_order":
            raise ValueError("only an order may be sent again: a sale or a checkout could act twice")
        if attempt.state is not AttemptState.UNKNOWN:
            return attempt
        if body is None:
            raise DataErased
        order = Order.model_validate(body)
        return (self.sender.repeat_unasked if unasked else self.sender.repeat)(attempt, order)

    @property
    def can_look_up(self) -> bool:
        """Whether the settings name the read that shows what an order carries."""
        return self._client.has("purchase_warranties")

    def look_up_sale(self, operator: Operator, attempt_id: str) -> LookUp:
        """Look whether an unknown sale was recorded (GET /api/purchase-warranties); settle it if that is clear.

        Also a sale recorded by a person's word alone: it is only ever confirmed. Nothing changes when it is not clear.
        Raises `SettingsProblem` where the settings name no path for it, `ValueError` when the attempt is no sale, and
        else as `send_order_again`.
        """
        body = self._journal.body_of(attempt_id)
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
        doubt = Doubt(sale, attempt, self.order_timeline(operator, attempt.order_id))
        if not doubt.is_alone:
            return LookUp(Verdict.UNCLEAR, attempt)
        try:
            carried = self._client.purchase_warranties(attempt.order_id)
        except WarrantyError as error:
            return LookUp(Verdict.UNCLEAR, attempt, without_customer(error.failure, body or {}))
        # Settled as not recorded while a slow service could still record it, it would be sold twice.
        is_late = self._journal.now() >= (attempt.finished_at or attempt.deadline) + self._late
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
        story = self.order_timeline(operator, order_id) if operator.may(Permission.RECORD_SALES) else []
        if found := found_by_reading(story, carried, self._journal):
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
        the settlement that this one takes the place of, if it is still the newest word; both stay on record. `drops`
        as in `drop`. Others' entries take a right of their own. Raises `PermissionDenied`, `KeyError` when there is no
        such attempt, and `JournalUnavailable`.
        """
        attempt = self._to_settle(operator, attempt_id)
        if drops and not attempt.state.nothing_written:
            return attempt
        word = {"recorded": recorded, "note": without_addresses(note), "drops": drops}
        return self._settled(operator, attempt, returned_id, corrects=corrects, **word)

    def _settled(
        self, by: Operator, attempt: Attempt, number: str | None, *, corrects: Settlement | None, **word: Any
    ) -> Attempt:
        now = self._journal.now()
        settlement = Settlement(username=by.username, operator_name=by.name, settled_at=now, **word)
        noting = self.audit.noting(AuditKind.SETTLEMENT, by, **told_settlement(attempt, settlement))
        state = attempt.state if settlement.drops else AttemptState.NOT_SENT
        outcome = Outcome(
            state=AttemptState.DONE if settlement.recorded else state,
            recorded_at=now,
            result=Result(returned_id=number),
            failure=None if settlement.recorded else attempt.failure,
            settled=settlement,
        )
        settled, _ = self._journal.advance(attempt.attempt_id, outcome, corrects=corrects, noting=noting)
        noting.tell()
        return self._unwritten.applied_to(settled)

    def drop(self, operator: Operator, attempt_id: str, *, note: str = "") -> Attempt:
        """Write down that an attempt that wrote nothing is not needed any more, and erase its draft.

        Anything else stays as it is, one that was sent again since too. Who may, and what is raised, as in `settle`.
        """
        return self.settle(operator, attempt_id, recorded=False, note=note, drops=True)

    def hand_out_link(self, operator: Operator, attempt_id: str) -> Attempt:
        """Promise the link of an order that is not answered yet. Who may, and what is raised, as in `settle`."""
        return self.sender.hand_out(self._to_settle(operator, attempt_id))

    def saw_to(self, operator: Operator, attempt_id: str) -> None:
        """Write down that a person has seen to an order that came back. Who may, and what is raised, as in `settle`."""
        self._to_settle(operator, attempt_id)
        self._journal.seen_to(attempt_id)

    def drafts(self, operator: Operator, screen: str) -> Drafts:
        """The person's drafts of a screen that sends. Raises `PermissionDenied`."""
        operator.require(PERMISSIONS[screen])
        return self._journal.drafts(self._environment, operator.username, screen, at=operator.at)

    def claim_views(self, operator: Operator) -> Preference:
        """The views of claims that the person saved. Raises `PermissionDenied`."""
        operator.require(Permission.READ_CLAIMS)
        return Preference(self._journal.database, operator.username, f"claims-views.{self._environment}")

    def time_notes(self, operator: Operator) -> list[TimeNote] | None:
        """The notes on days, for whoever sees charts of claims; None where the journal does not answer.

        Charts are drawn without them then, and say so. Raises `PermissionDenied`.
        """
        operator.require(Permission.READ_CLAIMS)
        try:
            return TimeNotes(self._journal.database, self._environment).all()
        except JournalUnavailable:
            return None

    def write_note(self, operator: Operator, note: TimeNote) -> None:
        """Add a note on days; one with an id replaces that one. Raises `PermissionDenied`, `JournalUnavailable`."""
        operator.acts(Permission.WRITE_NOTES)
        notes = TimeNotes(self._journal.database, self._environment)
        notes.write(note, username=operator.username, operator_name=operator.name)

    def remove_note(self, operator: Operator, note_id: str) -> None:
        """Delete a note, whoever wrote it. Raises `PermissionDenied`, `JournalUnavailable`."""
        operator.acts(Permission.WRITE_NOTES)
        TimeNotes(self._journal.database, self._environment).remove(note_id)

    def plans_sold(self, operator: Operator) -> KeptPlans:
        """The plans sold, for whoever sees trends; taking over a file asks once more. Raises `PermissionDenied`."""
        operator.require(Permission.SEE_TRENDS)
        recorded_here = partial(plans_recorded, self._journal, self._environment)
        return KeptPlans(self._journal.database, self._environment, operator, self.audit, recorded_here)

    def forecast_diary(self, operator: Operator) -> ForecastDiary:
        """What was foretold, and what came. Raises `PermissionDenied`."""
        operator.require(Permission.SEE_TRENDS)
        return ForecastDiary(self._journal.database, self._environment)

    def import_columns(self, operator: Operator, layout: str) -> Preference:
        """The columns that the person chose for files of this layout. Raises `PermissionDenied`."""
        operator.require(Permission.IMPORT_ORDERS)
        return Preference(self._journal.database, operator.username, f"import-columns.{layout}")

    def attempt_of(self, operator: Operator, draft_id: str) -> Attempt | None:
        """The newest attempt of a draft; None for one that was never sent. Who sees what as in `attempts`."""
        return self._read(operator, lambda: self._journal.attempt_of(self._environment, draft_id))

    def attempt(self, operator: Operator, attempt_id: str) -> Attempt | None:
        """One attempt of this environment; who sees what as in `attempts`."""
        return self._read(operator, lambda: self._journal.attempt(self._environment, attempt_id))

    def attempts(self, operator: Operator, asked: AttemptFilter) -> list[Attempt]:
        """The activity: staff see their own, managers all. Raises `PermissionDenied`."""
        visible = _visible_to(operator, asked)
        self._unwritten.write_all()
        return [self._unwritten.applied_to(attempt) for attempt in self._journal.attempts(self._environment, visible)]

    def count_attempts(self, operator: Operator, asked: AttemptFilter) -> int:
        """How many there are, whatever the filter's limit; who sees what as in `attempts`."""
        return self._journal.count(self._environment, _visible_to(operator, asked))

    def queue(self, operator: Operator) -> Queue:
        """The orders that wait for the service, whoever sent them."""
        operator.require(Permission.SEE_OWN_ACTIVITY)
        return self._journal.queue(self._environment)

    def shift_report(
        self, operator: Operator, start: datetime | None, end: datetime | None, *, zone: tzinfo
    ) -> ShiftReport | None:
        """What was done from `start` to before `end`, added up; None for nothing. Raises `PermissionDenied`."""
        operator.require(Permission.SEE_SHIFT_REPORT)
        attempts = self.attempts(operator, AttemptFilter(start=start, end=end, limit=None))
        links = self._journal.links.between(self._environment, start, end)
        if not attempts and not links:
            return None
        redone = self._journal.corrected(self._environment, attempts)
        return shift_report(attempts, links, redone=redone, zone=zone)

    def recent_orders(self, operator: Operator, text: str = "", limit: int = 20) -> list[Attempt]:
        """Orders of this desk that the service has, newest first, each once, whoever sent them."""
        operator.require(Permission.RECORD_SALES)
        return self._journal.delivered_orders(self._environment, text=text, limit=limit)

    def order(self, operator: Operator, order_id: str) -> Attempt | None:
        """The order of exactly this id with its lines, if the service has it from this desk, whoever sent it."""
        operator.require(Permission.RECORD_SALES)
        return self._journal.delivered_order(self._environment, order_id)

    def order_timeline(self, operator: Operator, order_id: str) -> list[Attempt]:
        """Everything done about the order of exactly this id, oldest first, whoever did it."""
        operator.require(Permission.SEE_OWN_ACTIVITY)
        self._unwritten.write_all()
        found = self._journal.attempts(self._environment, AttemptFilter(order_id=order_id, limit=None))
        return [self._unwritten.applied_to(attempt) for attempt in reversed(found)]

    def corrected(self, operator: Operator, attempts: Sequence[Attempt]) -> frozenset[str]:
        """The ids of those whose draft was sent again since, for the same order."""
        operator.require(Permission.SEE_OWN_ACTIVITY)
        return self._journal.corrected(self._environment, attempts)

    def settlements(self, operator: Operator, attempts: Sequence[Attempt]) -> dict[str, list[Outcome]]:
        """Every settlement of these by their ids, oldest first, corrected ones too."""
        operator.require(Permission.SEE_OWN_ACTIVITY)
        return self._journal.settlements(attempts)

    def attempts_to_export(self, operator: Operator, asked: AttemptFilter) -> list[Attempt]:
        """The activity for a file to take away. Raises `PermissionDenied`."""
        operator.acts(Permission.EXPORT_ACTIVITY)
        found = self.attempts(operator, asked)
        self.take_away(operator, TakenAway.ACTIVITY, count=len(found), told_of=told_filter(asked))
        return found

    def take_away(self, operator: Operator, what: TakenAway, *, count: int, told_of: str = "") -> None:
        """Write down that a file of this many rows goes out, `told_of` in words; no row, no file. As `acts` raises."""
        operator.acts(what.permission)
        self.audit.note(AuditKind.EXPORT, operator, what=what.words, count=count, filter=told_of)

    def note_look_up(self, operator: Operator, email: str) -> None:
        """Write down that a person looks up a customer's claims, before they are shown: whose, by a keyed hash."""
        operator.require(Permission.READ_CLAIMS)
        self.audit.note(AuditKind.LOOKED_UP, operator, customer=self.audit.subject(email))

    def note_link(self, operator: Operator, attempt_id: str) -> None:
        """Write down that this person has the link of this attempt's order, once for each person and order."""
        operator.require(Permission.SUBMIT_ORDERS)
        self._journal.links.note(attempt_id, username=operator.username, operator_name=operator.name)

    def links_of_order(self, operator: Operator, order_id: str) -> list[LinkShown]:
        """Who has shown the link of the order of exactly this id, oldest first."""
        operator.require(Permission.SEE_OWN_ACTIVITY)
        return self._journal.links.of_order(self._environment, order_id)

    def imports(self, operator: Operator) -> Batches:
        """The person's imports of orders. Raises `PermissionDenied`."""
        operator.require(Permission.IMPORT_ORDERS)
        return self._journal.batches(self._environment, operator.username, at=operator.at)

    def journal_facts(self, operator: Operator) -> JournalFacts:
        """Which database the journal is, and how it stands. Raises `PermissionDenied`."""
        operator.require(Permission.CHECK_CONNECTION)
        return journal_facts(self._journal.database)

    def _to_settle(self, operator: Operator, attempt_id: str) -> Attempt:
        """An attempt that this person may settle: their own, or any for who settles others'; and they might send it."""
        attempt = self.attempt(operator, attempt_id)
        if attempt is None:
            raise KeyError(attempt_id)
        if attempt.username != operator.username:
            operator.acts(Permission.SETTLE_OTHERS)
        operator.acts(PERMISSIONS[attempt.operation])
        return attempt

    def _read(self, operator: Operator, read: Callable[[], Attempt | None]) -> Attempt | None:
        """What was read, if this person may see it: their own, or any for who sees all."""
        operator.require(Permission.SEE_OWN_ACTIVITY)
        self._unwritten.write_all()
        attempt = read()
        if attempt is None:
            return None
        if attempt.username != operator.username:
            operator.require(Permission.SEE_ALL_ACTIVITY)
        return self._unwritten.applied_to(attempt)


def _visible_to(operator: Operator, asked: AttemptFilter) -> AttemptFilter:
    if operator.may(Permission.SEE_ALL_ACTIVITY):
        return asked
    operator.require(Permission.SEE_OWN_ACTIVITY)
    if asked.username not in (None, operator.username):
        operator.require(Permission.SEE_ALL_ACTIVITY)
    return replace(asked, username=operator.username)
