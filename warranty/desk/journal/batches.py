"""Imports of orders that outlive a reload and a crash: the batch, and each of its orders.

`source` and `body` of an order hold personal data. They are erased for each order as soon as the service has it, and
for all of a batch when it is closed. What an order became stands in the attempts as well: if a result is lost
between the service and this table, the attempt of its draft tells it (the draft's id follows from batch and number).
"""

import uuid
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import islice
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Update, bindparam, exists, func, insert, select, update

from warranty.access import AWAY, FIRST_STORE, Station
from warranty.database.database import Database, Repository, now
from warranty.database.leases import Lease, Leases
from warranty.database.tables import LEASES
from warranty.desk.journal.entries import AttemptState
from warranty.desk.journal.tables import ATTEMPTS, BATCH_ORDERS, ORDER_BATCHES, OUTCOMES
from warranty.files.order_files.source import SentBefore

_BATCH: Final = ORDER_BATCHES.c
_ORDER: Final = BATCH_ORDERS.c
_LEASE: Final = "import "
_Json = Mapping[str, Any]
_LEASE_LASTS: Final = timedelta(seconds=15)
"""How long the import of a desk that died waits before another desk may go on with it."""
_DRAFT_IDS: Final = uuid.UUID("5a0c2f0e-8f0d-4a53-9c39-6a1a3f4d2b17")


class BatchState(StrEnum):
    """How far an import has come."""

    PREVIEW = "preview"
    SENDING = "sending"
    PAUSED = "paused"
    FINISHED = "finished"
    CLOSED = "put away"  # the word that journals hold; another would leave their closed imports unreadable


class RowState(StrEnum):
    """What has become of one order of an import."""

    READ = "read"
    WAITING = "waiting"
    DONE = "done"
    REFUSED = "refused"
    NOT_SENT = "not sent"
    UNKNOWN = "unknown"
    LEFT_OUT = "left out"
    FAULTY = "faulty"


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """An import: whose, of which file, how far, and what was decided about it. `note` says why it pauses."""

    batch_id: str
    environment: str
    username: str
    file_name: str
    state: BatchState
    note: str
    layout: _Json
    choices: _Json
    created_at: datetime
    store_id: str = FIRST_STORE
    till_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchOrder:
    """An order of an import; `result` tells what became of it, `source` and `body` are erased when it is done."""

    batch_id: str
    number: int
    name: str
    first_row: int
    order_id: str
    state: RowState
    source: _Json | None = field(default=None, repr=False)
    body: _Json | None = field(default=None, repr=False)
    result: _Json = field(default_factory=dict)

    @property
    def draft_id(self) -> str:
        """The same at every try and in every process, so that the journal's unique row lets it be sent once."""
        return uuid.uuid5(_DRAFT_IDS, f"{self.batch_id}/{self.number}").hex


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """A new state of an order of an import, with what tells of it."""

    number: int
    state: RowState
    result: _Json = field(default_factory=dict)
    order_id: str | None = None
    body: _Json | None = field(default=None, repr=False)


def imports_left(database: Database, environment: str) -> int:
    """How many imports are on their way although no desk sends them: theirs is gone. Raises `JournalUnavailable`."""
    with database.read() as connection:
        sent = exists().where(LEASES.c.name == _LEASE + _BATCH.batch_id, LEASES.c.until > now(connection))
        left = select(func.count()).where(_BATCH.environment == environment, _BATCH.state == BatchState.SENDING, ~sent)
        return int(connection.execute(left).scalar_one())


def _close_those_of(connection: Connection, username: str) -> None:
    """Close the imports of somebody whose account is removed, without what was not sent; what is being sent goes on."""
    begun = select(_BATCH.batch_id).filter_by(username=username).where(_BATCH.state != BatchState.SENDING)
    connection.execute(update(BATCH_ORDERS).where(_ORDER.batch_id.in_(begun)).values(source=None, body=None))
    connection.execute(update(ORDER_BATCHES).where(_BATCH.batch_id.in_(begun)).values(state=BatchState.CLOSED))


ORDER_BATCHES.info["on_removal"] = _close_those_of


