"""The charts of claims, from the counts of `warranty.analysis` to what Plotly draws: made once for all who look."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from string import ascii_uppercase
from typing import Any, Final, TypeVar

import pandas as pd
import plotly.graph_objects as go

from components.claims.charts.colours import COLOURS, SHADES, ink_on, status_colours
from components.claims.charts.figure import Chart, chart_text, checked_figure, over_legend
from components.claims.charts.traces import FEW, bars, count_axis, names_axis, short_labels, squares
from components.claims.screen.claims_filter import ClaimsFilter
from components.claims.screen.headline import HeadlineFigures, headline_figures
from components.platform.markup import CHART_BACKGROUND
from components.words.statuses import status_words
from warranty.claims.analysis import (
    DAYS_A_BAR,
    NO_PICK,
    Bars,
    Base,
    ByProduct,
    ChartPick,
    DaysToClaim,
    Grid,
    OpenByAge,
    OverTime,
    Period,
    Step,
    Trends,
    base_of,
    shown_word,
    trends,
)
from warranty.claims.analysis.periods import day_words
from warranty.claims.analysis.pick import BEFORE_START, Ages
from warranty.claims.readings.readings import KeptClaims
from warranty.language import _, locale, ngettext
from warranty.language.written import DAY_OF_YEAR, MONTH, dated, number

_HEIGHT: Final = 330
_HEIGHT_OF_STACKS: Final = 130
_LONGEST_IN_LEGEND: Final = 20
_ROOM_FOR_LETTER: Final = 18  # pixels, with some above and below it
_MOST_TICKS: Final = 7
_MOST_NAMED: Final = 8
Made = TypeVar("Made")


class CountedClaims:
    """The figures and charts of a set as a filter narrows it, each made when it is first asked for.

    A bar that was picked narrows the table, not the charts around it; with `picked` it narrows these as well.
    """

    def __init__(self, kept: KeptClaims, chosen: ClaimsFilter, *, picked: bool = False) -> None:
        self._kept = kept
        selection = chosen.selection(closed=kept.closed)
        self._selection = selection if picked else replace(selection, pick=NO_PICK)

    @property
    def why_not_comparable(self) -> str:
        """Why their number cannot be held against that of other days; empty where it can."""
        claims = self._kept.claims
        if not claims.is_complete or claims.table.repeated:
            return _("Not all claims of the period are here, so no change is told")
        if claims.query.warranty_start_dates:
            return _("Warranties that started in given days were younger before, so no change is told")
        if self._selection.ages:
            return _("Older claims have had longer to change their status, so no change is told")
        return ""

    def over_before(self, today: date) -> date:
        """The day before which all days are over, as far as these claims know."""
        return min(today, self._kept.claims.as_of.date())

    def figures(self) -> HeadlineFigures:
        """The figures of all these claims."""
        closed = self._kept.closed
        return self._once("headline", lambda counts: headline_figures(counts.headline(), self.base, closed=closed))

    def claims_on(self, days: Period) -> int:
        """How many claims these days have."""
        return self._once(f"on {days.words}", lambda counts: counts.claims_on(days))

    def by_product(self) -> ByProduct:
        """The products with the most claims."""
        return self._once("products", Trends.by_product)

    @property
    def base(self) -> Base:
        """What these figures and charts are told of."""
        selection, claims = self._selection, self._kept.claims
        return self._once("base", lambda counts: base_of(claims, selection, count=counts.headline().claims))

    def over_time(self) -> Chart:
        """Claims over time by status."""
        return self._once("over-time", lambda counts: over_time_chart(counts.over_time(), self.base))

    def every_chart(self, *, today: date) -> tuple[Chart, ...]:
        """That of claims over time, then those that stand two a row."""
        base = self.base

        def open_by_age(counts: Trends) -> Chart:
            return open_by_age_chart(counts.open_by_age(today=today), base, today=today)

        return (
            self.over_time(),
            self._once("by-product", lambda counts: by_product_chart(self.by_product(), base)),
            self._once("days-to-claim", lambda counts: days_to_claim_chart(counts.days_to_claim(), base)),
            self._once(f"open {today}", open_by_age),
            self._once("weekday-by-hour", lambda counts: weekday_by_hour_chart(counts.weekday_by_hour(), base)),
        )

    def _once(self, name: str, make: Callable[[Trends], Made]) -> Made:
        kept, selection = self._kept, self._selection

        def counts() -> Trends:
            return kept.derived(("counts", selection), lambda: trends(kept.claims, selection=selection))

        # Made for all who look, in one language each.
        return kept.derived((name, selection, str(locale())), lambda: make(counts()))


def over_time_chart(counted: OverTime, base: Base) -> Chart:
    """Claims over time by status, stacked."""
    unit, steps, totals = counted.step, counted.steps, counted.counts.sum(axis=1)
    of_status = counted.counts.sum(axis=0)
    shown = [place for place in range(len(counted.statuses)) if of_status[place]]
    shown.sort(key=lambda place: (-of_status[place], counted.statuses[place]))
    colours = status_colours([counted.statuses[place] for place in shown])
    parts = [[place] for place in shown[: len(COLOURS)]] + [rest for rest in [shown[len(COLOURS) :]] if rest]
    words = [
        status_words(counted.statuses[part[0]]) if len(part) == 1 else _("{n} other statuses", n=number(len(part)))
        for part in parts
    ]
    # A letter in each part that has room for it, and in the legend: parts are told apart without their colours.
    names = [
        f"<b>{letter}</b> {chart_text(label)}"
        for letter, label in zip(ascii_uppercase, short_labels(words, longest=_LONGEST_IN_LEGEND), strict=False)
    ]
    enough = _ROOM_FOR_LETTER / _HEIGHT_OF_STACKS * max(totals, default=0)
    labels = [
        _step_label(step, unit) + (f" ({part})" if part else "")
        for step, part in zip(steps, counted.parts, strict=True)
    ]
    in_part = [label for label, part in zip(labels, counted.parts, strict=True) if part]
    most = int(totals.argmax()) if len(totals) else 0
    return Chart(
        name="over-time",
        title=_("Claims by status, by {step}", step=unit.words),
        words=_(
            "Stacked bars, one a {step}, from the bottom up {statuses}; most claims: {n} on {days}",
            step=unit.words,
            statuses=", ".join(words),
            n=number(totals[most]),
            days=labels[most],
        )
        + (_("; only in part: {days}", days=", ".join(in_part)) if in_part else ""),
        base=base,
        figure=checked_figure(
            [
                {
                    "type": "bar",
                    "name": name,
                    "showlegend": not (counted.parts and counted.parts[0]),
                    "meta": chart_text(word),
                    "x": list(range(len(steps))),
                    "y": counts,
                    "customdata": labels,
                    "text": [
                        "" if cut or count < enough else letter
                        for count, cut in zip(counts, counted.parts, strict=True)
                    ],
                    "textposition": "inside",
                    "insidetextanchor": "middle",
                    "textangle": 0,
                    "textfont": {"size": 10, "color": ink_on(colours[counted.statuses[part[0]]])},
                    "marker": {
                        "color": colours[counted.statuses[part[0]]],
                        "line": {"color": CHART_BACKGROUND, "width": 1},
                        **_hatched(counted.parts),
                    },
                    "hovertemplate": "%{customdata}: %{y:,} %{meta}<extra></extra>",
                }
                for letter, part, word, name in zip(ascii_uppercase, parts, words, names, strict=False)
                for counts in [counted.counts[:, part].sum(axis=1).tolist()]
            ]
            + _legend_of(names, [colours[counted.statuses[part[0]]] for part in parts], counted.parts),
            **over_legend(_HEIGHT_OF_STACKS, most=int(totals[most]), names=len(names)),
            barmode="stack",
            hovermode="closest",
            xaxis=_time_axis(steps, unit, counted.parts),
            yaxis=count_axis(totals.tolist()),
        ),
        table=counted.table,
        picks={
            trace: tuple(ChartPick(days=step, status=counted.statuses[part[0]]) for step in steps)
            for trace, part in enumerate(parts)
            if len(part) == 1
        },
        steps=tuple(steps),
        note=_("{statuses} are one grey part; the table names them.", statuses=words[-1])
        if len(parts) < len(shown)
        else "",
    )


def by_product_chart(counted: ByProduct, base: Base) -> Chart:
    """The products with the most claims; the rest is told, not drawn: its bar would dwarf theirs."""
    names, counts = [shown_word(name) for name in counted.top.labels], counted.top.counts.tolist()
    others = ngettext(
        "{n} other product", "{n} other products", counted.other_products, n=number(counted.other_products)
    )
    rest = {others: counted.rest} if counted.other_products else {}
    table = pd.DataFrame({_("product"): [*names, *rest], _("claims"): [*counts, *rest.values()]})
    return Chart(
        name="by-product",
        title=_("Products with the most claims"),
        words=_("Bars, one a product; most claims: {product} with {n}", product=names[0], n=number(counts[0]))
        if names
        else _("No claims"),
        base=base,
        figure=checked_figure(
            [
                bars(
                    counts,
                    list(range(len(names))),
                    [chart_text(name) for name in names],
                    hover="%{customdata}: %{x:,}",
                    orientation="h",
                    text=[number(count) for count in counts],
                )
            ],
            height=_HEIGHT,
            xaxis=count_axis(counts),
            yaxis=names_axis(names),
        ),
        table=table,
        picks={0: tuple(ChartPick(product=name) for name in counted.top.labels)},
        note=ngettext(
            "{others}: {n} claim.", "{others}: {n} claims.", counted.rest, others=others, n=number(counted.rest)
        )
        if rest
        else "",
    )


def days_to_claim_chart(counted: DaysToClaim, base: Base) -> Chart:
    """How long after the start of its warranty a claim came."""
    if counted.median is None:
        median = _("no claims")
    elif counted.median < 0:
        median = _("half of them before the start")
    else:
        median = _("half of them within {n} days", n=number(counted.median))
    return Chart(
        name="days-to-claim",
        title=_("Days from warranty start to claim"),
        words=_("Bars of {n} days each; {median}", n=DAYS_A_BAR, median=median),
        base=base,
        figure=_upright(counted, *_age_axis(counted.ages)),
        table=counted.table,
        picks={0: tuple(ChartPick(age=age) for age in counted.ages)},
    )


def open_by_age_chart(counted: OpenByAge, base: Base, *, today: date) -> Chart:
    """Open claims, by how long ago they were made."""
    places = [float(place) for place in range(len(counted.labels))]
    days = _(" days")
    labels = [label.replace(days, "").replace(_(" to "), "–") for label in counted.labels]
    return Chart(
        name="open-by-age",
        title=_("Open claims, by age"),
        words=_(
            "Bars of {n} days of age on {day}; {every} open in all, {oldest} of them {age}",
            n=DAYS_A_BAR,
            day=day_words(today),
            every=number(counted.counts.sum()),
            oldest=number(counted.counts[-1]),
            age=counted.labels[-1],
        ),
        base=base,
        figure=_upright(counted, places, {"tickvals": places, "ticktext": labels}),
        table=counted.table,
        picks={0: tuple(ChartPick(days=each, is_open=True) if each else None for each in counted.days)},
        nothing="" if counted.counts.any() else _("No claim here is open, so there is nothing to draw."),
        note=_(
            "Closed: {closed}. Counted as open: {open}.", closed=_listed(counted.closed), open=_listed(counted.statuses)
        ),
    )


def weekday_by_hour_chart(grid: Grid, base: Base) -> Chart:
    """When claims are made: weekday by hour, in service time."""
    most = ""
    if grid.counts.size and grid.counts.any():
        row, column = divmod(int(grid.counts.argmax()), grid.counts.shape[1])
        most = _(
            "; most claims: {n} at {day}, hour {hour}",
            n=number(grid.counts.max()),
            day=grid.rows[row],
            hour=grid.columns[column],
        )
    counts = [[count or None for count in row] for row in grid.counts.tolist()]
    hover = _("%{y}, %{x}:00 to %{x}:59: %{z:,}")
    return Chart(
        name="weekday-by-hour",
        title=_("Weekday by hour, in service time"),
        words=_("Squares, the stronger their colour the more claims") + most,
        base=base,
        figure=checked_figure(
            [squares(grid.columns, grid.rows, counts, hover=hover, colorscale=SHADES, showscale=False)],
            height=_HEIGHT,
            xaxis={"type": "category", "title": {"text": _("hour")}, "showgrid": False},
            yaxis={"type": "category", "autorange": "reversed", "showgrid": False},
        ),
        table=grid.table,
    )


def _upright(counted: Bars, places: Sequence[float], xaxis: Mapping[str, Any]) -> go.Figure:
    counts = counted.counts.tolist()
    return checked_figure(
        [bars(places, counts, counted.labels, hover="%{customdata}: %{y:,}")],
        height=_HEIGHT,
        xaxis={"title": {"text": _("days, {n} a bar", n=DAYS_A_BAR)}, "showgrid": False, "tickangle": 0, **xaxis},
        yaxis=count_axis(counts),
    )


def _age_axis(ages: Sequence[Ages]) -> tuple[list[float], dict[str, Any]]:
    """Where bars of ages stand, counted in bars, and the axis that names the day with which some of them begin."""
    places = [-1.5 if high == BEFORE_START else low / DAYS_A_BAR + (0.5 if high else 1.5) for low, high in ages]
    days = {low: low / DAYS_A_BAR for low, high in ages if high not in {None, BEFORE_START}}
    every = next(bars for bars in (1, 2, 3, 6, 12) if len(days) <= bars * _MOST_TICKS)
    named = {number(low): place for low, place in list(days.items())[::every]}
    if -1.5 in places:
        named = {_("before"): -1.5, **{label: place for label, place in named.items() if place}}
    return places, {"tickvals": list(named.values()), "ticktext": list(named)}


def _listed(words: Sequence[str]) -> str:
    named, more = [status_words(word) for word in words[:_MOST_NAMED]], len(words) - _MOST_NAMED
    said = ", ".join(named)
    return _("{names} and {n} more", names=said, n=number(more)) if more > 0 else said


def _hatched(parts: Sequence[str]) -> dict[str, Any]:
    """The pattern of bars of which only a part is counted, so that none is read as a fall."""
    return {"pattern": {"shape": ["/" if part else "" for part in parts], "size": 6}} if any(parts) else {}


def _legend_of(names: Sequence[str], colours: Sequence[str], parts: Sequence[str]) -> list[dict[str, Any]]:
    """The legend of a chart whose first bar is hatched: Plotly would draw each name like that bar."""
    if not (parts and parts[0]):
        return []
    return [
        {"type": "bar", "name": name, "x": [None], "y": [None], "marker": {"color": colour}}
        for name, colour in zip(names, colours, strict=True)
    ]


def _time_axis(steps: Sequence[Period], unit: Step, parts: Sequence[str]) -> dict[str, Any]:
    """Steps stand side by side, a cut one and a year far from the others as well; some are named, and those in part."""
    spare = max(0, FEW - len(steps)) / 2  # one bar alone would fill the chart
    every = max(1, -(-len(steps) // _MOST_TICKS))
    in_part = [place for place, part in enumerate(parts) if part and part != _("to come")]
    named = sorted(
        {place for place in range(0, len(steps), every) if all(abs(place - each) >= every for each in in_part)}
        | set(in_part)
    )
    ticks: list[str] = []
    year = None
    for place in named:
        day = steps[place].first
        new_year = "" if day.year == year or unit is Step.YEAR else f"{day.year}"
        if parts[place]:
            # The tick of a week names its first day already.
            cut_week = unit is Step.WEEK and _("so far") not in parts[place]
            said = _("part of week") if cut_week else parts[place]
            ticks.append(f"{_tick(day, unit)} {new_year}".rstrip() + f"<br>{said}")
        else:
            ticks.append(_tick(day, unit) + (f"<br>{new_year}" if new_year else ""))
        year = day.year
    return {
        "range": [-0.5 - spare, len(steps) - 0.5 + spare],
        "showgrid": False,
        "tickangle": 0,
        "tickvals": named,
        "ticktext": ticks,
    }


def _tick(day: date, unit: Step) -> str:
    if unit is Step.YEAR:
        return f"{day.year}"
    return dated(day, "MMM" if unit is Step.MONTH else DAY_OF_YEAR)


def _step_label(step: Period, unit: Step) -> str:
    if unit is Step.YEAR:
        return f"{step.first.year}"
    return dated(step.first, MONTH) if unit is Step.MONTH else step.words
