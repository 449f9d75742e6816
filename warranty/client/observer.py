"""Who looks on at every try of a call, without the client knowing what for; and the last calls of this process."""

import logging
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Protocol

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


class RecentCalls(logging.Handler):
    """A log handler that keeps the newest calls, each as its line tells it and `at`, aware, in UTC.

    They are the lines of the log `warranty.calls`: an operation, a status, milliseconds; never a body or a token.
    """

    def __init__(self, *, keep: int = 50) -> None:
        super().__init__(level=logging.INFO)
        self._calls: deque[Mapping[str, Any]] = deque(maxlen=keep)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one line; one that is none of ours is passed over."""
        line: Mapping[str, Any] | None = getattr(record, "call", None)
        if line is not None:
            self._calls.appendleft({"at": datetime.fromtimestamp(record.created, UTC), **line})

    def newest_first(self) -> list[Mapping[str, Any]]:
        """The calls that are kept."""
        return list(self._calls)
