"""Connections of pages on which nobody has signed in: so many of one address, and no more.

Each costs memory and a run of the script. A tab that signs in is no guest any more, so that a whole shop behind one
address signs in one after the other.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import IPv6Address, ip_address
from threading import Lock
from typing import Final
from uuid import uuid4

MOST: Final = 50
"""Open at a time from an address, or from a network of 64 bits where addresses are so long that one has thousands."""
GUEST: Final = "x-desk-guest"
"""The header of a handshake by which a run of the script knows which guest its tab is; set at our door alone."""


class Guests:
    """Those of this process; used by the event loop and by runs of the script."""

    def __init__(self) -> None:
        self._open: dict[str, str] = {}
        self._one_at_a_time = Lock()

    @contextmanager
    def at_the_door(self, address: str) -> Iterator[str]:
        """Count a guest while the connection is open; gives its name, "" where there are too many of its address."""
        name, place = uuid4().hex, network(address)
        with self._one_at_a_time:
            if sum(each == place for each in self._open.values()) >= MOST:
                name = ""
            else:
                self._open[name] = place
        try:
            yield name
        finally:
            self.signed_in(name)

    def signed_in(self, name: str) -> None:
        """This one is a guest no more."""
        with self._one_at_a_time:
            self._open.pop(name, None)


def network(address: str) -> str:
    """What requests of an address are counted by."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return address
    return str(found.ipv4_mapped or int(found) >> 64)
