"""What a person can say of something that was sent, who may, and whose link is out before its answer."""

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any, cast

import pytest
import streamlit as st

from components.selling.sending.ending import _words
from components.selling.sending.own_drafts import PATIENCE, Sending
from components.selling.sending.settling import WRITES, findings, settling
from components.ui.forms.draft_form import DraftForm
from components.wiring import Runtime
from tests.builders import MANAGER, STAFF, entry_of
from warranty.access import Operator, Role
from warranty.desk.journal import AttemptState, Operation, Result, Settlement

NOW = datetime(2026, 11, 21, 14, 0, tzinfo=UTC)
RECORDED, NOT_RECORDED, DROPPED = (
    Settlement(recorded, "staff", "Sam Counter", NOW, drops=drops)
    for recorded, drops in ((True, False), (False, False), (False, True))
)


DONE, UNKNOWN, REFUSED = AttemptState.DONE, AttemptState.UNKNOWN, AttemptState.REFUSED


@pytest.mark.parametrize(("operation", "state", "settled", "can_be_said"), [
    ("record_sale", UNKNOWN, None, ["It was recorded", "It was not recorded"]),
    ("notify_checkout", UNKNOWN, None, ["The e-mail came: it went through", "It did not go through"]),
    ("submit_order", UNKNOWN, None, []), ("record_sale", AttemptState.SENDING, None, []),
    ("record_sale", DONE, None, []), ("record_sale", DONE, RECORDED, ["It was not recorded"]),
    ("record_sale", AttemptState.NOT_RECORDED, NOT_RECORDED, ["It was recorded", "No longer needed"]),
    ("record_sale", REFUSED, None, ["No longer needed"]), ("submit_order", REFUSED, None, ["No longer needed"]),
    ("record_sale", REFUSED, DROPPED, []),
])  # fmt: skip
def test_what_can_be_said_of_something_that_was_sent(
    operation: Operation, state: AttemptState, settled: Settlement | None, can_be_said: list[str]
) -> None:
    sent = entry_of(operation, state=state, settled=settled)
    assert [one.label for one in findings(sent, is_last=True)] == can_be_said
    since_corrected = [one for one in can_be_said if one != "No longer needed"]
    assert [one.label for one in findings(sent, is_last=False)] == since_corrected


@pytest.mark.parametrize(("operator", "may"), [
    (STAFF, True), (MANAGER, True), (Operator("eli", "Eli Brook", Role.STAFF), False),
], ids=["who sent it", "a manager", "another clerk"])  # fmt: skip
def test_who_says_what_became_of_a_sale(monkeypatch: pytest.MonkeyPatch, operator: Operator, *, may: bool) -> None:
    drawn: list[str] = []
    monkeypatch.setattr(st, "session_state", {})
    monkeypatch.setattr(st, "button", lambda label, **_: drawn.append(label))
    settling(entry_of("record_sale", state=UNKNOWN), runtime=cast(Runtime, None), operator=operator)
    assert drawn == (["It was recorded", "It was not recorded"] if may else [])


@pytest.mark.parametrize(("called_for", "begun_for", "known", "is_slow"), [
    (PATIENCE, timedelta(0), {}, True),
    (timedelta(0), PATIENCE, {}, True),  # another desk began it
    (timedelta(seconds=2), timedelta(seconds=2), {}, False),
    (PATIENCE, PATIENCE, {"state": DONE}, False),
    (PATIENCE, PATIENCE, {"operation": "record_sale"}, False),
], ids=["a call of this desk", "a call of another", "not yet", "answered", "a sale"])  # fmt: skip
def test_after_three_seconds_the_customer_of_an_order_leaves_with_the_link(
    called_for: timedelta, begun_for: timedelta, known: dict[str, Any], *, is_slow: bool
) -> None:
    sent = entry_of(**{"operation": "submit_order", "state": AttemptState.SENDING, **known}, started_at=NOW - begun_for)
    desk = SimpleNamespace(now=lambda: NOW, sender=SimpleNamespace(may_wait=lambda *screen: "submit_order" in screen))
    runtime = SimpleNamespace(jobs=SimpleNamespace(age=lambda _: called_for), desk=desk)
    form = SimpleNamespace(draft_id=sent.draft_id, screen=sent.screen)
    sending = Sending(
        runtime=cast(Runtime, runtime), operator=STAFF, form=cast(DraftForm, form), about="order_id", read=str,
        called=lambda _: "", attempt=sent, problem=None,
    )  # fmt: skip
    assert sending.is_slow is is_slow
    assert sending.write is WRITES[sent.operation]


@pytest.mark.parametrize(("known", "happened"), [
    ({"state": REFUSED}, "was refused. Its customer has a link that does not work"),
    ({"result": Result(already_known=True)}, "has the number of another order. Its customer has that order's link"),
    ({"result": Result(warrantable_products=False)}, "has no plan for an order that waited"),
    ({"result": Result(warrantable_products=True)}, "gave an order another link than its customer has"),
])  # fmt: skip
def test_who_sent_an_order_that_came_back_reads_what_is_held(known: dict[str, Any], happened: str) -> None:
    assert happened in _words(entry_of("submit_order", **known))[0]
