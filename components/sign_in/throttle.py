"""Against guessing of passwords: after a few wrong tries the next one has to wait, and the wait grows.

Nobody can be locked out for good by a stranger: waits end by themselves, and a right password clears them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from threading import Lock

_FIRST_WAIT = timedelta(seconds=5)
_LONGEST_WAIT = timedelta(minutes=5)
_MOST_KEYS = 10_000


@dataclass(slots=True)
class _Tries:
    failures: int
    blocked_until: datetime


class Throttle:
    """Counts wrong tries by key (a login name, an address) in this process; the first `free_tries` cost nothing."""

    def __init__(self, *, free_tries: int, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._free_tries = free_tries
        self._now = now
        self._lock = Lock()
        self._tries: dict[str, _Tries] = {}

    def wait(self, key: str) -> timedelta:
        """How long the next try of this key has to wait; zero when it need not."""
        with self._lock:
            tries = self._tries.get(key)
        return timedelta(0) if tries is None else max(tries.blocked_until - self._now(), timedelta(0))

    def failed(self, key: str) -> None:
        """Note a wrong try."""
        now = self._now()
        with self._lock:
            if len(self._tries) > _MOST_KEYS:
                self._tries = {key: tries for key, tries in self._tries.items() if tries.blocked_until > now}
            tries = self._tries.setdefault(key, _Tries(0, now))
            if now - tries.blocked_until > _LONGEST_WAIT:
                tries.failures = 0
            tries.failures += 1
            beyond = tries.failures - self._free_tries
            wait = min(_FIRST_WAIT * 2 ** min(beyond, 10), _LONGEST_WAIT) if beyond >= 0 else timedelta(0)
            tries.blocked_until = now + wait

    def succeeded(self, key: str) -> None:
        """Forget the wrong tries of this key."""
        with self._lock:
            self._tries.pop(key, None)
