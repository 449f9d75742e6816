"""The desk against the sandbox: what is sent, what is written down, and who may."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest

from sandbox import SandboxServer
from tests.journal.conftest import Clock
from tests.journal.shop import OFFER, checkout_of, order_of, sale_of
from warranty import access
from warranty.access import Operator, Permission
from warranty.client import WarrantyClient
from warranty.desk import Desk, Verdict
from warranty.errors import JournalUnavailable, PermissionDenied
from warranty.journal import Attempt, AttemptFilter, AttemptState, ItemLine, Journal
from warranty.resources import Sale

HOURS = timedelta(hours=1)


def test_an_order_ends_with_its_link_and_its_lines(desk: Desk, clerk: Operator) -> None:
    attempt = desk.submit_order(clerk, order_of("o-1"), draft_id="d", screen="submit_order")
    assert (attempt.state, attempt.operation, attempt.screen) == (
        AttemptState.DONE,
        "submit_order",
        "submit_order",
    )
    assert (attempt.username, attempt.operator_name, attempt.environment) == (
        "dana",
        "Dana Fields",
        "sandbox",
    )
    assert attempt.landing_url is not None
    assert attempt.landing_url.endswith("/checkout/o-1")
    assert (attempt.warrantable_products, attempt.already_known) == (True, False)
    assert [(item.line_item_id, item.product_id, item.price, item.quantity) for item in attempt.items] == [
        (1, "TV-55", Decimal("899.00"), 2),
        (2, "SET-1", Decimal("988.50"), 1),
    ]
    assert attempt.items[1].members == ("AMP-1", "SPK-1")
    assert attempt == desk.attempt_of("d") == desk.attempt(attempt.attempt_id)


def test_a_sale_ends_with_its_id_and_the_lines_of_the_order(desk: Desk, clerk: Operator) -> None:
    desk.submit_order(clerk, order_of("o-1"), draft_id="d", screen="submit_order")
    attempt = desk.record_sale(clerk, sale_of("o-1"), draft_id="s", screen="record_sale")
    assert attempt.state is AttemptState.DONE
    assert attempt.returned_id
    assert attempt.items == (
        ItemLine(
            title="55in OLED television",
            product_id="TV-55",
            quantity=1,
            price=Decimal("899.00"),
            term_months=24,
            warranty_price=Decimal("79.99"),
            line_item_id=1,
        ),
    )
    described = replace(attempt.items[0], title="The screen's own title", warranty_type="Extended")
    given = desk.record_sale(
        clerk, sale_of("o-1", price="75.00"), draft_id="s2", screen="record_sale", items=[described]
    )
    assert given.items == (replace(described, warranty_price=Decimal("75.00")),)


def test_a_checkout_is_told_once_and_its_offer_is_kept(
    desk: Desk, clerk: Operator, sandbox: SandboxServer
) -> None:
    for _ in range(2):
        attempt = desk.notify_checkout(clerk, checkout_of("o-1"), draft_id="c", screen="notify_checkout")
        assert attempt.state is AttemptState.DONE
    assert attempt.items[0].warranty_offer_id == OFFER
    assert [call["operation"] for call in sandbox.calls()] == ["notify_checkout"]


def test_the_same_draft_is_sent_once_whatever_became_of_it(
    desk: Desk, clerk: Operator, colleague: Operator, sandbox: SandboxServer
) -> None:
    desk.submit_order(clerk, order_of("o-1"), draft_id="d", screen="submit_order")
    for state, fault in (
        (AttemptState.DONE, None),
        (AttemptState.REFUSED, {"kind": "status", "status": 400}),
        (AttemptState.UNKNOWN, {"kind": "status", "status": 500}),
    ):
        draft = f"sale that ends {state}"
        if fault:
            sandbox.add_fault("record_sale", **fault)  # type: ignore[arg-type]
        first = desk.record_sale(clerk, sale_of("o-1"), draft_id=draft, screen="record_sale")
        assert first.state is state
        before = len(sandbox.calls())
        assert desk.record_sale(colleague, sale_of("o-1"), draft_id=draft, screen="record_sale") == first
        assert len(sandbox.calls()) == before


def test_a_refused_sale_is_corrected_and_sent_once_more(
    desk: Desk, clerk: Operator, sandbox: SandboxServer
) -> None:
    desk.submit_order(clerk, order_of("o-1"), draft_id="d", screen="submit_order")
    refused = desk.record_sale(clerk, sale_of("o-1", months=7), draft_id="s", screen="record_sale")
    assert refused.state is AttemptState.REFUSED
    assert refused.failure is not None
    assert refused.failure.plans
    months = refused.failure.plans[0].months
    corrected = [
        desk.record_sale(
            clerk,
            sale_of("o-1", months=months),
            draft_id="s",
            screen="record_sale",
            corrects=refused.attempt_id,
        )
        for _ in range(2)  # a second tab that shows the same refusal
    ]
    assert corrected[0].state is AttemptState.DONE
    assert corrected[0] == corrected[1]
    assert [call["status"] for call in sandbox.calls() if call["operation"] == "record_sale"] == [400, 200]


def test_an_unknown_sale_blocks_a_repeat_until_a_person_says_that_it_was_not_recorded(
    desk: Desk, clerk: Operator, sandbox: SandboxServer
) -> None:
    desk.submit_order(clerk, order_of("o-1"), draft_id="d", screen="submit_order")
    sandbox.add_fault("record_sale", "drop_before_write")

    def send(corrects: str | None) -> Attempt:
        return desk.record_sale(clerk, sale_of("o-1"), draft_id="s", screen="record_sale", corrects=corrects)

    unknown = send(None)
    assert unknown.state is AttemptState.UNKNOWN
    assert send(unknown.attempt_id) == unknown
    settled = desk.settle(clerk, unknown.attempt_id, recorded=False, note="The landing page shows none")
    assert settled.state is AttemptState.NOT_SENT
    assert settled.settled is not None
    assert (settled.settled.username, settled.settled.note) == ("dana", "The landing page shows none")
    assert send(None) == settled
    assert send(unknown.attempt_id).state is AttemptState.DONE
    assert len([call for call in sandbox.calls() if call["operation"] == "record_sale"]) == 2


def test_an_unknown_sale_that_was_recorded_is_done_and_settled_once(
    desk: Desk, clerk: Operator, manager: Operator, sandbox: SandboxServer
) -> None:
    desk.submit_order(clerk, order_of("o-1"), draft_id="d", screen="submit_order")
    sandbox.add_fault("record_sale", "drop_after_write")
    unknown = desk.record_sale(clerk, sale_of("o-1"), draft_id="s", screen="record_sale")
    settled = desk.settle(manager, unknown.attempt_id, recorded=True, note="", returned_id="64fa")
    assert (settled.state, settled.returned_id) == (AttemptState.DONE, "64fa")
    assert desk.settle(clerk, unknown.attempt_id, recorded=False, note="") == settled


@pytest.mark.parametrize("kind", ["drop_before_write", "drop_after_write"])
def test_an_unknown_order_is_settled_by_sending_it_again(
    desk: Desk, clerk: Operator, sandbox: SandboxServer, kind: str
) -> None:
    sandbox.add_fault("submit_order", kind, times=3)
    unknown = desk.submit_order(clerk, order_of("o-1"), draft_id="d", screen="submit_order")
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
    unknown = desk.submit_order(clerk, order_of("o-1"), draft_id="d", screen="submit_order")
    sandbox.add_fault("submit_order", **fault)
    again = desk.send_order_again(clerk, unknown.attempt_id)
    assert again.state is state
    assert again.failure is not None
    assert again.failure.nothing_written is (state is AttemptState.REFUSED)
    assert again.failure.status == fault["status"]


def test_only_an_order_may_be_sent_again(desk: Desk, clerk: Operator, sandbox: SandboxServer) -> None:
    sandbox.add_fault("notify_checkout", "drop_before_write")
    unknown = desk.notify_checkout(clerk, checkout_of("o-1"), draft_id="c", screen="notify_checkout")
    with pytest.raises(ValueError, match="only an order"):
        desk.send_order_again(clerk, unknown.attempt_id)
    assert len(sandbox.calls()) == 1


class TestLookUp:
    @pytest.fixture
    def lost(self, desk: Desk, clerk: Operator, sandbox: SandboxServer) -> Callable[..., Attempt]:
        """A sale whose answer is lost; the order has two televisions on its first line."""
        desk.submit_order(clerk, order_of("o-1"), draft_id="d", screen="submit_order")

        def lose(kind: str, sale: Sale) -> Attempt:
            sandbox.add_fault("record_sale", kind)
            return desk.record_sale(clerk, sale, draft_id=uuid4().hex, screen="record_sale")

        return lose

    def test_a_sale_that_the_order_carries_was_recorded(
        self, desk: Desk, clerk: Operator, lost: Callable[..., Attempt]
    ) -> None:
        attempt = lost("drop_after_write", sale_of("o-1"))
        found = desk.look_up_sale(clerk, attempt.attempt_id)
        assert found.verdict is Verdict.RECORDED
        assert found.attempt.state is AttemptState.DONE
        assert desk.look_up_sale(clerk, attempt.attempt_id) == found

    def test_a_sale_that_the_order_does_not_carry_was_not(
        self, desk: Desk, clerk: Operator, lost: Callable[..., Attempt]
    ) -> None:
        attempt = lost("drop_before_write", sale_of("o-1"))
        found = desk.look_up_sale(clerk, attempt.attempt_id)
        assert found.verdict is Verdict.NOT_RECORDED
        assert found.attempt.state is AttemptState.NOT_SENT

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
        assert desk.record_sale(clerk, sale_of("o-1"), draft_id="s", screen="s").state is AttemptState.DONE
        attempt = lost("drop_before_write", sale_of("o-1"))
        assert desk.look_up_sale(clerk, attempt.attempt_id).verdict is Verdict.NOT_RECORDED
        attempt = lost("drop_after_write", sale_of("o-1"))
        assert desk.look_up_sale(clerk, attempt.attempt_id).verdict is Verdict.RECORDED

    def test_two_unknown_sales_of_one_order_are_left_to_a_person(
        self, desk: Desk, clerk: Operator, lost: Callable[..., Attempt]
    ) -> None:
        first = lost("drop_after_write", sale_of("o-1"))
        second = lost("drop_before_write", sale_of("o-1"))
        for attempt in (first, second):
            assert desk.look_up_sale(clerk, attempt.attempt_id).verdict is Verdict.UNCLEAR
            assert desk.attempt(attempt.attempt_id) == attempt

    def test_a_service_that_cannot_be_read_changes_nothing(
        self, desk: Desk, clerk: Operator, lost: Callable[..., Attempt], sandbox: SandboxServer
    ) -> None:
        attempt = lost("drop_after_write", sale_of("o-1"))
        sandbox.add_fault("purchase_warranties", "status", status=401)
        found = desk.look_up_sale(clerk, attempt.attempt_id)
        assert (found.verdict, found.attempt) == (Verdict.UNCLEAR, attempt)
        assert found.failure is not None
        assert found.failure.status == 401


class Unwritable:
    """A journal whose database fails when told, before or after a write has begun."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self.fails: set[str] = set()

    def __getattr__(self, name: str) -> Any:
        if name in self.fails:

            def fail(*_args: object, **_named: object) -> None:
                raise JournalUnavailable("The journal cannot be written.")

            return fail
        return getattr(self.journal, name)


