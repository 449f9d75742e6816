"""The time by which the desk works: the computer's; in the sandbox the sandbox's, which a trainer moves on.

Leases, sign-ins and paces go by the database's clock, which nobody moves (`warranty.database.database.now`).
"""

from datetime import UTC, datetime, timedelta
from typing import Final


class Clock:
    """Called, it gives this moment: aware, in UTC, `ahead` of the computer's."""

    def __init__(self) -> None:
        self.ahead = timedelta()

    def __call__(self) -> datetime:
        """This moment."""
        return datetime.now(UTC) + self.ahead

    def follow(self, other: datetime) -> None:
        """Go by another clock, to the minute: what lies below is the way that its word took."""
        self.ahead = timedelta(minutes=round((other - datetime.now(UTC)) / timedelta(minutes=1)))


utc_now: Final = Clock()
"""The one of this process."""
