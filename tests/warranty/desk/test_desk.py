"""The desk against the sandbox: what is sent, what is written down, and who may, whatever the screen has asked."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, date, timedelta
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from sandbox import SandboxServer
from tests.builders import OFFER, checkout_of, order_of, sale_of
from tests.chain.two_servers import TwoServers
from tests.machine import program
from tests.warranty.conftest import Clock
from tests.warranty.desk.journal.intents import MakeIntent, ended
from tests.warranty.desk.journal.test_shift_report import order
from tests.warranty.desk.shop import Shop
from warranty.access import GRANTS, Operator, Permission, Role, roles_with
from warranty.access import Permission as May
from warranty.claims.readings.readings import ClaimReadings
from warranty.client import WarrantyClient
from warranty.client.resources import Sale, SaleReceipt
from warranty.commands.housekeeping.opening import open_journal
from warranty.database.schema import writable_schema
from warranty.desk import Desk
from warranty.desk.journal import AttemptFilter, AttemptState, BatchState, Changed, ItemLine, Journal, RowState
from warranty.desk.sending import Resource
from warranty.desk.taking_away import note_look_up
from warranty.errors import JournalUnavailable, PermissionDenied, SignedOut
from warranty.files.shop_files import ShopFiles
from warranty.insight.history.time_notes import NoteKind, TimeNote
from warranty.insight.insight import Insight
from warranty.people.audit import AuditTrail
from warranty.settings import load_settings
from warranty.watch.alerts.watch import Watching

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
        assert (shop.send(sale_of("o-1"), first.draft_id, by=colleague), len(shop.sandbox.calls())) == (first, before)


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
        unknown = shop.unanswered(checkout_of("o-2"))
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
        assert (desk.activity.recent_orders(colleague, "sofa"), desk.activity.order(colleague, "o-1")) == ([], order)
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


DAY = date(2026, 11, 3)
RECALL = TimeNote(first=DAY, last=DAY, kind=NoteKind.RECALL, words="Chargers called back")
PLANS = {("2026-10", "Kettle"): 1}
ALL = AttemptFilter()
NOBODY = Operator(username="nobody", name="Nobody", role=Role.STAFF)


@dataclass(frozen=True)
class House:
    desk: Desk
    insight: Insight
    claims: ClaimReadings
    files: ShopFiles
    watching: Watching


@pytest.fixture
def house(desk: Desk, insight: Insight, journal: Journal, client: WarrantyClient, tmp_path: Path) -> House:
    unread = Mock(side_effect=AssertionError("nothing is read"))
    settings = load_settings({"data_dir": str(tmp_path)})
    files = ShopFiles(journal.database, settings, AuditTrail(journal.database, "sandbox"))
    return House(desk, insight, ClaimReadings(read=unread, scope="nobody"), files, Watching(settings, journal, client))


def sends(resource: Resource) -> Callable[[House, Operator], object]:
    return lambda at, who: at.desk.send(who, resource, draft_id="d-1", screen="s")


DOORS: dict[str, tuple[May, Callable[[House, Operator], object]]] = {
    "claims": (May.READ_CLAIMS, lambda at, who: at.claims.of(who)),
    "an order": (May.SUBMIT_ORDERS, sends(order_of(order_id="o-1"))),
    "a sale": (May.RECORD_SALES, sends(sale_of("o-1"))),
    "a checkout": (May.NOTIFY_CHECKOUTS, sends(checkout_of("o-1"))),
    "imports": (May.IMPORT_ORDERS, lambda at, who: at.desk.imports(who)),
    "drafts of orders": (May.SUBMIT_ORDERS, lambda at, who: at.desk.drafts(who, "submit_order")),
    "drafts of sales": (May.RECORD_SALES, lambda at, who: at.desk.drafts(who, "record_sale")),
    "drafts of checkouts": (May.NOTIFY_CHECKOUTS, lambda at, who: at.desk.drafts(who, "notify_checkout")),
    "saved views": (May.READ_CLAIMS, lambda at, who: at.desk.preference(who, "views", may=May.READ_CLAIMS)),
    "notes on days": (May.READ_CLAIMS, lambda at, who: at.insight.time_notes(who)),
    "the diary of forecasts": (May.SEE_TRENDS, lambda at, who: at.insight.forecast_diary(who)),
    "a note": (May.WRITE_NOTES, lambda at, who: at.insight.write_note(who, RECALL)),
    "no note": (May.WRITE_NOTES, lambda at, who: at.insight.remove_note(who, "n-1")),
    "the last alert": (May.CHECK_CONNECTION, lambda at, who: at.watching.last_alert(who)),
    "how the journal stands": (May.CHECK_CONNECTION, lambda at, who: at.desk.journal_facts(who)),
    "columns of a file": (May.IMPORT_ORDERS, lambda at, who: at.desk.preference(who, "columns", may=May.IMPORT_ORDERS)),
    "a draft's attempt": (May.SEE_OWN_ACTIVITY, lambda at, who: at.desk.activity.attempt_of(who, "d-1")),
    "one attempt": (May.SEE_OWN_ACTIVITY, lambda at, who: at.desk.activity.attempt(who, "a-1")),
    "recent orders": (May.RECORD_SALES, lambda at, who: at.desk.activity.recent_orders(who)),
    "orders with a plan": (May.RECORD_SALES, lambda at, who: at.desk.activity.with_plan(who, [])),
    "orders with a sale in doubt": (May.RECORD_SALES, lambda at, who: at.desk.activity.unconfirmed(who, [])),
    "orders declined": (May.RECORD_SALES, lambda at, who: at.desk.activity.declined(who, [])),
    "one order": (May.RECORD_SALES, lambda at, who: at.desk.activity.order(who, "o-1")),
    "the activity": (May.SEE_OWN_ACTIVITY, lambda at, who: at.desk.activity.attempts(who, ALL)),
    "its length": (May.SEE_OWN_ACTIVITY, lambda at, who: at.desk.activity.count_attempts(who, ALL)),
    "the queue of orders": (May.SEE_OWN_ACTIVITY, lambda at, who: at.desk.activity.queue(who)),
    "an order's timeline": (May.SEE_OWN_ACTIVITY, lambda at, who: at.desk.activity.order_timeline(who, "o-1")),
    "what was corrected": (May.SEE_OWN_ACTIVITY, lambda at, who: at.desk.activity.corrected(who, [])),
    "settlements": (May.SEE_OWN_ACTIVITY, lambda at, who: at.desk.activity.settlements(who, [])),
    "the activity as a file": (May.EXPORT_ACTIVITY, lambda at, who: at.desk.activity.attempts_to_export(who, ALL)),
    "a customer's claims": (May.READ_CLAIMS, lambda at, who: note_look_up(at.desk.audit, who, "ada@example.com")),
    "a link that was shown": (May.SUBMIT_ORDERS, lambda at, who: at.desk.activity.note_link(who, "a-1")),
    "a plan declined": (May.SUBMIT_ORDERS, lambda at, who: at.desk.activity.decline(who, order("o-1"), declined=True)),
    "an order's links": (May.SEE_OWN_ACTIVITY, lambda at, who: at.desk.activity.links_of_order(who, "o-1")),
    "the shift report":
        (May.SEE_SHIFT_REPORT, lambda at, who: at.desk.activity.shift_report(who, None, None, zone=UTC)),
    "the past": (May.SEE_TRENDS, lambda at, who: at.insight.past(who)),
    "plans sold": (May.SEE_TRENDS, lambda at, who: at.insight.plans_sold(who)),
    "a file of plans sold":
        (May.IMPORT_PLANS_SOLD, lambda at, who: at.insight.plans_sold(who).replace(PLANS, file_name="f.csv")),
    "another catalogue":
        (May.MANAGE_CATALOGUE, lambda at, who: at.files.catalogue.replace(who, b"sku,title", file_name="f.csv")),
    "no catalogue": (May.MANAGE_CATALOGUE, lambda at, who: at.files.catalogue.remove(who)),
}  # fmt: skip


@pytest.mark.parametrize("door", DOORS)
def test_who_may_not_is_turned_away_first(door: str, house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    permission, go_in = DOORS[door]
    granted = frozenset(May) - {permission, May.SEE_ALL_ACTIVITY}
    monkeypatch.setattr("warranty.access.GRANTS", {**GRANTS, Role.STAFF: granted})
    with pytest.raises(PermissionDenied) as denied:
        go_in(house, NOBODY)
    assert denied.value.permission == permission
    monkeypatch.setattr("warranty.access.GRANTS", {**GRANTS, Role.STAFF: frozenset(May)})
    go_in(house, NOBODY)


ACTING = ("a note", "no note", "the activity as a file", "a file of plans sold", "another catalogue", "no catalogue")


OF_MANAGERS = {
    May.EXPORT_CLAIMS, May.EXPORT_ACTIVITY, May.SEE_ALL_ACTIVITY, May.SETTLE_OTHERS, May.MANAGE_CATALOGUE,
    May.REGISTER_TILLS, May.IMPORT_PLANS_SOLD,
}  # fmt: skip


@pytest.mark.parametrize(("by_now", "denied"), [(None, SignedOut), (NOBODY, PermissionDenied)])
@pytest.mark.parametrize("door", ACTING)
def test_a_stale_tab_changes_nothing(door: str, by_now: Operator | None, denied: type[Exception], house: House) -> None:
    stale = replace(NOBODY, role=Role.MANAGER, as_of_now=lambda: by_now)
    with pytest.raises(denied):
        DOORS[door][1](house, stale)


def test_a_tab_of_who_is_out_sends_and_settles_nothing(shop: Shop, desk: Desk, clerk: Operator) -> None:
    sent = shop.order()
    out = replace(clerk, as_of_now=lambda: None)
    settle = partial(desk.settle, recorded=True, note="")
    acts = [partial(act, out, sent.attempt_id) for act in (desk.send_order_again, settle, desk.saw_to)]
    decline = partial(desk.activity.decline, out, sent, declined=True)
    for act in (partial(shop.send, order_of(), by=out), decline, *acts):
        with pytest.raises(SignedOut):
            act()
    assert (desk.activity.attempts(clerk, ALL), desk.activity.links_of_order(clerk, "o-1")) == ([sent], [])


def test_drafts_and_choices_are_a_persons_own(desk: Desk, clerk: Operator, colleague: Operator) -> None:
    desk.drafts(clerk, "submit_order").save("d", {"first_name": "Ada"})
    desk.preference(clerk, "claims-views.sandbox").save([1, "x"])
    desk.preference(clerk, "claims-views.sandbox").save({"mine": {}})
    theirs = desk.drafts(colleague, "submit_order")
    theirs.discard("d")
    assert theirs.all() == []
    assert desk.preference(colleague, "claims-views.sandbox").load() is None
    assert desk.preference(clerk, "columns").load() is None
    assert [draft.draft_id for draft in desk.drafts(clerk, "submit_order").all()] == ["d"]
    assert desk.preference(clerk, "claims-views.sandbox").load() == {"mine": {}}


def test_an_import_is_a_persons_own_even_by_its_id(desk: Desk, clerk: Operator, colleague: Operator) -> None:
    own, theirs = desk.imports(clerk), desk.imports(colleague)
    batch_id = own.begin(file_name="orders.csv", layout={}, choices={}, sources=[{"number": 1, "name": "#1", "row": 2}])
    before = own.batch(batch_id), own.orders(batch_id)
    with pytest.raises(KeyError):
        theirs.batch(batch_id)
    assert (theirs.open_batch(), theirs.orders(batch_id), theirs.counts(batch_id)) == (None, [], {})
    waiting = Changed(number=1, state=RowState.WAITING, body={}, order_id="o-1")
    assert not theirs.start(batch_id, [waiting])
    assert not theirs.set_state(batch_id, BatchState.FINISHED)
    theirs.change(batch_id, [waiting])
    theirs.correct(batch_id, 1, {"number": 1})
    theirs.choose(batch_id, {"id_column": "Id"})
    theirs.close(batch_id)
    assert (own.batch(batch_id), own.orders(batch_id)) == before
    assert own.start(batch_id, [waiting])
    own.change(batch_id, [Changed(number=1, state=RowState.REFUSED)])
    own.set_state(batch_id, BatchState.FINISHED)
    refused = own.batch(batch_id), own.orders(batch_id)
    theirs.wait_again(batch_id, tuple(RowState))
    theirs.preview_again(batch_id)
    assert (own.batch(batch_id), own.orders(batch_id)) == refused


@pytest.mark.parametrize(("role", "may", "may_not"), [
    (Role.ADMINISTRATOR, {May.ADMINISTER_ACCOUNTS}, {
        May.SUBMIT_ORDERS, May.READ_CLAIMS, May.SEE_OWN_ACTIVITY, May.SEE_ALL_ACTIVITY, May.SETTLE_OTHERS,
        May.EXPORT_CLAIMS, May.EXPORT_ACTIVITY,
    }),
    (Role.STAFF, {May.SUBMIT_ORDERS}, OF_MANAGERS), (Role.MANAGER, OF_MANAGERS, {May.ADMINISTER_ACCOUNTS}),
])  # fmt: skip
def test_administrators_see_no_customer_and_staff_take_none_away(role: Role, may: set[May], may_not: set[May]) -> None:
    assert may <= GRANTS[role]
    assert GRANTS[role] & may_not == set()


def test_a_manager_may_all_that_staff_may_and_nothing_may_be_done_by_nobody() -> None:
    assert GRANTS[Role.STAFF] < GRANTS[Role.MANAGER]
    assert roles_with(May.ADMINISTER_ACCOUNTS) == (Role.ADMINISTRATOR,)
    assert roles_with(May.SETTLE_OTHERS) == (Role.MANAGER,)
    assert [permission for permission in May if not roles_with(permission)] == []


class Broken:
    """A journal whose database fails in what `fails` names, before a write or after it."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self.fails = self.fails_after = ""

    def __getattr__(self, name: str) -> Any:
        if name not in {self.fails, self.fails_after}:
            return getattr(self.journal, name)

        def fail(*given: Any, **named: Any) -> None:
            if name == self.fails_after:
                getattr(self.journal, name)(*given, **named)
            raise JournalUnavailable("The journal cannot be written.")

        return fail


