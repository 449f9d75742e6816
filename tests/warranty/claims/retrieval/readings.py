"""What is asked of a service, how its calls fail, and what a reading brought."""

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta

from tests.warranty.claims.retrieval.fake_service import DAY, Bag, Record, as_bag, records_at
from warranty.claims.retrieval import ClaimLimits, ClaimSet
from warranty.client.resources import ClaimQuery
from warranty.errors import Trace, WarrantyError

MONTH = ClaimQuery(claim_dates=(DAY, DAY + timedelta(days=30)))
EVER = ClaimQuery()
ONE_AT_A_TIME = ClaimLimits(at_once=1)


def started_apart(moments: Iterable[datetime]) -> list[Record]:
    """Claims with a warranty start each, so that even those of one microsecond can be cut apart."""
    return [
        record | {"warranty_start_date": (DAY - timedelta(hours=number)).isoformat() + "+00:00"}
        for number, record in enumerate(records_at(moments))
    ]


def failing(kind: type[WarrantyError], when: Callable[[int], bool], status: int | None = None) -> Callable[[int], None]:
    def fail(number: int) -> None:
        if when(number):
            raise kind(trace=Trace(operation="claims", attempt_id="a-1", status=status))

    return fail


def received(claims: ClaimSet) -> Bag:
    return as_bag(claims.table.as_received().to_dict("records"))  # type: ignore[arg-type]


def complete(claims: ClaimSet) -> Bag | list[str]:
    """What a set holds that is called complete; of another one why it is not."""
    return received(claims) if claims.is_complete else reasons(claims)


def reasons(claims: ClaimSet) -> list[str]:
    return [str(reason) for reason in claims.reasons]
