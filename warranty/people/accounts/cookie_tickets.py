"""Cookies on their way into a browser: each good for a minute and once, at whichever desk its ticket is handed in."""

from datetime import timedelta
from typing import Final

from cryptography.fernet import Fernet
from sqlalchemy import delete, insert, select

from warranty.database.database import Repository
from warranty.database.preferences import hash_of_secret
from warranty.people.accounts.tables import COOKIE_TICKETS

LASTS: Final = timedelta(minutes=1)
_FORGOTTEN_AFTER: Final = timedelta(hours=1)
"""Until then a ticket that nobody handed in can be told from one that was."""


class CookieTickets(Repository):
    """The tickets of all desks of a journal, by the database's clock; every method may raise `JournalUnavailable`.

    What a ticket stands for is sealed with the ticket itself, of which the hash is here: who reads the journal or a
    copy of it has neither.
    """

    def give(self, content: str) -> str:
        """Give a ticket for this content."""
        ticket = Fernet.generate_key().decode()
        sealed = Fernet(ticket).encrypt(content.encode()).decode()
        with self._database.write() as connection:
            moment = self._now(connection)
            old = COOKIE_TICKETS.c.until < moment - _FORGOTTEN_AFTER
            connection.execute(delete(COOKIE_TICKETS).where(old))
            row = {"ticket_hash": hash_of_secret(ticket), "sealed": sealed, "until": moment + LASTS}
            connection.execute(insert(COOKIE_TICKETS), row)
        return ticket

    def take(self, ticket: str) -> str | None:
        """Take a ticket for its content; None for one that is unknown, used or too old."""
        if self.was_taken(ticket):  # what strangers make up holds up no writing
            return None
        mine = delete(COOKIE_TICKETS).filter_by(ticket_hash=hash_of_secret(ticket))
        with self._database.write() as connection:
            good = mine.where(COOKIE_TICKETS.c.until > self._now(connection))
            sealed = connection.scalar(good.returning(COOKIE_TICKETS.c.sealed))
        return None if sealed is None else Fernet(ticket).decrypt(sealed.encode()).decode()

    def was_taken(self, ticket: str) -> bool:
        """Whether a ticket that was given was handed in, at any desk."""
        return not self._found(select(COOKIE_TICKETS.c.until).filter_by(ticket_hash=hash_of_secret(ticket)))
