"""What was seen of the service beyond its document, in counts that all desks of a shop add to."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Integer, Table, case, select

from warranty.database.database import Repository, upsert
from warranty.database.tables import METADATA, Instant, keys, required

DRIFT: Final = Table(
    "drift",
    METADATA,
    # What an answer showed that the interface's document does not: never a value of a customer.
    *keys("environment", "operation", "kind", "what"),
    *required(first_seen=Instant, last_seen=Instant, times=Integer),
)


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


class Observations(Repository):
    """The counts of an environment."""

    def add(self, sightings: Iterable[Sighting]) -> None:
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
                key = {"environment": self._environment, **asdict(seen.oddity)}
                upsert(connection, DRIFT, key=key, values=values, changes=changes)

    def drift(self) -> Sequence[Sighting]:
        """All that was seen beyond the document, the newest first sight first."""
        rows = self._found(select(DRIFT).filter_by(environment=self._environment))
        found = [Sighting(Oddity(*row[1:4]), *row[4:]) for row in rows]  # the first is the environment
        return sorted(found, key=lambda seen: (-seen.first_seen.timestamp(), seen.oddity))