@pytest.fixture
def unwritable(journal: Journal) -> Unwritable:
    return Unwritable(journal)


@pytest.fixture
def unlucky_desk(client: WarrantyClient, unwritable: Unwritable) -> Desk:
    return Desk(client=client, journal=unwritable, environment="sandbox")  # type: ignore[arg-type]


def test_without_an_intent_on_disk_nothing_is_sent(
    unlucky_desk: Desk,
    unwritable: Unwritable,
    clerk: Operator,
    sandbox: SandboxServer,
) -> None:
    unwritable.fails = {"begin"}
    with pytest.raises(JournalUnavailable):
        unlucky_desk.submit_order(clerk, order_of("o-1"), draft_id="d", screen="s")
    with pytest.raises(JournalUnavailable):
        unlucky_desk.record_sale(clerk, sale_of("o-1"), draft_id="s", screen="s")
    with pytest.raises(JournalUnavailable):
        unlucky_desk.notify_checkout(clerk, checkout_of("o-1"), draft_id="c", screen="s")
    assert sandbox.calls() == []
    unwritable.fails = set()
    assert (
        unlucky_desk.submit_order(clerk, order_of("o-1"), draft_id="d", screen="s").state is AttemptState.DONE
    )


def test_an_answer_that_cannot_be_written_down_is_told_and_written_later(
    *,
    unlucky_desk: Desk,
    desk: Desk,
    unwritable: Unwritable,
    clerk: Operator,
    sandbox: SandboxServer,
    clock: Clock,
) -> None:
    unwritable.fails = {"conclude"}
    told = unlucky_desk.submit_order(clerk, order_of("o-1"), draft_id="d", screen="s")
    assert (told.state, told.journalled) == (AttemptState.DONE, False)
    assert told.landing_url
    assert unlucky_desk.submit_order(clerk, order_of("o-1"), draft_id="d", screen="s") == told
    assert unlucky_desk.attempts(clerk, AttemptFilter()) == [told]
    assert len(sandbox.calls()) == 1
    # Another process knows no more than the journal: on its way, then unknown.
    clock.advance(HOURS)
    left = desk.attempt_of("d")
    assert left is not None
    assert left.state is AttemptState.UNKNOWN
    unwritable.fails = set()
    written = unlucky_desk.attempt_of("d")
    assert written == replace(told, journalled=True)
    assert desk.attempt_of("d") == written


