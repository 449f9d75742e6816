"""Reading claims as people see it: at once where it is quick, else with share and time left, and a way to stop."""

from datetime import timedelta

import streamlit as st

from components import claims_state, session
from components.failure_notice import failure_notice
from components.looking_again import looking_again
from warranty.access import Permission
from warranty.claim_readings import ClaimReadings, KeptClaims
from warranty.resources import ClaimQuery
from warranty.retrieval import Progress

_POLL_SECONDS = 0.5
_NOT_WORTH_A_WORD = timedelta(milliseconds=300)
_QUERY = "claims.query"


def claims_reading(readings: ClaimReadings, query: ClaimQuery) -> KeptClaims | None:
    """Draw how the reading goes, begin one where needed, and give what was read; None where there is nothing yet."""
    _leave_former(readings, query)
    found = readings.look(query)
    if found.wanting:
        readings.start(query, viewer=claims_state.viewer())
        readings.wait(query, longest=_NOT_WORTH_A_WORD)
        found = readings.look(query)
    if found.fault is not None:
        raise found.fault
    if found.running:
        _progress(readings, query)
    elif found.failure is not None:
        failure_notice(found.failure)
        st.button("Try again", on_click=start_reading, args=(readings, query), key="claims-try-again")
    return found.kept


def start_reading(readings: ClaimReadings, query: ClaimQuery) -> None:
    """Read anew; for callbacks."""
    readings.start(query, viewer=claims_state.viewer())


def progress_words(progress: Progress | None) -> str:
    """How far a reading is: `Reading claims: 350 of 1,204, about 4 s left`."""
    if progress is None or progress.total is None:
        return "Reading claims: asking the service how many there are"
    left = progress.remaining
    said = f"Reading claims: {progress.received:,} of {progress.total:,} ({progress.share:.0%})"
    return said if left is None else f"{said}, about {_duration(left)} left"


def _leave_former(readings: ClaimReadings, query: ClaimQuery) -> None:
    """A reading that this tab began and no longer wants ends, unless somebody else waits for it."""
    former: ClaimQuery | None = session.recall(_QUERY, None)
    if former is not None and former != query:
        readings.leave(former, viewer=claims_state.viewer())
    session.remember(_QUERY, query)


def _progress(readings: ClaimReadings, query: ClaimQuery) -> None:
    def draw() -> bool:
        found = readings.look(query)
        if not found.running:
            return False
        words, stop = st.columns([4, 1], vertical_alignment="center")
        share = found.progress.share if found.progress else 0.0
        words.progress(share, text=progress_words(found.progress))
        stop.button(
            "Stop reading",
            key="claims-stop",
            on_click=readings.cancel,
            args=(query,),
            help="What was read so far stays on the screen, marked as incomplete.",
            width="stretch",
        )
        return True

    looking_again(draw, every=_POLL_SECONDS, key="claims-reading", permission=Permission.READ_CLAIMS)


def _duration(left: timedelta) -> str:
    seconds = max(1, round(left.total_seconds()))
    return f"{seconds} s" if seconds < 90 else f"{round(seconds / 60)} min"
