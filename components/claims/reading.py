"""Reading claims as people see it: at once where it is quick, else with share and time left, and a way to stop."""

from datetime import timedelta

import streamlit as st

from components.claims.unfinished_reading import set_to_show, unfinished_notice
from components.claims.wanted import BEFORE, MAIN, is_wanted, look, start, stop, want
from components.frame.failure_notice import failure_notice
from components.frame.polling import looking_again
from warranty.access import Permission
from warranty.claims.readings import ClaimReadings, KeptClaims
from warranty.resources import ClaimQuery
from warranty.retrieval import Progress

_POLL_SECONDS = 0.5
_NOT_WORTH_A_WORD = timedelta(milliseconds=300)
_READING = "Reading claims"


def claims_reading(readings: ClaimReadings, query: ClaimQuery) -> KeptClaims | None:
    """Draw how the reading goes, begin one where needed, and give what was read; None where there is nothing yet."""
    _leave_former(readings, query)
    begins = readings.look(query).wanting
    found = look(readings, MAIN, query)
    if begins:
        readings.wait(query, longest=_NOT_WORTH_A_WORD)
        found = readings.look(query)
    if found.fault is not None:
        raise found.fault
    if found.running:
        _progress(readings, query)
    elif found.left:
        _left(readings, query)
    elif found.failure is not None:
        failure_notice(found.failure)
        st.button("Try again", on_click=start_reading, args=(readings, query), key="claims-try-again")
    elif found.kept is None:
        _stopped(readings, query)
    else:
        unfinished_notice(found)
    return set_to_show(found)


def start_reading(readings: ClaimReadings, query: ClaimQuery) -> None:
    """Read anew; for callbacks."""
    start(readings, MAIN, query)


def progress_words(progress: Progress | None, *, waiting: bool = False, reading: str = _READING) -> str:
    """How far a reading is: `Reading claims: 350 of 1,204, about 4 s left`."""
    if waiting:
        return f"{reading}: waiting for other readings to end"
    if progress is None or progress.total is None:
        return f"{reading}: asking the service how many there are"
    left = progress.remaining
    said = f"{reading}: {progress.received:,} of {progress.total:,} ({progress.share:.0%})"
    return said if left is None else f"{said}, about {_duration(left)} left"


def _leave_former(readings: ClaimReadings, query: ClaimQuery) -> None:
    """What belongs to other claims is let go: they themselves, and those of the period before theirs."""
    if not is_wanted(MAIN, query):
        want(readings, BEFORE, None)
    want(readings, MAIN, query)


def _stopped(readings: ClaimReadings, query: ClaimQuery) -> None:
    st.info(
        "**The reading was stopped before the service answered.** Nothing was read, so it is not known "
        "whether any claims fit this filter."
    )
    st.button("Read these claims", on_click=start_reading, args=(readings, query), key="claims-read")


def _left(readings: ClaimReadings, query: ClaimQuery) -> None:
    st.info(
        "**You stopped waiting.** These claims are still read for another window, and stay for you as well."
    )
    st.button("Wait for them again", on_click=start_reading, args=(readings, query), key="claims-wait")


def _progress(readings: ClaimReadings, query: ClaimQuery) -> None:
    def draw() -> bool:
        found = look(readings, MAIN, query)
        if not found.running:
            return False
        # On the left: More filters, when open, lies over what is on the right.
        button, words = st.columns([1, 4], vertical_alignment="center")
        share = found.progress.share if found.progress else 0.0
        words.progress(share, text=progress_words(found.progress, waiting=found.waiting))
        button.button(
            "Stop reading",
            key="claims-stop",
            on_click=stop,
            args=(readings, MAIN, query),
            help="What was read so far stays on the screen, marked as incomplete, and Refresh goes on from there. "
            "Whoever else waits for these claims still gets them.",
            width="stretch",
        )
        return True

    looking_again(draw, every=_POLL_SECONDS, key="claims-reading", permission=Permission.READ_CLAIMS)


def _duration(left: timedelta) -> str:
    seconds = max(1, round(left.total_seconds()))
    return f"{seconds} s" if seconds < 90 else f"{round(seconds / 60)} min"
