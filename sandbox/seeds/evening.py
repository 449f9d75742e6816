"""How claims stood on an evening of the past: opened, looked into, decided; some were opened again meanwhile."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from random import Random
from typing import Any

from sandbox.seeds.claim_maker import CLOSED_STATUSES

_LONGEST = 39
"""Days until a claim is decided, as the seed has them: a young one is mostly open, none of these is longer."""
_A_DAY = timedelta(days=1)


def evening(records: Iterable[Mapping[str, Any]], *, at: datetime, now: datetime) -> list[dict[str, Any]]:
    """The records of claims that were made by `at`, each with its status of then; both without a zone.

    What stands now came by steps that the claim itself decides, so that an evening is always told alike.
    """
    stood = []
    for record in records:
        claimed = datetime.fromisoformat(record["claim_date"])
        if claimed <= at:
            age, then = ((moment - claimed) / _A_DAY for moment in (now, at))
            reached = [status for day, status in _steps(record, age) if day <= then]
            stood.append({**record, "status": reached[-1]})
    return stood


def _steps(record: Mapping[str, Any], age: float) -> list[tuple[float, str]]:
    """The days after the claim on which it came to each status."""
    random, status = Random(record["warranty_id"]), record["status"]  # noqa: S311 - demo data, no secret
    decided = random.random() * min(age, _LONGEST)
    again = status in CLOSED_STATUSES and random.random() < 1 / 12
    between = [(decided / 3, "RESOLVED"), (decided / 2, "OPEN")] if again else [(decided / 3, "IN_REVIEW")]
    return [(0.0, "OPEN"), *between, (decided, status)]
