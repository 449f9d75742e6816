"""Claims to come on plans that have started, month by month, and a diary of what was foretold beside what came.

One base for all of it: plans started in the last 36 whole months, at ages that three of these months have reached.
Claims of 36 months by their date hold all of it: no plan that started in them was claimed on before. Where the first
claim of all is from later, the plans that had started by then are left out: whether nobody claimed on them before, or
the service was not there yet to write it down, cannot be told, and taken for none it would make the ages to come rise.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date
from typing import Any, Final

import numpy as np
import pandas as pd

from warranty.claims.analysis import Period
from warranty.claims.analysis.cube import Counts
from warranty.claims.analysis.starts import StartTable, starts_back
from warranty.claims.retrieval.claim_codes import DAY, moments, to_months
from warranty.database.database import Database
from warranty.insight.history.nights import Night
from warranty.insight.outlook.diary import ForecastDiary, Foretold
from warranty.insight.plans.plans_sold import PlansSold
from warranty.insight.statistics.triangle import FEWEST_STARTS, Forecast, TooFew, forecast
from warranty.language import N_, Sentence, _
from warranty.language.written import percent

STARTS: Final = 36
AHEAD: Final = 12
_FEWEST_CLAIMS: Final = 20
_MOST_PRODUCTS: Final = 40
_MONTHS_TO_JUDGE: Final = 8
_MUST_HOLD: Final = 0.8


def outlook_days(today: date) -> Period:
    """The days whose claims the outlook is told from: 36 whole months, and this one as far as it has come."""
    return Period(starts_back(today, STARTS).first, today)


def outlook_table(frame: pd.DataFrame, *, as_of: date) -> StartTable:
    """Count all claims of `outlook_days(as_of)` by start and age, on plans that started when there were claims."""
    first = _first_start(frame, _month(starts_back(as_of, 1).first))
    return StartTable.of(frame, as_of=as_of, first=np.datetime64(first, "M").astype("M8[D]").item())


def foretell(table: StartTable, product: str | None = None, *, plans: PlansSold | None = None) -> Forecast | TooFew:
    """Foretell up to a year of claims of one product, or (None) of all; from claims alone where no plans are known.

    `plans` help where they are known for every month of start.
    """
    counts = table.counts(product)
    if counts.sum() < _FEWEST_CLAIMS:
        words = N_("Too few to tell: claims seen on plans of these months: {n}, needed: {needed}.")
        return TooFew(Sentence(words, n=int(counts.sum()), needed=_FEWEST_CLAIMS))
    sold = plans.of(product, table.starts) if plans else None
    return forecast(counts, table.seen, plans=sold, months_ahead=AHEAD)


def foretold_products(table: StartTable) -> tuple[str, ...]:
    """The products that are foretold one by one: the 40 with the most claims."""
    return table.products[:_MOST_PRODUCTS]


def claims_by_month(frame: pd.DataFrame, table: StartTable, product: str | None = None) -> Counts:
    """All claims by the month in which they were made, a value for each of `table.starts`."""
    of = frame if product is None else frame[frame["product_name"] == product]
    month = to_months(moments(of["claim_date"]) // DAY) - np.datetime64(table.starts[0], "M").astype(np.int64)
    size = len(table.starts)
    return np.bincount(month[(month >= 0) & (month < size)], minlength=size).astype(np.int64)


def spoken_of_by_month(counts: Counts, ages: int) -> Counts:
    """Of the `counts` [starts, ages] those that a forecast of so many ages speaks of, by month of claim."""
    size = len(counts)
    month = np.add.outer(np.arange(size), np.arange(ages))
    return np.bincount(month.ravel(), weights=counts[:, :ages].ravel(), minlength=size)[:size].astype(np.int64)


def keep_diary(
    diary: ForecastDiary, table: StartTable, frame: pd.DataFrame, *, plans: PlansSold | None = None
) -> list[Foretold]:
    """Write down what is foretold of the month after the last of `table`, and what came of earlier ones; give it all.

    `frame` has every claim of the outlook's days, of a complete reading. What was said once stays; what came is
    written once its month is over. Raises `JournalUnavailable`.
    """
    as_of = table.starts[-1]
    entries = diary.all()
    if not any(each.as_of == as_of for each in entries):
        diary.write(_next_month(table, plans))
    came = [replace(each, came=_came(frame, each)) for each in entries if each.came is None and each.month <= as_of]
    diary.came(came)
    return diary.all()


def keep_diary_by_night(database: Database, environment: str, night: Night) -> None:
    """The same by a whole night, every claim of which could be read, so that no month waits until somebody looks."""
    frame = night.frame(columns=["claim_date", "warranty_start_date", "product_name"])
    if frame.empty:
        return
    table = outlook_table(frame, as_of=night.as_of.astimezone(UTC).date())
    keep_diary(ForecastDiary(database, environment), table, frame, plans=PlansSold.load(database, environment))


def why_withdrawn(entries: Sequence[Foretold], product: str | None) -> str:
    """Why a forecast is not told any more, as a sentence: its interval of 95 % held too seldom; else empty.

    Judged by the months that came of what is kept, once there are eight.
    """
    judged = [each for each in entries if each.product == (product or "") and each.came is not None]
    held = sum(each.held for each in judged)
    if len(judged) < _MONTHS_TO_JUDGE or held >= _MUST_HOLD * len(judged):
        return ""
    return _(
        "The forecast is withdrawn: what came lay in its 95 % interval in {held} of {n} months only, and it is told "
        "while that holds in {share} of them.",
        held=held,
        n=len(judged),
        share=percent(_MUST_HOLD),
    )


def _next_month(table: StartTable, plans: PlansSold | None) -> list[Foretold]:
    month = str(np.datetime64(table.starts[-1], "M") + np.timedelta64(1, "M"))
    new = []
    for product in (None, *foretold_products(table)):
        ahead = foretell(table, product, plans=plans)
        if isinstance(ahead, TooFew):
            continue
        levels: dict[str, Any] = {
            f"{side}_{level}": float(ends[0])
            for level in (80, 95)
            for side, ends in zip(("low", "high"), ahead.interval(level / 100), strict=True)
        }
        expected = float(ahead.expected[0])
        new.append(Foretold(as_of=table.starts[-1], product=product or "", month=month, expected=expected, **levels))
    return new


def _came(frame: pd.DataFrame, entry: Foretold) -> int:
    """Count the claims of the month that was foretold, on the plans and at the ages that the forecast was of."""
    claimed, started = (to_months(moments(frame[name]) // DAY) for name in ("claim_date", "warranty_start_date"))
    month, as_of = (int(np.datetime64(each, "M").astype(np.int64)) for each in (entry.month, entry.as_of))
    first = _first_start(frame, as_of)
    counted = (claimed == month) & (started <= as_of) & (started >= first)
    counted &= claimed - started <= as_of + 1 - first - FEWEST_STARTS
    if entry.product:
        counted &= (frame["product_name"] == entry.product).to_numpy()
    return int(counted.sum())


def _first_start(frame: pd.DataFrame, last: int) -> int:
    """The first of the 36 months of start up to `last`; with claims from later on alone, the one after their first."""
    first = last - STARTS + 1
    earliest = frame["claim_date"].min()
    if pd.isna(earliest) or (begun := _month(earliest.date())) <= first:
        return first
    return min(begun + 1, last)


def _month(day: date) -> int:
    return (day.year - 1970) * 12 + day.month - 1
