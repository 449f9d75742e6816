"""How long a call may take, how often it is repeated, and after what pause."""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from threading import Lock
from typing import Final, Protocol

FULL: Final = 10.0
"""In tokens: a repeat costs one, and two after silence, which held a place for as long as anybody waits."""

_OF_A_SUCCESS: Final = 0.25
_ONE_FREE_AFTER: Final = timedelta(minutes=1)


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
    through_proxy: bool = False

    @property
    def until_sent(self) -> timedelta:
        """The longest that an attempt takes which never leaves this machine."""
        direct = self.pool + 2 * self.connect  # once for the connection, once for its TLS handshake
        return direct + self.connect + self.write + 2 * self.read if self.through_proxy else direct

    @property
    def whole(self) -> timedelta:
        """The longest that an attempt takes: the answer may begin late, and its last piece come late."""
        return self.until_sent + 2 * self.write + 2 * self.read + self.body

    def in_seconds(self) -> dict[str, float | None]:
        """The same as the HTTP library takes it."""
        return {name: getattr(self, name).total_seconds() for name in ("pool", "connect", "write", "read")}


class Tokens(Protocol):
    """A bucket of tokens, which several processes may draw from; `longest` is what an exchange takes at the most."""

    longest: timedelta

    def exchange(self, draw: Callable[[float, timedelta], tuple[float, bool]], *, full: float) -> bool:
        """Have the tokens changed; False where they are out of reach, and nothing was changed.

        `draw` is given the tokens (`full` before the first time) and the time since the last repeat; it gives the
        tokens then, and whether it is a repeat.
        """


class RetryBudget:
    """How many repeats are left for all calls together: a service in trouble is not asked for more. Thread-safe.

    A token bucket, as in the standard mode of botocore: repeats take from it, and calls that succeed fill it, so an
    outage has no more than `FULL` of them, beside one a minute, which finds out whether it is over, and one for each
    call that was put off. A service that answers now and then is sent a quarter more than it was asked for. With
    `shared` the bucket is that of all desks, and one of this process while that is out of reach; a success does not ask
    for it while it is full.
    """

    def __init__(self, shared: Tokens | None = None, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._shared = shared
        self._clock = clock
        self._own, self._last = FULL, clock()  # the bucket of this process
        self._lock = Lock()
        self._earned = 0.0  # not in the shared bucket yet
        self._seen = 0.0  # in the shared bucket, when it was looked into last

    @property
    def longest(self) -> timedelta:
        """The longest that it takes to ask for a repeat."""
        return timedelta() if self._shared is None else self._shared.longest

    def spend(self, *, after_silence: bool = False) -> bool:
        """Take what a repeat costs, right before it; False where there is not as much: then it is not made."""
        return self._take(2.0 if after_silence else 1.0)

    def earn(self) -> None:
        """Note a call that succeeded."""
        with self._lock:
            self._earned += _OF_A_SUCCESS
            if self._earned < 1 or (self._shared is not None and self._seen >= FULL):
                self._earned = min(self._earned, 1.0)
                return
        self._take(0.0)

    def forgo(self) -> None:
        """Note a call that was asked for and is not made now: a repeat may take its place."""
        with self._lock:
            self._earned += 1.0
        self._take(0.0)

    def left(self) -> float:
        """Give the tokens that are there, 0 to `FULL`."""
        self._take(0.0)
        return self._seen

    def _take(self, cost: float) -> bool:
        taken = False
        with self._lock:
            earned, self._earned = self._earned, 0.0

        def draw(tokens: float, idle: timedelta) -> tuple[float, bool]:
            nonlocal taken
            tokens = max(min(tokens + earned, FULL), float(idle >= _ONE_FREE_AFTER))
            taken = tokens >= cost
            self._seen = tokens - cost if taken else tokens
            return self._seen, taken and cost > 0

        if self._shared is None or not self._shared.exchange(draw, full=FULL):
            with self._lock:
                self._own, repeats = draw(self._own, timedelta(seconds=self._clock() - self._last))
                self._last = self._clock() if repeats else self._last
        return taken


@dataclass(frozen=True, slots=True, kw_only=True)
class Pacing:
    """How often a call is repeated, as long as the budget allows it, and after what pause.

    `sleep` and `clock` are in seconds, `jitter` gives 0 to 1; tests replace them.
    """

    repeats: int = 2
    first_pause: timedelta = timedelta(milliseconds=250)
    longest_pause: timedelta = timedelta(seconds=5)
    sleep: Callable[[float], None] = time.sleep
    clock: Callable[[], float] = time.monotonic
    jitter: Callable[[], float] = random.random
    budget: RetryBudget = field(default_factory=RetryBudget)

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
