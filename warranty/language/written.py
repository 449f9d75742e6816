"""Numbers, prices and dates as the person who reads them writes them; the patterns are the house's own."""

from datetime import date, datetime
from decimal import ROUND_HALF_UP, Decimal, localcontext
from typing import Final

from babel.dates import format_date, format_datetime, get_date_format
from babel.numbers import format_decimal

from warranty.language import locale

DAY: Final = "d MMM y"
"""`21 Nov 2026`, `21 nov 2026`: the day before the month in every language, so that no 3/4 is read as April."""
DAY_OF_YEAR: Final = "d MMM"
MONTH: Final = "MMM y"
CLOCK: Final = "HH:mm"


def number(figure: float) -> str:
    """A count: `1,234`; parts of it are rounded away."""
    return _written(figure, "#,##0")


def percent(share: float) -> str:
    """A share, 0 to 1, in whole percent: `25 %`."""
    return _written(share, "#,##0 %")


def price(amount: Decimal | float) -> str:
    """An amount without its currency: `1,299.00`."""
    return _written(amount, "#,##0.00")


def _written(figure: Decimal | float, pattern: str) -> str:
    with localcontext(rounding=ROUND_HALF_UP):  # of two neighbours at a half none is rounded the other way
        return format_decimal(figure, pattern, locale=locale())


def dated(when: date, pattern: str = DAY) -> str:
    """A day, or a moment in its own time zone: `21 Nov 2026`; other patterns are Babel's."""
    if isinstance(when, datetime):
        return format_datetime(when, pattern, locale=locale())
    return format_date(when, pattern, locale=locale())


def written(value: object) -> object:
    """An amount, or a moment in its own time zone, as a sentence has it; any other value as it is."""
    if isinstance(value, Decimal):
        return price(value)
    if isinstance(value, datetime):
        return dated(value, f"{DAY}, {CLOCK}")
    return value


def day_order() -> str:
    """The order in which a day is typed: `MM/DD/YYYY` in the United States."""
    first = get_date_format("short", locale()).pattern[0]
    return {"M": "MM/DD/YYYY", "y": "YYYY/MM/DD"}.get(first, "DD/MM/YYYY")
