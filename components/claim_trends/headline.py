"""The claims of the period before, read beside those of the period, for the change of the headline figures."""

from dataclasses import replace
from datetime import date

import streamlit as st

from components.claims.charts import CountedClaims
from components.claims.claims_filter import ClaimsFilter
from components.claims.headline import headline_figures
from components.claims.reading import BEFORE, look_or_read, need, progress_words, stop_waiting, while_running
from components.frame.failure_notice import failure_notice
from warranty.access import Permission
from warranty.analysis import Headline, Period
from warranty.claims.readings import ClaimReadings, Reading
from warranty.resources import ClaimQuery


def trends_headline(
    readings: ClaimReadings, counted: CountedClaims, chosen: ClaimsFilter, *, today: date
) -> None:
    """Draw the figures of the period, and how they changed against the period before, once that is read.

    Where some claims of either period are missing no change is told: it would be wrong.
    """
    place = st.container()
    days = days_before(chosen, today)
    query = replace(chosen, period="", claimed=days).query(today) if days and counted.is_whole else None
    need(readings, BEFORE, query)
    before = None
    if days is not None and not counted.is_whole:
        st.caption("Not all claims of the period are here, so changes are not shown.")
    elif query is not None:
        before = _headline_before(readings, query, chosen)
    with place:
        headline_figures(counted.headline(), before)
        if before and days:
            st.caption(f"Changes against {days.words}, as many days before.")


def days_before(chosen: ClaimsFilter, today: date) -> Period | None:
    """The days of equal number before those of the filter; None where it has no dates.

    Days to come do not count: this month, on its third day, is told against the three days before it.
    """
    days = chosen.days(today)
    if days is None:
        return None
    last = min(days.last, today) if days.first <= today else days.last
    return Period(days.first, last).before


def _headline_before(readings: ClaimReadings, query: ClaimQuery, chosen: ClaimsFilter) -> Headline | None:
    """Give the figures of the query's claims as the filter narrows them; begins to read them, and never waits.

    None while they are being read, where they could not be read, and where some are missing: a change against an
    incomplete set would be wrong.
    """
    found = look_or_read(readings, BEFORE, query)
    if found.fault is not None:
        raise found.fault
    if found.kept is not None and found.kept.claims.is_whole:
        return CountedClaims(found.kept, chosen).headline()
    if found.running:
        _wait(readings, query)
    elif found.failure is not None:
        failure_notice(found.failure)
    else:
        st.caption("The period before was not read completely, so changes against it are not shown.")
    return None


def _wait(readings: ClaimReadings, query: ClaimQuery) -> None:
    def show(found: Reading) -> None:
        with st.container(horizontal=True, vertical_alignment="center"):
            said = progress_words(found.progress, waiting=found.waiting, reading="Reading the period before")
            st.caption(f"{said}, to show what has changed.", width="content")
            st.button(
                "Skip this comparison",
                key="trends-before-stop",
                type="tertiary",
                on_click=stop_waiting,
                args=(readings, BEFORE, query),
                help="What is shown stays; changes against the period before are then not told.",
            )

    while_running(readings, BEFORE, query, show, permission=Permission.SEE_TRENDS)
