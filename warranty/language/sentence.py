"""A sentence that travels as data and is put into words where it is read, maybe by several people."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from warranty.language import _
from warranty.language.written import CLOCK, DAY, dated, price


@dataclass(frozen=True, slots=True, init=False)
class Sentence:
    """`str()` says it in the language of who reads it then: an error, a remark on a file that all tabs share.

    A value may be a sentence itself; an amount and a moment are written as their reader writes them.
    """

    text: str
    values: tuple[tuple[str, object], ...]

    def __init__(self, text: str, /, **values: object) -> None:
        object.__setattr__(self, "text", text)
        object.__setattr__(self, "values", tuple(values.items()))

    def __str__(self) -> str:
        return _(self.text, **{name: _written(value) for name, value in self.values})


def _written(value: object) -> object:
    if isinstance(value, Decimal):
        return price(value)
    if isinstance(value, datetime):
        return f"{dated(value, DAY)}, {dated(value, CLOCK)}"
    return value