@pytest.fixture
def unwritable(journal: Journal) -> Broken:
    return Broken(journal)


@pytest.fixture
def unlucky(client: WarrantyClient, unwritable: Broken, clerk: Operator, sandbox: SandboxServer, clock: Clock) -> Shop:
    desk = Desk(client=client, journal=unwritable, environment="sandbox")  # type: ignore[arg-type]
    return Shop(desk, clerk, sandbox, clock)


def test_without_an_intent_on_disk_nothing_is_sent(unlucky: Shop, unwritable: Broken) -> None:
    unwritable.fails = "begin"
    for resource in (order_of(order_id="o-1"), sale_of("o-1"), checkout_of("o-1")):
        with pytest.raises(JournalUnavailable):
            unlucky.send(resource)
    assert unlucky.sandbox.calls() == []
    unwritable.fails = ""
    assert unlucky.order().state is AttemptState.DONE
    unwritable.fails_after = "begin"
    with pytest.raises(JournalUnavailable):
        unlucky.order(draft="d")
    unwritable.fails_after = ""
    assert unlucky.now("d").state is AttemptState.NOT_SENT


def test_an_answer_not_written_is_written_later(unlucky: Shop, desk: Desk, unwritable: Broken) -> None:
    unwritable.fails = "conclude"
    told = unlucky.order(draft="d")
    assert (told.state, told.journalled) == (AttemptState.DONE, False)
    assert told.result.landing_url
    assert (unlucky.order(draft="d"), unlucky.desk.activity.attempts(unlucky.clerk, AttemptFilter())) == (told, [told])
    assert len(unlucky.sandbox.calls()) == 1
    # Another process knows no more than the journal: on its way, then unknown.
    unlucky.clock.advance(timedelta(hours=1))
    another = replace(unlucky, desk=desk)
    assert another.now("d").state is AttemptState.UNKNOWN
    unwritable.fails = ""
    assert unlucky.now("d") == replace(told, journalled=True) == another.now("d")


