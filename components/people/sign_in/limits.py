"""What ends a sign-in: a shift that is over, nobody who works under it, and at a registered till its lock or a switch.

Which till a tab is at, the cookie of its connection says; who is there, the journal. A sign-in with a password holds at
a till until its screen is locked or somebody is switched in.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Final

from components.platform import session
from components.platform.cookies.handing import sent
from components.platform.cookies.names import TILL_COOKIE
from warranty.access import Operator, Station
from warranty.people.accounts import Accounts
from warranty.people.tills import TillDesk
from warranty.people.tills.tills import Till

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


_SINCE: Final = "switched-in-since"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a tab is: the key that its browser sent, and since when its person is switched in (None: by a password)."""

    tills: TillDesk
    key: str
    since: datetime | None

    @classmethod
    def of_this_tab(cls, tills: TillDesk) -> "Place":
        """Where the tab of this run is."""
        return cls(tills, sent(TILL_COOKIE), session.recall(_SINCE, None))

    def till(self, *, fresh: bool = False) -> Till | None:
        """The till, if it is one."""
        return self.tills.at(self.key, fresh=fresh)

    def station(self) -> Station | None:
        """Where who signs in with a password works from then on; None away from any till."""
        till = self.till()
        return Station(till.store_id, till.till_id) if till else None

    def has_ended(self, username: str, signed_in_at: datetime, *, fresh: bool = False) -> bool:
        """Whether what happened at the till since has ended this sign-in."""
        till = self.till(fresh=fresh)
        if self.since is not None:
            return till is None or (till.username, till.since) != (username, self.since)
        left = self.tills.left_since(self.key)  # also of a till that is none any more
        return left is not None and signed_in_at <= left

    def standing(self, operator: Operator | None) -> Operator | None:
        """The person, working where this tab is, and allowed what the way in which they came opens."""
        if operator is None:
            return None
        if self.since is not None:  # never more than that, also where the till is gone
            till = self.till()
            at = replace(operator.at, switched_by="pin") if till is None else till.station
            return replace(operator, at=at)
        return replace(operator, at=self.station() or operator.at)


def enter_by_till(place: Place, still: Callable[[str, datetime], bool]) -> tuple[str, datetime] | None:
    """Whom a new tab at a till is of, and since when; None where nobody is switched in, or who is has left since."""
    till = place.till(fresh=True) if place.key else None
    if till is None or not till.username or till.since is None or not still(till.username, till.since):
        return None
    session.remember(_SINCE, till.since)
    return till.username, till.since
