"""What this tab waits for: a reading that it began and no longer wants ends, unless somebody else waits for it."""

from components import session
from components.claims import filter_of_tab
from warranty.claims.readings import ClaimReadings, Reading
from warranty.resources import ClaimQuery

MAIN = "main"
BEFORE = "before"
"""The claims of the period before, which Trends compares with."""


def want(readings: ClaimReadings, name: str, query: ClaimQuery | None) -> None:
    """Note what is wanted under a name from now on (None: nothing), and let go what was wanted under it before."""
    former = _wanted(name)
    if former is not None and former != query:
        readings.leave(former, viewer=_viewer(name))
    session.remember(_kept_as(name), query)


def is_wanted(name: str, query: ClaimQuery) -> bool:
    """Whether this is what was wanted under the name in the last run."""
    return _wanted(name) == query


def look(readings: ClaimReadings, name: str, query: ClaimQuery) -> Reading:
    """Look for the claims; begins to read them where that is needed, and counts among those who wait."""
    found = readings.look(query, viewer=_viewer(name))
    if found.wanting or found.running:
        start(readings, name, query)
        found = readings.look(query, viewer=_viewer(name))
    return found


def start(readings: ClaimReadings, name: str, query: ClaimQuery) -> None:
    """Read anew, unless that is under way; for callbacks."""
    readings.start(query, viewer=_viewer(name), behind=name == BEFORE)


def stop(readings: ClaimReadings, name: str, query: ClaimQuery) -> None:
    """Wait no more; for callbacks."""
    readings.stop(query, viewer=_viewer(name))


def _wanted(name: str) -> ClaimQuery | None:
    wanted: ClaimQuery | None = session.recall(_kept_as(name), None)
    return wanted


def _kept_as(name: str) -> str:
    return f"claims.wanted.{name}"


def _viewer(name: str) -> str:
    return f"{filter_of_tab.viewer()}:{name}"
