"""A figure as a thing: a value that cannot be without what it is told of."""

from dataclasses import dataclass
from datetime import datetime
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Base:
    """What a figure is told of: `of` in words, `count` of them, as of when (UTC), and what is not in it.

    `of` completes "of the …": `claims dated 1 Nov 2026 to 21 Nov 2026, product Gas grill`. `leaves_out` has
    sentences without a full stop, and is empty where nothing is left out.
    """

    of: str
    count: int
    as_of: datetime
    leaves_out: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure(Generic[T]):
    """A value with its base; `name` is how screens, files and the list of all figures call it.

    None as a value: it cannot be told, and `why_not` says in a sentence why.
    """

    name: str
    value: T | None
    base: Base
    why_not: str = ""
