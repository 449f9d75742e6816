"""Imports of orders that outlive a reload and a crash: the batch, and each of its orders.

`source` and `body` of an order hold personal data. They are erased for each order as soon as the service has it, and
for all of a batch when it is closed. What an order became stands in the attempts as well: if a result is lost
between the service and this table, the attempt of its draft tells it (the draft's id follows from batch and number).
"""

import uuid
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Update, bindparam, func, insert, select, update

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
_BATCH: Final = ORDER_BATCHES.c
_ORDER: Final = BATCH_ORDERS.c


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
        batch = {
            "batch_id": batch_id,
            "environment": environment,
            "username": username,
            "file_name": file_name,
            "state": BatchState.PREVIEW,
            "note": "",
            "layout": dict(layout),
            "choices": dict(choices),
            "created_at": self._clock(),
        }
        orders = [
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

        def write(connection: Connection) -> None:
            connection.execute(insert(ORDER_BATCHES), batch)
            connection.execute(insert(BATCH_ORDERS), orders)

        self._database.write(write)
        return batch_id

    def open_batch(self, *, environment: str, username: str) -> Batch | None:
        """The person's newest import that is not closed."""
        mine = (_BATCH.environment == environment, _BATCH.username == username, _BATCH.state.in_(OPEN))
        return self._found(*mine)

    def batch(self, batch_id: str) -> Batch:
        """An import. Raises `KeyError` when there is none of this id."""
        found = self._found(_BATCH.batch_id == batch_id)
        if found is None:
            raise KeyError(batch_id)
        return found

    def _found(self, *conditions: ColumnElement[bool]) -> Batch | None:
        newest = select(ORDER_BATCHES).where(*conditions).order_by(_BATCH.created_at.desc()).limit(1)
        row = self._database.read(lambda connection: connection.execute(newest).mappings().first())
        return None if row is None else Batch(**{**row, "state": BatchState(row["state"])})

    def set_state(
        self,
        batch_id: str,
        state: BatchState,
        *,
        note: str = "",
        only_from: Iterable[BatchState] = tuple(BatchState),
    ) -> bool:
        """Set how far an import has come, if it is in one of `only_from`; gives whether it was."""
        return self._database.write(_becomes(batch_id, state, note=note, only_from=only_from))

    def choose(self, batch_id: str, choices: Mapping[str, Any]) -> None:
        """Keep what a person decided for the whole file."""
        chosen = update(ORDER_BATCHES).where(_BATCH.batch_id == batch_id).values(choices=dict(choices))
        self._database.write(lambda connection: connection.execute(chosen))

    def correct(self, batch_id: str, number: int, source: Mapping[str, Any]) -> None:
        """Keep an order as a person has corrected it."""
        corrected = _orders(batch_id).where(_ORDER.number == number).values(source=dict(source))
        self._database.write(lambda connection: connection.execute(corrected))

    def orders(
        self,
        batch_id: str,
        *,
        states: Iterable[RowState] = tuple(RowState),
        limit: int | None = None,
        personal: bool = True,
    ) -> list[BatchOrder]:
        """Orders of an import by their number; without `personal` without what they hold about customers."""
        columns = [column for column in _ORDER if personal or column.name not in {"source", "body"}]
        asked = select(*columns).where(_ORDER.batch_id == batch_id, _ORDER.state.in_(list(states)))
        asked = asked.order_by(_ORDER.number).limit(limit)
        return self._database.read(
            lambda connection: [_order(dict(row)) for row in connection.execute(asked).mappings()]
        )

    def counts(self, batch_id: str) -> dict[RowState, int]:
        """How many orders of an import are in which state."""
        asked = select(_ORDER.state, func.count()).where(_ORDER.batch_id == batch_id).group_by(_ORDER.state)
        return self._database.read(
            lambda connection: {RowState(state): count for state, count in connection.execute(asked)}
        )

    def start(self, batch_id: str, changes: Sequence[Changed]) -> bool:
        """Settle what is sent of a previewed import, and let it be sent; gives whether it was a preview until now."""

        def write(connection: Connection) -> bool:
            mine = _becomes(batch_id, BatchState.SENDING, only_from=(BatchState.PREVIEW,))(connection)
            if mine:
                _change(connection, batch_id, changes)
            return mine

        return self._database.write(write)

    def change(self, batch_id: str, changes: Sequence[Changed]) -> None:
        """Write what became of orders; those that are done lose what they hold about customers."""
        if changes:
            erases = any(change.state is RowState.DONE for change in changes)
            self._database.write(lambda connection: _change(connection, batch_id, changes), erases=erases)

    def preview_again(self, batch_id: str) -> None:
        """Let the orders of a finished import that were not sent be corrected and sent."""
        unsent = _ORDER.state.in_([RowState.FAULTY, RowState.LEFT_OUT, RowState.REFUSED])
        anew = _orders(batch_id).where(unsent, _ORDER.source.is_not(None))

        def write(connection: Connection) -> None:
            connection.execute(anew.values(state=RowState.READ, result=None))
            _becomes(batch_id, BatchState.PREVIEW, only_from=(BatchState.FINISHED,))(connection)

        self._database.write(write)

    def wait_again(self, batch_id: str, states: Iterable[RowState]) -> None:
        """Let orders of these states be sent once more."""
        unsent = _orders(batch_id).where(_ORDER.state.in_(list(states)), _ORDER.body.is_not(None))
        self._database.write(lambda connection: connection.execute(unsent.values(state=RowState.WAITING)))

    def close(self, batch_id: str) -> None:
        """End an import: nothing about its customers stays."""

        def write(connection: Connection) -> None:
            connection.execute(_orders(batch_id).values(source=None, body=None))
            _becomes(batch_id, BatchState.CLOSED)(connection)

        self._database.write(write, erases=True)

    def sent_before(self, environment: str, order_ids: Iterable[str]) -> Mapping[str, SentBefore]:
        """Those of these order ids that the service has from this desk, and what is known of their orders."""
        asked = list(dict.fromkeys(order_ids))

        def read(connection: Connection) -> Mapping[str, SentBefore]:
            names, products = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
            for start in range(0, len(asked), _ASKED_AT_ONCE):
                part = asked[start : start + _ASKED_AT_ONCE]
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
                    select(_ORDER.order_id, _ORDER.name)
                    .join(ORDER_BATCHES, _BATCH.batch_id == _ORDER.batch_id)
                    .where(
                        _BATCH.environment == environment,
                        _ORDER.order_id.in_(part),
                        _ORDER.state == RowState.DONE,
                    )
                )
                for order_id, name in connection.execute(called):
                    names[order_id].add(name)
            return {
                order_id: SentBefore(frozenset(names[order_id]), frozenset(skus))
                for order_id, skus in products.items()
            }

        return self._database.read(read)


def _orders(batch_id: str) -> Update:
    return update(BATCH_ORDERS).where(_ORDER.batch_id == batch_id)


def _becomes(
    batch_id: str, state: BatchState, *, note: str = "", only_from: Iterable[BatchState] = tuple(BatchState)
) -> Callable[[Connection], bool]:
    """What sets how far an import has come, if it is in one of `only_from`; gives whether it was."""
    here = (_BATCH.batch_id == batch_id, _BATCH.state.in_(list(only_from)))
    statement = update(ORDER_BATCHES).where(*here).values(state=state, note=note)
    return lambda connection: connection.execute(statement).rowcount == 1


def _change(connection: Connection, batch_id: str, changes: Sequence[Changed]) -> None:
    statement = _orders(batch_id).where(_ORDER.number == bindparam("of_number"))
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


def _bound(change: Changed) -> dict[str, Any]:
    return {
        "of_number": change.number,
        "to_state": change.state,
        "to_result": dict(change.result) or None,
        "to_body": None if change.body is None else dict(change.body),
        "to_order_id": change.order_id or "",
    }


def _order(row: Mapping[str, Any]) -> BatchOrder:
    return BatchOrder(**{**row, "state": RowState(row["state"]), "result": row["result"] or {}})
