"""Figures on the screen. Nothing but a `Figure` is drawn as a number, so none stands there without its base."""

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from components.platform.markup import plain
from warranty.claims.analysis import Figure, Verdict
from warranty.language import _

Press = tuple[str, Callable[[], None]]
"""The words of a button, and what it does."""


def figure_tiles(figures: Sequence[Figure[Any]], *, presses: Sequence[Sequence[Press]] = ()) -> None:
    """Draw figures side by side, each with its base in its help; an arrow says that a change is more than chance.

    `presses` are the buttons below each.
    """
    # So wide that a change with its verdict is not cut: four a row on a PC, two on a tablet.
    grid = st.grid(len(figures), min_column_width=262, border=True)
    for figure, buttons in zip(figures, presses or [()] * len(figures), strict=True):
        cell = grid.cell()
        change = figure.changes[0] if figure.changes else None
        sure = change is not None and change.verdict is Verdict.BEYOND
        sentences = [figure.why_not, figure.base.words, *figure.base.leaves_out, figure.about]
        cell.metric(
            _(figure.name),
            figure.text,
            delta=plain(change.counts if change else figure.more) or None,
            delta_description=plain(_(change.verdict.value)) if change else None,
            delta_color="off",
            delta_arrow=("up" if change.now > change.before else "down") if change and sure else "off",
            help=plain(". ".join(filter(None, sentences)) + "."),
        )
        for words, work in buttons:
            if cell.button(
                words, key=f"figure:{figure.name}:{words}", type="tertiary", icon=":material/arrow_forward:"
            ):
                work()
