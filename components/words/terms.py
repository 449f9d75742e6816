"""The terms of plans in words for people."""

from components.words.money import counted


def months_words(months: int) -> str:
    """A term in words: `1 month`, `24 months`."""
    return counted(months, "month")


def plan_words(months: int | None, *more: str | None) -> str:
    """A plan in short, as far as it is known: `24 months, Extended warranty, 79.99 USD`."""
    return ", ".join(filter(None, (months_words(months) if months else "", *more)))


def each_of(units: int | str) -> str:
    """What is said behind a plan that was sold for several units: `, for each of 3 units`."""
    return f", for each of {units} units" if units not in {"", "1", 1} else ""
