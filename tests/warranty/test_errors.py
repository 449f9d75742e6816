"""The error tree: what each error says of itself, and that it can be kept."""

import pickle

import pytest

from warranty.errors import (
    AvailablePlan,
    Failure,
    NotSent,
    OrderNotFound,
    OutcomeUnknown,
    RequestRefused,
    ServiceFailed,
    SettingsProblem,
    Trace,
    WarrantyError,
)

TRACE = Trace("record_sale", "attempt-1", 400)
REFUSED = RequestRefused(
    trace=TRACE, service_words=["ada@example.com?"], plans=[AvailablePlan(24, "Extended")]
)


def test_an_error_shows_where_it_came_from_and_never_what_the_service_said() -> None:
    assert str(REFUSED) == "RequestRefused: record_sale, attempt attempt-1, status 400"
    assert repr(REFUSED) == f"<{REFUSED}>"
    assert "ada@example.com" not in f"{REFUSED!r} {REFUSED.failure!r} {REFUSED.args!r}"


def test_an_error_without_an_answer_has_no_status() -> None:
    assert "no status" in str(OutcomeUnknown(trace=Trace("record_sale", "attempt-1")))


def test_a_failure_is_plain_data_with_the_services_words() -> None:
    assert REFUSED.failure == Failure(
        kind="RequestRefused",
        operation="record_sale",
        attempt_id="attempt-1",
        status=400,
        nothing_written=True,
        service_words=("ada@example.com?",),
        plans=(AvailablePlan(24, "Extended"),),
    )
    again = pickle.loads(pickle.dumps(REFUSED.failure))  # noqa: S301 - our own bytes
    assert again == REFUSED.failure


@pytest.mark.parametrize(
    ("kind", "nothing_written"),
    [
        (NotSent, True),
        (RequestRefused, True),
        (OrderNotFound, True),
        (OutcomeUnknown, False),
        (ServiceFailed, False),
    ],
)
def test_each_kind_knows_whether_anything_can_have_been_written(
    kind: type[WarrantyError], nothing_written: bool
) -> None:
    assert kind(trace=TRACE).failure.nothing_written is nothing_written


def test_a_settings_problem_is_also_a_value_error() -> None:
    assert isinstance(SettingsProblem("x"), ValueError)
