"""Counters and imports in processes of their own: several at once on one journal, paused, and some that are killed."""

from collections import Counter as Count
from contextlib import closing
from datetime import UTC, datetime, timedelta
from itertools import count
from multiprocessing.connection import Connection
from random import Random
from typing import Any

import pytest
from sqlalchemy import update

from sandbox import SandboxServer
from tests.builders import MANAGER, STAFF, order_of, sale_of
from tests.warranty.conftest import Clock
from tests.warranty.desk.counter import sell_each, send_all, send_batch
from tests.warranty.desk.journal.intents import activity_of
from tests.warranty.desk.place import Place
from tests.warranty.desk.processes import PROCESSES, running
from tests.warranty.files.conftest import begun
from warranty.client import WarrantyClient
from warranty.client.resources import Order, OrderReceipt
from warranty.clock import utc_now
from warranty.commands.housekeeping.opening import open_journal
from warranty.database.tables import LEASES
from warranty.desk import Desk
from warranty.desk.journal import AttemptFilter, AttemptState, Batches, BatchState, Journal, RowState
from warranty.desk.order_imports import BatchSender
from warranty.errors import NotSent, Trace


def store_orders(client: WarrantyClient, numbers: list[str]) -> None:
    for number in numbers:
        client.submit_order(order_of(order_id=number))


def heard_of(*told: Connection) -> list[str]:
    heard: list[str] = []
    for each in told:
        while (word := each.recv()) != "finished":
            heard.append(word)
    return heard


def sent(sandbox: SandboxServer) -> Count[str]:
    """How often the service got each draft; what was cut off before its order id could be read, it did not get."""
    kinds = {"submit_order": "order", "record_sale": "sale"}
    return Count(f"{kinds[call['operation']]}-{call['order_id']}" for call in sandbox.calls() if "order_id" in call)


@pytest.mark.both_databases
@pytest.mark.parametrize("count", [8, pytest.param(50, marks=pytest.mark.long)])
def test_two_counters_that_send_the_same_drafts_send_each_once(
    count: int, place: Place, journal: Journal, client: WarrantyClient, sandbox: SandboxServer
) -> None:
    store_orders(client, [f"s{number}" for number in range(count)])
    drafts = [f"{kind}{number}" for number in range(count) for kind in ("sale-s", "order-o")]
    Random(1).shuffle(drafts)
    one, other = (running(send_all, place, drafts, threads=4) for _ in range(2))
    with one as (first, told), other as (second, told_too):
        assert Count(heard_of(told, told_too)) == Count(["open", *drafts] * 2)
        for process in (first, second):
            process.join()
            assert process.exitcode == 0
    assert {sent(sandbox)[draft] for draft in drafts} == {1}
    assert journal.count("sandbox", AttemptFilter(states=frozenset({AttemptState.DONE}))) == len(drafts)


@pytest.mark.both_databases
@pytest.mark.parametrize("count", [6, pytest.param(30, marks=pytest.mark.long)])
def test_two_tills_make_one_sale(count: int, place: Place, client: WarrantyClient, sandbox: SandboxServer) -> None:
    numbers = [f"s{number}" for number in range(count)]
    store_orders(client, numbers)
    sales, start = [sale_of(number) for number in numbers], PROCESSES.Barrier(2)
    one, two = (running(sell_each, place, sales, till=till, start=start) for till in ("one", "two"))
    with one as (_, told), two as (_, told_too):
        heard = heard_of(told, told_too)
    assert Count(heard) == Count([f"{word} {number}" for number in numbers for word in ("done", "asked of")])
    assert {sent(sandbox)[f"sale-{number}"] for number in numbers} == {1}


@pytest.mark.both_databases
@pytest.mark.parametrize("kills", [2, pytest.param(100, marks=[pytest.mark.long, pytest.mark.timeout(600)])])
def test_a_killed_counter_is_safe(kills: int, place: Place, client: WarrantyClient, sandbox: SandboxServer) -> None:
    random = Random(kills)
    drafts = list[str]()
    for kill in range(kills):
        orders = [f"{kill}x{number}" for number in range(20)]
        store_orders(client, orders[:8])
        mine = [f"sale-{order}" for order in orders[:8]] + [f"order-{order}" for order in orders[8:]]
        random.shuffle(mine)
        drafts += mine
        with running(send_all, place, mine, threads=2) as (process, told):
            for _ in range(random.randint(1, len(mine))):  # open, and some drafts finished
                told.recv()
            process.join(timeout=random.uniform(0, 0.02))
            process.kill()

    calls = sent(sandbox)
    with closing(open_journal(place.journal_url, clock=lambda: utc_now() + timedelta(hours=1))) as after:
        activity = activity_of(after)
        attempts = {draft: activity.attempt_of(MANAGER, draft) for draft in drafts}
    states = Count(attempt.state if attempt else AttemptState.DRAFT for attempt in attempts.values())
    assert states[AttemptState.SENDING] == 0 < states[AttemptState.DONE]
    assert states[AttemptState.UNKNOWN] > 0 or kills <= 5  # a few may all fall between two calls
    for draft, attempt in attempts.items():
        if attempt is None or attempt.state is AttemptState.DONE:
            assert calls[draft] == bool(attempt)

    # The shop opens again and everybody clicks once more, on everything.
    with running(send_all, place, drafts, threads=4) as (_, told):
        heard_of(told)
    calls = sent(sandbox)
    assert max(calls.values()) == 1
    for draft, attempt in attempts.items():
        if attempt is None or attempt.state is AttemptState.DONE:
            assert calls[draft] == 1


