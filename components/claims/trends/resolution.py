"""The tab Resolution of Trends: how long claims take, from the history of the nights."""

import math
from contextlib import suppress
from datetime import datetime
from itertools import pairwise
from typing import Final

import numpy as np
import pandas as pd
import streamlit as st

from components.claims.charts.colours import MAIN
from components.claims.charts.figure import HEIGHT, Chart, band, checked_figure, count_axis, line, steps_axis
from components.claims.charts.time_notes import Notes
from components.claims.screen.chart_view import chart_with_file
from components.claims.screen.figure_view import figure_tiles
from components.claims.screen.seal import read_at
from components.claims.trends.tabs import ask_administrator, chosen_months, chosen_product, product_words
from components.platform.markup import plain
from components.ui.frame.table_view import table_view
from components.wiring import Runtime
from components.words.statuses import status_words
from warranty.access import Operator
from warranty.claims.analysis import Base, Figure, Period
from warranty.claims.analysis.periods import DAY, day_words
from warranty.claims.analysis.starts import starts_back
from warranty.errors import JournalUnavailable
from warranty.insight.history.lives import History, Intervals, backlog, reopened, time_to_close
from warranty.insight.history.past import Found, Past
from warranty.insight.statistics.interval_censored import Curve
from warranty.language import N_, _, ngettext
from warranty.language.written import number, percent

_TAB: Final = "resolution"
_TOLD: Final = (1, 2, 3, 5, 7, 10, 14, 21, 30, 45, 60, 90, 120, 180, 365)
_FEWEST: Final = 5
"""Of fewer claims no median is told."""
_QUARTERS: Final = (0, 0.25, 0.5, 0.75, 1)


def resolution(runtime: Runtime, operator: Operator) -> None:
    """Draw the tab."""
    past = runtime.insight.past(operator)
    found = past.found()
    elsewhere = None
    with suppress(JournalUnavailable):
        elsewhere = None if found.complete else past.last_anywhere()
    if elsewhere:
        st.info(
            _(
                "**The nights are not in this desk's folder; the last was kept on {when}.** "
                "**What to do:** ask your administrator: `WARRANTY_HISTORY_DIR` has to name one folder that all "
                "machines see, and the desk to be restarted.",
                when=plain(elsewhere),
            )
        )
        return
    if missed := past.missed():
        ask_administrator(missed[1])
    elif not found.complete:
        st.info(
            _("**No night is on record yet.** A desk with a sandbox of its own has them a minute after its start.")
            if runtime.settings.is_for_training
            else _(
                "**No night is on record yet.** **What to do:** ask your administrator to have claims read every "
                "night: from the second one on this page tells how long claims take."
            )
        )
    if not found.complete:
        _not_compared(found)
        return
    _nights(found)
    try:
        with st.spinner(_("Comparing the nights"), show_time=True):
            history = past.history()
        made, product = _chosen(history)
        history = past.history(product)
    except OSError as problem:
        ask_administrator(str(problem))
        return
    _drawn(history, past, made, product, runtime.insight.time_notes(operator))


