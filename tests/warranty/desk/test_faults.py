"""Writing calls by every fault of the sandbox: what the journal says afterwards, and how many calls were made."""

from datetime import timedelta
from typing import Any, Final

import pytest

from tests.builders import checkout_of, order_of, sale_of
from tests.warranty.desk.shop import Shop
from warranty.desk.journal import AttemptState
from warranty.desk.sending import OPERATIONS, Resource

DONE, REFUSED, UNKNOWN = AttemptState.DONE, AttemptState.REFUSED, AttemptState.UNKNOWN

FAULTS: Final[dict[str, tuple[dict[str, Any], AttemptState, str | None, int]]] = {
    "500": ({"kind": "status", "status": 500}, UNKNOWN, "ServiceFailed", 3),
    "500 after the write": (
        {"kind": "status", "status": 500, "after_write": True}, UNKNOWN, "ServiceFailed", 3
    ),
    "503": ({"kind": "status", "status": 503}, UNKNOWN, "ServiceFailed", 3),
    "401": ({"kind": "status", "status": 401}, REFUSED, "CredentialRefused", 1),
    "400": ({"kind": "status", "status": 400}, REFUSED, "RequestRefused", 1),
    "delayed beyond the timeout": ({"kind": "delay", "seconds": 30}, UNKNOWN, "OutcomeUnknown", 3),
    "dropped before the write": ({"kind": "drop_before_write"}, UNKNOWN, "OutcomeUnknown", 3),
    "dropped after the write": ({"kind": "drop_after_write"}, UNKNOWN, "OutcomeUnknown", 3),
    "truncated": ({"kind": "truncated_body"}, UNKNOWN, "OutcomeUnknown", 3),
    "not JSON": ({"kind": "not_json"}, UNKNOWN, "UnexpectedAnswer", 1),
    "an extra field": ({"kind": "extra_field"}, DONE, None, 1),
}  # fmt: skip
"""Each with what it leads to where it stays: the state, the kind of failure, and the calls for an order."""


@pytest.fixture
def patience(request: pytest.FixtureRequest) -> timedelta:
    """Little where the fault is slowness; else much, so that a busy machine is not taken for a fault."""
    return timedelta(seconds=0.2 if "delayed" in request.node.name else 20)


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("resource", [order_of(order_id="o-2"), sale_of("o-1"), checkout_of("o-1")])
def test_a_fault_that_stays_is_told_and_a_sale_is_never_resent(resource: Resource, fault: str, shop: Shop) -> None:
    shop.order()
    given, state, kind, calls = FAULTS[fault]
    before = len(shop.sandbox.calls())
    shop.fails(OPERATIONS[type(resource)], **given, times=3)
    attempt = shop.send(resource, "the draft")
    assert attempt == shop.desk.activity.attempt_of(shop.clerk, "the draft")
    assert attempt.state is state
    assert (attempt.failure.kind if attempt.failure else None) == kind
    made = shop.sandbox.calls()[before:]
    assert len(made) == (calls if attempt.operation == "submit_order" else 1)
    # What the journal is sure of is so.
    written = any(call["written"] for call in made)
    assert written or state is not DONE
    assert not written or not attempt.state.nothing_written
