"""Notes on days, drawn on any chart whose bars are steps of time: a band with a number, and the words to it."""

from collections.abc import Sequence
from datetime import date
from textwrap import wrap
from typing import Final

import plotly.graph_objects as go

from components.claims.charts.colours import OTHER
from components.claims.charts.figure import Chart, chart_text
from warranty.claims.analysis import Period
from warranty.insight.history.time_notes import NoteKind, TimeNote
from warranty.language import N_, _

Notes = Sequence[TimeNote] | None
"""The notes on days that there are; None where the journal does not answer."""
_BAND: Final = "rgba(124,135,148,0.22)"
_BADGE: Final = "#4A5562"
_LEVELS: Final = 3
"""Numbers that stand close together stand on so many levels, so that none lies on its neighbour."""
_LEVEL: Final = 22  # pixels
_HOVER_WIDTH: Final = 48  # letters
_KINDS: Final = {
    NoteKind.RECALL: N_("Recall"),
    NoteKind.PRICE_CHANGE: N_("Price change"),
    NoteKind.OUTAGE: N_("Outage"),
    NoteKind.OTHER: N_("Other"),
}


def kind_words(kind: NoteKind) -> str:
    """What a note is about: `Price change`."""
    return _(_KINDS[kind])


def note_words(note: TimeNote) -> str:
    """A note as plain text: `Recall, 3 Nov 2026 to 5 Nov 2026: chargers called back`."""
    return f"{kind_words(note.kind)}, {Period(note.first, note.last).words}: {note.words}"


def notes_of(chart: Chart, notes: Sequence[TimeNote]) -> list[TimeNote]:
    """The notes on days that the chart shows, in the order of their numbers, from 1 on."""
    return [note for note in notes if any(note.touches(step.first, step.last) for step in chart.steps)]


def with_notes(figure: go.Figure, steps: Sequence[Period], notes: Sequence[TimeNote]) -> go.Figure:
    """Draw the notes on a figure whose bars stand at 0, 1, … for these steps; one without notes stays as it is."""
    if not notes:
        return figure
    noted = go.Figure(figure)
    for number, note in enumerate(notes):
        begin, end = _place(steps, note.first), _place(steps, note.last, end=True)
        badge = {
            "text": f"<b>{number + 1}</b>",
            "x": (begin + end) / 2,
            "xanchor": "center",
            "yanchor": "top",
            "yshift": -_LEVEL * (number % _LEVELS),
            "hovertext": "<br>".join(map(chart_text, wrap(note_words(note), _HOVER_WIDTH))),
            "bgcolor": _BADGE,
            "font": {"color": "#FFFFFF", "size": 12},
            "borderpad": 3,
        }
        edge = {"color": OTHER, "width": 1, "dash": "dot"}
        noted.add_vrect(begin, end, annotation=badge, fillcolor=_BAND, line=edge, exclude_empty_subplots=False)
    return noted


def _place(steps: Sequence[Period], day: date, *, end: bool = False) -> float:
    """Where a day begins (or ends) on the axis; one outside the chart, at its edge."""
    place = next((place for place, step in enumerate(steps) if day <= step.last), len(steps) - 1)
    step = steps[place]
    share = ((day - step.first).days + end) / step.days
    return place - 0.5 + min(1.0, max(0.0, share))
