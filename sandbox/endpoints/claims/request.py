"""Reads the body of POST /api/warranty-claim-customer-status, and its times.

Section of the interface: "POST /api/warranty-claim-customer-status".
"""

import re
from datetime import UTC, datetime, timedelta

from sandbox.store.claim_book import ClaimFilter
from sandbox.wire.answers import Refused
from sandbox.wire.fields import Fields

TIMESTAMP = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?")
_NOT_IN_EMAIL = frozenset('@<>()[],;:"\\')
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def read_filter(fields: Fields) -> ClaimFilter:
    """The filters of a request; `Refused` naming each that cannot be understood."""
    claimed_from, claimed_to = _read_range(fields, "claimDateRange")
    started_from, started_to = _read_range(fields, "warrantyStartDateRange")
    email = fields.text("customerEmail")
    if email is not None and not is_email(email):
        fields.fault("customerEmail", "must be a valid e-mail address.")
    if fields.faults:
        raise Refused(*fields.faults)
    return ClaimFilter(
        None if claimed_from is None else timestamp(claimed_from),
        None if claimed_to is None else timestamp(claimed_to),
        None if started_from is None else microseconds(started_from),
        None if started_to is None else microseconds(started_to),
        email,
    )


def _read_range(fields: Fields, name: str) -> tuple[datetime | None, datetime | None]:
    """Start and end of a range; either may be left open."""
    # Assumption claims.open-ranges
    limits = fields.object(name)
    if limits is None:
        return None, None
    return _read_timestamp(limits, "startDate"), _read_timestamp(limits, "endDate")


def _read_timestamp(limits: Fields, name: str) -> datetime | None:
    value = limits.raw(name)
    if value is None:
        return None
    # Assumption claims.timestamp-form
    moment = read_timestamp(value)
    if moment is None:
        limits.fault(name, "must be a timestamp of the form YYYY-MM-DDTHH:MM:SS.ffffff.")
    return moment


def is_email(text: str) -> bool:
    """Whether a text has the form of an e-mail address: a name, and a domain of at least two parts."""
    name, _, domain = text.partition("@")
    parts = [name, *domain.split(".")]
    return len(parts) > 2 and all(parts) and not any(mark.isspace() or mark in _NOT_IN_EMAIL for mark in name + domain)


def read_timestamp(value: object) -> datetime | None:
    """A timestamp without zone, as the interface writes it; None when it is none."""
    if not isinstance(value, str) or not TIMESTAMP.fullmatch(value):
        return None
    try:
        return datetime.fromisoformat(value)
    except ValueError:
        return None


def timestamp(moment: datetime) -> str:
    """The interface's form: without zone, always with six digits of a second."""
    return moment.replace(tzinfo=None).isoformat(timespec="microseconds")


def microseconds(moment: datetime) -> int:
    """Microseconds since 1970; a time without zone is taken as UTC."""
    # Assumption claims.warranty-start-zone
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return (aware - _EPOCH) // timedelta(microseconds=1)
