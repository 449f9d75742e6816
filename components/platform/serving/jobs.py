"""One click is one call: work that is started once per key, outside the script's own thread.

Streamlit starts the script anew on every click, also while an older run still waits for the service; a call made
in the script would be made again. Work handed to this registry is made once, whatever is clicked, and its answer
is found again by the next run. It is a convenience of one process; what really keeps a draft from being sent twice
is the unique row in the journal.
"""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from threading import Event, Lock
from typing import Any

_WORKERS = 16


class JobRegistry:
    """Jobs by key. Workers get plain values and give plain values: they never touch Streamlit."""

    def __init__(self, *, workers: int = _WORKERS, closing: Event | None = None) -> None:
        self._pool = ThreadPoolExecutor(max_workers=workers, thread_name_prefix="desk-job")
        self._lock = Lock()
        self._jobs: dict[str, tuple[Future[Any], datetime]] = {}
        self.closing = closing or Event()
        """Set when the program ends: nothing is begun, and long work stops where it can go on later."""

    def start_once(self, key: str, work: Callable[[], Any]) -> None:
        """Start `work` unless the program ends, or a job of this key runs or has ended and is not yet taken."""
        with self._lock:
            if key not in self._jobs and not self.closing.is_set():
                self._jobs[key] = (self._pool.submit(work), datetime.now(UTC))

    def running(self, key: str) -> bool:
        """Whether a job of this key is on its way."""
        job = self._jobs.get(key)
        return job is not None and not job[0].done()

    def age(self, key: str) -> timedelta:
        """How long ago the job of this key began; no time at all when there is none."""
        job = self._jobs.get(key)
        return timedelta() if job is None else datetime.now(UTC) - job[1]

    def finished(self, key: str) -> bool:
        """Whether a job of this key has ended and its answer waits to be taken."""
        job = self._jobs.get(key)
        return job is not None and job[0].done()

    def take(self, key: str) -> Any:
        """Give the answer of a finished job and forget the job; raises what the work raised.

        None where another tab took it in the meantime: what the work did stands in the journal.
        """
        with self._lock:
            job = self._jobs.pop(key, None)
        return None if job is None else job[0].result()

    def close(self) -> None:
        """Take nothing new, and wait for what was taken: a press is worked off wholly or not at all."""
        with self._lock:
            self.closing.set()
        self._pool.shutdown(wait=True)