@pytest.fixture
def batches(journal: Journal) -> Batches:
    return Batches(journal.database, "sandbox", STAFF.username)


def stored(sandbox: SandboxServer) -> int:
    orders = [call["order_id"] for call in sandbox.calls() if call["written"]]
    assert len(orders) == len(set(orders))
    return len(orders)


def test_a_paused_import_goes_on_with_the_rest(desk: Desk, batches: Batches, sandbox: SandboxServer) -> None:
    batch_id = begun(batches, 16)

    def pause() -> bool:
        if batches.counts(batch_id).get(RowState.DONE, 0) >= 5:
            batches.set_state(batch_id, BatchState.PAUSED, only_from=(BatchState.SENDING,))
        return False

    BatchSender(desk=desk, operator=STAFF, concurrency=2, stopping=pause).run(batch_id)
    counts = batches.counts(batch_id)
    assert batches.batch(batch_id).state is BatchState.PAUSED
    assert 5 <= counts[RowState.DONE] <= 4 + 2, "what is on its way then is sent to its end, and no other"
    assert stored(sandbox) == counts[RowState.DONE] == 16 - counts[RowState.WAITING]
    batches.set_state(batch_id, BatchState.SENDING, only_from=(BatchState.PAUSED,))
    BatchSender(desk=desk, operator=STAFF, concurrency=4).run(batch_id)
    assert batches.counts(batch_id) == {RowState.DONE: 16}
    assert batches.batch(batch_id).state is BatchState.FINISHED
    assert stored(sandbox) == 16


@pytest.mark.parametrize(("unsent", "state", "counts"), [
    (range(1, 20, 2), BatchState.FINISHED, {RowState.DONE: 10, RowState.NOT_SENT: 10}),
    (range(2, 9), BatchState.FINISHED, {RowState.DONE: 13, RowState.NOT_SENT: 7}),
    (range(2, 10), BatchState.PAUSED, {RowState.DONE: 2, RowState.WAITING: 18}),
])  # fmt: skip
def test_eight_orders_in_a_row_that_do_not_arrive_pause_an_import_and_as_many_here_and_there_do_not(
    *, unsent: range, state: BatchState, counts: dict[RowState, int], client: WarrantyClient, desk: Desk,
    batches: Batches, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    number, sends = count(), client.submit_order

    def submit(order: Order, **named: Any) -> OrderReceipt:
        if next(number) in unsent:
            raise NotSent(trace=Trace("submit_order", named["attempt_id"]))
        return sends(order, **named)

    monkeypatch.setattr(client, "submit_order", submit)
    batch_id = begun(batches, 20)
    BatchSender(desk=desk, operator=STAFF, concurrency=1).run(batch_id)
    assert (batches.batch(batch_id).state, batches.counts(batch_id)) == (state, counts)


@pytest.mark.both_databases
@pytest.mark.parametrize("orders", [12, pytest.param(60, marks=pytest.mark.long)])
def test_an_import_whose_process_was_killed_goes_on_and_no_order_is_stored_twice(
    *, orders: int, desk: Desk, journal: Journal, batches: Batches, clock: Clock, sandbox: SandboxServer, place: Place
) -> None:
    batch_id = begun(batches, orders)
    sandbox.add_fault(operation="submit_order", kind="delay", seconds=0.1, times=orders)
    with running(send_batch, place, batch_id) as (process, told):
        for _ in range(3):  # before the first order, and after some were written down
            assert told.recv() == "looks"
        process.kill()
        process.join()
    counts = batches.counts(batch_id)
    assert 0 < counts[RowState.DONE] < orders
    assert batches.batch(batch_id).state is BatchState.SENDING
    sandbox.clear_faults()
    clock.advance(timedelta(days=365))  # beyond the time of the process: what was on its way is late now
    assert batches.is_being_sent(batch_id), "as far as others know"
    BatchSender(desk=desk, operator=STAFF, concurrency=4).run(batch_id)
    assert batches.counts(batch_id) == counts
    with journal.database.write() as connection:  # seconds later
        connection.execute(update(LEASES).values(until=datetime.now(UTC)))
    assert not batches.is_being_sent(batch_id)
    BatchSender(desk=desk, operator=STAFF, concurrency=4).run(batch_id)
    assert batches.counts(batch_id) == {RowState.DONE: orders}
    assert stored(sandbox) == orders
    assert len(sandbox.calls()) <= orders + 4, "only what was on its way was asked a second time"


@pytest.mark.both_databases
@pytest.mark.parametrize("orders", [12, pytest.param(40, marks=pytest.mark.long)])
def test_two_processes_send_an_order_once(orders: int, batches: Batches, sandbox: SandboxServer, place: Place) -> None:
    batch_id = begun(batches, orders)
    one, other = (running(send_batch, place, batch_id) for _ in range(2))
    with one as (_, first), other as (_, second):
        for told in (first, second):
            while told.recv() != "finished":
                pass
    assert batches.counts(batch_id) == {RowState.DONE: orders}
    assert stored(sandbox) == len(sandbox.calls()) == orders
