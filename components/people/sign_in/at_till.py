"""Sign-in at a registered till: who is switched in there is in by that, and a lock ends what was before it.

Which till a tab is at, the cookie of its connection says; who is there, the journal. A sign-in with a password holds at
a till until its screen is locked or somebody is switched in.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from components.platform import session
from components.platform.cookies.handing import sent
from components.platform.cookies.names import TILL_COOKIE
from warranty.access import Operator, Station
from warranty.people.tills import TillDesk
from warranty.people.tills.tills import Till

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
