"""One answer to a claims request: its records and its total, read without judging the records yet."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, Final

from pydantic_core import from_json

_EPOCH: Final = datetime(1970, 1, 1)  # noqa: DTZ001 - service time has no zone (Claim record)
_MICROSECOND: Final = timedelta(microseconds=1)
_FORM: Final = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d{1,6})?", re.ASCII)


def to_micros(moment: datetime) -> int:
    """Give a moment of service time as whole microseconds since 1970."""
    return (moment - _EPOCH) // _MICROSECOND


def to_moment(micros: int) -> datetime:
    """Give the moment of service time that `to_micros` counted."""
    return _EPOCH + micros * _MICROSECOND


class AnswerUnreadable(ValueError):
    """An answer that has no list of records or no total: nothing of it can be used."""


@dataclass(frozen=True)
class Answer:
    """What one request brought: `number` counts the requests of a retrieval from 1, `total` is total_count.

    `full`: it may show as many records as an answer can (it says by per_page that there was room, or it does not).
    `beside` is what stands beside the records.
    """

    number: int
    records: list[Any]
    total: int
    full: bool = False
    beside: Mapping[str, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.records)

    @cached_property
    def moments(self) -> list[int | None]:
        """claim_date of each record in microseconds; None where it cannot be read."""
        return [_moment(record) for record in self.records]

    @cached_property
    def dated(self) -> list[int]:
        """The moments that can be read."""
        return [moment for moment in self.moments if moment is not None]


def _moment(record: object) -> int | None:
    """Read claim_date, in no other form than those that the columns read.

    A date alone would count as its midnight: a walk that went on from there would be led astray by one odd record.
    """
    text = record.get("claim_date") if isinstance(record, dict) else None
    if not isinstance(text, str) or _FORM.fullmatch(text) is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return to_micros(moment)


def read_answer(body: bytes, *, number: int) -> Answer:
    """Read the body of a 200 answer (interface: POST /api/warranty-claim-customer-status).

    Page and per_page steer nothing; per_page only tells where an answer had room for more. Raises `AnswerUnreadable`.
    """
    try:
        page = from_json(body, cache_strings="keys")
    except ValueError:
        page = _leniently(body)
    if not isinstance(page, dict):
        raise AnswerUnreadable("the answer is not a JSON object")
    records, total = page.get("data"), page.get("total_count")
    if not isinstance(records, list):
        raise AnswerUnreadable("the answer has no list of claims in data")
    if not isinstance(total, int) or isinstance(total, bool) or total < 0:
        raise AnswerUnreadable("the answer has no whole number in total_count")
    room = page.get("per_page")
    full = not isinstance(room, int) or len(records) >= room
    del page["data"]
    return Answer(number=number, records=records, total=total, full=full, beside=page)


def _leniently(body: bytes) -> object:
    """Read a body with text that is no valid Unicode, so that it costs one record and not the answer."""
    try:
        return json.loads(body.decode("utf-8", "surrogateescape"))
    except ValueError as error:
        raise AnswerUnreadable("the answer is not JSON") from error
