"""Misbehaviour on demand: a queue of faults for each operation."""

from collections import deque
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

KINDS: Final = (
    "status",
    "delay",
    "drop_before_write",
    "drop_after_write",
    "truncated_body",
    "not_json",
    "extra_field",
    "unknown_status",
)
LONGEST_DELAY = 600


@dataclass(frozen=True, slots=True)
class Fault:
    """What one of the next calls of an operation meets.

    `status` is answered instead of doing anything, with `retry_after` (seconds) as its header where given;
    after the work is done, where `after_write` says so. `seconds` is the length of a delay: the work is done at
    once and the answer comes late. `times` is how many calls meet it.
    """

    operation: str
    kind: str
    status: int = 500
    seconds: float = 5.0
    times: int = 1
    after_write: bool = False
    retry_after: int | None = None


class FaultProblem(ValueError):
    """A fault that cannot be queued; the sentence says why."""


def read_fault(content: Mapping[str, Any], operations: frozenset[str]) -> Fault:
    """A fault from the control route's JSON; `FaultProblem` when it is none.

    All but operation and kind may be left out.
    """
    unknown = set(content) - {"operation", "kind", "status", "seconds", "times", "after_write", "retry_after"}
    if unknown:
        raise FaultProblem(f"A fault has no {', '.join(sorted(unknown))}.")
    operation, kind = content.get("operation"), content.get("kind")
    if not isinstance(operation, str) or operation not in operations:
        raise FaultProblem(f"operation must be one of {', '.join(sorted(operations))}.")
    if kind not in KINDS:
        raise FaultProblem(f"kind must be one of {', '.join(KINDS)}.")
    if kind == "unknown_status" and operation != "claims":
        raise FaultProblem("unknown_status is a fault of the claims operation only.")
    status, times = content.get("status", 500), content.get("times", 1)
    seconds = content.get("seconds", 5)
    retry_after = content.get("retry_after")
    if not _whole(status) or not 400 <= status <= 599:
        raise FaultProblem("status must be a whole number from 400 to 599.")
    if not _whole(times) or not 1 <= times <= 1_000_000:
        raise FaultProblem("times must be a whole number of 1 or more.")
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 <= seconds <= LONGEST_DELAY:
        raise FaultProblem(f"seconds must be a number from 0 to {LONGEST_DELAY}.")
    if retry_after is not None and (not _whole(retry_after) or retry_after < 0):
        raise FaultProblem("retry_after must be a whole number of seconds.")
    return Fault(operation, kind, status, float(seconds), times, bool(content.get("after_write", False)), retry_after)


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


class FaultQueues:
    """First in, first met, for each operation by itself."""

    def __init__(self) -> None:
        self._queues: dict[str, deque[Fault]] = {}

    def add(self, fault: Fault) -> None:
        """Queue a fault behind those of its operation."""
        self._queues.setdefault(fault.operation, deque()).append(fault)

    def next(self, operation: str) -> Fault | None:
        """The fault that this call meets, taken from the queue."""
        queue = self._queues.get(operation)
        if not queue:
            return None
        fault = queue.popleft()
        if fault.times > 1:
            queue.appendleft(replace(fault, times=fault.times - 1))
        return fault

    def waiting(self) -> list[dict[str, Any]]:
        """What is queued, as the control route shows it."""
        return [asdict(fault) for queue in self._queues.values() for fault in queue]

    def clear(self) -> None:
        """Behave from now on."""
        self._queues.clear()
