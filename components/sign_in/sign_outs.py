"""When each person last signed out: known at once in every tab of this process, and after a restart."""

from datetime import datetime
from threading import Lock

from warranty.journal import Journal

_PREFERENCE = "signed-out-at"


class JournalledSignOuts:
    """Keeps sign-outs with the person's other preferences in the journal; reads each person's once."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._lock = Lock()
        self._last: dict[str, datetime | None] = {}

    def last(self, username: str) -> datetime | None:
        """The last sign-out (aware UTC), None when there is none."""
        with self._lock:
            if username not in self._last:
                kept = self._journal.preference(username, _PREFERENCE).load()
                self._last[username] = datetime.fromisoformat(kept) if isinstance(kept, str) else None
            return self._last[username]

    def note(self, username: str, moment: datetime) -> None:
        """Keep a sign-out."""
        with self._lock:
            self._last[username] = moment
            self._journal.preference(username, _PREFERENCE).save(moment.isoformat())
