"""All claims, ready to be served: sorted by date, each record already the bytes that go out.

A response costs two bisections, a draw of 50 and a join, whatever the number of claims: at least half as fast as
an empty route. The database is read at the start only.
"""

import json
import random
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal
from zlib import crc32

from sandbox.store.model import Claim

PER_PAGE = 50
ClaimsOrder = Literal["shuffled", "newest", "oldest"]


@dataclass(frozen=True, slots=True)
class ClaimFilter:
    """What a request asks for; all bounds are inclusive, None is open.

    Claim dates are texts of the interface's form, warranty starts are microseconds since 1970 (UTC).
    """

    claimed_from: str | None = None
    claimed_to: str | None = None
    started_from: int | None = None
    started_to: int | None = None
    customer_email: str | None = None


@dataclass(frozen=True, slots=True)
class ClaimPage:
    """At most 50 records as JSON bytes, and how many match in all."""

    records: Sequence[bytes]
    total: int


class ClaimBook:
    """Answers filters. Not locked: it belongs to the server's loop, like the store."""

    def __init__(self, *, order: ClaimsOrder, random_seed: int) -> None:
        self._order = order
        self._random_seed = random_seed
        self.replace(())

    def __len__(self) -> int:
        return len(self._claims)

    def replace(self, claims: Iterable[Claim]) -> None:
        """Hold these claims and no others."""
        self._claims = sorted(claims, key=lambda claim: claim.claim_date)
        self._dates = [claim.claim_date for claim in self._claims]
        self._records = [claim.record.encode() for claim in self._claims]
        self._by_email: dict[str, list[int]] = {}
        starts = []
        for position, claim in enumerate(self._claims):
            self._by_email.setdefault(claim.customer_email.casefold(), []).append(position)
            if claim.warranty_started is not None:
                starts.append((claim.warranty_started, position))
        starts.sort()
        self._starts = [start for start, _ in starts]
        self._start_positions = [position for _, position in starts]

    def add(self, claims: Iterable[Claim]) -> None:
        """Hold these claims as well."""
        self.replace([*self._claims, *claims])

    def all_records(self) -> list[dict[str, Any]]:
        """Every record as it is served, oldest first."""
        return [json.loads(record) for record in self._records]

    def page(self, wanted: ClaimFilter) -> ClaimPage:
        """The first page of what matches, in the order that the sandbox was started with."""
        matching = self._matching(wanted)
        return ClaimPage([self._records[position] for position in self._pick(matching, wanted)], len(matching))

    def _matching(self, wanted: ClaimFilter) -> Sequence[int]:
        """Positions of the matching claims, by claim date."""
        # Assumption claims.inclusive-bounds
        first = 0 if wanted.claimed_from is None else bisect_left(self._dates, wanted.claimed_from)
        last = len(self._dates) if wanted.claimed_to is None else bisect_right(self._dates, wanted.claimed_to)
        dated = range(first, max(first, last))
        candidates: Sequence[int] = dated
        if wanted.customer_email is not None:
            # Assumption claims.email-ignores-case
            theirs = self._by_email.get(wanted.customer_email.casefold(), [])
            candidates = [position for position in theirs if position in dated]
        if wanted.started_from is None and wanted.started_to is None:
            return candidates
        started = set(self._started(wanted))
        return [position for position in candidates if position in started]

    def _started(self, wanted: ClaimFilter) -> Sequence[int]:
        first = 0 if wanted.started_from is None else bisect_left(self._starts, wanted.started_from)
        last = len(self._starts) if wanted.started_to is None else bisect_right(self._starts, wanted.started_to)
        return self._start_positions[first:last]

    def _pick(self, matching: Sequence[int], wanted: ClaimFilter) -> Sequence[int]:
        if self._order == "newest":
            return matching[::-1][:PER_PAGE]
        if self._order == "oldest":
            return matching[:PER_PAGE]
        # Assumption claims.order
        # Shuffled, yet the same question gets the same answer, so that a failing test fails again.
        shuffle = random.Random(crc32(f"{self._random_seed}|{wanted}".encode()))  # noqa: S311 - no secret is made here
        total = len(matching)
        if total < 4 * PER_PAGE:
            return shuffle.sample(matching, min(PER_PAGE, total))
        # Of many, drawing until 50 are different is several times as fast as `sample`.
        draw = shuffle.random
        drawn: dict[int, None] = {}
        while len(drawn) < PER_PAGE:
            drawn[int(draw() * total)] = None
        return [matching[place] for place in drawn]
