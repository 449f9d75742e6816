"""Outcomes that are known here and could not be written down: kept in memory, and written when that works again."""

import logging
import threading
from dataclasses import replace

from warranty.desk.journal import Attempt, Journal, Outcome
from warranty.errors import JournalUnavailable

_log = logging.getLogger("warranty.desk")


class UnwrittenOutcomes:
    """What this process knows and its journal does not; lost with it, and then the attempts read as unknown."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._lock = threading.Lock()
        self._unwritten: dict[str, Outcome] = {}

    def write(self, attempt: Attempt, outcome: Outcome) -> Attempt:
        """Write an outcome, or keep it; gives the attempt as it truly is, flagged when it is not journalled."""
        try:
            return self._journal.conclude(attempt.attempt_id, outcome)
        except JournalUnavailable:
            self.keep(attempt.attempt_id, outcome)
        _log.error("attempt %s ended as %s and is not journalled yet", attempt.attempt_id, outcome.state)
        return replace(outcome.applied_to(attempt), journalled=False)

    def keep(self, attempt_id: str, outcome: Outcome) -> None:
        """Keep an outcome to write later."""
        with self._lock:
            self._unwritten[attempt_id] = outcome

    def write_all(self) -> None:
        """Write what is kept, as far as the journal takes it now."""
        with self._lock:
            pending = dict(self._unwritten)
        for attempt_id, outcome in pending.items():
            try:
                self._journal.conclude(attempt_id, outcome)
            except JournalUnavailable:
                return
            except KeyError:
                pass  # its intent never reached the journal either, so nothing is left open
            with self._lock:
                self._unwritten.pop(attempt_id, None)

    def applied_to(self, attempt: Attempt) -> Attempt:
        """The attempt with what this process knows and the journal does not."""
        with self._lock:
            outcome = self._unwritten.get(attempt.attempt_id)
        if outcome is None or not attempt.state.is_open:
            return attempt
        return replace(outcome.applied_to(attempt), journalled=False)