def test_an_intent_of_which_nobody_knows_whether_it_was_written_was_certainly_not_sent(
    unlucky_desk: Desk, journal: Journal, unwritable: Unwritable, clerk: Operator
) -> None:
    def commits_and_breaks(*args: Any, **named: Any) -> None:
        journal.begin(*args, **named)
        raise JournalUnavailable("The connection broke.")

    unwritable.__dict__["begin"] = commits_and_breaks
    with pytest.raises(JournalUnavailable):
        unlucky_desk.submit_order(clerk, order_of("o-1"), draft_id="d", screen="s")
    del unwritable.__dict__["begin"]
    attempt = unlucky_desk.attempt_of("d")
    assert attempt is not None
    assert attempt.state is AttemptState.NOT_SENT


def test_a_program_that_is_stopped_in_the_middle_leaves_an_unknown_attempt(
    desk: Desk, client: WarrantyClient, clerk: Operator, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_args: object, **_named: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(client, "record_sale", stopped)
    with pytest.raises(KeyboardInterrupt):
        desk.record_sale(clerk, sale_of("o-1"), draft_id="s", screen="s")
    attempt = desk.attempt_of("s")
    assert attempt is not None
    assert attempt.state is AttemptState.UNKNOWN


class TestWhoMay:
    @pytest.mark.parametrize(
        ("permission", "method", "sent"),
        [
            (Permission.SUBMIT_ORDERS, "submit_order", "order"),
            (Permission.RECORD_SALES, "record_sale", "sale"),
            (Permission.NOTIFY_CHECKOUTS, "notify_checkout", "checkout"),
        ],
    )
    def test_without_the_permission_nothing_is_written_or_sent(
        self,
        *,
        desk: Desk,
        clerk: Operator,
        sandbox: SandboxServer,
        monkeypatch: pytest.MonkeyPatch,
        permission: Permission,
        method: str,
        sent: str,
    ) -> None:
        granted = access.GRANTS[clerk.role] - {permission}
        monkeypatch.setattr(access, "GRANTS", {clerk.role: granted})
        things = {"order": order_of("o-1"), "sale": sale_of("o-1"), "checkout": checkout_of("o-1")}
        with pytest.raises(PermissionDenied):
            getattr(desk, method)(clerk, things[sent], draft_id="d", screen="s")
        assert sandbox.calls() == []
        assert desk.attempt_of("d") is None

    def test_staff_see_their_own_activity_and_managers_all(
        self, desk: Desk, clerk: Operator, colleague: Operator, manager: Operator
    ) -> None:
        mine = desk.submit_order(clerk, order_of("o-1"), draft_id="a", screen="s")
        theirs = desk.submit_order(colleague, order_of("o-2"), draft_id="b", screen="s")
        assert desk.attempts(clerk, AttemptFilter()) == [mine]
        assert desk.count_attempts(clerk, AttemptFilter()) == 1
        assert {attempt.attempt_id for attempt in desk.attempts(manager, AttemptFilter())} == {
            mine.attempt_id,
            theirs.attempt_id,
        }
        assert desk.attempts(manager, AttemptFilter(username="eli")) == [theirs]
        with pytest.raises(PermissionDenied):
            desk.attempts(clerk, AttemptFilter(username="eli"))

    def test_a_colleagues_order_can_be_sold_on_and_its_timeline_shows_everything(
        self, desk: Desk, clerk: Operator, colleague: Operator
    ) -> None:
        order = desk.submit_order(clerk, order_of("o-1"), draft_id="a", screen="s")
        sale = desk.record_sale(colleague, sale_of("o-1"), draft_id="b", screen="s")
        assert desk.recent_orders(colleague) == [order]
        assert desk.recent_orders(colleague, "television") == [order]
        assert desk.recent_orders(colleague, "sofa") == []
        assert desk.order(colleague, "o-1") == order
        assert {entry.attempt_id for entry in desk.order_timeline(clerk, "o-1")} == {
            order.attempt_id,
            sale.attempt_id,
        }

    def test_staff_settle_their_own_only(
        self,
        *,
        desk: Desk,
        clerk: Operator,
        colleague: Operator,
        manager: Operator,
        sandbox: SandboxServer,
    ) -> None:
        sandbox.add_fault("submit_order", "drop_before_write", times=3)
        unknown = desk.submit_order(clerk, order_of("o-1"), draft_id="d", screen="s")
        with pytest.raises(PermissionDenied):
            desk.settle(colleague, unknown.attempt_id, recorded=True, note="")
        with pytest.raises(PermissionDenied):
            desk.send_order_again(colleague, unknown.attempt_id)
        assert desk.attempt(unknown.attempt_id) == unknown
        assert desk.send_order_again(manager, unknown.attempt_id).state is AttemptState.DONE