class ClientThatSees:
    """The client, and what happens right after the service has acted on a sale."""

    def __init__(self, client: WarrantyClient, servers: TwoServers) -> None:
        self._client, self._servers = client, servers

    def record_sale(self, sale: Sale, *, attempt_id: str) -> SaleReceipt:
        receipt = self._client.record_sale(sale, attempt_id=attempt_id)
        self._servers.primary.kill()
        return receipt

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)


@pytest.mark.postgres
def test_nothing_confirmed_is_lost_with_the_first_server(client: WarrantyClient, clerk: Operator) -> None:
    program("postgres", package="postgresql")
    with TwoServers() as servers, closing(open_journal(servers.url)) as journal:
        seeing: Any = ClientThatSees(client, servers)
        desk = Desk(client=seeing, journal=journal, environment="sandbox")
        order = desk.send(clerk, order_of(order_id="o-1"), draft_id="a", screen="submit_order")
        sale = desk.send(clerk, sale_of("o-1"), draft_id="b", screen="record_sale")
        assert (sale.state, sale.journalled) == (AttemptState.DONE, False)
        servers.promote()
        assert writable_schema(journal.database).fits  # the promotion has ended: at once
        desk.activity.attempts(clerk, AttemptFilter())  # whatever is looked at next writes what is not written yet
        with closing(open_journal(servers.url)) as elsewhere:
            found = elsewhere.attempts("sandbox", AttemptFilter())
        ids = {order.attempt_id, sale.attempt_id}
        assert {(one.attempt_id, one.state) for one in found} == {(one, AttemptState.DONE) for one in ids}
