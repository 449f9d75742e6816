"""The claims of a calendar month against those of the month before and of the same month last year.

Both are over, so that both counts are equally old: a count of days that are over does not age. Months differ in length,
so they are compared by the day; of fewer days one that has another share of Sundays looks like a change. Sales grow or
fall meanwhile, and a year has its seasons, though nothing changed: a difference is told as more than chance where
neither chance nor these explain it, and never in a shop's first year, whose plans in force are more each month. How
often it errs: docs/decisions/figures.md.
"""

from datetime import date, timedelta
from functools import partial
from typing import Final, NamedTuple

from warranty.claims.analysis.chance import differs
from warranty.claims.analysis.figures import Change, Verdict
from warranty.claims.analysis.periods import DAY, Period, day_words, month_of
from warranty.language import _

_MONTH: Final = 365.25 / 12
_MOST_MONTHS: Final = 24
_GROWING: Final = 1.06  # sales a month, at most, against the month before
_FALLING: Final = 0.97
_SEASON: Final = 1.17  # from one month to the next where claims swing by 30 % in a year
_YOUNG: Final = timedelta(days=365)
_RISE_IS_SURE: Final = 0.75
_FALL_IS_SURE: Final = 0.95
"""A fall may wait for more: nobody is called to the phone by it."""


class Compared(NamedTuple):
    """A calendar month that is over, and those it is compared with."""

    month: Period
    before: Period
    last_year: Period

    def change(self, now: int, against: Period, before: int, *, since: date | None = None) -> Change:
        """Give what became of a count: `now` in the month, `before` in the one `against` it.

        `since` is the day of the first claim: of a year from then nothing is concluded.
        """
        is_young = since is not None and against.first < since + _YOUNG
        verdict = Verdict.YOUNG if is_young else _verdict(now, before, self.month, against)
        return Change(now=now, against=against, before=before, verdict=verdict)


def comparable(month: Period) -> Compared:
    """The month before, and the same one last year."""
    first = month.first
    return Compared(month, month_of(first - DAY), month_of(first.replace(year=first.year - 1)))


def why_not_comparable(against: Period, since: date | None) -> str:
    """Why nothing is said against a month that begins before `since`, the first claim's day; empty: it can be said."""
    if since is None or since <= against.first:
        return ""
    if since > against.last:
        return _("No comparison with {days}: there were no claims yet", days=against.month)
    return _("No comparison with {days}: the first claim is of {day}", days=against.month, day=day_words(since))


def _verdict(now: int, before: int, days: Period, against: Period) -> Verdict:
    differs_by_day = partial(differs, now, before, days_before=against.days)
    if now * against.days == before * days.days or not differs_by_day(days_now=days.days):
        return Verdict.WITHIN
    # Weeks differ no less than months do; and no sales grow like that for many years.
    months = min(max(1.0, (days.first - against.first).days / _MONTH), _MOST_MONTHS)
    rises = now * against.days > before * days.days
    season = 1.0 if days.first.month == against.first.month else _SEASON
    usual = days.days * (_GROWING**months * season if rises else _FALLING**months / season)
    sure = differs_by_day(days_now=usual, level=_RISE_IS_SURE if rises else _FALL_IS_SURE)
    return Verdict.BEYOND if sure and (now * against.days > before * usual) == rises else Verdict.USUAL
