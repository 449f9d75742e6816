"""Requests of an address that make this server ask another one: so many in a minute, and no more."""

import time
from collections import deque
from collections.abc import Callable
from threading import Lock
from typing import Final

from components.serving.guests import network

MOST: Final = 240
"""In a minute, of an address or a network of 64 bits: a shop behind one address that begins its day, twice over."""
_MINUTE: Final = 60.0


class Turns:
    """Those of this process."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, most: int = MOST) -> None:
        self._clock = clock
        self._most = most
        self._taken: deque[tuple[float, str]] = deque()
        self._one_at_a_time = Lock()

    def take(self, address: str) -> bool:
        """Count one more; False where there are too many."""
        now, place = self._clock(), network(address)
        with self._one_at_a_time:
            while self._taken and self._taken[0][0] <= now - _MINUTE:
                self._taken.popleft()
            if sum(each == place for _, each in self._taken) >= self._most:
                return False
            self._taken.append((now, place))
        return True
