"""The time by which the desk works: the computer's, ahead of it after a trainer pressed "Next day" in the sandbox.

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


utc_now: Final = Clock()
"""The one of this process."""
