"""The desk against the sandbox: what is sent, what is written down, and who may."""

from dataclasses import replace
from datetime import UTC
from decimal import Decimal

import pytest

from sandbox import SandboxServer
from tests.builders import OFFER, checkout_of, order_of, sale_of
from tests.warranty.journal.intents import MakeIntent, ended
from warranty import access
from warranty.access import GRANTS, Operator, Permission, Role
from warranty.desk import Desk
from warranty.errors import PermissionDenied
from warranty.journal import AttemptFilter, AttemptState, ItemLine, Journal
from warranty.resources import Checkout, Order, Sale


def test_an_order_ends_with_its_link_and_its_lines(desk: Desk, clerk: Operator) -> None:
    attempt = desk.send(clerk, order_of(order_id="o-1"), draft_id="d", screen="submit_order")
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
    assert attempt == desk.attempt_of(clerk, "d") == desk.attempt(clerk, attempt.attempt_id)


def test_a_sale_ends_with_its_id_and_the_lines_of_the_order(desk: Desk, clerk: Operator) -> None:
    desk.send(clerk, order_of(order_id="o-1"), draft_id="d", screen="submit_order")
    attempt = desk.send(clerk, sale_of("o-1"), draft_id="s", screen="record_sale")
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
    given = desk.send(
        clerk, sale_of("o-1", price="75.00"), draft_id="s2", screen="record_sale", items=[described]
    )
    assert given.items == (replace(described, warranty_price=Decimal("75.00")),)


def test_a_checkout_is_told_once_and_its_offer_is_kept(
    desk: Desk, clerk: Operator, sandbox: SandboxServer
) -> None:
    for _ in range(2):
        attempt = desk.send(clerk, checkout_of("o-1"), draft_id="c", screen="notify_checkout")
        assert attempt.state is AttemptState.DONE
    assert attempt.items[0].warranty_offer_id == OFFER
    assert [call["operation"] for call in sandbox.calls()] == ["notify_checkout"]


def test_the_same_draft_is_sent_once_whatever_became_of_it(
    desk: Desk, clerk: Operator, colleague: Operator, sandbox: SandboxServer
) -> None:
    desk.send(clerk, order_of(order_id="o-1"), draft_id="d", screen="submit_order")
    for state, fault in (
        (AttemptState.DONE, None),
        (AttemptState.REFUSED, {"kind": "status", "status": 400}),
        (AttemptState.UNKNOWN, {"kind": "status", "status": 500}),
    ):
        draft = f"sale that ends {state}"
        if fault:
            sandbox.add_fault("record_sale", **fault)  # type: ignore[arg-type]
        first = desk.send(clerk, sale_of("o-1"), draft_id=draft, screen="record_sale")
        assert first.state is state
        before = len(sandbox.calls())
        assert desk.send(colleague, sale_of("o-1"), draft_id=draft, screen="record_sale") == first
        assert len(sandbox.calls()) == before


