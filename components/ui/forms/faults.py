"""What is wrong with the input: a summary on top that leads to the fields, and the same sentence at its field."""

from collections.abc import Mapping
from typing import Final

import streamlit as st

from components.platform.markup import place_of, plain
from warranty.language import _
from warranty.language.written import number

_NO_PLACES: Final[Mapping[str, str]] = {}
_LONG, _FIRST = 12, 5
"""A summary of more faults than the one names so many and counts the others: the fields stay in sight."""


def problem_summary(problems: Mapping[str, str], *, places: Mapping[str, str] = _NO_PLACES, tried: str = "") -> None:
    """Say on top that there is a problem, one line per fault; draws nothing without faults.

    `places` holds the widget's key of each field, in the order of the form: a line leads there. The summary is
    brought to the eye once for each `tried`, if that is told.
    """
    order = {field: number for number, field in enumerate(places)}
    lines: dict[str, str] = {}
    for field in sorted(problems, key=lambda fault: order.get(fault, len(order))):
        lines.setdefault(plain(problems[field]), places.get(field, ""))
    if lines:
        with looked_at(tried) if tried else st.container():
            named = [f"- [{line}](#{place_of(key)})" if key else f"- {line}" for line, key in lines.items()]
            if len(named) > _LONG:
                named[_FIRST:] = ["- " + _("and {n} more", n=number(len(named) - _FIRST))]
            told = "\n".join(named)
            head = _("There is a problem")
            st.error(f"**{head}**\n\n{told}")


def looked_at(name: str) -> st.delta_generator.DeltaGenerator:
    """A place whose message is scrolled to and gets the focus when it appears (components/platform/page_head.html)."""
    return st.container(key=f"look-{name}")


def problem_at(problems: Mapping[str, str], *fields: str, alone: bool = False) -> None:
    """Repeat the sentence at its field, in a place that is always there: the fields below it stay mounted.

    Where the field stands `alone` in its place there are none below, and without a fault nothing is drawn.
    """
    if alone and problems.keys().isdisjoint(fields):
        return
    with st.container():
        for field in fields:
            if field in problems:
                st.markdown(f":red[**{plain(problems[field])}**]")
