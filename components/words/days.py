"""Ranges of whole days that have a name: today, 30 days, last month. Pure."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from types import MappingProxyType
from typing import Final

_LAST_MOMENT: Final = time(23, 59, 59, 999999)


@dataclass(frozen=True, slots=True, order=True)
class Days:
    """From the first moment of one day to the last moment of another, in service time."""

    first: date
    last: date

    @property
    def moments(self) -> tuple[datetime, datetime]:
        """First and last microsecond, without a zone."""
        return datetime.combine(self.first, time.min), datetime.combine(self.last, _LAST_MOMENT)

    @property
    def count(self) -> int:
        """How many days."""
        return (self.last - self.first).days + 1

    @property
    def words(self) -> str:
        """The days for people: `1 to 21 Nov 2026`, `21 Nov 2026`."""
        if self.first == self.last:
            return day_words(self.last)
        return f"{day_words(self.first)} to {day_words(self.last)}"


def day_words(day: date) -> str:
    """A day for people: `21 Nov 2026`."""
    return f"{day.day} {day:%b %Y}"


def service_today(now: datetime | None = None) -> date:
    """Today in service time, which the interface leaves open and we take for UTC (docs/decisions/0070)."""
    return (now or datetime.now(UTC)).date()


def _last_days(count: int) -> Callable[[date], Days]:
    return lambda today: Days(today - timedelta(days=count - 1), today)


def _month(today: date) -> Days:
    return Days(today.replace(day=1), _end(today.replace(day=1), 1))


def _quarter(today: date) -> Days:
    first = today.replace(month=today.month - (today.month - 1) % 3, day=1)
    return Days(first, _end(first, 3))


def _year(today: date) -> Days:
    return Days(date(today.year, 1, 1), date(today.year, 12, 31))


def _end(first: date, months: int) -> date:
    """The last day of the `months` that begin with `first`."""
    years, month = divmod(first.month - 1 + months, 12)
    return date(first.year + years, month + 1, 1) - timedelta(days=1)


def _before(span: Callable[[date], Days]) -> Callable[[date], Days]:
    return lambda today: span(span(today).first - timedelta(days=1))


@dataclass(frozen=True, slots=True)
class Preset:
    """A named range: `name` stands in addresses, `label` on the button; `days` is None for all days."""

    name: str
    label: str
    days: Callable[[date], Days] | None


PRESETS: Final[Mapping[str, Preset]] = MappingProxyType(
    {
        preset.name: preset
        for preset in (
            Preset("today", "Today", _last_days(1)),
            Preset("7-days", "7 days", _last_days(7)),
            Preset("30-days", "30 days", _last_days(30)),
            Preset("90-days", "90 days", _last_days(90)),
            Preset("this-month", "This month", _month),
            Preset("last-month", "Last month", _before(_month)),
            Preset("this-quarter", "This quarter", _quarter),
            Preset("last-quarter", "Last quarter", _before(_quarter)),
            Preset("this-year", "This year", _year),
            Preset("last-year", "Last year", _before(_year)),
            Preset("all", "All dates", None),
        )
    }
)
FIRST_PRESET: Final = "30-days"
