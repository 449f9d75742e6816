"""Days of the activity: named ones, or from one day to another, as days of the person who looks."""

from datetime import date, timedelta
from typing import Final, Literal

import streamlit as st

from components.in_address.filters import addressed
from components.words.days import PRESETS
from warranty.analysis import Period

_LABELS: Final = {name: PRESETS[name].label for name in ("today", "yesterday", "7-days", "30-days")} | {
    "all": "All days",
    "range": "From – to",
}


def asked_days(now: date, *, key: str, default: Literal["today", "7-days"]) -> tuple[str, Period | None]:
    """Draw the choice, kept in the address under `key`, and give its name and the days, None for all days.

    `now` is the day that it is for the person who looks.
    """
    chosen = st.segmented_control(
        "Days",
        list(_LABELS),
        key=addressed(key, _LABELS, default),
        required=True,
        format_func=_LABELS.__getitem__,
    )
    chosen = chosen or default
    if chosen == "range":
        return chosen, _range(now, key)
    days = PRESETS[chosen].days
    return chosen, days(now) if days else None


def _range(now: date, key: str) -> Period:
    """Two days; while the second is not chosen yet, the first alone."""
    days = st.date_input("From – to", value=(now - timedelta(days=6), now), max_value=now, key=f"{key}-range")
    return Period(days[0], days[-1]) if days else Period(now, now)
