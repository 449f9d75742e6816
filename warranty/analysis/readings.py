"""Charts straight from a claim set, as far as it was narrowed."""

from collections.abc import Collection
from datetime import UTC, date, timedelta
from typing import Final

from warranty.analysis.cube import ClaimCube
from warranty.analysis.periods import Period
from warranty.analysis.selection import Selection
from warranty.analysis.trends import RESOLVED, Trends
from warranty.retrieval import ClaimSet

_FURTHEST_ZONE: Final = timedelta(hours=14)
EVERYTHING: Final = Selection()


def covered(claims: ClaimSet) -> Period:
    """Give the days that a claim set is about: those of its query, else of its claims and on to any clock's today."""
    if claims.query.claim_dates is not None:
        return Period.of(claims.query.claim_dates)
    today = _latest_today(claims)
    if not len(claims.frame):
        return Period(today, today)
    dates = claims.frame["claim_date"]
    return Period(min(dates.min().date(), today), max(dates.max().date(), today))


def trends(
    claims: ClaimSet,
    *,
    selection: Selection = EVERYTHING,
    period: Period | None = None,
    resolved: Collection[str] = RESOLVED,
) -> Trends:
    """Count the selected claims once; every chart of the period, or of a part of it, is cheap after that."""
    rows = selection.of(claims.frame)
    codes = claims.table.codes
    if selection:
        codes = codes.take(rows.index.to_numpy())
    cube = ClaimCube.of(rows, period or covered(claims), codes=codes)
    return Trends(cube, resolved=resolved)


def _latest_today(claims: ClaimSet) -> date:
    return (claims.as_of.astimezone(UTC) + _FURTHEST_ZONE).date()
