"""How long a sign-in holds: no longer than a shift, and not while nobody works under it."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from warranty.people.accounts import Accounts

SHIFT: Final = timedelta(hours=12)
"""What a cookie is written for, and the longest limit: from its end its beginning is read."""
NEVER: Final = datetime.max.replace(tzinfo=UTC)
"""When a sign-in began that has not yet."""
AHEAD: Final = timedelta(seconds=10)
"""So far apart two desks may read the database's clock; a sign-in that begins later than that is none."""
A_LOOK: Final = timedelta(minutes=1)
"""So often at most it is written down that somebody works."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How long a sign-in holds at most, and how long without anybody working under it.

    `at_till` is how long without work a till's key opens a new tab for who is switched in there.
    """

    longest: timedelta = SHIFT
    idle: timedelta = SHIFT
    at_till: timedelta = SHIFT

    def ended(self, accounts: Accounts, username: str, since: datetime) -> bool:
        """Whether a sign-in of this moment counts no more: signed out, the account written anew, or a limit reached."""
        is_old = since != NEVER and since + self.longest < accounts.now()
        is_over = is_old or is_ahead(accounts, since) or self.is_idle(accounts, username, since)
        return accounts.left(username, since) or (since != NEVER and is_over)

    def is_idle(self, accounts: Accounts, username: str, since: datetime) -> bool:
        """Whether nobody has worked under this sign-in for too long, in any tab."""
        return since != NEVER and accounts.worked_at(username, since) + self.idle < accounts.now()

    def is_left_open(self, accounts: Accounts, username: str, since: datetime) -> bool:
        """Whether a till's screen would be locked by now where somebody is switched in since this moment.

        The page locks it, and a browser that is closed runs no page.
        """
        return accounts.worked_at(username, since) + self.at_till < accounts.now()

    def is_to_be_noted(self, accounts: Accounts, username: str, since: datetime) -> bool:
        """Whether it is time to write down again that somebody works: once a minute is enough."""
        quiet = accounts.now() - accounts.worked_at(username, since)
        return since != NEVER and quiet >= min(A_LOOK, self.idle / 4)


def is_ahead(accounts: Accounts, since: datetime) -> bool:
    """Whether a sign-in begins later than now, by a clock that is wrong."""
    return since > accounts.now() + AHEAD
