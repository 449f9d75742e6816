"""The last calls of this process, for the person who looks why something is slow or refused.

They are the lines of the log `warranty.calls`: an operation, a status, milliseconds; never a body or a token.
"""

import json
import logging
from collections import deque
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any


@dataclass(frozen=True, slots=True)
class RecentCall:
    """One call as the log tells it; `at` is aware, in UTC, `milliseconds` includes repeats."""

    at: datetime
    operation: str
    outcome: str
    status: int | None
    milliseconds: float
    repeats: int
    attempt_id: str


class RecentCalls(logging.Handler):
    """A log handler that keeps the newest calls."""

    def __init__(self, *, keep: int = 50) -> None:
        super().__init__(level=logging.INFO)
        self._calls: deque[RecentCall] = deque(maxlen=keep)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one line; a line that is none of ours is passed over, since a log must never break a call."""
        try:
            line: dict[str, Any] = json.loads(record.getMessage())
            self._calls.appendleft(
                RecentCall(
                    at=datetime.fromtimestamp(record.created, UTC),
                    operation=line["operation"],
                    outcome=line["outcome"],
                    status=line["status"],
                    milliseconds=line["milliseconds"],
                    repeats=line["repeats"],
                    attempt_id=line["attempt_id"],
                )
            )
        except (ValueError, KeyError, TypeError):
            self.handleError(record)

    def newest_first(self) -> list[RecentCall]:
        """The calls that are kept."""
        return list(self._calls)