def _drawn(history: History, past: Past, made: Period, product: str | None, notes: Notes) -> None:
    last = past.found().complete[-1]
    of_product = product_words(product)
    intervals, standing = history.intervals(made), backlog(history)
    base = _base(intervals, _("claims made {days}", days=made.words) + of_product, last.as_of)
    still = Base(
        of=_("open claims of any date") + of_product,
        count=int(standing["at_most"].iloc[-1]),
        as_of=last.as_of,
        leaves_out=(_("claims opened again that no night has read since"),),
    )
    curve, moves = time_to_close(intervals), history.moves(made)
    median = curve.quantile(0.5) if curve else math.inf
    known = math.isfinite(median) and base.count >= _FEWEST
    why_not = _("Too few to tell") if base.count < _FEWEST else _("Fewer than half are closed so far")
    closed_after = Figure(
        name=N_("Median days until closed"),
        value=median if known else None,
        base=base,
        why_not="" if known else why_not,
        about=_("Days from the claim to the night that would have read it as closed, had there been one every night"),
    )
    again = Figure(name=N_("Times reopened"), value=reopened(moves, past.closed), base=base)
    figure_tiles([closed_after, again])
    if base.count and len(history.nights) > 1 and np.isinf(intervals.until).all():
        st.info(
            plain(
                _(
                    "None of these claims was seen closed. Closed means {statuses}: if the service has another word "
                    "for it, Connection shows how to set it.",
                    statuses=", ".join(sorted(past.closed)),
                )
            )
        )
    if known and curve:
        low, high = curve.interval(0.5)
        st.caption(
            _(
                "Half of these claims are closed within {days}; with 95 % certainty, between {low} and {high}.",
                days=days_words(median),
                low=number(max(0, low)),
                high=_("more days than were seen") if math.isinf(high) else days_words(high),
            )
        )
    seal = _("{nights}, the last read {when}", nights=_complete_nights(len(history.nights)), when=read_at(last.as_of))
    chart_with_file(closed_by_days_chart(curve, base), seal, tab=_TAB)
    chart_with_file(backlog_chart(standing, still), seal, tab=_TAB, notes=notes)
    _paths(moves, base)


def _base(found: Intervals, of: str, as_of: datetime) -> Base:
    """What time to close is told of, and how much of it is known only from one side."""
    at_once = int(found.counts[(found.after < 0) & ~np.isinf(found.until)].sum())
    still = int(found.counts[np.isinf(found.until)].sum())
    counts = {
        ngettext(
            "the exact closing day of {n} claim that were closed when first read",
            "the exact closing day of {n} claims that were closed when first read",
            at_once,
            n=number(at_once),
        ): at_once,
        ngettext(
            "how long {n} claim will take that are not closed yet: longer than they have been watched",
            "how long {n} claims will take that are not closed yet: longer than they have been watched",
            still,
            n=number(still),
        ): still,
    }
    left_out = tuple(words for words, count in counts.items() if count)
    return Base(of=of, count=int(found.counts.sum()), as_of=as_of, leaves_out=left_out)


def _paths(moves: pd.DataFrame, base: Base) -> None:
    """Changes of status as a table."""
    with st.container(border=True):
        st.markdown(_("**From status to status**"))
        st.caption(plain(base.words))
        if moves.empty:
            st.text(_("No claim changed its status between two nights."))
            return
        table_view(paths_table(moves), _("Changes of status, as a table. {base}.", base=base.words))
        st.caption(
            _(
                "Half of the claims that changed had been in the former status for this long at most. It is a range, "
                "since only the nights before and after a change are known."
            )
        )


def _chosen(history: History) -> tuple[Period, str | None]:
    """Draw what to look at: days of claims, and one product or all."""
    about = _("Claims made before the first night are not counted: they were not watched from their day on.")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        months, product = chosen_months(_("Claims made in the last"), about=about), chosen_product(history.products)
    first, last = history.nights[0], history.nights[-1]
    return Period(max(first, starts_back(last, months).first), last), product


def _nights(found: Found) -> None:
    """Say which nights are on record, and which are missing."""
    days = [night.day for night in found.complete]
    missing = [Period(one + DAY, other - DAY) for one, other in pairwise(days) if (other - one).days > 1]
    gaps = sum(gap.days for gap in missing)
    summary = _("{nights} on record, {days}", nights=_complete_nights(len(days)), days=Period(days[0], days[-1]).words)
    if len(days) == 1:
        st.info(_("{nights}. How long claims take can be told from the second night on.", nights=summary))
    else:
        gone = ngettext("{n} night missing.", "{n} nights missing.", gaps, n=number(gaps))
        st.caption("; ".join((summary, gone if gaps else _("none missing."))))
    if missing or found.incomplete or found.unreadable:
        with st.expander(_("Nights that are missing or not compared"), key="nights", on_change="rerun") as box:
            if box.open:
                st.caption(_("A missing night makes the figures less exact, never wrong."))
                for gap in missing:
                    st.text(_("{days}: no complete night", days=gap.words))
                _not_compared(found)


