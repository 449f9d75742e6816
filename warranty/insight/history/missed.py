"""Whether the nightly readings come: what alerts, Overview and Trends say of them."""

from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta
from typing import Final

from warranty.language import _
from warranty.language.written import dated

_LATE: Final = timedelta(days=2)


def nights_missed(
    nights: Mapping[date, bool], *, now: datetime, first_awaited: Callable[[], datetime | None]
) -> tuple[str, str] | None:
    """Judge the nights, each complete or not, by day of the zone of `now`: the trouble in a word, and its sentence.

    Wrong is that the two newest nights are incomplete, or that there is none of today, yesterday and the day before,
    since `first_awaited` (aware) where there never was one.
    """
    today = now.date()
    if not nights:
        awaited = first_awaited()
        if awaited is None or today - (since := awaited.astimezone(now.tzinfo).date()) <= _LATE:
            return None
        return "first", _(
            "The history was set up on {day} and has no night yet: the nightly reading of claims does not run, or it "
            "reads nothing.",
            day=dated(since),
        )
    newest = sorted(nights)[-2:]
    if today - newest[-1] > _LATE:
        return "none", _(
            "The history has no night since {day}: the nightly reading of claims does not run.", day=dated(newest[-1])
        )
    if len(newest) == 2 and not any(nights[day] for day in newest):
        return "incomplete", _(
            "The nightly readings of {first} and {second} do not have every claim. What is told of the history ends "
            "before them.",
            first=dated(newest[0]),
            second=dated(newest[1]),
        )
    return None
