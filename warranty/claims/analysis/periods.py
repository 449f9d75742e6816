"""Stretches of whole days, and the steps in which they are drawn."""

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo
from enum import StrEnum
from typing import Final

from warranty.client.resources.claims import TimeRange
from warranty.language import N_, _
from warranty.language.written import DAY_OF_YEAR, MONTH, dated

DAY: Final = timedelta(days=1)
_MOST_DAYS_BY_DAY: Final = 45
_MOST_DAYS_BY_WEEK: Final = 270
_MOST_DAYS_BY_MONTH: Final = 3_660


class Step(StrEnum):
    """How wide a bar over time is."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    YEAR = "year"

    @property
    def words(self) -> str:
        """Its name for people: `day`."""
        return _(_STEPS[self])


_STEPS: Final = {Step.DAY: N_("day"), Step.WEEK: N_("week"), Step.MONTH: N_("month"), Step.YEAR: N_("year")}


@dataclass(frozen=True, slots=True)
class Period:
    """Whole days from `first` to `last`, both included."""

    first: date
    last: date

    def __post_init__(self) -> None:
        if self.last < self.first:
            raise ValueError(N_("The first day is after the last: exchange them."))

    @property
    def days(self) -> int:
        """How many days it has."""
        return (self.last - self.first).days + 1

    @property
    def month(self) -> str:
        """The calendar month that it is, for people: `Oct 2026`; empty where it is none."""
        return dated(self.first, MONTH) if self == step_of(self.first, Step.MONTH) else ""

    @property
    def step(self) -> Step:
        """The step in which the period is drawn: days up to 45 days, weeks up to 270, months up to ten years."""
        if self.days <= _MOST_DAYS_BY_DAY:
            return Step.DAY
        if self.days <= _MOST_DAYS_BY_WEEK:
            return Step.WEEK
        return Step.MONTH if self.days <= _MOST_DAYS_BY_MONTH else Step.YEAR

    @property
    def times(self) -> TimeRange:
        """The first and the last microsecond in service time, as a `ClaimQuery` takes them."""
        return datetime.combine(self.first, time.min), datetime.combine(self.last, time.max)

    def bounds(self, zone: tzinfo) -> tuple[datetime, datetime]:
        """The aware moments at which the first day begins and at which the last one is over, in this zone."""
        return datetime.combine(self.first, time.min, zone), datetime.combine(self.last + DAY, time.min, zone)

    @property
    def words(self) -> str:
        """The days for people: `1 Nov 2026 to 21 Nov 2026`, `21 Nov 2026`."""
        last = day_words(self.last)
        if self.first == self.last:
            return last
        return _("{first} to {last}", first=day_words(self.first), last=last)

    @classmethod
    def of(cls, times: TimeRange) -> "Period":
        """Give the days that a range of times touches."""
        return cls(times[0].date(), times[1].date())


def day_words(day: date) -> str:
    """A day for people: `21 Nov 2026`."""
    return dated(day)


def month_of(day: date) -> Period:
    """The calendar month that a day is in."""
    return step_of(day, Step.MONTH)


def part_of(step: Period, unit: Step, *, today: date | None) -> str:
    """Which part of its day, week, month or year a step is, on a day that is not over; empty where it is all of it.

    `so far`, `from 22 May`, `to 9 Nov`, `to come`; today None: whether it is over is not known.
    """
    if today is not None and step.first > today:
        return _("to come")
    whole = step_of(step.first, unit)
    parts = [_("from {day}", day=dated(step.first, DAY_OF_YEAR))] if step.first > whole.first else []
    if today is not None and step.last >= today:
        parts.append(_("so far"))
    elif step.last < whole.last:
        parts.append(_("to {day}", day=dated(step.last, DAY_OF_YEAR)))
    return " ".join(parts)


def step_of(day: date, unit: Step) -> Period:
    """The day, week (from Monday), month or year that a day is in."""
    if unit is Step.DAY:
        return Period(day, day)
    if unit is Step.WEEK:
        monday = max(date.min.toordinal(), day.toordinal() - day.weekday())
        return Period(date.fromordinal(monday), date.fromordinal(min(monday + 6, date.max.toordinal())))
    first, last = (1, 12) if unit is Step.YEAR else (day.month, day.month)
    return Period(date(day.year, first, 1), date(day.year, last, monthrange(day.year, last)[1]))
