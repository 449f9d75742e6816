"""Figures on the screen. Nothing but a `Figure` is drawn as a number, so none stands there without its base."""

from collections.abc import Sequence
from typing import Any, Final, Literal

import streamlit as st

from components.forms.faults import plain
from warranty.analysis import Figure

_ARROWS: Final[dict[str, Literal["up", "down"]]] = {"+": "up", "-": "down"}


def figure_tiles(figures: Sequence[Figure[Any]]) -> None:
    """Draw figures side by side, a count with its first change; the base of each stands in its help."""
    for place, figure in zip(st.columns(len(figures)), figures, strict=True):
        change = figure.changes[0].short if figure.changes else None
        said = [figure.why_not, figure.base.words, *figure.base.leaves_out, figure.about]
        place.metric(
            figure.name,
            figure.said,
            delta=plain(change) if change else None,
            delta_color="off",
            delta_arrow=_ARROWS.get((change or "")[:1], "off"),
            border=True,
            height="stretch",
            help=plain(". ".join(filter(None, said)) + "."),
        )
