"""The terms of plans in words for people."""

from components.words.money import counted


def months_words(months: int) -> str:
    """A term in words: `1 month`, `24 months`."""
    return counted(months, "month")
