"""The desk against the sandbox: what is sent, what is written down, and who may."""

from dataclasses import replace
from datetime import UTC
from decimal import Decimal
from functools import partial

import pytest

from tests.builders import OFFER, checkout_of, order_of, sale_of
from tests.warranty.desk.journal.intents import MakeIntent, ended
from tests.warranty.desk.shop import Shop
from warranty.access import GRANTS, Operator, Permission, Role
from warranty.desk import Desk
from warranty.desk.journal import AttemptFilter, AttemptState, ItemLine, Journal
from warranty.errors import PermissionDenied

DONE, REFUSED, UNKNOWN = AttemptState.DONE, AttemptState.REFUSED, AttemptState.UNKNOWN


def test_an_order_ends_with_its_link_and_its_lines(shop: Shop, desk: Desk, clerk: Operator) -> None:
    attempt = shop.order(draft="d")
    assert (attempt.state, attempt.operation, attempt.screen) == (DONE, "submit_order", "submit_order")
    assert (attempt.username, attempt.operator_name, attempt.environment) == ("dana", "Dana Fields", "sandbox")
    assert (attempt.result.landing_url or "").endswith("/checkout/o-1")
    assert (attempt.result.warrantable_products, attempt.result.already_known) == (True, False)
    lines = [(item.line_item_id, item.product_id, item.price, item.quantity) for item in attempt.items]
    assert lines == [(1, "TV-55", Decimal("899.00"), 2), (2, "SET-1", Decimal("988.50"), 1)]
    assert attempt.items[1].members == ("AMP-1", "SPK-1")
    assert attempt == desk.activity.attempt_of(clerk, "d") == desk.activity.attempt(clerk, attempt.attempt_id)


def test_a_sale_ends_with_its_id_and_the_lines_of_the_order(shop: Shop) -> None:
    shop.order()
    attempt = shop.send(sale_of("o-1"))
    assert (attempt.state, bool(attempt.result.returned_id)) == (DONE, True)
    of_the_order = ItemLine("55in OLED television", "TV-55", 1, Decimal("899.00"), line_item_id=1)
    assert attempt.items == (replace(of_the_order, term_months=24, warranty_price=Decimal("79.99")),)
    described = replace(attempt.items[0], title="The screen's own title", warranty_type="Extended")
    given = shop.send(sale_of("o-1", price="75.00"), items=[described])
    assert given.items == (replace(described, warranty_price=Decimal("75.00")),)


def test_a_checkout_is_told_once_and_its_offer_is_kept(shop: Shop) -> None:
    first, again = (shop.send(checkout_of("o-1"), "c") for _ in range(2))
    assert first == again
    assert (first.state, first.items[0].warranty_offer_id) == (DONE, OFFER)
    assert len(shop.sandbox.calls()) == 1


def test_the_same_draft_is_sent_once_whatever_became_of_it(shop: Shop, colleague: Operator) -> None:
    shop.order()
    for state, status in ((DONE, None), (REFUSED, 400), (UNKNOWN, 500)):
        if status:
            shop.fails("record_sale", status=status)
        first = shop.send(sale_of("o-1"), f"sale that ends {state}")
        assert first.state is state
        before = len(shop.sandbox.calls())
        assert shop.send(sale_of("o-1"), first.draft_id, by=colleague) == first
        assert len(shop.sandbox.calls()) == before


def test_a_refused_sale_is_corrected_and_sent_once_more(shop: Shop) -> None:
    shop.order()
    refused = shop.send(sale_of("o-1", months=7), "s")
    assert refused.failure is not None
    right = sale_of("o-1", months=refused.failure.plans[0].months)
    # Twice, as from a second tab that shows the same refusal.
    corrected, again = (shop.send(right, "s", corrects=refused.attempt_id) for _ in range(2))
    assert (corrected.state, again) == (DONE, corrected)
    assert [call["status"] for call in shop.calls("record_sale")] == [400, 200]


