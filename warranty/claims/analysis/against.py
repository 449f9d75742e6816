"""A count against that of other days: which days may be compared, and what the difference is worth.

Compared are whole days that are over, with as many days, so that both counts are equally old: a count of days that are
over does not age. Sales grow or fall meanwhile, and claims with them, though nothing changed: a difference is told as
more than chance where neither chance nor steady sales explain it. How often it errs: docs/decisions/figures.md.
"""

from datetime import date
from typing import Final, NamedTuple

from warranty.claims.analysis.chance import differs
from warranty.claims.analysis.figures import Change, Verdict
from warranty.claims.analysis.periods import DAY, Period, day_words
from warranty.language import _
from warranty.language.written import number

_FOUR_WEEKS: Final = 28
"""Of fewer days one that has another share of Sundays looks like a change; with 28 no more than one weekday differs."""
_MONTH: Final = 365.25 / 12
_MOST_MONTHS: Final = 24
_GROWING: Final = 1.06  # sales a month, at most, against the month before
_FALLING: Final = 0.97
_RISE_IS_SURE: Final = 0.86
_FALL_IS_SURE: Final = 0.95
"""A fall may wait for more: nobody is called to the phone by it."""


class Compared(NamedTuple):
    """Days that are over, `cut` from more, and those they are compared with (None: the same as `before` once more)."""

    days: Period
    cut: bool
    before: Period
    last_year: Period | None

    def change(self, now: int, against: Period, before: int) -> Change:
        """Give what became of a count: `now` on these days, `before` on those `against` it."""
        return Change(
            days=self.days,
            cut=self.cut,
            now=now,
            against=against,
            before=before,
            named=self._named(against),
            verdict=_verdict(now, before, (self.days.first - against.first).days)
            if self.days.days >= _FOUR_WEEKS
            else Verdict.UNJUDGED,
        )

    def no_change(self, against: Period, since: date | None) -> str:
        """Why nothing is said against days that begin before `since`, the first claim's day; empty: it can be said."""
        if since is None or since <= against.first:
            return ""
        if since > against.last:
            return _("No comparison with {days}: there were no claims yet", days=self._named(against))
        first = day_words(since)
        return _("No comparison with {days}: the first claim is of {day}", days=self._named(against), day=first)

    def _named(self, against: Period) -> str:
        one = self.days.days == 1
        if against == self.before:
            return _("the day before") if one else _("the {n} days before", n=number(self.days.days))
        return _("the same day last year") if one else _("the same days last year")


def comparable(period: Period, *, today: date) -> Compared | None:
    """Cut the period to days that are over on `today`, and find as many before and a year ago; None: none are over.

    29 February has no day a year ago: 1 March stands for it, and there are as many days all the same.
    """
    last = min(period.last, today - DAY)
    if last < period.first:
        return None
    days = Period(period.first, last)
    try:
        first = days.first.replace(year=days.first.year - 1)
    except ValueError:
        first = date(days.first.year - 1, 3, 1)
    year_ago = Period(first, first + DAY * (days.days - 1))
    # A whole year has them before it already, but for the day of a leap year.
    apart = year_ago.last < days.first and abs(year_ago.first - days.before.first) > DAY
    return Compared(days, last < period.last, days.before, year_ago if apart else None)


def _verdict(now: int, before: int, days_apart: int) -> Verdict:
    if now == before or not differs(now, before):
        return Verdict.WITHIN
    # Weeks differ no less than months do; and no sales grow like that for many years.
    months = min(max(1.0, days_apart / _MONTH), _MOST_MONTHS)
    rises = now > before
    sales = (_GROWING if rises else _FALLING) ** months
    sure = differs(now, before, days_now=sales, level=_RISE_IS_SURE if rises else _FALL_IS_SURE)
    if sure and (now > before * sales) == rises:
        return Verdict.BEYOND
    return Verdict.GROWING_SALES if rises else Verdict.FALLING_SALES
