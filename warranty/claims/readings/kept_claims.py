"""A claim set with what was worked out from it: made once for all who look, within bounded memory."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from datetime import date, datetime
from typing import Final, TypeVar, cast

import pandas as pd

from warranty.claims.analysis import Changes, compare
from warranty.claims.retrieval import ClaimSet
from warranty.client.resources import ClaimQuery
from warranty.client.resources.claims import DOCUMENTED_CLOSED

T = TypeVar("T")
NightBefore = Callable[[datetime, ClaimQuery], tuple[date, int, pd.DataFrame] | None]
"""Gives the last complete night before a moment: its day, how many claims could not be read in it, and the query's.

None where no night has these. May raise `OSError`.
"""

_MOST_DERIVED: Final = 128
_MOST_DERIVED_BYTES: Final = 24 * 1024 * 1024


class KeptClaims:
    """A claim set that was read, with the last whole one before it, and what was worked out from it.

    A claim is open unless its status is among the `closed` words. `past` has the nights that are on record.
    """

    def __init__(
        self,
        claims: ClaimSet,
        earlier: ClaimSet | None = None,
        *,
        closed: tuple[str, ...] = DOCUMENTED_CLOSED,
        past: NightBefore | None = None,
    ) -> None:
        self.claims = claims
        self.earlier = earlier
        self.closed = closed
        self._past = past
        self._derived: OrderedDict[Hashable, object] = OrderedDict()
        self.derived_bytes = 0
        self._lock = threading.RLock()

    @property
    def last_whole(self) -> ClaimSet | None:
        """The last whole set up to this one: only such are compared with later ones."""
        return self.claims if self.claims.is_whole else self.earlier

    def since_night(self) -> tuple[date, int, Changes] | None:
        """What changed since the last complete night before; None where no night has these claims.

        First that night's day, and how many claims could not be read in it. Raises `OSError` where it cannot be read.
        """

        def changes() -> tuple[date, int, Changes] | None:
            found = self._past(self.claims.as_of, self.claims.query) if self._past else None
            return (found[0], found[1], compare(found[2], self.claims.frame)) if found else None

        return self.derived("since night", changes)

    def derived(self, key: Hashable, make: Callable[[], T]) -> T:
        """Give what `make` gives, made once for all who look at this set.

        It must be small beside the set (places, counts, a page): what was not used for long is dropped when there
        are many, or when what says its size (`nbytes`) takes more than 24 MB.
        """
        with self._lock:
            if key not in self._derived:
                made = make()
                self._derived[key] = made
                self.derived_bytes += _declared_bytes(made)
                while len(self._derived) > 1 and (
                    len(self._derived) > _MOST_DERIVED or self.derived_bytes > _MOST_DERIVED_BYTES
                ):
                    self.derived_bytes -= _declared_bytes(self._derived.popitem(last=False)[1])
            self._derived.move_to_end(key)
            return cast(T, self._derived[key])


def _declared_bytes(value: object) -> int:
    return int(getattr(value, "nbytes", 0))
