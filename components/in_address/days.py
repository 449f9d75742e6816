"""Days of the activity: named ones, or from one day to another, as days of the person who looks."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final, Literal

import streamlit as st

from components.in_address.filters import addressed
from components.words.attempts import day_bounds

_DAYS: Final = {
    "today": "Today",
    "yesterday": "Yesterday",
    "7-days": "7 days",
    "30-days": "30 days",
    "all": "All days",
    "range": "From – to",
}


@dataclass(frozen=True, slots=True)
class AskedDays:
    """From the beginning of one day to the end of another, None for all days; `name` is what was chosen."""

    name: str
    first: date | None
    last: date | None

    @property
    def bounds(self) -> tuple[datetime | None, datetime | None]:
        """The aware moments of the beginning and the end."""
        return (None, None) if self.first is None or self.last is None else day_bounds(self.first, self.last)

    @property
    def words(self) -> str:
        """The days for people: `15 Nov 2026 to 21 Nov 2026`."""
        if self.first is None or self.last is None:
            return "all days"
        if self.first == self.last:
            return day_words(self.first)
        return f"{day_words(self.first)} to {day_words(self.last)}"


def day_words(day: date) -> str:
    """A day for people: `21 Nov 2026`."""
    return f"{day.day} {day:%b %Y}"


def asked_days(now: date, *, key: str, default: Literal["today", "7-days"]) -> AskedDays:
    """Draw the choice, kept in the address under `key`, and give the days; `now` is the day that it is."""
    chosen = st.segmented_control(
        "Days",
        list(_DAYS),
        key=addressed(key, _DAYS, default),
        required=True,
        format_func=lambda option: _DAYS[option],
    )
    if chosen == "range":
        return _range(now, key)
    chosen = chosen or default
    back = {"today": (0, 0), "yesterday": (1, 1), "7-days": (6, 0), "30-days": (29, 0)}.get(chosen)
    if back is None:
        return AskedDays(chosen, None, None)
    return AskedDays(chosen, now - timedelta(days=back[0]), now - timedelta(days=back[1]))


def _range(now: date, key: str) -> AskedDays:
    """Two days; while the second is not chosen yet, the first alone."""
    days = st.date_input("From – to", value=(now - timedelta(days=6), now), max_value=now, key=f"{key}-range")
    if not days:
        return AskedDays("range", now, now)
    return AskedDays("range", days[0], days[-1])
