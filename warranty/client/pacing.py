"""How long a call may take, how often it is repeated, and after what pause."""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeouts:
    """The limits of one attempt: for a free connection, to connect, to send, for each piece of the answer.

    `body` bounds the whole body, so that an answer that trickles in ends as well.
    """

    pool: timedelta = timedelta(seconds=5)
    connect: timedelta = timedelta(seconds=5)
    write: timedelta = timedelta(seconds=10)
    read: timedelta = timedelta(seconds=20)
    body: timedelta = timedelta(seconds=30)

    @property
    def until_sent(self) -> timedelta:
        """The longest that an attempt takes which never leaves this machine."""
        return self.pool + 2 * self.connect  # once for the connection, once for its TLS handshake

    @property
    def whole(self) -> timedelta:
        """The longest that an attempt takes: the answer may begin late, and its last piece come late."""
        return self.until_sent + 2 * self.write + 2 * self.read + self.body

    def in_seconds(self) -> dict[str, float | None]:
        """The same as the HTTP library takes it."""
        return {name: getattr(self, name).total_seconds() for name in ("pool", "connect", "write", "read")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Pacing:
    """How often a call is repeated, and after what pause.

    `sleep` and `clock` are in seconds, `jitter` gives 0 to 1; tests replace them.
    """

    repeats: int = 2
    first_pause: timedelta = timedelta(milliseconds=250)
    longest_pause: timedelta = timedelta(seconds=5)
    sleep: Callable[[float], None] = time.sleep
    clock: Callable[[], float] = time.monotonic
    jitter: Callable[[], float] = random.random

    def pause(self, repeats: int, wanted: timedelta | None) -> timedelta | None:
        """Give the pause before the next try after `repeats` of them; None where a longer one is wanted.

        What the service asks for is kept to; else a time that doubles, of which a random half is left out
        so that several desks do not come back in step.
        """
        if wanted is not None:
            return wanted if wanted <= self.longest_pause else None
        doubled: timedelta = self.first_pause * 2**repeats
        return min(doubled, self.longest_pause) * (0.5 + 0.5 * self.jitter())


def retry_after(value: str | None, *, now: datetime | None = None) -> timedelta | None:
    """Read a Retry-After header: seconds, or a date; None where there is none that can be read."""
    if value is None:
        return None
    text = value.strip()
    if text.isascii() and text.isdigit():
        return timedelta(seconds=min(int(text[:9]), 10**9))
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(moment - (now or datetime.now(UTC)), timedelta(0))
