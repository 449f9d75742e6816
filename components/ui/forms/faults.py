"""What is wrong with the input: a summary on top that leads to the fields, and the same sentence at its field."""

import uuid
from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

import streamlit as st

from components.platform import session
from components.platform.markup import place_of, plain
from warranty.language import _
from warranty.language.written import number

_NO_PLACES: Final[Mapping[str, str]] = {}
_LONG, _FIRST = 12, 5
"""A summary of more faults than the one names so many and counts the others: the fields stay in sight."""


class Entered(Protocol):
    """What stands in a form."""

    def checked(self) -> tuple[Any, Mapping[str, str]]:
        """It as it is sent, None where there are faults; the faults by field."""

    @property
    def names(self) -> Mapping[str, str]:
        """What its parts are called in the summary of faults, by the beginning of their fields' names."""


class Faults:
    """What the last try to send found wrong in a form, by field, and where each is shown."""

    def __init__(self, screen: str, widget_key: Callable[[str], str]) -> None:
        self._screen = screen
        self._widget_key = widget_key
        self._places: dict[str, str] = {}
        self.unsettled: dict[str, str] = {}
        """Those of lists into which something else was typed, and doubts, as this run has read them."""

    @property
    def found(self) -> Mapping[str, str]:
        """The sentences by field."""
        return session.recall(f"problems.{self._screen}", {})

    def remember(self, found: Mapping[str, str]) -> None:
        """Show the faults of a try from the next run on."""
        session.remember(f"problems.{self._screen}", dict(found))
        session.remember(f"tried.{self._screen}", uuid.uuid4().hex)

    def forget(self) -> None:
        """Show none."""
        session.forget(f"problems.{self._screen}")

    def draw(self, *fields: str, at: str = "", alone: bool = False) -> None:
        """Draw the faults of fields, if they have any; the summary leads to the field `at`, else to each itself.

        `alone`: no field stands below in the same place (a column, say).
        """
        self._places |= {field: self._widget_key(at or field) for field in fields}
        problem_at(self.found, *fields, alone=alone)

    def checked(self, entered: Entered) -> tuple[Any, Mapping[str, str]]:
        """It as it is sent, None where there are faults; the faults by field, what is unsettled too."""
        resource, faults = entered.checked()
        return (None if self.unsettled else resource), {**faults, **self.unsettled}

    def summary(self, entered: Entered) -> None:
        """Draw the faults on top, when the form has been drawn: in its order, each with what it concerns.

        Those that are corrected by now are gone; others than were shown wait for the next try to send.
        """
        if not self.found:
            return
        _, faults = self.checked(entered)
        left = {field: faults[field] for field in self.found if field in faults}
        if left != self.found:
            session.remember(f"problems.{self._screen}", left)
            st.rerun()
        named = {
            field: "".join(f"{name}: " for start, name in entered.names.items() if field.startswith(start)) + sentence
            for field, sentence in left.items()
        }
        problem_summary(named, places=self._places, tried=session.recall(f"tried.{self._screen}", ""))


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
            listed = "\n".join(named)
            head = _("There is a problem")
            st.error(f"**{head}**\n\n{listed}")


def looked_at(name: str) -> st.delta_generator.DeltaGenerator:
    """A place whose message is scrolled to and gets the focus when it appears (components/platform/page_head.js)."""
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
