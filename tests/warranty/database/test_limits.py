"""What all desks of a journal keep together: the pace of claims calls, the repeats left, who does what alone."""

import logging
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from datetime import UTC, datetime, timedelta
from threading import Barrier, Event
from unittest.mock import Mock

import pytest
from sqlalchemy import update

from sandbox import SandboxServer
from tests.builders import client_at, order_of
from tests.warranty.claims.readings.reader import reserve_starts
from tests.warranty.desk.processes import running
from warranty.claims.retrieval import ClaimLimits, retrieve_claims
from warranty.client import Pacing, RetryBudget, Timeouts, WarrantyClient
from warranty.client.pacing import FULL
from warranty.client.resources import ClaimQuery
from warranty.client.transport import CALLS
from warranty.commands.housekeeping.opening import open_journal
from warranty.database.database import now
from warranty.database.leases import Leases
from warranty.database.limits import SharedPace, SharedTokens
from warranty.database.tables import LEASES, PACES, RETRY_BUDGETS
from warranty.desk.journal import Journal
from warranty.errors import JournalUnavailable, LeaseHeld, LeaseLost, WarrantyError

MINUTE = timedelta(minutes=1)


@pytest.mark.both_databases
def test_starts_of_three_programs_at_once_stand_in_one_queue(journal: Journal, journal_url: str) -> None:
    limits = ClaimLimits(per_second=4, shared=SharedPace(journal.database, "claims sandbox"))
    assert limits.left() == 4
    before = time.monotonic()
    with ExitStack() as programs:
        told = [programs.enter_context(running(reserve_starts, journal_url, 20, 4.0))[1] for _ in range(3)]
        waits = [wait for each in told for wait in each.recv()]
    assert all(wait is not None for wait in waits)
    assert limits.left() == 0
    queue = SharedPace(journal.database, "claims sandbox").queue()
    assert queue is not None
    # 60 calls, 4 a second: 15 seconds, of which some have passed.
    assert 15 - (time.monotonic() - before) <= queue <= 15
    assert SharedPace(journal.database, "claims staging").queue() == 0


