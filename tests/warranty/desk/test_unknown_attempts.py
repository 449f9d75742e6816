"""Attempts of unknown outcome: settled by a person, by sending an order again, or by a look at the order."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest

from sandbox import SandboxServer
from tests.builders import checkout_of, order_of, sale_of
from warranty.access import Operator
from warranty.client import WarrantyClient
from warranty.desk import Desk, Verdict
from warranty.journal import Attempt, AttemptFilter, AttemptState, Journal
from warranty.resources import Sale


def test_an_unknown_sale_blocks_a_repeat_until_a_person_says_that_it_was_not_recorded(
    desk: Desk, clerk: Operator, sandbox: SandboxServer
) -> None:
    desk.send(clerk, order_of(order_id="o-1"), draft_id="d", screen="submit_order")
    sandbox.add_fault("record_sale", "drop_before_write")

    def send(corrects: str | None) -> Attempt:
        return desk.send(clerk, sale_of("o-1"), draft_id="s", screen="record_sale", corrects=corrects)

    unknown = send(None)
    assert unknown.state is AttemptState.UNKNOWN
    assert send(unknown.attempt_id) == unknown
    settled = desk.settle(clerk, unknown.attempt_id, recorded=False, note="The landing page shows none")
    assert settled.state is AttemptState.NOT_RECORDED
    assert settled.settled is not None
    assert (settled.settled.username, settled.settled.note) == ("dana", "The landing page shows none")
    assert send(None) == settled
    assert send(unknown.attempt_id).state is AttemptState.DONE
    assert len([call for call in sandbox.calls() if call["operation"] == "record_sale"]) == 2


def test_an_unknown_sale_that_was_recorded_is_done_and_settled_once(
    desk: Desk, clerk: Operator, manager: Operator, sandbox: SandboxServer
) -> None:
    desk.send(clerk, order_of(order_id="o-1"), draft_id="d", screen="submit_order")
    sandbox.add_fault("record_sale", "drop_after_write")
    unknown = desk.send(clerk, sale_of("o-1"), draft_id="s", screen="record_sale")
    settled = desk.settle(manager, unknown.attempt_id, recorded=True, note="", returned_id="64fa")
    assert (settled.state, settled.returned_id) == (AttemptState.DONE, "64fa")
    assert desk.settle(clerk, unknown.attempt_id, recorded=False, note="") == settled


def test_a_settlement_is_corrected_by_a_later_one_and_both_stay_on_record(
    desk: Desk, journal: Journal, clerk: Operator, manager: Operator, sandbox: SandboxServer
) -> None:
    desk.send(clerk, order_of(order_id="o-1"), draft_id="d", screen="submit_order")
    sandbox.add_fault("record_sale", "drop_before_write")
    unknown = desk.send(clerk, sale_of("o-1"), draft_id="s", screen="record_sale")
    wrong = desk.settle(clerk, unknown.attempt_id, recorded=True, note="Guessed", returned_id="64fa")
    right = desk.settle(
        manager, unknown.attempt_id, recorded=False, note="The page shows none", corrects=wrong.settled
    )
    assert right.state is AttemptState.NOT_RECORDED
    assert right.nothing_written
    late = desk.settle(clerk, unknown.attempt_id, recorded=False, note="", corrects=wrong.settled)
    assert late == right, "of two who correct the same word, one does"
    first, second = journal.settlements([right])[right.attempt_id]
    assert (first.settled, first.returned_id) == (wrong.settled, "64fa")
    assert second.settled == right.settled
    asked = AttemptFilter(states=frozenset({AttemptState.NOT_RECORDED}))
    assert desk.attempts(manager, asked) == [right]
    assert desk.attempts(manager, replace(asked, states=frozenset({AttemptState.NOT_SENT}))) == []


@pytest.mark.parametrize("kind", ["drop_before_write", "drop_after_write"])
def test_an_unknown_order_is_settled_by_sending_it_again(
    desk: Desk, clerk: Operator, sandbox: SandboxServer, kind: str
) -> None:
    sandbox.add_fault("submit_order", kind, times=3)
    unknown = desk.send(clerk, order_of(order_id="o-1"), draft_id="d", screen="submit_order")
    assert unknown.state is AttemptState.UNKNOWN
    done = desk.send_order_again(clerk, unknown.attempt_id)
    assert done.state is AttemptState.DONE
    assert done.landing_url
    # The service may know the order from our own lost sending: that is not "somebody sent it before".
    assert done.already_known is (False if kind == "drop_before_write" else None)
    calls = len(sandbox.calls())
    assert desk.send_order_again(clerk, unknown.attempt_id) == done
    assert len(sandbox.calls()) == calls


@pytest.mark.parametrize(
    ("fault", "state"),
    [
        ({"kind": "status", "status": 401}, AttemptState.UNKNOWN),
        ({"kind": "status", "status": 400}, AttemptState.REFUSED),
        ({"kind": "status", "status": 500, "times": 3}, AttemptState.UNKNOWN),
    ],
)
def test_a_repeat_that_fails_settles_only_what_it_tells_of_the_first_sending(
    *,
    desk: Desk,
    clerk: Operator,
    sandbox: SandboxServer,
    fault: dict[str, Any],
    state: AttemptState,
) -> None:
    sandbox.add_fault("submit_order", "drop_after_write", times=3)
    unknown = desk.send(clerk, order_of(order_id="o-1"), draft_id="d", screen="submit_order")
    sandbox.add_fault("submit_order", **fault)
    again = desk.send_order_again(clerk, unknown.attempt_id)
    assert again.state is state
    assert again.failure is not None
    assert again.failure.nothing_written is (state is AttemptState.REFUSED)
    assert again.failure.status == fault["status"]


def test_only_an_order_may_be_sent_again(desk: Desk, clerk: Operator, sandbox: SandboxServer) -> None:
    sandbox.add_fault("notify_checkout", "drop_before_write")
    unknown = desk.send(clerk, checkout_of("o-1"), draft_id="c", screen="notify_checkout")
    with pytest.raises(ValueError, match="only an order"):
        desk.send_order_again(clerk, unknown.attempt_id)
    assert len(sandbox.calls()) == 1


class TestLookUp:
    @pytest.fixture
    def lost(self, desk: Desk, clerk: Operator, sandbox: SandboxServer) -> Callable[..., Attempt]:
        """A sale whose answer is lost; the order has two televisions on its first line."""
        desk.send(clerk, order_of(order_id="o-1"), draft_id="d", screen="submit_order")

        def lose(kind: str, sale: Sale, *told_of: Attempt) -> Attempt:
            sandbox.add_fault("record_sale", kind)
            acknowledged = [one.attempt_id for one in told_of]
            return desk.send(clerk, sale, draft_id=uuid4().hex, screen="s", acknowledged=acknowledged)

        return lose

    def test_a_sale_that_the_order_carries_was_recorded(
        self, desk: Desk, clerk: Operator, lost: Callable[..., Attempt]
    ) -> None:
        attempt = lost("drop_after_write", sale_of("o-1"))
        found = desk.look_up_sale(clerk, attempt.attempt_id)
        assert found.verdict is Verdict.RECORDED
        assert found.attempt.state is AttemptState.DONE
        assert desk.look_up_sale(clerk, attempt.attempt_id) == found

    def test_a_look_up_keeps_the_services_own_number_of_the_sale(
        self, desk: Desk, clerk: Operator, lost: Callable[..., Attempt], sandbox: SandboxServer
    ) -> None:
        before = desk.send(clerk, sale_of("o-1"), draft_id="s", screen="s")
        attempt = lost("drop_after_write", sale_of("o-1"))
        number = desk.look_up_sale(clerk, attempt.attempt_id).attempt.returned_id
        assert number is not None
        assert number != before.returned_id
        assert number in {
            call["returned_id"] for call in sandbox.calls() if call["operation"] == "record_sale"
        }

    @pytest.mark.parametrize("kind", ["drop_before_write", "drop_after_write"])
    def test_a_persons_word_that_a_sale_was_recorded_is_hearsay_until_the_order_carries_it(
        self, desk: Desk, clerk: Operator, lost: Callable[..., Attempt], kind: str
    ) -> None:
        attempt = lost(kind, sale_of("o-1"))
        told = desk.settle(clerk, attempt.attempt_id, recorded=True, note="")
        assert told.is_hearsay
        found = desk.look_up_sale(clerk, attempt.attempt_id)
        if kind == "drop_after_write":
            assert not found.attempt.is_hearsay
            assert found.attempt.returned_id
        else:
            assert (found.verdict, found.attempt) == (Verdict.UNCLEAR, told)

    def test_a_sale_that_the_order_does_not_carry_was_not(
        self, desk: Desk, clerk: Operator, lost: Callable[..., Attempt]
    ) -> None:
        attempt = lost("drop_before_write", sale_of("o-1"))
        found = desk.look_up_sale(clerk, attempt.attempt_id)
        assert found.verdict is Verdict.NOT_RECORDED
        assert found.attempt.state is AttemptState.NOT_RECORDED

    def test_right_after_silence_an_order_without_the_sale_proves_nothing(
        self, client: WarrantyClient, journal: Journal, clerk: Operator, lost: Callable[..., Attempt]
    ) -> None:
        """A slow service may record it yet; settled as not recorded, it would be sold twice."""
        attempt = lost("drop_before_write", sale_of("o-1"))
        patient = Desk(client=client, journal=journal, environment="sandbox")
        found = patient.look_up_sale(clerk, attempt.attempt_id)
        assert found.verdict is Verdict.TOO_EARLY
        assert found.attempt.state is AttemptState.UNKNOWN

    def test_an_earlier_sale_of_the_same_plan_is_not_taken_for_this_one(
        self, desk: Desk, clerk: Operator, lost: Callable[..., Attempt]
    ) -> None:
        assert desk.send(clerk, sale_of("o-1"), draft_id="s", screen="s").state is AttemptState.DONE
        attempt = lost("drop_before_write", sale_of("o-1"))
        assert desk.look_up_sale(clerk, attempt.attempt_id).verdict is Verdict.NOT_RECORDED
        attempt = lost("drop_after_write", sale_of("o-1"))
        assert desk.look_up_sale(clerk, attempt.attempt_id).verdict is Verdict.RECORDED

    def test_two_unknown_sales_of_one_order_are_left_to_a_person(
        self, desk: Desk, clerk: Operator, lost: Callable[..., Attempt]
    ) -> None:
        first = lost("drop_after_write", sale_of("o-1"))
        second = lost("drop_before_write", sale_of("o-1"), first)
        for attempt in (first, second):
            assert desk.look_up_sale(clerk, attempt.attempt_id).verdict is Verdict.UNCLEAR
            assert desk.attempt(clerk, attempt.attempt_id) == attempt

    def test_a_service_that_cannot_be_read_changes_nothing(
        self, desk: Desk, clerk: Operator, lost: Callable[..., Attempt], sandbox: SandboxServer
    ) -> None:
        attempt = lost("drop_after_write", sale_of("o-1"))
        sandbox.add_fault("purchase_warranties", "status", status=401)
        found = desk.look_up_sale(clerk, attempt.attempt_id)
        assert (found.verdict, found.attempt) == (Verdict.UNCLEAR, attempt)
        assert found.failure is not None
        assert found.failure.status == 401


def test_a_program_that_is_stopped_in_the_middle_leaves_an_unknown_attempt(
    desk: Desk, client: WarrantyClient, clerk: Operator, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_args: object, **_named: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(client, "record_sale", stopped)
    with pytest.raises(KeyboardInterrupt):
        desk.send(clerk, sale_of("o-1"), draft_id="s", screen="s")
    attempt = desk.attempt_of(clerk, "s")
    assert attempt is not None
    assert attempt.state is AttemptState.UNKNOWN
