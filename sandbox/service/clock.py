"""The sandbox's clock: the computer's, until a test or a trainer sets it."""

from datetime import UTC, datetime, timedelta


class Clock:
    """Gives the time in UTC. Once set it stands still, until it is advanced, set again, or released."""

    def __init__(self, *, now: datetime | None = None) -> None:
        self._start = now
        self._now = now

    def now(self) -> datetime:
        """The sandbox's time, aware, in UTC."""
        return datetime.now(UTC) if self._now is None else self._now

    @property
    def is_set(self) -> bool:
        """Whether the clock was set and stands still."""
        return self._now is not None

    def set(self, now: datetime) -> None:
        """Stand still at `now` (aware)."""
        self._now = now.astimezone(UTC)

    def advance(self, by: timedelta) -> None:
        """Set the clock to `by` after its present time."""
        self._now = self.now() + by

    def release(self) -> None:
        """Follow the computer's clock."""
        self._now = None

    def restart(self) -> None:
        """Go back to what the sandbox was started with."""
        self._now = self._start
