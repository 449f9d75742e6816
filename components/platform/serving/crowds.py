"""What is bounded by the address that it comes from: pages without a sign-in, and requests that make us ask another.

A page without a sign-in costs memory and a run of the script. A tab that signs in is no guest any more, so that a whole
shop behind one address signs in one after the other. A network that belongs to one counts as one (`network`).
"""

import time
from collections import deque
from collections.abc import Callable
from threading import Lock
from typing import Final

from warranty.places.network import network

MOST_GUESTS: Final = 50
"""Open at a time."""
MOST_HANDSHAKES: Final = 120
"""Of guests in a minute: more than a shop's tabs when its day begins, and two runs of the script a second."""
MOST_ASKED: Final = 240
"""In a minute, of what makes this server ask another: a shop that begins its day, twice over."""
MOST_FILES: Final = 60
"""In a minute, of those that people put in, each no larger than `server.maxUploadSize`."""
_MINUTE: Final = 60.0


class Turns:
    """So many in a minute of an address, and no more; those of this process, for one thread at a time."""

    def __init__(self, most: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._most = most
        self._taken: deque[tuple[float, str]] = deque()

    def take(self, address: str) -> bool:
        """Count one more; False where there are too many."""
        now, place = self._clock(), network(address)
        while self._taken and self._taken[0][0] <= now - _MINUTE:
            self._taken.popleft()
        if sum(each == place for _, each in self._taken) >= self._most:
            return False
        self._taken.append((now, place))
        return True


class Guests:
    """Connections without a sign-in of this process; used by the event loop and by runs of the script."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._open: dict[str, str] = {}
        self._turns = Turns(MOST_HANDSHAKES, clock)
        self._one_at_a_time = Lock()

    def come(self, name: str, address: str) -> bool:
        """Count a connection of this name, which is to `leave`; False where there are too many of its address."""
        place = network(address)
        with self._one_at_a_time:
            if sum(each == place for each in self._open.values()) >= MOST_GUESTS:
                return False
            if not self._turns.take(address):
                return False
            self._open[name] = place
        return True

    def is_guest(self, name: str) -> bool:
        """Whether the connection of this name has not signed in."""
        return name in self._open

    def leave(self, name: str) -> None:
        """This one is a guest no more: it has signed in, or has gone."""
        with self._one_at_a_time:
            self._open.pop(name, None)
