"""Cookies on their way into a browser, for all desks of a journal together."""

from datetime import timedelta

import pytest
from sqlalchemy import select

from tests.warranty.conftest import Clock
from warranty.desk.journal import Journal
from warranty.people.accounts.cookie_tickets import CookieTickets
from warranty.people.accounts.tables import COOKIE_TICKETS


@pytest.fixture
def tickets(journal: Journal, clock: Clock) -> CookieTickets:
    """By the clock of the test in place of the database's."""
    tickets = CookieTickets(journal.database)
    tickets._now = lambda connection: clock()  # type: ignore[method-assign]
    return tickets


def test_a_ticket_is_good_once_and_for_a_minute(tickets: CookieTickets, clock: Clock) -> None:
    used, late = tickets.give("a cookie"), tickets.give("another")
    clock.advance(timedelta(seconds=59))
    assert [tickets.take(used), tickets.take(used), tickets.take("made up")] == ["a cookie", None, None]
    clock.advance(timedelta(seconds=1))
    assert tickets.take(late) is None
    assert (tickets.was_taken(used), tickets.was_taken(late)) == (True, False)


def test_the_rows_tell_neither_and_soon_go(tickets: CookieTickets, journal: Journal, clock: Clock) -> None:
    ticket = tickets.give("a cookie")
    with journal.database.read() as connection:
        rows = str(connection.execute(select(COOKIE_TICKETS)).all())
    assert "a cookie" not in rows
    assert ticket not in rows
    clock.advance(timedelta(hours=2))
    tickets.take(tickets.give("the next"))
    with journal.database.read() as connection:
        assert connection.execute(select(COOKIE_TICKETS)).all() == []
