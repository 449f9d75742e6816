"""The questions asked of the attempts, as SQL; and their values as rows."""

from collections.abc import Collection
from dataclasses import asdict, fields, replace
from datetime import datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, RowMapping, Select, case, exists, func, null, select

from warranty.access import Station
from warranty.database.preferences import keyed_hash
from warranty.desk.journal.entries import OPEN, Attempt, AttemptFilter, AttemptState, Intent, Outcome, Result
from warranty.desk.journal.tables import ATTEMPTS, CAME_BACK, OUTCOMES, UNSETTLED

_SEARCHED_COLUMN = ATTEMPTS.c.search_text


# Columns that are named as the value that they hold.
_AT: Final = frozenset(each.name for each in fields(Station))
_RESULT: Final = frozenset(each.name for each in fields(Result))
_BEGUN: Final = frozenset(ATTEMPTS.c.keys()) - {"search_text", *_AT}
_ANSWERED: Final = frozenset({"recorded_at", "deadline", "failure"})

_REFERENCE_TOLD: Final = 8
_DEADLINE: Final = func.coalesce(OUTCOMES.c.deadline, ATTEMPTS.c.deadline, type_=ATTEMPTS.c.deadline.type)
_OTHER: Final = OUTCOMES.alias("other")
_NEWEST: Final = select(func.max(_OTHER.c.number)).where(_OTHER.c.attempt_id == ATTEMPTS.c.attempt_id)
_BESIDE: Final = ATTEMPTS.alias("beside")
_ITS_OUTCOME: Final = OUTCOMES.alias("its_outcome")

WITH_NEWEST_OUTCOME: Final = select(ATTEMPTS, OUTCOMES).outerjoin_from(
    ATTEMPTS,
    OUTCOMES,
    (OUTCOMES.c.attempt_id == ATTEMPTS.c.attempt_id)
    & (OUTCOMES.c.number == _NEWEST.scalar_subquery().correlate(ATTEMPTS)),
)
"""All attempts of all environments, each beside its newest outcome."""


def attempts_with_newest_outcome(environment: str) -> Select[Any]:
    """All attempts of an environment, each beside its newest outcome."""
    return WITH_NEWEST_OUTCOME.where(ATTEMPTS.c.environment == environment)


def newest_first(statement: Select[Any]) -> Select[Any]:
    """The same, newest first, in an order that two reads agree on."""
    return statement.order_by(ATTEMPTS.c.started_at.desc(), ATTEMPTS.c.attempt_id.desc())


def filtered(environment: str, query: AttemptFilter, now: datetime) -> Select[Any]:
    """The attempts that a filter asks for, in no order."""
    attempts = ATTEMPTS.c
    statement = attempts_with_newest_outcome(environment)
    if query.states and query.states <= OPEN:
        statement = _found_first(environment, attempts.attempt_id.in_(select(UNSETTLED.c.attempt_id)))
    if query.came_back:
        statement = _found_first(environment, attempts.attempt_id.in_(select(CAME_BACK.c.attempt_id)))
    if query.order_id is not None:
        statement = _found_first(environment, attempts.order_id == query.order_id)
    if query.start is not None:
        statement = statement.where(attempts.started_at >= query.start)
    if query.end is not None:
        statement = statement.where(attempts.started_at < query.end)
    if query.username is not None:
        statement = statement.where(attempts.username == query.username)
    if query.operation is not None:
        statement = statement.where(attempts.operation == query.operation)
    if query.text:
        statement = statement.where(_names(query.text.strip()))
    if query.states:
        statement = statement.where(_state(now).in_(sorted(query.states)))
    return statement


def _names(text: str) -> ColumnElement[bool]:
    """What holds the text, or has it as the service's number of a sale, or as a reference for support, even cut."""
    named = _SEARCHED_COLUMN.contains(text.casefold(), autoescape=True) | (OUTCOMES.c.returned_id == text)
    reference = text.casefold().rpartition(" ")[2]
    is_told = len(reference) >= _REFERENCE_TOLD
    return named | ATTEMPTS.c.attempt_id.startswith(reference, autoescape=True) if is_told else named


def unknown_since(environment: str, now: datetime) -> Select[int, datetime | None]:
    """How many attempts are unknown, and since when the oldest of them is."""
    unknown = filtered(environment, AttemptFilter(states=frozenset({AttemptState.UNKNOWN})), now)
    since = case((OUTCOMES.c.state == AttemptState.UNKNOWN, OUTCOMES.c.recorded_at), else_=_DEADLINE)
    return unknown.with_only_columns(func.count(), func.min(since))


