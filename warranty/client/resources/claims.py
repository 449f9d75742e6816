"""Claims: what is asked and what comes back (interface: POST /api/warranty-claim-customer-status)."""

from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from typing import Annotated, Any, Final

from pydantic import AwareDatetime, BeforeValidator, Field, NaiveDatetime, PlainSerializer

from warranty.client.resources.base import Received, Sent
from warranty.client.resources.words import Email, blank_as_none, refusal
from warranty.language import _

_FORMS: Final = ("%Y-%m-%dT%H:%M:%S.%f", "%Y-%m-%dT%H:%M:%S")


TimeRange = tuple[datetime, datetime]
"""First and last moment, both meant, in service time: the interface's timestamps here carry no zone."""


def _time(value: object) -> datetime:
    if isinstance(value, str):
        for form in _FORMS:
            with suppress(ValueError):
                return datetime.strptime(value, form)  # noqa: DTZ007 - service time has no zone (Claim record)
    if not isinstance(value, datetime):
        words = _("Give the time as YYYY-MM-DDTHH:MM:SS.ffffff, such as 2026-11-21T14:02:00.000000")
        raise refusal("warranty_time", words)
    if value.tzinfo is not None:
        raise refusal("warranty_time", _("Give the time without a zone: the service takes its own time"))
    return value


def _time_range(value: object) -> TimeRange | None:
    if value is None:
        return None
    if isinstance(value, Mapping) and {"startDate", "endDate"} <= value.keys():
        start, end = _time(value["startDate"]), _time(value["endDate"])
    elif isinstance(value, (tuple, list)) and len(value) == 2:
        start, end = _time(value[0]), _time(value[1])
    else:
        raise refusal("warranty_range", _("Give a first and a last time"))
    if end < start:
        raise refusal("warranty_range", _("The first time is after the last: swap them"))
    return start, end


def _range_body(value: TimeRange | None) -> dict[str, str] | None:
    if value is None:
        return None
    first, last = (moment.isoformat(timespec="microseconds") for moment in value)
    return {"startDate": first, "endDate": last}


_Range = Annotated[TimeRange | None, BeforeValidator(_time_range), PlainSerializer(_range_body, when_used="json")]
_QueryEmail = Annotated[Email | None, BeforeValidator(blank_as_none)]


def _named(name: str, **more: Any) -> Any:
    """A field that may be left out, and that the interface calls so."""
    return Field(default=None, validation_alias=name, serialization_alias=name, **more)


class ClaimQuery(Sent):
    """Which claims to read; every part is optional. Times are service time, without a zone."""

    claim_dates: _Range = _named("claimDateRange")
    warranty_start_dates: _Range = _named("warrantyStartDateRange")
    customer_email: _QueryEmail = _named("customerEmail", repr=False)


DOCUMENTED_CLOSED: Final = ("RESOLVED",)
"""The words for a closed claim that the interface shows: one."""
SANDBOX_CLOSED: Final = (*DOCUMENTED_CLOSED, "DENIED", "REPLACED", "CANCELLED_BY_CUSTOMER")
CLOSED_WORDS: Final = {False: DOCUMENTED_CLOSED, True: SANDBOX_CLOSED}  # by whether it is the sandbox


class ClaimRecord(Received):
    """One claim. `claim_date` has no zone (service time, never shifted); the other dates carry their offset.

    `status` is an open set of words: only RESOLVED is shown in the interface.
    """

    claim_date: NaiveDatetime
    description: str = Field(repr=False)
    order_date: AwareDatetime
    order_id: str
    product_name: str
    status: str
    warranty_id: str
    warranty_start_date: AwareDatetime


class ClaimPage(Received):
    """One answer: some of the claims that the query matches, and how many there are in all."""

    data: tuple[ClaimRecord, ...]
    page: int
    per_page: int
    total_count: int