class TestNotNeededAnyMore:
    def test_a_refused_sale_is_dropped_once(self, shop: Shop, desk: Desk, clerk: Operator, colleague: Operator) -> None:
        shop.order()
        refused = shop.send(sale_of("o-1", months=7))
        drop = partial(desk.settle, recorded=False, drops=True)
        with pytest.raises(PermissionDenied):
            drop(colleague, refused.attempt_id, note="")
        dropped = drop(clerk, refused.attempt_id, note="Changed her mind, jo@example.com")
        assert (dropped.state, dropped.failure) == (REFUSED, refused.failure)
        word = dropped.settled
        assert word is not None
        assert (word.operator_name, word.recorded, word.drops) == ("Dana Fields", False, True)
        assert "jo@example.com" not in word.note
        assert drop(clerk, refused.attempt_id, note="again") == dropped
        assert desk.activity.attempt(clerk, refused.attempt_id) == dropped
        assert len(desk.activity.settlements(clerk, [dropped])[refused.attempt_id]) == 1

    def test_what_was_not_recorded_or_never_sent_keeps_saying_so(
        self, shop: Shop, desk: Desk, clerk: Operator, journal: Journal, intent: MakeIntent
    ) -> None:
        silent = shop.unanswered(sale_of("o-1"))
        found_out = desk.settle(clerk, silent.attempt_id, recorded=False, note="Looked")
        assert (found_out.settled and found_out.settled.drops) is False
        unsent = ended(journal, intent(), AttemptState.NOT_SENT)
        for attempt, state in ((found_out, AttemptState.NOT_RECORDED), (unsent, AttemptState.NOT_SENT)):
            dropped = desk.settle(clerk, attempt.attempt_id, recorded=False, drops=True, note="")
            assert (dropped.state, dropped.settled and dropped.settled.drops) == (state, True)
            assert desk.activity.attempts(clerk, AttemptFilter(states=frozenset({state}))) == [dropped]
            assert desk.settle(clerk, attempt.attempt_id, recorded=False, drops=True, note="") == dropped
        word = shop.now(silent).settled
        sold = desk.settle(clerk, silent.attempt_id, recorded=True, note="It came", corrects=word)
        assert sold.state is DONE

    def test_what_is_done_unknown_or_corrected_stays(self, shop: Shop, desk: Desk, clerk: Operator) -> None:
        order, refused = shop.order(), shop.send(sale_of("o-1", months=7), "s")
        sold = shop.send(sale_of("o-1"), "s", corrects=refused.attempt_id)
        assert sold.state is DONE
        unknown = shop.unanswered(checkout_of("o-1"))
        for attempt in (order, refused, sold, unknown):
            assert desk.settle(clerk, attempt.attempt_id, recorded=False, drops=True, note="") == attempt


class TestWhoMay:
    def test_staff_see_their_own_activity_and_managers_all(
        self, shop: Shop, desk: Desk, clerk: Operator, colleague: Operator, manager: Operator
    ) -> None:
        mine, theirs = shop.order("o-1", draft="d"), shop.order("o-2", by=colleague)
        assert desk.activity.attempts(clerk, AttemptFilter()) == [mine]
        assert desk.activity.count_attempts(clerk, AttemptFilter()) == 1
        assert desk.activity.attempt_of(manager, "d") == desk.activity.attempt(manager, mine.attempt_id) == mine
        seen = {each.attempt_id for each in desk.activity.attempts(manager, AttemptFilter())}
        assert seen == {mine.attempt_id, theirs.attempt_id}
        assert desk.activity.attempts(manager, AttemptFilter(username="eli")) == [theirs]
        for peep in (
            lambda: desk.activity.attempts(clerk, AttemptFilter(username="eli")),
            lambda: desk.activity.attempt_of(colleague, "d"),
            lambda: desk.activity.attempt(colleague, mine.attempt_id),
            lambda: desk.activity.shift_report(clerk, None, None, zone=UTC),
        ):
            with pytest.raises(PermissionDenied):
                peep()

    def test_a_colleagues_order_is_sold_on(self, shop: Shop, desk: Desk, clerk: Operator, colleague: Operator) -> None:
        order, sale = shop.order(), shop.send(sale_of("o-1"), by=colleague)
        assert desk.activity.recent_orders(colleague) == desk.activity.recent_orders(colleague, "television") == [order]
        assert desk.activity.recent_orders(colleague, "sofa") == []
        assert desk.activity.order(colleague, "o-1") == order
        assert desk.activity.order_timeline(clerk, "o-1") == [order, sale]

    def test_who_may_not_settle_others_entries_settles_only_their_own(
        self, shop: Shop, desk: Desk, colleague: Operator, manager: Operator, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        unknown = shop.unanswered(order_of(order_id="o-1"))
        with monkeypatch.context() as granted:
            sees_only = GRANTS[Role.MANAGER] - {Permission.SETTLE_OTHERS}
            granted.setattr("warranty.access.GRANTS", {**GRANTS, Role.MANAGER: sees_only})
            assert desk.activity.attempt(manager, unknown.attempt_id) == unknown
            settle = partial(desk.settle, recorded=True, note="")
            for act in (settle, desk.send_order_again, desk.saw_to):
                for who in (colleague, manager):
                    with pytest.raises(PermissionDenied):
                        act(who, unknown.attempt_id)
        assert desk.activity.attempt(manager, unknown.attempt_id) == unknown
        assert desk.send_order_again(manager, unknown.attempt_id).state is DONE
