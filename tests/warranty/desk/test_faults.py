"""Five calls by every fault of the sandbox: what the journal says afterwards, and how often the service was called."""

from collections.abc import Callable
from contextlib import nullcontext
from datetime import timedelta
from typing import Any, Final
from uuid import uuid4

import httpx
import pytest

from sandbox import SandboxServer
from tests.builders import checkout_of, order_of, sale_of
from warranty.access import Operator
from warranty.client import Pacing, WarrantyClient
from warranty.desk import Desk
from warranty.errors import WarrantyError
from warranty.journal import Attempt, AttemptState, Journal
from warranty.resources import ClaimQuery

DONE, REFUSED, UNKNOWN = AttemptState.DONE, AttemptState.REFUSED, AttemptState.UNKNOWN

FAULTS: Final[dict[str, dict[str, Any]]] = {
    "500": {"kind": "status", "status": 500},
    "500 after the write": {"kind": "status", "status": 500, "after_write": True},
    "503": {"kind": "status", "status": 503},
    "401": {"kind": "status", "status": 401},
    "400": {"kind": "status", "status": 400},
    "delayed beyond the timeout": {"kind": "delay", "seconds": 30},
    "dropped before the write": {"kind": "drop_before_write"},
    "dropped after the write": {"kind": "drop_after_write"},
    "truncated": {"kind": "truncated_body"},
    "not JSON": {"kind": "not_json"},
    "an extra field": {"kind": "extra_field"},
}

# What a fault that stays leads to, where a call is harmless twice: the state, the kind of failure, and the calls.
HARMLESS: Final[dict[str, tuple[AttemptState, str | None, int]]] = {
    "500": (UNKNOWN, "ServiceFailed", 3),
    "500 after the write": (UNKNOWN, "ServiceFailed", 3),
    "503": (UNKNOWN, "ServiceFailed", 3),
    "401": (REFUSED, "CredentialRefused", 1),
    "400": (REFUSED, "RequestRefused", 1),
    "delayed beyond the timeout": (UNKNOWN, "OutcomeUnknown", 3),
    "dropped before the write": (UNKNOWN, "OutcomeUnknown", 3),
    "dropped after the write": (UNKNOWN, "OutcomeUnknown", 3),
    "truncated": (UNKNOWN, "OutcomeUnknown", 3),
    "not JSON": (UNKNOWN, "UnexpectedAnswer", 1),
    "an extra field": (DONE, None, 1),
}

Send = Callable[[str], Attempt]


@pytest.fixture
def patience(request: pytest.FixtureRequest) -> timedelta:
    """Little where the fault is slowness; else much, so that a busy machine is not taken for a fault."""
    return timedelta(seconds=0.4 if "delayed" in request.node.name else 20)


@pytest.fixture
def sends(
    desk: Desk,
    clerk: Operator,
) -> dict[str, Send]:
    """Each writing call by its name; the order to sell on is there."""
    stored = desk.send(clerk, order_of(), draft_id=uuid4().hex, screen="s").order_id
    return {
        "submit_order": lambda draft: desk.send(clerk, order_of(), draft_id=draft, screen="s"),
        "record_sale": lambda draft: desk.send(clerk, sale_of(stored), draft_id=draft, screen="s"),
        "notify_checkout": lambda draft: desk.send(clerk, checkout_of(stored), draft_id=draft, screen="s"),
    }


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("operation", ["submit_order", "record_sale", "notify_checkout"])
def test_a_fault_that_stays_is_told_truly_and_a_sale_is_never_resent(
    *, operation: str, fault: str, sends: dict[str, Send], sandbox: SandboxServer, journal: Journal
) -> None:
    state, kind, calls = HARMLESS[fault]
    before = len(sandbox.calls())
    sandbox.add_fault(operation, **FAULTS[fault], times=3)
    attempt = sends[operation]("the draft")
    assert attempt == journal.attempt_of("sandbox", "the draft")
    assert attempt.state is state
    assert (attempt.failure.kind if attempt.failure else None) == kind
    assert len(sandbox.calls()) - before == (calls if operation == "submit_order" else 1)
    # What the journal is sure of is so.
    written = any(call["written"] for call in sandbox.calls()[before:])
    assert written or state is not DONE
    assert not written or not attempt.nothing_written


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_that_passes_costs_an_order_a_repeat_and_nothing_else(
    fault: str, sends: dict[str, Send], sandbox: SandboxServer
) -> None:
    before = len(sandbox.calls())
    sandbox.add_fault("submit_order", **FAULTS[fault])
    attempt = sends["submit_order"]("the draft")
    repeated = HARMLESS[fault][2] > 1
    assert len(sandbox.calls()) - before == (2 if repeated else 1)
    assert attempt.state is (DONE if repeated else HARMLESS[fault][0])


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("operation", ["claims", "verify_credentials"])
def test_reading_is_repeated_within_bounds(
    operation: str, fault: str, client: WarrantyClient, sandbox: SandboxServer
) -> None:
    state, kind, calls = HARMLESS[fault]
    sandbox.add_fault(operation, **FAULTS[fault], times=3)
    reads: dict[str, Callable[[], object]] = {
        "claims": lambda: client.claims(ClaimQuery()),
        "verify_credentials": client.verify_credentials,
    }
    outcome = nullcontext() if state is DONE else pytest.raises(WarrantyError, match=str(kind))
    with outcome:
        reads[operation]()
    assert len(sandbox.calls()) == calls


def test_a_refused_repeat_does_not_hide_a_first_sending_that_may_have_arrived(
    sends: dict[str, Send], sandbox: SandboxServer
) -> None:
    sandbox.add_fault("submit_order", "drop_after_write")
    sandbox.add_fault("submit_order", "status", status=401)
    attempt = sends["submit_order"]("the draft")
    assert attempt.state is UNKNOWN
    assert attempt.failure is not None
    assert not attempt.failure.nothing_written


def test_a_repeat_that_never_left_does_not_hide_it_either(journal: Journal, clerk: Operator) -> None:
    endings: list[type[httpx.TransportError]] = [httpx.ReadTimeout, httpx.ConnectError, httpx.ConnectError]

    def fail(request: httpx.Request) -> httpx.Response:
        raise endings.pop(0)("no answer", request=request)

    with WarrantyClient(
        "https://service.example",
        private_token="private",
        public_token="public",
        pacing=Pacing(sleep=lambda _seconds: None),
        transport=httpx.MockTransport(fail),
    ) as cut_off:
        desk = Desk(client=cut_off, journal=journal, environment="sandbox")
        attempt = desk.send(clerk, order_of(order_id="o-1"), draft_id="the draft", screen="s")
    assert endings == []
    assert attempt.state is UNKNOWN