def queued(environment: str, now: datetime) -> Select[Any]:
    """The orders that wait for the service, in no order."""
    return filtered(environment, AttemptFilter(states=frozenset({AttemptState.QUEUED})), now)


def to_send(environment: str, now: datetime) -> Select[Any]:
    """The orders that wait, and those of the counter whose sender died over the call, oldest first.

    Orders of an import are not among them: whoever goes on with the import sends them again.
    """
    states = frozenset({AttemptState.QUEUED, AttemptState.UNKNOWN})
    orders = filtered(environment, AttemptFilter(operation="submit_order", states=states), now)
    is_untried = (OUTCOMES.c.state == AttemptState.QUEUED) | OUTCOMES.c.failure.is_(null())
    of_counter = orders.where(ATTEMPTS.c.screen == ATTEMPTS.c.operation, is_untried)
    return of_counter.order_by(ATTEMPTS.c.started_at, ATTEMPTS.c.attempt_id)


def newest_revisions(environment: str, draft_ids: Collection[str]) -> Select[str, str, int]:
    """The newest revision of each of these drafts for each of its orders."""
    attempts = ATTEMPTS.c
    newest = select(attempts.draft_id, attempts.order_id, func.max(attempts.revision))
    here = newest.where(attempts.environment == environment, attempts.draft_id.in_(draft_ids))
    return here.group_by(attempts.draft_id, attempts.order_id)


def settlements(attempt_ids: Collection[str]) -> Select[Any]:
    """All settlements of these attempts, oldest first."""
    found = select(OUTCOMES).where(OUTCOMES.c.attempt_id.in_(attempt_ids), OUTCOMES.c.settlement.is_not(null()))
    return found.order_by(OUTCOMES.c.attempt_id, OUTCOMES.c.number)


def delivered_orders(environment: str, *, text: str = "", order_id: str | None = None) -> Select[Any]:
    """Orders that the service has, newest first, one entry for each as a rule; of one order id where it is given.

    A second sending of an order id changed nothing at the service, so the entry that the service took wins.
    """
    statement = attempts_with_newest_outcome(environment)
    if order_id is not None:
        statement = _found_first(environment, ATTEMPTS.c.order_id == order_id)
    statement = statement.where(ATTEMPTS.c.operation == "submit_order", OUTCOMES.c.state == AttemptState.DONE)
    if text.strip():
        statement = statement.where(_SEARCHED_COLUMN.contains(text.strip().casefold(), autoescape=True))
    taken_elsewhere = _is_done_beside(_BESIDE.c.operation == "submit_order", _ITS_OUTCOME.c.already_known.is_(False))
    return newest_first(statement.where(~(OUTCOMES.c.already_known.is_(True) & taken_elsewhere)))


def recent_orders(environment: str, *, text: str) -> tuple[Select[Any], ...]:
    """Orders to choose among, newest first; without a text the counter's alone, first those without a plan.

    Each statement can be left as soon as enough are found: one that sorts by the plan would read every order.
    """
    orders = delivered_orders(environment, text=text)
    if text.strip():
        return (orders,)
    orders = orders.where(ATTEMPTS.c.screen == ATTEMPTS.c.operation)
    return orders.where(~_HAS_PLAN), orders


def with_plan(attempt_ids: Collection[str]) -> Select[str]:
    """The ids of the orders among these attempts for which a plan was sold, with the order or after it."""
    return select(ATTEMPTS.c.order_id).where(ATTEMPTS.c.attempt_id.in_(attempt_ids), _HAS_PLAN)


def unconfirmed(environment: str, order_ids: Collection[str], now: datetime) -> Select[str]:
    """Those of these orders with a sale or a checkout that is on its way or unknown."""
    states = frozenset({AttemptState.SENDING, AttemptState.UNKNOWN})
    found = filtered(environment, AttemptFilter(states=states), now)
    found = found.where(ATTEMPTS.c.operation != "submit_order", ATTEMPTS.c.order_id.in_(order_ids))
    return found.with_only_columns(ATTEMPTS.c.order_id)