def test_a_refused_sale_is_corrected_and_sent_once_more(
    desk: Desk, clerk: Operator, sandbox: SandboxServer
) -> None:
    desk.send(clerk, order_of(order_id="o-1"), draft_id="d", screen="submit_order")
    refused = desk.send(clerk, sale_of("o-1", months=7), draft_id="s", screen="record_sale")
    assert refused.state is AttemptState.REFUSED
    assert refused.failure is not None
    assert refused.failure.plans
    months = refused.failure.plans[0].months
    corrected = [
        desk.send(
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


def test_a_refused_sale_that_is_not_needed_any_more_is_dropped_once_and_stays_in_the_story(
    desk: Desk, clerk: Operator
) -> None:
    desk.send(clerk, order_of(order_id="o-1"), draft_id="d", screen="submit_order")
    refused = desk.send(clerk, sale_of("o-1", months=7), draft_id="s", screen="record_sale")
    with pytest.raises(PermissionDenied):
        desk.drop(replace(clerk, username="lee", name="Lee"), refused.attempt_id)
    dropped = desk.drop(clerk, refused.attempt_id, note="Changed her mind, jo@example.com")
    assert (dropped.state, dropped.failure) == (AttemptState.REFUSED, refused.failure)
    assert dropped.is_dropped
    assert dropped.settled is not None
    assert (dropped.settled.operator_name, dropped.settled.recorded) == ("Dana Fields", False)
    assert "jo@example.com" not in dropped.settled.note
    assert (
        desk.drop(clerk, refused.attempt_id, note="again")
        == dropped
        == desk.attempt(clerk, refused.attempt_id)
    )
    assert len(desk.settlements(clerk, [dropped])[refused.attempt_id]) == 1


def test_what_was_not_sent_or_not_recorded_is_dropped_and_keeps_saying_so(
    desk: Desk, clerk: Operator, sandbox: SandboxServer
) -> None:
    sandbox.add_fault("record_sale", "drop_before_write")
    unknown = desk.send(clerk, sale_of("o-1"), draft_id="s", screen="record_sale")
    found_out = desk.settle(clerk, unknown.attempt_id, recorded=False, note="Looked")
    dropped = desk.drop(clerk, found_out.attempt_id)
    assert (found_out.is_dropped, dropped.is_dropped) == (False, True)
    assert dropped.state is AttemptState.NOT_RECORDED
    assert desk.attempt(clerk, dropped.attempt_id) == dropped
    assert desk.attempts(clerk, AttemptFilter(states=frozenset({AttemptState.NOT_RECORDED}))) == [dropped]
    sold = desk.settle(clerk, dropped.attempt_id, recorded=True, note="It came", corrects=dropped.settled)
    assert sold.state is AttemptState.DONE


def test_an_entry_that_was_never_sent_is_dropped_and_stays_not_sent(
    desk: Desk, clerk: Operator, journal: Journal, intent: MakeIntent
) -> None:
    unsent = ended(journal, intent(), AttemptState.NOT_SENT)
    dropped = desk.drop(clerk, unsent.attempt_id)
    assert (dropped.state, dropped.is_dropped) == (AttemptState.NOT_SENT, True)
    assert desk.attempts(clerk, AttemptFilter(states=frozenset({AttemptState.NOT_SENT}))) == [dropped]
    assert desk.drop(clerk, unsent.attempt_id) == dropped


def test_what_is_done_or_corrected_since_is_not_dropped(desk: Desk, clerk: Operator) -> None:
    order = desk.send(clerk, order_of(order_id="o-1"), draft_id="d", screen="submit_order")
    refused = desk.send(clerk, sale_of("o-1", months=7), draft_id="s", screen="record_sale")
    sold = desk.send(clerk, sale_of("o-1"), draft_id="s", screen="record_sale", corrects=refused.attempt_id)
    assert sold.state is AttemptState.DONE
    for attempt in (order, refused, sold):
        assert desk.drop(clerk, attempt.attempt_id) == attempt


class TestWhoMay:
    @pytest.mark.parametrize(
        ("permission", "sent"),
        [
            (Permission.SUBMIT_ORDERS, order_of(order_id="o-1")),
            (Permission.RECORD_SALES, sale_of("o-1")),
            (Permission.NOTIFY_CHECKOUTS, checkout_of("o-1")),
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
        sent: Order | Sale | Checkout,
    ) -> None:
        granted = access.GRANTS[clerk.role] - {permission}
        monkeypatch.setattr(access, "GRANTS", {clerk.role: granted})
        with pytest.raises(PermissionDenied):
            desk.send(clerk, sent, draft_id="d", screen="s")
        assert sandbox.calls() == []
        assert desk.attempt_of(clerk, "d") is None

    def test_staff_see_their_own_activity_and_managers_all(
        self, desk: Desk, clerk: Operator, colleague: Operator, manager: Operator
    ) -> None:
        mine = desk.send(clerk, order_of(order_id="o-1"), draft_id="a", screen="s")
        theirs = desk.send(colleague, order_of(order_id="o-2"), draft_id="b", screen="s")
        assert desk.attempts(clerk, AttemptFilter()) == [mine]
        assert desk.count_attempts(clerk, AttemptFilter()) == 1
        assert {attempt.attempt_id for attempt in desk.attempts(manager, AttemptFilter())} == {
            mine.attempt_id,
            theirs.attempt_id,
        }
        assert desk.attempts(manager, AttemptFilter(username="eli")) == [theirs]
        with pytest.raises(PermissionDenied):
            desk.attempts(clerk, AttemptFilter(username="eli"))
        with pytest.raises(PermissionDenied):
            desk.shift_report(clerk, None, None, zone=UTC)

    def test_a_colleagues_order_can_be_sold_on_and_its_timeline_shows_everything(
        self, desk: Desk, clerk: Operator, colleague: Operator
    ) -> None:
        order = desk.send(clerk, order_of(order_id="o-1"), draft_id="a", screen="s")
        sale = desk.send(colleague, sale_of("o-1"), draft_id="b", screen="s")
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
        unknown = desk.send(clerk, order_of(order_id="o-1"), draft_id="d", screen="s")
        with pytest.raises(PermissionDenied):
            desk.settle(colleague, unknown.attempt_id, recorded=True, note="")
        with pytest.raises(PermissionDenied):
            desk.send_order_again(colleague, unknown.attempt_id)
        assert desk.attempt(clerk, unknown.attempt_id) == unknown
        assert desk.send_order_again(manager, unknown.attempt_id).state is AttemptState.DONE

    def test_who_sees_everybodys_entries_settles_them_only_with_a_right_of_its_own(
        self,
        desk: Desk,
        clerk: Operator,
        manager: Operator,
        sandbox: SandboxServer,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        sandbox.add_fault("submit_order", "drop_before_write", times=3)
        unknown = desk.send(clerk, order_of(order_id="o-1"), draft_id="d", screen="s")
        sees_only = GRANTS[Role.MANAGER] - {Permission.SETTLE_OTHERS}
        monkeypatch.setattr("warranty.access.GRANTS", {**GRANTS, Role.MANAGER: sees_only})
        assert desk.attempt(manager, unknown.attempt_id) == unknown
        for settle in (
            lambda: desk.settle(manager, unknown.attempt_id, recorded=True, note=""),
            lambda: desk.send_order_again(manager, unknown.attempt_id),
            lambda: desk.saw_to(manager, unknown.attempt_id),
        ):
            with pytest.raises(PermissionDenied, match="settle others' entries"):
                settle()
