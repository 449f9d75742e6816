"""What was seen of the service, in counts that all desks of a shop add to: its drift, and the calls made of it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import case, func, select

from warranty.journal.database import Part, upsert
from warranty.journal.shared.tables import CALLS_MADE, DRIFT


@dataclass(frozen=True, slots=True, order=True)
class Oddity:
    """A thing that an answer showed and the document does not: of what kind, and what, never a customer's value."""

    operation: str
    kind: str
    what: str


@dataclass(frozen=True, slots=True)
class Sighting:
    """An oddity with its first and last sight, and how many answers or readings showed it."""

    oddity: Oddity
    first_seen: datetime
    last_seen: datetime
    times: int


@dataclass(frozen=True, slots=True, order=True)
class Tries:
    """Tries of calls that ended alike in a `day` or month; `sentence` is what a refusal said, scrubbed."""

    day: str
    operation: str
    outcome: str
    sentence: str
    up_to_milliseconds: int


class Observations(Part):
    """The counts of an environment."""

    def add(self, sightings: Iterable[Sighting], tries: Mapping[Tries, int]) -> None:
        """Add to what is counted already, by whichever desk; all of it or nothing."""
        with self._database.write() as connection:
            # Always in one order: two desks that add at once would else wait for each other.
            for seen in sorted(sightings, key=lambda seen: seen.oddity):
                values = {"first_seen": seen.first_seen, "last_seen": seen.last_seen, "times": seen.times}
                first, last = DRIFT.c.first_seen, DRIFT.c.last_seen
                changes = {
                    "first_seen": case((first < seen.first_seen, first), else_=seen.first_seen),
                    "last_seen": case((last > seen.last_seen, last), else_=seen.last_seen),
                    "times": DRIFT.c.times + seen.times,
                }
                upsert(connection, DRIFT, key=self._key(seen.oddity), values=values, changes=changes)
            for each in sorted(tries):
                count = tries[each]
                more = {"calls": CALLS_MADE.c.calls + count}
                upsert(connection, CALLS_MADE, key=self._key(each), values={"calls": count}, changes=more)

    def drift(self) -> Sequence[Sighting]:
        """All that was seen beyond the document, the newest first sight first."""
        mine = DRIFT.c.environment == self._environment
        with self._database.read() as connection:
            rows = connection.execute(select(DRIFT).where(mine)).all()
        found = [
            Sighting(Oddity(row.operation, row.kind, row.what), row.first_seen, row.last_seen, row.times)
            for row in rows
        ]
        return sorted(found, key=lambda seen: (-seen.first_seen.timestamp(), seen.oddity))

    def tries(self, *, since: str) -> Mapping[Tries, int]:
        """The tries of each month, as YYYY-MM, from the day `since` on."""
        table = CALLS_MADE.c
        columns = (
            func.substr(table.day, 1, 7).label("month"),
            *(table.operation, table.outcome, table.sentence, table.up_to_milliseconds),
        )
        asked = (
            select(*columns, func.sum(table.calls).label("calls"))
            .where(table.environment == self._environment, table.day >= since)
            .group_by(*columns)
        )
        with self._database.read() as connection:
            rows = connection.execute(asked).all()
        return {Tries(*row[:-1]): int(row.calls) for row in rows}

    def _key(self, counted: Oddity | Tries) -> dict[str, Any]:
        return {"environment": self._environment, **asdict(counted)}
