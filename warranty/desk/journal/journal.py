"""The journal: what this desk set out to do, written before it does it, and what became of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Select, delete, func, insert, select, update

from warranty.database.database import Database, Noted, Repository, insert_unless_there
from warranty.desk.journal import queries
from warranty.desk.journal.entries import (
    Attempt,
    AttemptFilter,
    AttemptState,
    Intent,
    Outcome,
    Queue,
    Result,
    Settlement,
)
from warranty.desk.journal.queries import attempt_from, attempt_values, customer_mark, outcome_values, read_at
from warranty.desk.journal.tables import ATTEMPTS, CAME_BACK, DRAFTS, LINKS_SHOWN, OUTCOMES, UNSETTLED

Check = Callable[[Attempt, Sequence[Attempt]], None]
"""Given the attempt to be and the others of its order; raises what stops it."""


_TO_BE_SETTLED: Final = frozenset({AttemptState.UNKNOWN, AttemptState.QUEUED})


@dataclass(frozen=True, slots=True)
class Begun:
    """The answer to an intent: its own attempt when it `may_send`, else the attempt that came before it."""

    attempt: Attempt
    may_send: bool


class Journal:
    """Attempts with their outcomes, drafts and imports; safe to share between threads.

    Every method may raise `JournalUnavailable`. Every question is about one environment.
    """

    def __init__(self, database: Database) -> None:
        self.database = database
        self.links = LinksShown(database)

    def close(self) -> None:
        """Give the connections back."""
        self.database.close()

    def begin(self, intent: Intent, *, corrects: str | None = None, check: Check = lambda *_: None) -> Begun:
        """Write the intent durably, if nothing stands against sending this draft.

        A draft is sent for the first time with `corrects` None, and once more for each attempt that wrote
        nothing, naming that attempt, for the same order. All others get the newest attempt of the draft and may
        not send. The unique row (environment, draft, revision) decides between clicks, tabs, processes and machines.
        `check` is given the attempt to be and all others of its order, by other drafts; what it raises stops the
        attempt. Of two programs that begin something on one order at once, the second one's check sees the first's.
        """
        with self.database.write() as connection:
            if corrects:
                _hold(connection, corrects)
            newest = self._newest_of_draft(connection, intent.environment, intent.draft_id)
            revision = 1
            if newest is not None:
                is_correction = newest.attempt_id == corrects and newest.order_id == intent.order_id
                if not is_correction or not newest.state.nothing_written:
                    return Begun(newest, may_send=False)
                revision = newest.revision + 1
            attempt = intent.attempt(revision, mark=customer_mark(connection, intent))
            check(attempt, self._others_of_order(connection, intent))
            if not insert_unless_there(connection, ATTEMPTS, attempt_values(attempt)):
                winner = self._newest_of_draft(connection, intent.environment, intent.draft_id)
                if winner is None:
                    raise ValueError(f"the attempt id {intent.attempt_id} was used before")
                return Begun(winner, may_send=False)
            unsettled = {"attempt_id": intent.attempt_id, "body": dict(intent.body) or None}
            connection.execute(insert(UNSETTLED), unsettled)
            if corrects:
                _seen_to(connection, corrects)
            return Begun(attempt, may_send=True)

    def conclude(self, attempt_id: str, outcome: Outcome) -> Attempt:
        """Write what became of an attempt; erase what was kept to settle it once it is settled.

        An answer that comes after a settlement decides; silence that comes after one does not. Raises
        `KeyError` when there is no such attempt.
        """
        with self.database.write(erases=not outcome.state.is_open) as connection:
            attempt, outcomes = self._locked(connection, attempt_id)
            if not attempt.state.is_open and outcome.state.is_open:
                return attempt
            return _add(connection, attempt, outcome, number=outcomes + 1)

    def advance(
        self, attempt_id: str, outcome: Outcome, *, corrects: Settlement | None = None, noting: Noted = lambda _: None
    ) -> tuple[Attempt, bool]:
        """Write an outcome only if the attempt is unknown or waits now, or settled by the settlement that it corrects.

        One that drops: only if the attempt is the last of its draft, and wrote nothing. Gives the attempt, and whether
        it was written. For repeats and settlements: of two people who act at once, one does. Raises `KeyError` when
        there is no such attempt. `noting` is done with what is written, in the same transaction.
        """
        with self.database.write(erases=not outcome.state.is_open) as connection:
            attempt, outcomes = self._locked(connection, attempt_id)
            may = attempt.settled == corrects if corrects else attempt.state in _TO_BE_SETTLED
            if outcome.settled and outcome.settled.drops:
                last = self._newest_of_draft(connection, attempt.environment, attempt.draft_id)
                is_dropped = attempt.settled is not None and attempt.settled.drops
                may = last == attempt and attempt.state.nothing_written and not is_dropped
            if not may:
                return attempt, False
            added = _add(connection, attempt, outcome, number=outcomes + 1)
            noting(connection)
            return added, True

    def promise(self, attempt_id: str, landing_url: str) -> Attempt:
        """Write down that the link of an attempt that nobody has answered is handed out; any other stays as it is."""
        with self.database.write() as connection:
            attempt, outcomes = self._locked(connection, attempt_id)
            if not attempt.is_unanswered or attempt.is_promised:
                return attempt
            now, link = self.database.clock(), Result(landing_url=landing_url)
            sending = AttemptState.SENDING
            promised = Outcome(state=sending, recorded_at=now, deadline=attempt.deadline, result=link)
            return read_at(_add(connection, attempt, promised, number=outcomes + 1), now)

    def attempt(self, environment: str, attempt_id: str) -> Attempt | None:
        """One attempt."""
        statement = queries.attempts_with_newest_outcome(environment).where(ATTEMPTS.c.attempt_id == attempt_id)
        with self.database.read() as connection:
            return _first(connection, statement, self.database.clock())

    def body_of(self, attempt_id: str) -> dict[str, Any] | None:
        """What was sent, while the attempt is unsettled; it may hold personal data."""
        with self.database.read() as connection:
            return connection.scalar(select(UNSETTLED.c.body).where(UNSETTLED.c.attempt_id == attempt_id))

    def attempts(self, environment: str, query: AttemptFilter) -> list[Attempt]:
        """The attempts that a filter asks for, newest first, or those that need a person on top."""
        now = self.database.clock()
        with self.database.read() as connection:

            def found(states: frozenset[AttemptState], limit: int | None, offset: int) -> list[Attempt]:
                statement = queries.filtered(environment, replace(query, states=states), now)
                return _fetched(connection, statement, now, limit, offset)

            if not query.unknown_first:
                return found(query.states, query.limit, query.offset)
            states = query.states or frozenset(AttemptState)
            unknown = found(states & {AttemptState.UNKNOWN}, None, 0) if AttemptState.UNKNOWN in states else []
            on_top = unknown[query.offset :][: query.limit]
            others = states - {AttemptState.UNKNOWN}
            if not others:
                return on_top
            left = None if query.limit is None else query.limit - len(on_top)
            return on_top + found(others, left, max(0, query.offset - len(unknown)))

    def queue(self, environment: str) -> Queue:
        """How many orders wait for the service, and since when."""
        statement = queries.queued(environment, self.database.clock())
        sums = statement.with_only_columns(func.count(), func.min(ATTEMPTS.c.started_at))
        with self.database.read() as connection:
            return Queue(*connection.execute(sums).one())

    def seen_to(self, attempt_id: str) -> None:
        """Write down that a person has seen to an order that came back."""
        with self.database.write() as connection:
            _seen_to(connection, attempt_id)

    def count(self, environment: str, query: AttemptFilter) -> int:
        """How many attempts a filter asks for, whatever its limit."""
        statement = queries.filtered(environment, query, self.database.clock()).with_only_columns(func.count())
        with self.database.read() as connection:
            return int(connection.execute(statement).scalar_one())

    def _locked(self, connection: Connection, attempt_id: str) -> tuple[Attempt, int]:
        """The attempt as it is now and the number of its outcomes, held until the transaction ends."""
        _hold(connection, attempt_id)
        statement = queries.WITH_NEWEST_OUTCOME.where(ATTEMPTS.c.attempt_id == attempt_id)
        row = connection.execute(statement).mappings().first()
        if row is None:
            raise KeyError(attempt_id)
        return attempt_from(row, self.database.clock()), row[OUTCOMES.c.number] or 0

    def _others_of_order(self, connection: Connection, intent: Intent) -> list[Attempt]:
        """The attempts of the intent's order by other drafts; nobody else begins one until the transaction ends."""
        if not self.database.is_sqlite:  # SQLite holds the whole file
            order = f"{intent.environment}\n{intent.order_id}"
            connection.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(order, 0))))
        now = self.database.clock()
        of_order = queries.filtered(intent.environment, AttemptFilter(order_id=intent.order_id), now)
        return _fetched(connection, of_order.where(ATTEMPTS.c.draft_id != intent.draft_id), now)

    def _newest_of_draft(self, connection: Connection, environment: str, draft_id: str) -> Attempt | None:
        statement = queries.attempts_with_newest_outcome(environment).where(ATTEMPTS.c.draft_id == draft_id)
        return _first(connection, statement.order_by(ATTEMPTS.c.revision.desc()), self.database.clock())