class Batches(Repository):
    """One person's imports; another's are as if they were not there. Every method may raise `JournalUnavailable`."""

    def __init__(self, database: Database, environment: str, username: str, *, at: Station = AWAY) -> None:
        super().__init__(database, environment)
        self._at = at
        self._mine = {"environment": environment, "username": username}

    def begin(self, *, file_name: str, layout: _Json, choices: _Json, sources: Iterable[_Json]) -> str:
        """Keep the orders of a file; gives the batch's id. `sources` have at least number, name and row.

        They are taken a thousand at a time, so that those of a long file need not be held together.
        """
        batch_id = uuid.uuid4().hex
        at = {"store_id": self._at.store_id, "till_id": self._at.till_id}
        batch: dict[str, Any] = {**self._mine, **at, "batch_id": batch_id}
        batch |= {"state": BatchState.PREVIEW, "note": "", "created_at": self._clock()}
        batch |= {"file_name": file_name, "layout": dict(layout), "choices": dict(choices)}
        new = {"batch_id": batch_id, "order_id": "", "state": RowState.READ}
        orders = (
            {**new, "number": one["number"], "name": one["name"], "first_row": one["row"], "source": dict(one)}
            for one in sources
        )
        with self._database.write() as connection:
            connection.execute(insert(ORDER_BATCHES), batch)
            while part := list(islice(orders, 1_000)):
                connection.execute(insert(BATCH_ORDERS), part)
        return batch_id

    def open_batch(self) -> Batch | None:
        """The newest that is not closed."""
        return self._newest(_BATCH.state != BatchState.CLOSED)

    def batch(self, batch_id: str) -> Batch:
        """An import. Raises `KeyError` when there is none of this id."""
        found = self._newest(_BATCH.batch_id == batch_id)
        if found is None:
            raise KeyError(batch_id)
        return found

    def _newest(self, condition: ColumnElement[bool]) -> Batch | None:
        such = select(ORDER_BATCHES).filter_by(**self._mine).where(condition)
        with self._database.read() as connection:
            row = connection.execute(such.order_by(_BATCH.created_at.desc()).limit(1)).mappings().first()
        return None if row is None else Batch(**{**row, "state": BatchState(row["state"])})

    def set_state(
        self, batch_id: str, state: BatchState, *, note: str = "", only_from: Iterable[BatchState] = BatchState
    ) -> bool:
        """Set how far an import has come, if it is in one of `only_from`; gives whether it was."""
        with self._database.write() as connection:
            return self._becomes(connection, batch_id, state, only_from, note)

    def sending(self, batch_id: str) -> AbstractContextManager[Lease]:
        """The lease of who sends an import: one desk at a time. Raises `LeaseHeld`."""
        return Leases(self._database).taken(f"{_LEASE}{batch_id}", lasts=_LEASE_LASTS)

    def is_being_sent(self, batch_id: str) -> bool:
        """Whether a desk sends an import now, this one or another."""
        return Leases(self._database).is_held(f"{_LEASE}{batch_id}")

    def choose(self, batch_id: str, choices: _Json) -> None:
        """Keep what a person decided for the whole file."""
        mine = update(ORDER_BATCHES).filter_by(batch_id=batch_id, **self._mine)
        self._change(mine.values(choices=dict(choices)))

    def correct(self, batch_id: str, number: int, source: _Json) -> None:
        """Keep an order as a person has corrected it."""
        self._change(self._orders(batch_id).where(_ORDER.number == number).values(source=dict(source)))

    def orders(
        self,
        batch_id: str,
        *,
        states: Iterable[RowState] = RowState,
        numbers: Sequence[int] | None = None,
        limit: int | None = None,
        personal: bool = True,
    ) -> list[BatchOrder]:
        """Orders of an import by their number; without `personal` without what they hold about customers."""
        columns = [column for column in _ORDER if personal or column.name not in {"source", "body"}]
        statement = select(*columns).where(self._is_of(batch_id), _ORDER.state.in_(list(states)))
        statement = statement if numbers is None else statement.where(_ORDER.number.in_(numbers))
        with self._database.read() as connection:
            rows = connection.execute(statement.order_by(_ORDER.number).limit(limit)).mappings()
            found = ({**row, "state": RowState(row["state"]), "result": row["result"] or {}} for row in rows)
            return [BatchOrder(**one) for one in found]

    def counts(self, batch_id: str) -> dict[RowState, int]:
        """How many orders of an import are in which state."""
        statement = select(_ORDER.state, func.count()).where(self._is_of(batch_id)).group_by(_ORDER.state)
        return {RowState(state): count for state, count in self._found(statement)}

    def start(self, batch_id: str, changes: Sequence[Changed]) -> bool:
        """Settle what is sent of a previewed import, and let it be sent; gives whether it was a preview until now."""
        with self._database.write() as connection:
            mine = self._becomes(connection, batch_id, BatchState.SENDING, (BatchState.PREVIEW,))
            if mine:
                self._write(connection, batch_id, changes)
            return mine

    def change(self, batch_id: str, changes: Sequence[Changed]) -> None:
        """Write what became of orders; those that are done lose what they hold about customers."""
        any_done = any(change.state is RowState.DONE for change in changes)
        with self._database.write(erases=any_done) as connection:
            self._write(connection, batch_id, changes)

    def preview_again(self, batch_id: str) -> None:
        """Let the orders of a finished import that were not sent be corrected and sent."""
        unsent = _ORDER.state.in_([RowState.FAULTY, RowState.LEFT_OUT, RowState.REFUSED])
        anew = self._orders(batch_id).where(unsent, _ORDER.source.is_not(None))
        with self._database.write() as connection:
            connection.execute(anew.values(state=RowState.READ, result=None))
            self._becomes(connection, batch_id, BatchState.PREVIEW, (BatchState.FINISHED,))

    def wait_again(self, batch_id: str, states: Iterable[RowState]) -> None:
        """Let orders of these states be sent once more."""
        unsent = self._orders(batch_id).where(_ORDER.state.in_(list(states)), _ORDER.body.is_not(None))
        self._change(unsent.values(state=RowState.WAITING))

    def close(self, batch_id: str) -> None:
        """End an import: nothing about its customers stays."""
        with self._database.write(erases=True) as connection:
            connection.execute(self._orders(batch_id).values(source=None, body=None))
            self._becomes(connection, batch_id, BatchState.CLOSED, BatchState)

    def sent_before(self, order_ids: Iterable[str]) -> Mapping[str, SentBefore]:
        """Those of these ids that the service has from anybody at this desk, and what is known of their orders."""
        environment, ids = self._environment, set(order_ids)
        attempts = (
            select(ATTEMPTS.c.order_id, ATTEMPTS.c["items"])
            .join(OUTCOMES)
            .where(
                ATTEMPTS.c.environment == environment,
                ATTEMPTS.c.operation == "submit_order",
                ATTEMPTS.c.order_id.in_(ids),
                OUTCOMES.c.state == AttemptState.DONE,
            )
        )
        imported = (
            select(_ORDER.order_id, _ORDER.name)
            .join(ORDER_BATCHES)
            .where(_BATCH.environment == environment, _ORDER.order_id.in_(ids), _ORDER.state == RowState.DONE)
        )
        names, products = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
        with self._database.read() as connection:
            for order_id, items in connection.execute(attempts):
                products[order_id].update(item.product_id for item in items)
            for order_id, name in connection.execute(imported):
                names[order_id].add(name)
        return {order: SentBefore(frozenset(names[order]), frozenset(skus)) for order, skus in products.items()}

    def _orders(self, batch_id: str) -> Update:
        return update(BATCH_ORDERS).where(self._is_of(batch_id))

    def _is_of(self, batch_id: str) -> ColumnElement[bool]:
        """That an order is of this import, which is the person's."""
        mine = select(_BATCH.batch_id).filter_by(batch_id=batch_id, **self._mine)
        return _ORDER.batch_id == mine.scalar_subquery()

    def _becomes(
        self, connection: Connection, batch_id: str, state: BatchState, only_from: Iterable[BatchState], note: str = ""
    ) -> bool:
        here = update(ORDER_BATCHES).filter_by(batch_id=batch_id, **self._mine)
        changed = here.where(_BATCH.state.in_(list(only_from))).values(state=state, note=note)
        return connection.execute(changed).rowcount == 1

    def _write(self, connection: Connection, batch_id: str, changes: Iterable[Changed]) -> None:
        here = self._orders(batch_id).where(_ORDER.number == bindparam("changed"))
        # Orders of which the same columns change.
        alike = defaultdict[frozenset[str], list[dict[str, Any]]](list)
        for change in changes:
            values = {"changed": change.number, "state": change.state, "result": dict(change.result) or None}
            if change.body is not None:
                values |= {"body": dict(change.body), "order_id": change.order_id or ""}
            if change.state is RowState.DONE:
                values |= {"source": None, "body": None}
            alike[frozenset(values)].append(values)
        for orders in alike.values():
            connection.execute(here, orders)
