"""Who looks on at every try of a call, without the client knowing what for."""

from dataclasses import dataclass, field
from typing import Protocol

from warranty.client.resources.base import Sent
from warranty.errors import Failure


@dataclass(frozen=True, slots=True)
class Try:
    """One try: what came, where an answer did.

    `failure` is None where it ended as asked. `body` is None for a body that another looker reads already.
    """

    operation: str
    failure: Failure | None
    status: int | None = None
    content_type: str = ""
    body: bytes | None = field(repr=False, default=None)
    sent: Sent | None = field(repr=False, default=None)


class Observer(Protocol):
    """Told of each try, from any thread, before the call returns: it takes no time, and raises nothing."""

    def tried(self, one: Try) -> None:
        """A try has ended."""