def _hold(connection: Connection, attempt_id: str) -> None:
    """Let nobody else advance or correct an attempt until the transaction ends.

    SQLite holds the whole file. PostgreSQL holds the attempt's row, by a statement of its own: one that also
    read the outcomes would read them as they were before it waited.
    """
    connection.execute(select(ATTEMPTS.c.attempt_id).filter_by(attempt_id=attempt_id).with_for_update())


def _add(connection: Connection, attempt: Attempt, outcome: Outcome, *, number: int) -> Attempt:
    connection.execute(insert(OUTCOMES), outcome_values(attempt.attempt_id, number, outcome))
    if not outcome.state.is_open:
        connection.execute(delete(UNSETTLED).where(UNSETTLED.c.attempt_id == attempt.attempt_id))
        _seen_to(connection, attempt.attempt_id)
        new, link = outcome.result, attempt.result.landing_url
        is_as_promised = new.warrantable_products is not False and new.landing_url == link and not new.already_known
        if attempt.is_promised and not is_as_promised:
            connection.execute(insert(CAME_BACK), {"attempt_id": attempt.attempt_id})
    if outcome.state is AttemptState.DONE or (outcome.settled and outcome.settled.drops):
        connection.execute(delete(DRAFTS).filter_by(environment=attempt.environment, draft_id=attempt.draft_id))
    return outcome.applied_to(attempt)


