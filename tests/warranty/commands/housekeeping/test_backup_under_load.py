"""A hundred backups of a journal that desks are writing to, and an upgrade under a desk that goes on writing."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event, Semaphore
from typing import NamedTuple
from uuid import uuid4

import pytest
from sqlalchemy import text

from tests.waiting import until
from tests.warranty.conftest import Clock
from tests.warranty.desk.journal.intents import MakeIntent, ended
from warranty.commands.housekeeping.backup import back_up, restore
from warranty.commands.housekeeping.opening import open_journal
from warranty.commands.housekeeping.verification import verify
from warranty.database.database import Database
from warranty.database.schema import writable_schema
from warranty.database.tables import METADATA
from warranty.desk.journal import AttemptFilter, AttemptState, Drafts, Journal

NEW_IN_0010 = {"audit", "audit_ends", "audit_subjects"}

WHATEVER = (AttemptState.DONE, AttemptState.REFUSED, AttemptState.UNKNOWN)
AS_EVER = (AttemptState.UNKNOWN, AttemptState.UNKNOWN)  # whose writing touches nothing that is new


class Counters(NamedTuple):
    """One sale a customer, up to twenty a second each; `confirmed` has the ids, as they come."""

    customers: Semaphore
    confirmed: list[str]


@contextmanager
def written_to(journal: Journal, intent: MakeIntent, *, becomes: tuple[AttemptState, ...]) -> Iterator[Counters]:
    """Counters that write what they were told is done, and drafts that come and go."""
    over, counters = Event(), Counters(Semaphore(0), [])

    def work(state: AttemptState) -> None:
        drafts = Drafts(journal.database, "sandbox", "dana", state)
        while not over.wait(0.05):
            counters.customers.acquire()
            begun = intent(draft_id=uuid4().hex)
            drafts.save(begun.draft_id, {"email": "ada@example.com"})
            ended(journal, begun, state)
            counters.confirmed.append(begun.attempt_id)

    with ThreadPoolExecutor(len(becomes)) as pool:
        working = [pool.submit(work, state) for state in becomes]
        try:
            yield counters
        finally:
            over.set()
            counters.customers.release(len(becomes))
        for each in working:
            each.result()


@pytest.mark.long
@pytest.mark.both_databases
@pytest.mark.timeout(600)
def test_a_hundred_backups_under_load_are_each_restored_to_a_journal_that_is_well(
    *, journal: Journal, journal_url: str, intent: MakeIntent, tmp_path: Path, clock: Clock
) -> None:
    restored_well = 0
    with (
        closing(Database(journal_url)) as database,
        written_to(journal, intent, becomes=WHATEVER) as (customers, confirmed),
    ):
        for number in range(100):
            file, confirmed_before = tmp_path / f"backup-{number}", set(confirmed)
            customers.release(9)  # so many, however slow the machine: the journal does not outgrow the test
            assert back_up(database, file, now=clock).faults == ()
            url = f"sqlite:///{tmp_path / f'restored-{number}'}"
            with closing(Database(url)) as elsewhere:
                restore(file, elsewhere, replace=False)  # which looks through the copy once more
                assert verify(elsewhere).faults == ()
            with closing(open_journal(url)) as restored:
                there = {one.attempt_id for one in restored.attempts("sandbox", AttemptFilter(limit=None))}
            assert confirmed_before <= there
            restored_well += 1
    assert restored_well == 100
    assert verify(database).faults == ()
    assert len(confirmed) > 100


@pytest.mark.both_databases
def test_a_desk_goes_on_writing_while_one_upgrades_the_journal(journal_url: str, intent: MakeIntent) -> None:
    """What an older program itself does meanwhile, the chain's ordeal shows (tests/chain)."""
    old = open_journal(journal_url)
    _as_0009_left_it(journal_url)
    with written_to(old, intent, becomes=AS_EVER) as (customers, confirmed):
        customers.release(10_000)
        until(lambda: len(confirmed) > 5)
        newer = open_journal(journal_url)
        assert writable_schema(newer.database).is_own
        so_far = len(confirmed)
        until(lambda: len(confirmed) > so_far + 5)
    assert {one.attempt_id for one in newer.attempts("sandbox", AttemptFilter(limit=None))} == set(confirmed)
    newer.close()
    old.close()
    with closing(Database(journal_url)) as database:
        assert verify(database).faults == ()


def _as_0009_left_it(url: str) -> None:
    """Without the tables that 0010 has made."""
    with closing(Database(url)) as database, database.write() as connection:
        new = [each for each in METADATA.sorted_tables if each.name in NEW_IN_0010]
        for table in reversed(new):
            table.drop(connection)
        connection.execute(text("UPDATE alembic_version SET version_num = '0009'"))
