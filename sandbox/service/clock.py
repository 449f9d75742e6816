"""The sandbox's clock: the computer's, until a test or a trainer sets it."""

from datetime import UTC, datetime, timedelta


class Clock:
    """Gives the time in UTC. Once set it stands still until set again or released; advanced, it goes on as it did."""

    def __init__(self, *, now: datetime | None = None) -> None:
        self._start = now
        self._now = now
        self._ahead = timedelta()

    def now(self) -> datetime:
        """The sandbox's time, aware, in UTC."""
        return (self._now or datetime.now(UTC)) + self._ahead

    @property
    def is_set(self) -> bool:
        """Whether the clock was set and stands still."""
        return self._now is not None

    def set(self, now: datetime) -> None:
        """Stand still at `now` (aware)."""
        self._now, self._ahead = now.astimezone(UTC), timedelta()

    def advance(self, by: timedelta) -> None:
        """Be `by` after the present time; `OverflowError` where that is out of the calendar."""
        self.now() + by
        self._ahead += by

    def release(self) -> None:
        """Follow the computer's clock."""
        self._now, self._ahead = None, timedelta()

    def restart(self) -> None:
        """Go back to what the sandbox was started with."""
        self._now, self._ahead = self._start, timedelta()