def _is_done_beside(*such: ColumnElement[bool]) -> ColumnElement[bool]:
    """Whether another attempt on the same order is done, `_BESIDE` the one that is read, and such as these say."""
    newest = select(func.max(_OTHER.c.number)).where(_OTHER.c.attempt_id == _BESIDE.c.attempt_id)
    return exists().where(
        _BESIDE.c.order_id == ATTEMPTS.c.order_id,
        _BESIDE.c.environment.concat("") == ATTEMPTS.c.environment,
        _BESIDE.c.attempt_id != ATTEMPTS.c.attempt_id,
        _ITS_OUTCOME.c.attempt_id == _BESIDE.c.attempt_id,
        _ITS_OUTCOME.c.number == newest.scalar_subquery().correlate(_BESIDE),
        _ITS_OUTCOME.c.state == AttemptState.DONE,
        *such,
    )


_HAS_PLAN: Final = _is_done_beside(_BESIDE.c.operation != "submit_order")


def _found_first(environment: str, few: ColumnElement[bool]) -> Select[Any]:
    """The attempts of an environment among those that a condition finds by its own index.

    SQLite would rather walk all entries of the environment by their index, were it not for the expression: a hundred
    thousand of them for one order.
    """
    return WITH_NEWEST_OUTCOME.where(few, ATTEMPTS.c.environment.concat("") == environment)


def _state(now: datetime) -> ColumnElement[str]:
    """The same rules as `Outcome.applied_to` and `read_at`, for the database."""
    newest = OUTCOMES.c.state
    settlement = OUTCOMES.c.settlement
    found_out = settlement.is_not(null()) & settlement["drops"].as_boolean().is_not(True)
    return case(
        ((newest == AttemptState.NOT_SENT) & found_out, AttemptState.NOT_RECORDED.value),
        (newest.is_not(None) & (newest != AttemptState.SENDING), newest),
        (now < _DEADLINE, AttemptState.SENDING.value),
        else_=AttemptState.UNKNOWN.value,
    )


def attempt_values(attempt: Attempt) -> dict[str, Any]:
    """The row of `attempts` of an attempt that begins."""
    titles = (item.title for item in attempt.items)
    words = dict.fromkeys([attempt.order_id, *titles, *(item.product_id for item in attempt.items)])
    # Folded here, since databases fold letters with accents differently.
    begun = {name: getattr(attempt, name) for name in _BEGUN}
    return {**begun, **asdict(attempt.at), "search_text": "\n".join(words).casefold()}


def outcome_values(attempt_id: str, number: int, outcome: Outcome) -> dict[str, Any]:
    """The row of `outcomes` that an outcome becomes."""
    return {
        **{name: getattr(outcome, name) for name in _ANSWERED},
        **asdict(outcome.result),
        "attempt_id": attempt_id,
        "number": number,
        "state": outcome.state,
        "settlement": outcome.settled,
    }


def attempt_from(row: RowMapping, now: datetime) -> Attempt:
    """The attempt of a row with the columns of `attempts` and of its newest outcome, as it reads at `now`."""
    begun = {name: row[ATTEMPTS.c[name]] for name in _BEGUN}
    at = Station(**{name: row[ATTEMPTS.c[name]] for name in _AT})
    attempt = Attempt(state=AttemptState.SENDING, at=at, **{**begun, "acknowledged": begun["acknowledged"] or ()})
    if row[OUTCOMES.c.state] is not None:
        attempt = outcome_from(row).applied_to(attempt)
    return read_at(attempt, now)


def read_at(attempt: Attempt, now: datetime) -> Attempt:
    """The same at `now`: without an answer it is on its way until its deadline, then unknown.

    Which process made the call, and whether it lives, is not asked: to call an attempt unknown while its
    call runs could lead a person to sell twice; to call a dead one on its way costs some minutes.
    """
    is_silent = attempt.state is AttemptState.SENDING and now >= attempt.deadline
    return replace(attempt, state=AttemptState.UNKNOWN) if is_silent else attempt


def outcome_from(row: RowMapping) -> Outcome:
    """The outcome in a row with the columns of `outcomes`."""
    return Outcome(
        state=AttemptState(row[OUTCOMES.c.state]),
        settled=row[OUTCOMES.c.settlement],
        result=Result(**{name: row[OUTCOMES.c[name]] for name in _RESULT}),
        **{name: row[OUTCOMES.c[name]] for name in _ANSWERED},
    )


def customer_mark(connection: Connection, intent: Intent) -> str | None:
    """A mark by which two sendings of one order id can be compared, and from which nobody can be found.

    It is keyed by a secret of the journal and by the order, so equal customers of two orders have different marks, and
    so short that of any list of people every 65,536th fits (docs/decisions/personal-data.md).
    """
    if not intent.customer:
        return None
    text = "\n".join((intent.environment, intent.order_id, intent.customer))
    return keyed_hash(connection, text)[:4]