def _not_compared(found: Found) -> None:
    for night in found.incomplete:
        st.text(f"{day_words(night.day)}: {night.seal}. {' '.join(night.reasons)}")
    for path in found.unreadable:
        words = _("{file}: its manifest is not what was sealed, or a later version made it", file=path.name)
        st.text(words)


def _complete_nights(count: int) -> str:
    return ngettext("{n} complete night", "{n} complete nights", count, n=number(count))


def closed_by_days_chart(curve: Curve | None, base: Base) -> Chart:
    """The share of claims that were closed within so many days."""
    days = [0.0] if curve is None else [0.0, *curve.right[np.isfinite(curve.right)].tolist()]
    shares = [0.0 if curve is None else curve.resolved_by(day) for day in days]
    milestones = [day for day in _TOLD if day <= days[-1]]
    return Chart(
        name="closed-by-days",
        title=_("Share closed, by days from the claim"),
        words=_("A line that rises; ")
        + "; ".join(
            _("{share} within {days}", share=percent(curve.resolved_by(day)), days=days_words(day))
            for day in milestones
            if curve
        ),
        base=base,
        figure=checked_figure(
            [
                line(
                    days,
                    shares,
                    [*map(percent, shares)],
                    hover=_("closed within %{x:,} days: %{customdata}"),
                    mode="lines",
                    line={"color": MAIN, "shape": "hv"},
                )
            ],
            height=HEIGHT,
            xaxis={"title": {"text": _("days from the claim")}, "rangemode": "tozero"},
            yaxis={"range": [0, 1.02], "tickvals": _QUARTERS, "ticktext": [*map(percent, _QUARTERS)]},
        ),
        table=pd.DataFrame(
            {_("days from claim"): days, _("closed by then, %"): [round(100 * share, 1) for share in shares]}
        ),
        nothing="" if milestones else _("No claim was closed while it was watched, so there is nothing to draw yet."),
    )


def backlog_chart(backlog: pd.DataFrame, base: Base) -> Chart:
    """Open claims on each day, of which there is one: a line where a night was read, a band where none was."""
    days, least, most = (backlog[name].tolist() for name in ("day", "at_least", "at_most"))
    known = [low if low == high else None for low, high in zip(least, most, strict=True)]
    labels = [day_words(day) for day in days]
    places = list(range(len(days)))
    highest = int(np.argmax(most))
    words = [_range(low, high) for low, high in zip(least, most, strict=True)]
    return Chart(
        name="backlog",
        title=_("Open claims, by day"),
        words=_("A line; ")
        + ", ".join(_("{n} on {day}", n=words[place], day=labels[place]) for place in (0, highest, -1)),
        base=base,
        figure=checked_figure(
            [
                *band(
                    places,
                    least,
                    most,
                    customdata=labels,
                    text=words,
                    hoverinfo="all",
                    hovertemplate=_("%{customdata}: %{text} open") + "<extra></extra>",
                ),
                line(places, known, hover="", hoverinfo="skip", marker={"size": 3 if len(days) > 1 else 8}),
            ],
            height=HEIGHT,
            xaxis=steps_axis(labels),
            yaxis=count_axis(most),
        ),
        table=backlog.rename(columns={"day": _("day"), "at_least": _("open, at least"), "at_most": _("open, at most")}),
        steps=tuple(Period(day, day) for day in days),
    )


def paths_table(moves: pd.DataFrame) -> pd.DataFrame:
    """Changes of status for people; `half of them after`: days in the former status."""
    spans = [
        "–" if np.isnan(most) else _("{first} to {last} days", first=number(max(least, 0)), last=number(most))
        for least, most in moves[["at_least", "at_most"]].to_numpy()
    ]
    return pd.DataFrame(
        {
            _("from"): [*map(status_words, moves["before"])],
            _("to"): [*map(status_words, moves["after"])],
            _("times"): moves["claims"],
            _("half of them after"): spans,
        }
    )


def days_words(days: float) -> str:
    """So many days: `1 day`."""
    return ngettext("{n} day", "{n} days", days, n=number(days))


def _range(low: float, high: float) -> str:
    if low == high:
        return number(low)
    return _("{first} to {last}", first=number(low), last=number(high))
