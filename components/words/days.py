"""Stretches of days that have a name: today, 30 days, last month. Pure."""

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Final, NamedTuple

from warranty.analysis import Period


def service_today(now: datetime | None = None) -> date:
    """Today in service time, which the interface leaves open and we take for UTC (docs/decisions/address.md)."""
    return (now or datetime.now(UTC)).date()


def _last_days(count: int) -> Callable[[date], Period]:
    return lambda today: Period(today - timedelta(days=count - 1), today)


def _months(count: int) -> Callable[[date], Period]:
    """The calendar's month (1), quarter (3) or year (12) that a day is in."""

    def around(day: date) -> Period:
        first = date(day.year, day.month - (day.month - 1) % count, 1)
        return Period(first, (first + timedelta(days=31 * count)).replace(day=1) - timedelta(days=1))

    return around


def _before(span: Callable[[date], Period]) -> Callable[[date], Period]:
    return lambda today: span(span(today).first - timedelta(days=1))


class Preset(NamedTuple):
    """What stands on the button, and the days that are meant on a given day; None for all days."""

    label: str
    days: Callable[[date], Period] | None


PRESETS: Final[Mapping[str, Preset]] = {
    "today": Preset("Today", _last_days(1)),
    "yesterday": Preset("Yesterday", _before(_last_days(1))),
    "7-days": Preset("7 days", _last_days(7)),
    "30-days": Preset("30 days", _last_days(30)),
    "90-days": Preset("90 days", _last_days(90)),
    "this-month": Preset("This month", _months(1)),
    "last-month": Preset("Last month", _before(_months(1))),
    "this-quarter": Preset("This quarter", _months(3)),
    "last-quarter": Preset("Last quarter", _before(_months(3))),
    "this-year": Preset("This year", _months(12)),
    "last-year": Preset("Last year", _before(_months(12))),
    "all": Preset("All dates", None),
}
"""By the name that stands in addresses; a screen offers some of them."""
