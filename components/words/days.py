"""Stretches of days that have a name: today, 30 days, last month. Pure."""

from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta
from typing import Final, NamedTuple

import pandas as pd

from warranty.claims.analysis import Period
from warranty.clock import utc_now
from warranty.language import N_

EARLIEST: Final = date(1900, 1, 1)
LATEST: Final = date(2199, 12, 31)
"""The days that can be picked, and as many days before them counted."""


def service_today(now: datetime | None = None) -> date:
    """Today in service time, which the interface leaves open and we take for UTC (docs/decisions/claims-screen.md)."""
    return (now or utc_now()).date()


def _last_days(count: int) -> Callable[[date], Period]:
    return lambda today: Period(today - timedelta(days=count - 1), today)


def _calendar(unit: str) -> Callable[[date], Period]:
    """The calendar's month ("M"), quarter ("Q") or year ("Y") that a day is in."""

    def around(day: date) -> Period:
        span = pd.Period(day, freq=unit)
        return Period(span.start_time.date(), span.end_time.date())

    return around


def _before(span: Callable[[date], Period]) -> Callable[[date], Period]:
    return lambda today: span(span(today).first - timedelta(days=1))


class Preset(NamedTuple):
    """What stands on the button, said there with `_`, and the days that are meant on a given day; None for all days."""

    label: str
    days: Callable[[date], Period] | None


PRESETS: Final[Mapping[str, Preset]] = {
    "today": Preset(N_("Today"), _last_days(1)),
    "yesterday": Preset(N_("Yesterday"), _before(_last_days(1))),
    "7-days": Preset(N_("7 days"), _last_days(7)),
    "30-days": Preset(N_("30 days"), _last_days(30)),
    "90-days": Preset(N_("90 days"), _last_days(90)),
    "this-month": Preset(N_("This month"), _calendar("M")),
    "last-month": Preset(N_("Last month"), _before(_calendar("M"))),
    "this-quarter": Preset(N_("This quarter"), _calendar("Q")),
    "last-quarter": Preset(N_("Last quarter"), _before(_calendar("Q"))),
    "this-year": Preset(N_("This year"), _calendar("Y")),
    "last-year": Preset(N_("Last year"), _before(_calendar("Y"))),
    "all": Preset(N_("All dates"), None),
}
"""By the name that stands in addresses; a screen offers some of them."""
