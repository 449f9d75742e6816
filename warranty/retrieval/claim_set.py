"""What a retrieval gives: the claims, how many there are, and whether all of them are here."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

import pandas as pd

from warranty.errors import Failure
from warranty.resources import ClaimQuery
from warranty.retrieval.columns import ClaimTable, RejectedRecord
from warranty.retrieval.spans import Bounds


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a reading is: claims received of `total` (None: not known yet), requests, time so far."""

    received: int
    total: int | None
    requests: int
    elapsed: timedelta

    @property
    def share(self) -> float:
        """The part that is read, 0 to 1."""
        if not self.total:
            return 0.0
        return min(1.0, self.received / self.total)

    @property
    def remaining(self) -> timedelta | None:
        """The time left at the speed so far; None where nothing was read yet."""
        if not self.received or self.total is None:
            return None
        return self.elapsed * (max(0, self.total - self.received) / self.received)


@dataclass(frozen=True, slots=True)
class ClaimSet:
    """The claims that a query matches, as far as they could be read.

    `frame` has the eight columns named as in the interface, newest claim first: claim_date without a zone
    (service time, microseconds), order_date and warranty_start_date in UTC, status as a category, the rest text.
    `received` counts every claim that came, `rejected` among them; `total` is the service's count (None: it gave
    no answer). `requests` counts the answers asked for, `as_of` is when the ends were fixed (UTC). `reasons` says
    why a set is not complete, in sentences, and `failure` is the last call that failed for good. `bounds` is the
    service's convention for the ends of a range, where it was found out.
    """

    table: ClaimTable = field(repr=False)
    query: ClaimQuery
    received: int
    total: int | None
    requests: int
    as_of: datetime
    duration: timedelta
    rejected: tuple[RejectedRecord, ...] = field(repr=False, default=())
    reasons: tuple[str, ...] = ()
    bounds: Bounds | None = None
    failure: Failure | None = None

    @property
    def frame(self) -> pd.DataFrame:
        """The readable claims, typed."""
        return self.table.frame

    @property
    def is_complete(self) -> bool:
        """Whether every claim of the total was received; unreadable ones were received as well."""
        return not self.reasons and self.received == self.total

    @property
    def count_words(self) -> str:
        """How many of how many: `950 of 1,204`; `0 of unknown` where the service did not say."""
        return f"{self.received:,} of {'unknown' if self.total is None else f'{self.total:,}'}"

    @property
    def unreadable_words(self) -> str:
        """The part of a seal that tells of unreadable claims; empty where there are none."""
        return f", {len(self.rejected):,} of them unreadable" if self.rejected else ""

    def as_received(self, frame: pd.DataFrame | None = None) -> pd.DataFrame:
        """Give the rows of `frame` (a selection of `self.frame`; None: all) as the texts that the service sent."""
        return self.table.as_received(frame)
