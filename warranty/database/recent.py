"""What the journal says, at most seconds old: what is looked at in every run of a script is not asked for in each."""

import time
from collections.abc import Callable
from threading import Lock
from typing import Final, Generic, TypeVar

from warranty.errors import JournalUnavailable

T = TypeVar("T")
SECONDS: Final = 2.0
"""After so many seconds every desk knows what another one wrote."""


class Recent(Generic[T]):
    """A value that is read again after `seconds`, by one thread; the others go on with the one before meanwhile.

    While the database is away it stays as it was last, so that what is on the screens stays there; the first reading
    raises `JournalUnavailable`.
    """

    def __init__(
        self, read: Callable[[], T], *, seconds: float = SECONDS, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._read = read
        self._seconds = seconds
        self._clock = clock
        self._reading = Lock()
        self._known: tuple[T, float] | None = None

    def __call__(self) -> T:
        """The value, at most so old."""
        known = self._known
        if known is None:
            return self.fresh()
        value, until = known
        if self._clock() < until or not self._reading.acquire(blocking=False):
            return value
        try:
            return self._noted(self._read())
        except JournalUnavailable:
            return self._noted(value)
        finally:
            self._reading.release()

    def last(self) -> T:
        """The value as it was seen last, however old."""
        known = self._known
        return known[0] if known else self.fresh()

    def fresh(self) -> T:
        """The value as it is now. Raises `JournalUnavailable`."""
        with self._reading:
            return self._noted(self._read())

    def _noted(self, value: T) -> T:
        self._known = value, self._clock() + self._seconds
        return value
