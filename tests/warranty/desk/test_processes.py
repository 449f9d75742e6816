"""Counters in processes of their own: several at once on one journal, and some that are killed."""

from collections import Counter as Count
from datetime import timedelta
from multiprocessing.connection import Connection
from random import Random

import pytest

from sandbox import SandboxServer
from tests.builders import MANAGER, order_of, sale_of
from tests.warranty.desk.counter import sell_each, send_all
from tests.warranty.desk.journal.intents import activity_of
from tests.warranty.desk.place import Place
from tests.warranty.desk.processes import PROCESSES, running
from warranty.client import WarrantyClient
from warranty.clock import utc_now
from warranty.commands.housekeeping.opening import open_journal
from warranty.desk.journal import AttemptFilter, AttemptState, Journal


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
    with (
        running(send_all, place, drafts, threads=4) as (one, told),
        running(send_all, place, drafts, threads=4) as (other, told_too),
    ):
        assert Count(heard_of(told, told_too)) == Count(["open", *drafts] * 2)
        for process in (one, other):
            process.join()
            assert process.exitcode == 0
    assert {sent(sandbox)[draft] for draft in drafts} == {1}
    assert journal.count("sandbox", AttemptFilter(states=frozenset({AttemptState.DONE}))) == len(drafts)


@pytest.mark.both_databases
@pytest.mark.parametrize("count", [6, pytest.param(30, marks=pytest.mark.long)])
def test_two_tills_that_sell_the_same_in_the_same_second_make_one_sale_and_are_asked_one_question(
    count: int, place: Place, client: WarrantyClient, sandbox: SandboxServer
) -> None:
    numbers = [f"s{number}" for number in range(count)]
    store_orders(client, numbers)
    sales, start = [sale_of(number) for number in numbers], PROCESSES.Barrier(2)
    with (
        running(sell_each, place, sales, till="one", start=start) as (_, one),
        running(sell_each, place, sales, till="two", start=start) as (_, two),
    ):
        heard = heard_of(one, two)
    assert Count(heard) == Count([f"{word} {number}" for number in numbers for word in ("done", "asked of")])
    assert {sent(sandbox)[f"sale-{number}"] for number in numbers} == {1}


@pytest.mark.both_databases
@pytest.mark.parametrize("kills", [2, pytest.param(100, marks=[pytest.mark.long, pytest.mark.timeout(600)])])
def test_a_killed_counter_is_safe(kills: int, place: Place, client: WarrantyClient, sandbox: SandboxServer) -> None:
    random = Random(kills)
    drafts: list[str] = []
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
    after = open_journal(place.journal_url, clock=lambda: utc_now() + timedelta(hours=1))
    activity = activity_of(after)
    attempts = {draft: activity.attempt_of(MANAGER, draft) for draft in drafts}
    after.close()
    states = Count(attempt.state if attempt else AttemptState.DRAFT for attempt in attempts.values())
    assert states[AttemptState.SENDING] == 0 < states[AttemptState.DONE]
    assert states[AttemptState.UNKNOWN] > 0 or kills <= 5  # a few may all fall between two calls
    for draft, attempt in attempts.items():
        if attempt is None:
            assert calls[draft] == 0
        elif attempt.state is AttemptState.DONE:
            assert calls[draft] == 1

    # The shop opens again and everybody clicks once more, on everything.
    with running(send_all, place, drafts, threads=4) as (_, told):
        heard_of(told)
    calls = sent(sandbox)
    assert max(calls.values()) == 1
    for draft, attempt in attempts.items():
        if attempt is None or attempt.state is AttemptState.DONE:
            assert calls[draft] == 1
