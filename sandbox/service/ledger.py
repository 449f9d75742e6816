"""What was called and what came of it, without anything personal: for tests, and for trainers who look."""

import re
from collections import deque
from collections.abc import Mapping
from datetime import datetime
from typing import Any

LONGEST = 200_000
_BREAKS = re.compile(r"([\s/?&=])")


class Ledger:
    """The calls on /api in the order of their answers; the oldest are forgotten after 200,000."""

    def __init__(self, *, secrets: tuple[str, ...]) -> None:
        self._secrets = secrets
        self._calls: deque[dict[str, Any]] = deque(maxlen=LONGEST)
        self._count = 0

    def note(
        self,
        *,
        at: datetime,
        operation: str | None,
        method: str,
        path: str,
        status: int | None,
        fault: str | None,
        facts: Mapping[str, Any],
    ) -> None:
        """Write one line. `status` None: the connection was dropped without an answer."""
        self._count += 1
        self._calls.append(
            {
                "number": self._count,
                "at": at.isoformat(),
                "operation": operation,
                "method": method,
                "path": self._scrubbed(path),
                "status": status,
                "fault": fault,
                "written": False,
                **{name: self._scrubbed(value) for name, value in facts.items()},
            }
        )

    def _scrubbed(self, value: Any) -> Any:
        """An order id or a path may hold anything a client put there: no address and no token stays in it."""
        if not isinstance(value, str):
            return value
        for secret in self._secrets:
            value = value.replace(secret, "[token]")
        parts = _BREAKS.split(value[:300])
        return "".join("[e-mail]" if "@" in part or "%40" in part else part for part in parts)

    def calls(self) -> list[dict[str, Any]]:
        """All lines, oldest first."""
        return [dict(call) for call in self._calls]

    def clear(self) -> None:
        """Forget everything."""
        self._calls.clear()
        self._count = 0
