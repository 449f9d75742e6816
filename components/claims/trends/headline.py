"""The claims of other days, read beside those of the period, for the change of their number."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from typing import Any

import streamlit as st

from components.claims.screen.charts import CountedClaims
from components.claims.screen.claims_filter import ClaimsFilter
from components.claims.screen.reading import (
    BEFORE,
    LAST_YEAR,
    compare_no_more,
    look_or_read,
    need,
    progress_words,
    start_reading,
    stop_waiting,
    while_running,
)
from components.ui.frame.failure_notice import failure_notice
from warranty.access import Permission
from warranty.claims.analysis import Change, Compared, Figure, Period, comparable, how_it_changed, which_leads
from warranty.claims.readings.readings import ClaimReadings, Reading
from warranty.client.resources import ClaimQuery
from warranty.language import N_, _

_READ_AS = {BEFORE: N_("the days before"), LAST_YEAR: N_("the same days last year")}


def trends_answers(
    readings: ClaimReadings, counted: CountedClaims, chosen: ClaimsFilter, *, today: date
) -> tuple[Figure[Any], ...]:
    """Draw what the figures say, and give them, with the change of their number once other days are read.

    How the reading of other days goes stands where its answer will, below the one that is there at once, and there is
    room for it: all else stays where it is.
    """
    figures = counted.figures()
    days = chosen.days(today)
    compared = comparable(days, today=counted.over_before(today)) if days else None
    why_not = counted.why_not_comparable if days else ""
    if days and not compared:
        why_not = _("No day of it is over yet, so no change is told")
    changes: tuple[Change, ...] = ()
    with st.container(gap="xsmall", key="trends-answers" if compared else None):
        if leads := which_leads(counted.by_product()):
            st.text(leads)
        if why_not or compared is None:
            compare_no_more(readings)
        else:
            told = list(_changes(readings, counted, chosen, compared, today))
            changes = tuple(each for each in told if isinstance(each, Change))
            why_not = ". ".join(each for each in told if isinstance(each, str))
        claims = replace(figures.claims, changes=changes, no_change=why_not)
        if changes:
            st.text(how_it_changed(claims))
        if claims.no_change:
            st.caption(f"{claims.no_change}.")
        st.empty()  # else what was told below the progress of before stands here, a second time, until this run ends
    return (claims, *figures[1:])


def _changes(
    readings: ClaimReadings, counted: CountedClaims, chosen: ClaimsFilter, compared: Compared, today: date
) -> Iterator[Change | str]:
    """Give the changes that can be told by now, or why one cannot; other days are read one by one, without waiting."""
    now, waits = counted.claims_on(compared.days), False
    for role, against in ((BEFORE, compared.before), (LAST_YEAR, compared.last_year)):
        query = None if against is None or waits else _query(chosen, against, today)
        need(readings, role, query)
        if query is None or against is None:
            continue
        found = look_or_read(readings, role, query)
        ended = not (found.running or found.unfinished or found.failure)
        if ended and found.kept and found.kept.claims.is_certain and not found.kept.claims.known_from:
            start_reading(readings, role, query)  # it was read for itself alone, without what came before
            found = look_or_read(readings, role, query)
        if found.fault is not None:
            raise found.fault
        if found.kept is not None:
            other, since = CountedClaims(found.kept, chosen), found.kept.claims.known_from
            if since and not other.why_not_comparable and against.last < other.over_before(today):
                yield compared.no_change(against, since) or compared.change(now, against, other.claims_on(against))
                continue
        waits = found.running
        if waits:
            _wait(readings, role, query)
        elif found.failure is not None:
            failure_notice(found.failure)
        else:
            st.caption(
                _(
                    "Claims of {days} were not read completely, so no change against them is told.",
                    days=_(_READ_AS[role]),
                )
            )


def _query(chosen: ClaimsFilter, days: Period, today: date) -> ClaimQuery:
    return replace(chosen, period="", claimed=days).query(today)


def _wait(readings: ClaimReadings, role: str, query: ClaimQuery) -> None:
    def show(found: Reading) -> None:
        with st.container(horizontal=True, vertical_alignment="center", key="trends-wait"):
            reading = _("Reading {days}", days=_(_READ_AS[role]))
            said = progress_words(found.progress, waiting=found.waiting, reading=reading)
            st.caption(said, width="stretch")
            st.button(
                _("Skip"),
                key=f"trends-{role}-stop",
                type="tertiary",
                on_click=stop_waiting,
                args=(readings, role, query),
                help=_("What is shown stays; changes against these days are then not told."),
            )

    while_running(readings, role, query, show, permission=Permission.SEE_TRENDS)
