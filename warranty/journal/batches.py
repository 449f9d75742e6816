"""Imports of orders that outlive a reload and a crash: the batch, and each of its orders.

`source` and `body` of an order hold personal data. They are erased for each order as soon as the service has it, and
for all of a batch when it is closed. What an order became stands in the attempts as well: if a result is lost
between the service and this table, the attempt of its draft tells it (the draft's id follows from batch and number).
"""

import uuid
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, Select, bindparam, func, insert, select, update

from warranty.journal.batch_entries import (
    BATCH_ORDERS,
    OPEN,
    ORDER_BATCHES,
    Batch,
    BatchOrder,
    BatchState,
    Changed,
    RowState,
    SentBefore,
)
from warranty.journal.database import Database
from warranty.journal.entries import AttemptState
from warranty.journal.tables import ATTEMPTS, OUTCOMES

_ASKED_AT_ONCE: Final = 500


class Batches:
    """Imports of one journal. Every method may raise `JournalUnavailable`."""

    def __init__(self, database: Database, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._clock = clock

    def begin(
        self,
        *,
        environment: str,
        username: str,
        file_name: str,
        layout: Mapping[str, Any],
        choices: Mapping[str, Any],
        sources: Sequence[Mapping[str, Any]],
    ) -> str:
        """Keep the orders of a file; gives the batch's id. `sources` have at least number, name and row."""
        batch_id = uuid.uuid4().hex

        def write(connection: Connection) -> None:
            connection.execute(
                insert(ORDER_BATCHES).values(
                    batch_id=batch_id,
                    environment=environment,
                    username=username,
                    file_name=file_name,
                    state=BatchState.PREVIEW,
                    note="",
                    layout=dict(layout),
                    choices=dict(choices),
                    created_at=self._clock(),
                )
            )
            rows = [
                {
                    "batch_id": batch_id,
                    "number": source["number"],
                    "name": source["name"],
                    "first_row": source["row"],
                    "order_id": "",
                    "state": RowState.READ,
                    "source": dict(source),
                }
                for source in sources
            ]
            connection.execute(insert(BATCH_ORDERS), rows)

        self._database.write(write)
        return batch_id

    def open_batch(self, *, environment: str, username: str) -> Batch | None:
        """The person's newest import that is not closed."""
        statement = (
            select(ORDER_BATCHES)
            .where(
                ORDER_BATCHES.c.environment == environment,
                ORDER_BATCHES.c.username == username,
                ORDER_BATCHES.c.state.in_(OPEN),
            )
            .order_by(ORDER_BATCHES.c.created_at.desc())
            .limit(1)
        )
        return self._database.read(lambda connection: _batch(connection, statement))

    def batch(self, batch_id: str) -> Batch:
        """An import. Raises `KeyError` when there is none of this id."""
        statement = select(ORDER_BATCHES).where(ORDER_BATCHES.c.batch_id == batch_id)
        found = self._database.read(lambda connection: _batch(connection, statement))
        if found is None:
            raise KeyError(batch_id)
        return found

    def set_state(
        self,
        batch_id: str,
        state: BatchState,
        *,
        note: str = "",
        only_from: Iterable[BatchState] = tuple(BatchState),
    ) -> bool:
        """Set how far an import has come, if it is in one of `only_from`; gives whether it was."""
        statement = (
            update(ORDER_BATCHES)
            .where(ORDER_BATCHES.c.batch_id == batch_id, ORDER_BATCHES.c.state.in_(list(only_from)))
            .values(state=state, note=note)
        )
        return self._database.write(lambda connection: connection.execute(statement).rowcount == 1)

    def choose(self, batch_id: str, choices: Mapping[str, Any]) -> None:
        """Keep what a person decided for the whole file."""
        statement = (
            update(ORDER_BATCHES).where(ORDER_BATCHES.c.batch_id == batch_id).values(choices=dict(choices))
        )
        self._database.write(lambda connection: connection.execute(statement))

    def correct(self, batch_id: str, number: int, source: Mapping[str, Any]) -> None:
        """Keep an order as a person has corrected it."""
        statement = (
            update(BATCH_ORDERS)
            .where(BATCH_ORDERS.c.batch_id == batch_id, BATCH_ORDERS.c.number == number)
            .values(source=dict(source))
        )
        self._database.write(lambda connection: connection.execute(statement))

    def orders(
        self,
        batch_id: str,
        *,
        states: Iterable[RowState] = (),
        limit: int | None = None,
        personal: bool = True,
    ) -> list[BatchOrder]:
        """Orders of an import by their number; without `personal` without what they hold about customers."""
        columns = [column for column in BATCH_ORDERS.c if personal or column.name not in {"source", "body"}]
        statement = (
            select(*columns)
            .where(BATCH_ORDERS.c.batch_id == batch_id)
            .order_by(BATCH_ORDERS.c.number)
            .limit(limit)
        )
        if states := list(states):
            statement = statement.where(BATCH_ORDERS.c.state.in_(states))
        return self._database.read(
            lambda connection: [_order(dict(row)) for row in connection.execute(statement).mappings()]
        )

    def counts(self, batch_id: str) -> dict[RowState, int]:
        """How many orders of an import are in which state."""
        statement = (
            select(BATCH_ORDERS.c.state, func.count())
            .where(BATCH_ORDERS.c.batch_id == batch_id)
            .group_by(BATCH_ORDERS.c.state)
        )
        return self._database.read(
            lambda connection: {RowState(state): count for state, count in connection.execute(statement)}
        )

    def start(self, batch_id: str, changes: Sequence[Changed]) -> bool:
        """Settle what is sent of a previewed import, and let it be sent; gives whether it was a preview until now."""

        def write(connection: Connection) -> bool:
            mine = connection.execute(
                update(ORDER_BATCHES)
                .where(ORDER_BATCHES.c.batch_id == batch_id, ORDER_BATCHES.c.state == BatchState.PREVIEW)
                .values(state=BatchState.SENDING, note="")
            ).rowcount
            if mine:
                _change(connection, batch_id, changes)
            return bool(mine)

        return self._database.write(write)

    def change(self, batch_id: str, changes: Sequence[Changed]) -> None:
        """Write what became of orders; those that are done lose what they hold about customers."""
        if changes:
            erases = any(change.state is RowState.DONE for change in changes)
            self._database.write(lambda connection: _change(connection, batch_id, changes), erases=erases)

    def preview_again(self, batch_id: str) -> None:
        """Let the orders of a finished import that were not sent be corrected and sent."""

        def write(connection: Connection) -> None:
            connection.execute(
                update(BATCH_ORDERS)
                .where(
                    BATCH_ORDERS.c.batch_id == batch_id,
                    BATCH_ORDERS.c.state.in_([RowState.FAULTY, RowState.LEFT_OUT, RowState.REFUSED]),
                    BATCH_ORDERS.c.source.is_not(None),
                )
                .values(state=RowState.READ, result=None)
            )
            connection.execute(
                update(ORDER_BATCHES)
                .where(ORDER_BATCHES.c.batch_id == batch_id, ORDER_BATCHES.c.state == BatchState.FINISHED)
                .values(state=BatchState.PREVIEW)
            )

        self._database.write(write)

    def wait_again(self, batch_id: str, states: Iterable[RowState]) -> None:
        """Let orders of these states be sent once more."""
        statement = (
            update(BATCH_ORDERS)
            .where(
                BATCH_ORDERS.c.batch_id == batch_id,
                BATCH_ORDERS.c.state.in_(list(states)),
                BATCH_ORDERS.c.body.is_not(None),
            )
            .values(state=RowState.WAITING)
        )
        self._database.write(lambda connection: connection.execute(statement))

    def close(self, batch_id: str) -> None:
        """End an import: nothing about its customers stays."""

        def write(connection: Connection) -> None:
            _erase(connection, [batch_id])
            connection.execute(
                update(ORDER_BATCHES)
                .where(ORDER_BATCHES.c.batch_id == batch_id)
                .values(state=BatchState.CLOSED)
            )

        self._database.write(write, erases=True)

    def sent_before(self, environment: str, order_ids: Iterable[str]) -> Mapping[str, SentBefore]:
        """Those of these order ids that the service has from this desk, and what is known of their orders."""
        asked = list(dict.fromkeys(order_ids))

        def read(connection: Connection) -> Mapping[str, SentBefore]:
            names, products = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
            for part in _parts(asked):
                sent = (
                    select(ATTEMPTS.c.order_id, ATTEMPTS.c["items"])
                    .join(OUTCOMES, OUTCOMES.c.attempt_id == ATTEMPTS.c.attempt_id)
                    .where(
                        ATTEMPTS.c.environment == environment,
                        ATTEMPTS.c.operation == "submit_order",
                        ATTEMPTS.c.order_id.in_(part),
                        OUTCOMES.c.state == AttemptState.DONE.value,
                    )
                )
                for order_id, items in connection.execute(sent):
                    products[order_id].update(item["product_id"] for item in items)
                called = (
                    select(BATCH_ORDERS.c.order_id, BATCH_ORDERS.c.name)
                    .join(ORDER_BATCHES, ORDER_BATCHES.c.batch_id == BATCH_ORDERS.c.batch_id)
                    .where(
                        ORDER_BATCHES.c.environment == environment,
                        BATCH_ORDERS.c.order_id.in_(part),
                        BATCH_ORDERS.c.state == RowState.DONE,
                    )
                )
                for order_id, name in connection.execute(called):
                    names[order_id].add(name)
            return {
                order_id: SentBefore(frozenset(names[order_id]), frozenset(skus))
                for order_id, skus in products.items()
            }

        return self._database.read(read)


def _change(connection: Connection, batch_id: str, changes: Sequence[Changed]) -> None:
    statement = update(BATCH_ORDERS).where(
        BATCH_ORDERS.c.batch_id == batch_id, BATCH_ORDERS.c.number == bindparam("of_number")
    )
    told: dict[str, Any] = {"state": bindparam("to_state"), "result": bindparam("to_result")}
    to_send = {**told, "body": bindparam("to_body"), "order_id": bindparam("to_order_id")}
    erased = {**told, "source": None, "body": None}
    for values, chosen in (
        (to_send, [change for change in changes if change.body is not None]),
        (erased, [change for change in changes if change.state is RowState.DONE]),
        (told, [change for change in changes if change.body is None and change.state is not RowState.DONE]),
    ):
        if chosen:
            connection.execute(statement.values(**values), [_bound(change) for change in chosen])


def _parts(asked: list[str]) -> Iterator[list[str]]:
    for start in range(0, len(asked), _ASKED_AT_ONCE):
        yield asked[start : start + _ASKED_AT_ONCE]


def _erase(connection: Connection, batch_ids: Sequence[str]) -> None:
    connection.execute(
        update(BATCH_ORDERS).where(BATCH_ORDERS.c.batch_id.in_(batch_ids)).values(source=None, body=None)
    )


def _bound(change: Changed) -> dict[str, Any]:
    return {
        "of_number": change.number,
        "to_state": change.state,
        "to_result": dict(change.result) or None,
        "to_body": None if change.body is None else dict(change.body),
        "to_order_id": change.order_id or "",
    }


def _batch(connection: Connection, statement: Select[Any]) -> Batch | None:
    row = connection.execute(statement).mappings().first()
    if row is None:
        return None
    return Batch(**{**row, "state": BatchState(row["state"])})


def _order(row: Mapping[str, Any]) -> BatchOrder:
    return BatchOrder(**{**row, "state": RowState(row["state"]), "result": row["result"] or {}})
