"""The error tree: what each error says of itself, and that it can be kept."""

import pickle

import pytest

from warranty import errors
from warranty.errors import AvailablePlan, Failure, OutcomeUnknown, RequestRefused, Trace, WarrantyError

TRACE = Trace("record_sale", "attempt-1", 400)
REFUSED = RequestRefused(trace=TRACE, service_words=["ada@example.com?"], plans=[AvailablePlan(24, "Extended")])


def test_an_error_shows_where_it_came_from_and_never_what_the_service_said() -> None:
    assert str(REFUSED) == "RequestRefused: record_sale, attempt attempt-1, status 400"
    assert repr(REFUSED) == f"<{REFUSED}>"
    assert "ada@example.com" not in f"{REFUSED!r} {REFUSED.failure!r} {REFUSED.args!r}"
    assert "no status" in str(OutcomeUnknown(trace=Trace("record_sale", "attempt-1")))


def test_a_failure_is_plain_data_with_the_services_words() -> None:
    words, plans = ("ada@example.com?",), (AvailablePlan(24, "Extended"),)
    assert REFUSED.failure == Failure("RequestRefused", "record_sale", "attempt-1", 400, True, words, plans)
    again = pickle.loads(pickle.dumps(REFUSED.failure))  # noqa: S301 - our own bytes
    assert again == REFUSED.failure


@pytest.mark.parametrize(
    ("kind", "nothing_written"),
    [
        (errors.NotSent, True), (RequestRefused, True), (errors.OrderNotFound, True), (OutcomeUnknown, False),
        (errors.ServiceFailed, False),
    ],
)  # fmt: skip
def test_each_kind_knows_whether_it_wrote_nothing(kind: type[WarrantyError], nothing_written: bool) -> None:
    assert kind(trace=TRACE).failure.nothing_written is nothing_written