def test_neither_a_clock_set_back_nor_a_journal_away_stops(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    pace = SharedPace(journal.database, "claims sandbox")
    pace.next_start(0.125)
    with journal.database.write() as connection:
        connection.execute(update(PACES).values(next_start=now(connection) + timedelta(hours=1)))
    assert pace.next_start(0.125) == 0
    away = Mock(side_effect=JournalUnavailable)
    monkeypatch.setattr(journal.database, "write", away)
    pace = SharedPace(journal.database, "claims sandbox")
    assert [pace.next_start(0.125) for _ in range(5)] == [None] * 5
    assert away.call_count == 1


def test_claims_are_read_at_the_pace_of_the_process_while_the_journal_is_away() -> None:
    away = Mock(next_start=Mock(return_value=None), queue=Mock(return_value=None))
    limits, waited = ClaimLimits(at_once=1, per_second=0.5, shared=away), list[float]()
    for _ in range(3):
        with limits.turn(lambda: False, wait=waited.append):
            pass
    assert away.next_start.call_count == 3
    assert waited == pytest.approx([0, 2, 4], abs=0.5)
    assert limits.left() == 0


def out_of_order(sandbox: SandboxServer, kind: str, journal: Journal) -> WarrantyClient:
    """A client whose service cannot be reached, answers 500, or takes longer than anybody waits."""
    for operation in ("verify_credentials", "submit_order", "claims") if kind != "refused" else ():
        sandbox.add_fault(operation, "status" if kind == "500" else "delay", times=1000, seconds=0.5)
    budget = RetryBudget(SharedTokens(journal.database, "sandbox"))
    pacing, timeouts = Pacing(sleep=lambda _seconds: None, budget=budget), Timeouts(read=timedelta(milliseconds=20))
    return client_at(sandbox, "https://127.0.0.1:9" if kind == "refused" else "", timeouts=timeouts, pacing=pacing)


def asks(client: WarrantyClient, *, times: int) -> None:
    limits = ClaimLimits(budget=client.retry_budget)
    asked: list[Callable[[], object]] = [
        client.verify_credentials, lambda: client.submit_order(order_of(order_id="1")),
        lambda: client.claims(ClaimQuery()), lambda: retrieve_claims(client, ClaimQuery(), limits=limits),
    ]  # fmt: skip
    for call in asked * times:
        with pytest.raises(WarrantyError):
            call()


@pytest.mark.parametrize("times", [3, pytest.param(25, marks=pytest.mark.long)])
def test_an_outage_makes_at_most_1_3_times_the_calls(
    times: int, journal_url: str, sandbox: SandboxServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, logger=CALLS.name)
    for kind in ("refused", "500", "silence"):  # what one desk has used up is not there for the next
        with closing(open_journal(journal_url)) as mine, out_of_order(sandbox, kind, mine) as client:
            asks(client, times=times)
        sandbox.clear_faults()
    asked = 3 * 4 * times
    tries = sum(record.name == CALLS.name for record in caplog.records)
    assert asked < tries <= 1.3 * asked


@pytest.mark.both_databases
def test_desks_that_repeat_at_the_same_moment_draw_from_one_budget(journal_url: str) -> None:
    def drawn(_: int) -> int:
        with closing(open_journal(journal_url)) as mine:
            budget = RetryBudget(SharedTokens(mine.database, "sandbox"))
            return sum(budget.spend() for _ in range(10))

    with ThreadPoolExecutor(3) as pool:
        assert sum(pool.map(drawn, range(3))) == FULL


def test_repeats_are_there_again_once_calls_succeed(journal: Journal) -> None:
    one, other = (RetryBudget(SharedTokens(journal.database, "sandbox")) for _ in range(2))
    assert one.left() == other.left() == FULL
    assert [one.spend() for _ in range(8)] == [True] * 8
    assert [other.spend(after_silence=True) for _ in range(2)] == [True, False]
    assert not one.spend()
    for _ in range(8):
        other.earn()
    assert one.left() == 2
    assert [one.spend() for _ in range(3)] == [True, True, False]


def test_a_call_that_one_desk_puts_off_leaves_room_for_a_repeat_of_another(journal: Journal) -> None:
    one, other = (RetryBudget(SharedTokens(journal.database, "sandbox")) for _ in range(2))
    assert one.left() == FULL  # that is what it saw last
    while other.spend():
        pass
    for _ in range(3):
        one.forgo()
    assert [other.spend() for _ in range(4)] == [True, True, True, False]


def test_a_repeat_a_minute_is_free_so_that_the_end_of_an_outage_is_found(journal: Journal) -> None:
    budget = RetryBudget(SharedTokens(journal.database, "sandbox"))
    while budget.spend():
        pass
    with journal.database.write() as connection:
        connection.execute(update(RETRY_BUDGETS).values(changed_at=now(connection) - MINUTE))
    assert [budget.spend() for _ in range(2)] == [True, False]


def test_a_full_budget_asks_no_database(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    budget = RetryBudget(SharedTokens(journal.database, "sandbox"))
    for _ in range(4):
        budget.earn()  # it is found full
    monkeypatch.setattr(journal.database, "write", None)
    for _ in range(100):
        budget.earn()


def test_while_the_journal_is_away_each_desk_has_a_budget_of_its_own(journal: Journal) -> None:
    away = SharedTokens(journal.database, "sandbox")
    away._away_until = time.monotonic() + 3600
    clock = [0.0]
    budget = RetryBudget(away, clock=lambda: clock[0])
    assert [budget.spend() for _ in range(11)] == [True] * 10 + [False]
    clock[0] = MINUTE.total_seconds()
    assert [budget.spend() for _ in range(2)] == [True, False]


OVER = timedelta(0)


@pytest.mark.both_databases
def test_a_lease_is_one_programs_until_it_is_given_back(journal: Journal, journal_url: str) -> None:
    with closing(open_journal(journal_url)) as elsewhere:
        lease = Leases(journal.database).take("history sandbox", lasts=MINUTE)
        with pytest.raises(LeaseHeld, match=r"process [0-9]+.* holds the lease history sandbox") as held:
            Leases(elsewhere.database).take("history sandbox", lasts=MINUTE)
        assert held.value.until > datetime.now(UTC) + MINUTE / 2
        Leases(elsewhere.database).take("history staging", lasts=MINUTE)  # another lease
        lease.release()
        Leases(elsewhere.database).take("history sandbox", lasts=MINUTE)


@pytest.mark.both_databases
def test_of_several_takers_at_once_one_gets_it(journal: Journal, journal_url: str) -> None:
    start = Barrier(4)

    def take(_: int) -> bool:
        with closing(open_journal(journal_url)) as mine:
            start.wait()
            try:
                Leases(mine.database).take("history sandbox", lasts=MINUTE)
            except LeaseHeld:
                return False
            return True

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(take, range(4))) == [False, False, False, True]


def test_a_lease_ends_after_its_program_died_and_is_not_taken_back(journal: Journal) -> None:
    asleep = Leases(journal.database).take("history sandbox", lasts=OVER)
    asleep.renew()  # late, but nobody has come between
    with Leases(journal.database).taken("history sandbox", lasts=MINUTE) as taken:
        with pytest.raises(LeaseLost):
            asleep.renew()
        asleep.release()
        taken.renew()
    Leases(journal.database).take("history sandbox", lasts=MINUTE)


def test_a_lease_is_kept_up_meanwhile_and_its_loss_is_told(journal: Journal) -> None:
    lost = Event()
    with Leases(journal.database).taken("history sandbox", lasts=timedelta(seconds=0.2)) as lease:
        renewed = Event()
        renew = lease.renew

        def noted() -> None:
            renew()
            renewed.set()

        lease.renew = noted  # type: ignore[method-assign]
        with lease.renewing(lost):
            assert renewed.wait(20)
            with journal.database.write() as connection:
                until = datetime.now(UTC) + MINUTE
                connection.execute(update(LEASES).values(holder="the other machine", until=until))
            assert lost.wait(20)
    with pytest.raises(LeaseHeld, match="the other machine"):
        Leases(journal.database).take("history sandbox", lasts=MINUTE)
