"""The tabs of Trends, and the first: the claims of the filter as figures and charts, each with its seal and data."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from typing import Any, Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.claims.screen.chart_view import chart_that_opens_claims
from components.claims.screen.charts import CountedClaims
from components.claims.screen.claims_filter import ClaimsFilter
from components.claims.screen.figure_view import figure_tiles
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
from components.claims.screen.same_warranty import repeat_figure, repeat_words
from components.claims.screen.saved_views import TitleLine
from components.claims.screen.screen_head import claims_head
from components.claims.screen.seal import end_without_claims
from components.claims.screen.standing_warnings import standing_warnings
from components.claims.trends.notes import notes_panel
from components.platform import session
from components.ui.frame.failure_notice import failure_notice
from warranty.access import Operator, Permission
from warranty.claims.analysis import Change, Compared, Figure, Period, comparable, how_it_changed, which_leads
from warranty.claims.readings.readings import ClaimReadings, Reading
from warranty.client.resources import ClaimQuery
from warranty.insight.insight import Insight
from warranty.language import N_, _, language

_TABS: Final = (N_("Overview"), N_("Ageing"), N_("Resolution"), N_("Outlook"))
_PARAMETER: Final = "view"
_BEGUN: Final = "trends.begun-with"


def trends_tabs() -> Sequence[tuple[DeltaGenerator, bool]]:
    """Draw the tabs, the one that the address names opened; give each, and whether it is the open one.

    The address names it in no language, so that a link is everybody's.
    """
    key = f"{_PARAMETER}:{language()}"
    if not session.is_filled(key):  # drawn anew: what is opened first is a part of what the tabs are
        asked = st.query_params.get(_PARAMETER, "")
        session.remember(_BEGUN, asked if asked in _TABS else _TABS[0])
    begun: str = session.recall(_BEGUN, _TABS[0])
    drawn = st.tabs([_(name) for name in _TABS], default=_(begun), key=key, on_change="rerun")
    opened = [bool(tab.open) for tab in drawn]
    shown = next((name for name, is_open in zip(_TABS, opened, strict=True) if is_open), _TABS[0])
    if shown != _TABS[0]:
        st.query_params[_PARAMETER] = shown
    else:
        st.query_params.pop(_PARAMETER, None)
    return list(zip(drawn, opened, strict=True))


def overview(readings: ClaimReadings, insight: Insight, operator: Operator, line: TitleLine) -> None:
    """Draw the filters, answers in words, charts and figures; ends the script here where there is nothing to draw."""
    warned = st.container()
    read = claims_head(readings, line, screen="claim_trends")
    claims = read.kept.claims
    with warned:
        standing_warnings(readings, operator, after=claims)
    end_without_claims(claims, shown=len(read.places))
    counted = CountedClaims(read.kept, read.chosen)
    figures = trends_answers(readings, counted, read.chosen, today=read.today)
    notes = insight.time_notes(operator)
    first, *others = counted.every_chart(today=read.today)
    chart_that_opens_claims(first, claims, notes=notes)
    st.caption(
        _(
            "A click on a coloured bar opens Claims with the claims of that bar. Squares and grey bars show numbers "
            "only."
        )
    )
    notes_panel(notes, insight, operator)
    figure_tiles(figures)
    st.caption(repeat_words(repeat_figure(read.kept, read.places, counted.base)))
    for pair in (others[:2], others[2:]):
        for place, chart in zip(st.columns(2, gap="medium"), pair, strict=True):
            with place:
                chart_that_opens_claims(chart, claims)


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
