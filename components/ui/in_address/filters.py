"""Filters that stand in the screen's address, so that they survive a reload and can be handed on.

Here the script alone writes the address, and reads it when a widget is new; why the platform's own binding of widgets
does not: docs/platform-notes/query-parameters.md. No e-mail and no phone that somebody searched for stands in it:
proxies keep addresses.
"""

from collections.abc import Collection, Mapping
from datetime import date, timedelta
from typing import Final, Literal, TypeVar

import streamlit as st

from components.platform import session
from components.ui.day_field import days_field
from components.words.attempts import here
from components.words.days import PRESETS
from warranty.claims.analysis import Period
from warranty.language import N_, _, pgettext
from warranty.places.people_in_text import names_somebody

T = TypeVar("T", bound=str)
_LABELS: Final = {name: PRESETS[name].label for name in ("today", "yesterday", "7-days", "30-days")} | {
    "all": N_("All days"),
    "range": N_("From – to"),
}


def addressed(key: str, options: Collection[str] | None, default: str | None) -> str:
    """The widget key of a filter, its value taken from the address where the widget is new.

    What the address says beside the `options` counts as nothing said; None takes any text.
    """
    if not session.is_filled(key):
        requested = in_address(key)
        session.fill(key, requested if requested is not None and (options is None or requested in options) else default)
    return key


def one_in_address(key: str, label: str, words: Mapping[T, str], *, none: str) -> T | None:
    """Draw a pick list of these, kept in the address by its key; `none` stands in it while nothing is picked."""
    return st.selectbox(
        label,
        list(words),
        index=None,
        placeholder=none,
        format_func=words.__getitem__,
        key=addressed(key, words, None),
        filter_mode="contains",
    )


def in_address(name: str) -> str | None:
    """What the address says, or said before: while claims are read the platform may draw the screen without it."""
    return st.query_params.get(name, session.recall(f"address:{name}", None))


def stand_in_address(name: str, value: str | None) -> None:
    """Write this alone into the address, or take it out; what may hold a customer's address never stands there."""
    session.remember(f"address:{name}", value)
    if value and not names_somebody(value):
        st.query_params[name] = value
    else:
        st.query_params.pop(name, None)


def put_in_address(values: Mapping[str, str | None], *, defaults: Mapping[str, str]) -> None:
    """Write the filters into the address; left out are those that stand as at the start, and customers' addresses."""
    wanted = {
        name: value
        for name, value in values.items()
        if value and value != defaults.get(name) and not names_somebody(value)
    }
    if st.query_params.to_dict() != wanted:
        st.query_params.from_dict(wanted)


def days_choice(now: date, *, key: str, default: Literal["today", "7-days"]) -> tuple[str, Period | None]:
    """Draw the choice, kept in the address under `key`, and give its name and the days, None for all days.

    `now` is the day that it is `here`, whose zone stands below.
    """
    chosen = st.segmented_control(
        pgettext("which", "Days"),
        list(_LABELS),
        key=addressed(key, _LABELS, default),
        required=True,
        format_func=lambda name: _(_LABELS[name]),
    )
    chosen = chosen or default
    preset = PRESETS.get(chosen)
    days = _range(now, key) if preset is None else preset.days and preset.days(now)
    shown = days.words if days else _("all days")
    st.text(_("Shown: {days}. Times are in {zone}.", days=shown, zone=str(here())))
    return chosen, days


def _range(now: date, key: str) -> Period:
    """Two days; while the second is not chosen yet, the first alone."""
    week = Period(now - timedelta(days=6), now)
    days = days_field(_("From – to"), week, key=f"{key}-range", width=265)
    return Period(days[0], days[-1]) if days else Period(now, now)
