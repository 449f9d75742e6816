"""What one program at a time may do, however many there are and whatever becomes of them."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime, timedelta
from threading import Barrier, Event

import pytest
from sqlalchemy import update

from warranty.commands.housekeeping.opening import open_journal
from warranty.database.leases import Leases
from warranty.database.tables import LEASES
from warranty.desk.journal import Journal
from warranty.errors import LeaseHeld, LeaseLost

MINUTE = timedelta(minutes=1)
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