def _seen_to(connection: Connection, attempt_id: str) -> None:
    connection.execute(delete(CAME_BACK).where(CAME_BACK.c.attempt_id == attempt_id))


def _first(connection: Connection, statement: Select[Any], now: datetime) -> Attempt | None:
    row = connection.execute(statement.limit(1)).mappings().first()
    return None if row is None else attempt_from(row, now)


def _fetched(
    connection: Connection, statement: Select[Any], now: datetime, limit: int | None = None, offset: int = 0
) -> list[Attempt]:
    statement = queries.newest_first(statement).limit(limit).offset(offset)
    return [attempt_from(row, now) for row in connection.execute(statement).mappings()]


@dataclass(frozen=True, slots=True)
class LinkShown:
    """One person had the link of one order on the screen, and noted that the customer declined; aware, in UTC.

    `shown_at` is the first time; `declined_at` is None where they did not.
    """

    order_id: str
    username: str
    operator_name: str
    shown_at: datetime
    declined_at: datetime | None = None


class LinksShown(Repository):
    """Who first had the landing page's link of which order on the screen, and whether its customer declined the plan.

    Nothing here says who the customer is. A row belongs to the attempt that gave the link and goes with it when its
    retention ends; it is added once for each person and order, whatever is clicked. That the customer declined is all
    that is changed, and can be taken back.
    """

    def note(self, attempt_id: str, *, username: str, operator_name: str) -> bool:
        """Write down that this person has the link of this attempt's order; gives whether that is new.

        An attempt that is not in the journal is not noted.
        """
        order = select(ATTEMPTS.c.environment, ATTEMPTS.c.order_id).where(ATTEMPTS.c.attempt_id == attempt_id)
        by = {"username": username, "operator_name": operator_name}
        row = {"attempt_id": attempt_id, **by, "shown_at": self._clock()}
        with self._database.write() as connection:
            found = connection.execute(order).first()
            if found is None:
                return False
            shown = _of_order(*found).where(LINKS_SHOWN.c.username == username)
            if connection.execute(shown).first() is not None:
                return False
            return insert_unless_there(connection, LINKS_SHOWN, row)

    def decline(self, environment: str, order_id: str, username: str, *, declined: bool) -> None:
        """Write down that the customer declined the plan, once, by this person who has the link; or that they did not.

        Anybody may take back what another wrote down.
        """
        if declined == any(link.declined_at for link in self.of_order(environment, order_id)):
            return
        its = select(ATTEMPTS.c.attempt_id).where(_in(environment), ATTEMPTS.c.order_id == order_id)
        changed = update(LINKS_SHOWN).where(LINKS_SHOWN.c.attempt_id.in_(its))
        if declined:
            changed = changed.where(LINKS_SHOWN.c.username == username)
        with self._database.write() as connection:
            connection.execute(changed.values(declined_at=self._clock() if declined else None))

    def declined(self, environment: str, *such: ColumnElement[bool]) -> frozenset[str]:
        """The ids of the orders whose customers declined the plan, among such as these say."""
        orders = select(ATTEMPTS.c.order_id).join(LINKS_SHOWN).where(_in(environment), *such)
        with self._database.read() as connection:
            return frozenset(connection.scalars(orders.where(LINKS_SHOWN.c.declined_at.is_not(None))))

    def of_order(self, environment: str, order_id: str) -> list[LinkShown]:
        """Who has shown the link of the order of exactly this id, oldest first."""
        with self._database.read() as connection:
            return [LinkShown(*row) for row in connection.execute(_of_order(environment, order_id))]


def _of_order(environment: str, order_id: str) -> Select[Any]:
    """Those of an order, oldest first."""
    shown = LINKS_SHOWN.c
    return (
        select(ATTEMPTS.c.order_id, shown.username, shown.operator_name, shown.shown_at, shown.declined_at)
        .join(ATTEMPTS)
        .where(_in(environment), ATTEMPTS.c.order_id == order_id)
        .order_by(shown.shown_at, shown.username)
    )


def _in(environment: str) -> ColumnElement[bool]:
    """Compared as an expression, since SQLite would walk all attempts of the environment otherwise (see `queries`)."""
    return ATTEMPTS.c.environment.concat("") == environment
