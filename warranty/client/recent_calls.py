"""The last calls of this process, for the person who looks why something is slow or refused.

They are the lines of the log `warranty.calls`: an operation, a status, milliseconds; never a body or a token.
"""

import logging
from collections import deque
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any


class RecentCalls(logging.Handler):
    """A log handler that keeps the newest calls, each as its line tells it and `at`, aware, in UTC."""

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
