"""What this desk has sent and what became of it, for those who may see it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from itertools import chain
from typing import Any

from sqlalchemy import ColumnElement, Select

from warranty.access import Operator, Permission
from warranty.database.database import Database
from warranty.desk.journal import Attempt, AttemptFilter, Journal, LinkShown, Outcome, Queue, queries
from warranty.desk.journal.shift_report import ShiftReport, shift_report
from warranty.desk.journal.tables import ATTEMPTS, LINKS_SHOWN
from warranty.desk.sending import UnwrittenOutcomes
from warranty.desk.taking_away import TakenAway, describe_filter, take_away
from warranty.people.audit import AuditTrail


@dataclass(eq=False)
class Activity:
    """That of one environment; each method raises `PermissionDenied` and `JournalUnavailable`."""

    _journal: Journal
    _environment: str
    _unwritten: UnwrittenOutcomes
    _audit: AuditTrail

    def attempt_of(self, operator: Operator, draft_id: str) -> Attempt | None:
        """The newest attempt of a draft; None for one that was never sent. Who sees what as in `attempts`."""
        return self._visible(operator, ATTEMPTS.c.draft_id == draft_id)

    def attempt(self, operator: Operator, attempt_id: str) -> Attempt | None:
        """One attempt of this environment; who sees what as in `attempts`."""
        return self._visible(operator, ATTEMPTS.c.attempt_id == attempt_id)

    def attempts(self, operator: Operator, query: AttemptFilter) -> list[Attempt]:
        """The activity: staff see their own, managers all."""
        return self._found(_visible_to(operator, query))

    def count_attempts(self, operator: Operator, query: AttemptFilter) -> int:
        """How many there are, whatever the filter's limit; who sees what as in `attempts`."""
        return self._journal.count(self._environment, _visible_to(operator, query))

    def attempts_to_export(self, operator: Operator, query: AttemptFilter) -> list[Attempt]:
        """The activity for a file to take away."""
        operator.acts(Permission.EXPORT_ACTIVITY)
        found = self.attempts(operator, query)
        take_away(self._audit, operator, TakenAway.ACTIVITY, count=len(found), subset=describe_filter(query))
        return found

    def queue(self, operator: Operator) -> Queue:
        """The orders that wait for the service, whoever sent them."""
        operator.require(Permission.SEE_OWN_ACTIVITY)
        return self._journal.queue(self._environment)

    def shift_report(
        self, operator: Operator, start: datetime | None, end: datetime | None, *, zone: tzinfo
    ) -> ShiftReport | None:
        """What was done from `start` to before `end`, added up; None for nothing."""
        operator.require(Permission.SEE_SHIFT_REPORT)
        attempts = self.attempts(operator, AttemptFilter(start=start, end=end, limit=None))
        if not attempts:
            return None
        at = LINKS_SHOWN.c.declined_at
        such = [*([at >= start] if start else []), *([at < end] if end else [])]
        declined = self._journal.links.declined(self._environment, *such)
        return shift_report(attempts, redone=self.corrected(operator, attempts), declined=declined, zone=zone)

    def recent_orders(self, operator: Operator, text: str = "", limit: int = 20) -> list[Attempt]:
        """Orders of this desk that the service has, newest first, each once, whoever sent them.

        Without a text it is those of the counter, not of an imported file, and those without a plan come first.
        """
        operator.require(Permission.RECORD_SALES)
        now, found = self._journal.database.clock(), dict[str, Attempt]()
        with self._journal.database.read() as connection:
            statements = queries.recent_orders(self._environment, text=text)
            for row in chain.from_iterable(connection.execute(each).mappings() for each in statements):
                attempt = queries.attempt_from(row, now)
                found.setdefault(attempt.order_id, attempt)
                if len(found) == limit:
                    break
        return list(found.values())

    def with_plan(self, operator: Operator, orders: Sequence[Attempt]) -> frozenset[str]:
        """The ids of those of these orders for which this desk sold a plan."""
        operator.require(Permission.RECORD_SALES)
        with self._journal.database.read() as connection:
            return frozenset(connection.scalars(queries.with_plan([order.attempt_id for order in orders])))

    def unconfirmed(self, operator: Operator, orders: Sequence[Attempt]) -> frozenset[str]:
        """The ids of those of these orders with a sale or a checkout of which no answer is known."""
        operator.require(Permission.RECORD_SALES)
        ids, now = [order.order_id for order in orders], self._journal.database.clock()
        with self._journal.database.read() as connection:
            return frozenset(connection.scalars(queries.unconfirmed(self._environment, ids, now)))

    def declined(self, operator: Operator, orders: Sequence[Attempt]) -> frozenset[str]:
        """The ids of those of these orders whose customers declined the plan, by this desk's record."""
        operator.require(Permission.RECORD_SALES)
        ids = [order.order_id for order in orders]
        return self._journal.links.declined(self._environment, ATTEMPTS.c.order_id.in_(ids))

    def order(self, operator: Operator, order_id: str) -> Attempt | None:
        """The order of exactly this id with its lines, if the service has it from this desk, whoever sent it."""
        operator.require(Permission.RECORD_SALES)
        return order_of(self._journal, self._environment, order_id)

    def order_timeline(self, operator: Operator, order_id: str) -> list[Attempt]:
        """Everything done about the order of exactly this id, oldest first, whoever did it."""
        operator.require(Permission.SEE_OWN_ACTIVITY)
        return self._found(AttemptFilter(order_id=order_id, limit=None))[::-1]

    def corrected(self, operator: Operator, attempts: Sequence[Attempt]) -> frozenset[str]:
        """The ids of those whose draft was sent again since, for the same order."""
        operator.require(Permission.SEE_OWN_ACTIVITY)
        drafts = {attempt.draft_id for attempt in attempts if attempt.state.nothing_written}
        if not drafts:
            return frozenset()
        with self._journal.database.read() as connection:
            rows = connection.execute(queries.newest_revisions(self._environment, drafts))
            newest = {(draft, order): revision for draft, order, revision in rows}
        again = (one for one in attempts if newest.get((one.draft_id, one.order_id), 0) > one.revision)
        return frozenset(one.attempt_id for one in again)

    def settlements(self, operator: Operator, attempts: Sequence[Attempt]) -> dict[str, list[Outcome]]:
        """Every settlement of these by their ids, oldest first, corrected ones too."""
        operator.require(Permission.SEE_OWN_ACTIVITY)
        found: dict[str, list[Outcome]] = {}
        with self._journal.database.read() as connection:
            for row in connection.execute(queries.settlements([one.attempt_id for one in attempts])).mappings():
                found.setdefault(row["attempt_id"], []).append(queries.outcome_from(row))
        return found

    def note_link(self, operator: Operator, attempt_id: str) -> None:
        """Write down that this person has the link of this attempt's order, once for each person and order."""
        operator.require(Permission.SUBMIT_ORDERS)
        self._journal.links.note(attempt_id, username=operator.username, operator_name=operator.name)

    def decline(self, operator: Operator, order: Attempt, *, declined: bool) -> None:
        """Write down that the customer of an order declined the plan, once whatever is pressed; or take that back."""
        operator.acts(Permission.SUBMIT_ORDERS)
        links = self._journal.links
        links.note(order.attempt_id, username=operator.username, operator_name=operator.name)
        links.decline(self._environment, order.order_id, operator.username, declined=declined)

    def links_of_order(self, operator: Operator, order_id: str) -> list[LinkShown]:
        """Who has shown the link of the order of exactly this id, oldest first."""
        operator.require(Permission.SEE_OWN_ACTIVITY)
        return self._journal.links.of_order(self._environment, order_id)

    def _found(self, query: AttemptFilter) -> list[Attempt]:
        self._unwritten.write_all()
        return [self._unwritten.applied_to(attempt) for attempt in self._journal.attempts(self._environment, query)]

    def _visible(self, operator: Operator, which: ColumnElement[bool]) -> Attempt | None:
        """The newest of these, if this person may see it: their own, or any for who sees all."""
        operator.require(Permission.SEE_OWN_ACTIVITY)
        self._unwritten.write_all()
        found = queries.attempts_with_newest_outcome(self._environment).where(which)
        attempt = _first(self._journal.database, found.order_by(ATTEMPTS.c.revision.desc()))
        if attempt is None:
            return None
        if attempt.username != operator.username:
            operator.require(Permission.SEE_ALL_ACTIVITY)
        return self._unwritten.applied_to(attempt)


def order_of(journal: Journal, environment: str, order_id: str) -> Attempt | None:
    """The order of exactly this id, if the service has it from this desk."""
    return _first(journal.database, queries.delivered_orders(environment, order_id=order_id))


def _first(database: Database, statement: Select[Any]) -> Attempt | None:
    with database.read() as connection:
        row = connection.execute(statement.limit(1)).mappings().first()
    return None if row is None else queries.attempt_from(row, database.clock())


def _visible_to(operator: Operator, query: AttemptFilter) -> AttemptFilter:
    if operator.may(Permission.SEE_ALL_ACTIVITY):
        return query
    operator.require(Permission.SEE_OWN_ACTIVITY)
    if query.username not in (None, operator.username):
        operator.require(Permission.SEE_ALL_ACTIVITY)
    return replace(query, username=operator.username)
