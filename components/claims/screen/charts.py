"""The charts of claims, from the counts of `warranty.analysis` to what Plotly draws: made once for all who look."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from typing import Any, Final, TypeVar

import pandas as pd

from components.claims.charts.colours import CLOSED, OPEN, status_colours
from components.claims.charts.figure import (
    FEW,
    Chart,
    bars,
    chart_text,
    checked_figure,
    count_axis,
    names_axis,
    over_legend,
    short_labels,
)
from components.claims.screen.claims_filter import ClaimsFilter
from components.platform.markup import CHART_BACKGROUND
from components.words.statuses import status_words
from warranty.claims.analysis import (
    DAYS_A_BAR,
    NO_PICK,
    Base,
    ByProduct,
    ChartPick,
    Figure,
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
from warranty.claims.readings.readings import KeptClaims
from warranty.client.resources.claims import DOCUMENTED_CLOSED
from warranty.language import N_, _, locale, ngettext
from warranty.language.written import DAY_OF_YEAR, MONTH, dated, number

_HEIGHT: Final = 330
_HEIGHT_OF_STACKS: Final = 130
_LONGEST_IN_LEGEND: Final = 24
_MOST_TICKS: Final = 7
_MOST_NAMED: Final = 8
Made = TypeVar("Made")


class CountedClaims:
    """The figures and charts of a set as a filter narrows it, each made when it is first asked for.

    A bar that was picked narrows the table, not the charts around it; with `picked` it narrows these as well.
    """

    def __init__(self, cached: KeptClaims, chosen: ClaimsFilter, *, picked: bool = False) -> None:
        self._cached = cached
        selection = chosen.selection(closed=cached.closed)
        self._selection = selection if picked else replace(selection, pick=NO_PICK)

    def claims(self) -> Figure[int]:
        """How many they are. It alone may carry a change: older claims have had longer to be closed."""
        return self._once("claims", lambda counts: Figure(name=N_("Claims"), value=counts.claims, base=self.base))

    def open_claims(self) -> Figure[int]:
        """How many of them are open."""
        about = _(
            "As they stand now: open is every status but {statuses}. Connection lists the words",
            statuses=", ".join(map(status_words, self._cached.closed)),
        )
        return self._once(
            "open", lambda counts: Figure(name=N_("Open claims"), value=counts.open_claims, base=self.base, about=about)
        )

    def headline(self) -> str:
        """Both in one line: `12 of 480 claims · 3 open`."""
        every, claims, still = len(self._cached.claims.frame), self.claims(), self.open_claims()
        count = claims.text if claims.value == every else _("{n} of {every}", n=claims.text, every=number(every))
        return " · ".join(
            (
                ngettext("{n} claim", "{n} claims", every, n=count),
                ngettext("{n} open", "{n} open", still.value or 0, n=still.text),
            )
        )

    def claims_on(self, days: Period) -> int:
        """How many claims these days have."""
        return self._once(f"on {days.words}", lambda counts: counts.claims_on(days))

    def open_by_age(self, today: date) -> OpenByAge:
        """The open ones by their age in days."""
        return self._once(f"open by age {today}", lambda counts: counts.open_by_age(today=today))

    @property
    def base(self) -> Base:
        """What these figures and charts are told of."""
        selection, claims = self._selection, self._cached.claims
        return self._once("base", lambda counts: base_of(claims, selection, count=counts.claims, status=status_words))

    def over_time(self) -> Chart:
        """Claims over time by status."""
        closed = self._cached.closed
        return self._once("over-time", lambda counts: over_time_chart(counts.over_time(), self.base, closed=closed))

    def every_chart(self, *, today: date) -> tuple[Chart, ...]:
        """That of claims over time, then those that stand two a row."""
        base, still = self.base, self.open_by_age(today)
        return (
            self.over_time(),
            self._once("by-product", lambda counts: by_product_chart(counts.by_product(), base)),
            self._once(f"open {today}", lambda _: open_by_age_chart(still, base, today=today)),
        )

    def _once(self, name: str, make: Callable[[Trends], Made]) -> Made:
        cached, selection = self._cached, self._selection

        def counts() -> Trends:
            return cached.derived(("counts", selection), lambda: trends(cached.claims, selection=selection))

        # Made for all who look, in one language each.
        return cached.derived((name, selection, str(locale())), lambda: make(counts()))


def over_time_chart(counted: OverTime, base: Base, *, closed: tuple[str, ...] = DOCUMENTED_CLOSED) -> Chart:
    """Claims over time by status, stacked: open ones stand on the ground, the most urgent first."""
    unit, steps, totals = counted.step, counted.steps, counted.counts.sum(axis=1)
    shown = [place for place, count in enumerate(counted.counts.sum(axis=0).tolist()) if count]
    given = status_colours([counted.statuses[place] for place in shown], closed=closed)
    parts = {colour: [each for each in shown if given[counted.statuses[each]] == colour] for colour in (*OPEN, *CLOSED)}
    parts = {colour: part for colour, part in parts.items() if part}
    several = {colour: [status_words(counted.statuses[place]) for place in part] for colour, part in parts.items()}
    words = [
        names[0]
        if len(names) == 1
        else _("{n} open statuses", n=number(len(names)))
        if colour in OPEN
        else _("{n} closed statuses", n=number(len(names)))
        for colour, names in several.items()
    ]
    names = [chart_text(label) for label in short_labels(words, longest=_LONGEST_IN_LEGEND)]
    labels = [
        _step_label(step, unit) + (f" ({part})" if part else "")
        for step, part in zip(steps, counted.parts, strict=True)
    ]
    in_part = [label for label, part in zip(labels, counted.parts, strict=True) if part]
    # Bars of which only a part is counted, so that none is read as a fall.
    hatched = {"pattern": {"shape": ["/" if part else "" for part in counted.parts], "size": 6}} if in_part else {}
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
                    "marker": {"color": colour, "line": {"color": CHART_BACKGROUND, "width": 1}, **hatched},
                    "hovertemplate": "%{customdata}: %{y:,} %{meta}<extra></extra>",
                }
                for (colour, part), word, name in zip(parts.items(), words, names, strict=True)
                for counts in [counted.counts[:, part].sum(axis=1).tolist()]
            ]
            + _legend_of(names, list(parts), counted.parts),
            **over_legend(_HEIGHT_OF_STACKS, most=int(totals[most]), names=len(names)),
            barmode="stack",
            hovermode="closest",
            xaxis=_time_axis(steps, unit, counted.parts),
            yaxis=count_axis(totals.tolist()),
        ),
        table=counted.table,
        picks={
            trace: tuple(ChartPick(days=step, status=counted.statuses[part[0]]) for step in steps)
            for trace, part in enumerate(parts.values())
            if len(part) == 1
        },
        steps=tuple(steps),
        note=" ".join(
            f"{word}: {_listed(each)}." for word, each in zip(words, several.values(), strict=True) if len(each) > 1
        ),
    )


def by_product_chart(counted: ByProduct, base: Base) -> Chart:
    """The products with the most claims; the rest is told, not drawn: its bar would dwarf theirs."""
    names, counts = [shown_word(name) for name in counted.names], counted.counts.tolist()
    others = ngettext(
        "{n} other product", "{n} other products", counted.other_products, n=number(counted.other_products)
    )
    rest = {others: counted.rest} if counted.other_products else {}
    table = pd.DataFrame({_("product"): [*names, *rest], _("claims"): [*counts, *rest.values()]})
    return Chart(
        name="by-product",
        title=_("Products with the most claims, by number"),
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
        picks={0: tuple(ChartPick(product=name) for name in counted.names)},
        note=ngettext(
            "{others}: {n} claim.", "{others}: {n} claims.", counted.rest, others=others, n=number(counted.rest)
        )
        if rest
        else "",
    )


def open_by_age_chart(counted: OpenByAge, base: Base, *, today: date) -> Chart:
    """Open claims, by how long ago they were made."""
    places, counts, days = list(range(len(counted.labels))), counted.counts.tolist(), _(" days")
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
        figure=checked_figure(
            [bars(places, counts, counted.labels, hover="%{customdata}: %{y:,}")],
            height=_HEIGHT,
            xaxis={"title": {"text": _("days, {n} a bar", n=DAYS_A_BAR)}, "showgrid": False, "tickangle": 0}
            | {"tickvals": places, "ticktext": labels},
            yaxis=count_axis(counts),
        ),
        table=pd.DataFrame({_("age"): counted.labels, _("claims"): counts}),
        picks={0: tuple(ChartPick(days=each, is_open=True) if each else None for each in counted.days)},
        nothing="" if counted.counts.any() else _("No claim here is open, so there is nothing to draw."),
        about=_(
            "Closed: {closed}. Counted as open: {open}",
            closed=_listed([*map(status_words, counted.closed)]),
            open=_listed([*map(status_words, counted.statuses)]),
        ),
    )


def _listed(words: Sequence[str]) -> str:
    named, more = ", ".join(words[:_MOST_NAMED]), len(words) - _MOST_NAMED
    return _("{names} and {n} more", names=named, n=number(more)) if more > 0 else named


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
            label = _("part of week") if cut_week else parts[place]
            ticks.append(f"{_tick(day, unit)} {new_year}".rstrip() + f"<br>{label}")
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
