"""Orders that wait for the service: which of them, in which order, how often, and what comes back to a person."""

from collections import Counter
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from threading import Event
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from sandbox import SandboxServer
from tests.builders import GIFT_CARD, LAMP, TV, checkout_of, order_of, sale_of
from tests.warranty.desk.outbox.poster import post
from tests.warranty.desk.outbox.waiting_shop import WaitingShop
from tests.warranty.desk.place import Place
from tests.warranty.desk.processes import running
from warranty.access import Operator
from warranty.client import WarrantyClient
from warranty.client.pacing import FULL
from warranty.client.resources.landing import landing_page_url
from warranty.client.tls import Knock
from warranty.client.transport import Pools
from warranty.clock import utc_now
from warranty.commands.housekeeping.opening import open_journal
from warranty.commands.housekeeping.retention import purge
from warranty.desk import Desk
from warranty.desk.journal import Attempt, AttemptFilter, AttemptState
from warranty.desk.outbox.outbox import BETWEEN, FIRST_PAUSE, LONGEST_PAUSE, LOOKS_EVERY, Outbox
from warranty.errors import WarrantyError


def outbox_of(shop: WaitingShop, first: Callable[[Attempt], object], **more: Any) -> Outbox:
    """One by the shop's sender, whose service can be reached; `first` happens before an order is tried."""
    sender = shop.desk.sender

    def send_waiting(attempt: Attempt) -> Attempt:
        first(attempt)
        return sender.send_waiting(attempt)

    reaching: Any = SimpleNamespace(reaches=lambda: True, send_waiting=send_waiting, give_back=sender.give_back)
    return Outbox(shop.journal, reaching, "sandbox", budget=shop.budget, **more)


@pytest.mark.parametrize("fault", [
    *({"status": status} for status in (503, 429, 403)),  # 403: as a gateway answers in the service's place
    *({"kind": kind} for kind in ("drop_before_write", "drop_after_write", "not_json")),
], ids=lambda fault: str(fault.get("status") or fault["kind"]))  # fmt: skip
def test_an_order_not_taken_waits_with_its_link_and_is_sent(shop: WaitingShop, fault: dict[str, Any]) -> None:
    shop.is_away(**fault)
    waiting = shop.order()
    assert (waiting.state, waiting.waits) == (AttemptState.QUEUED, True)
    link = landing_page_url(shop.sandbox.landing_url, shop.sandbox.retailer_uuid, "o-1")
    assert waiting.result.landing_url == link
    queue = shop.journal.queue("sandbox")
    assert (queue.length, queue.oldest) == (1, waiting.started_at)
    assert shop.outbox.step() == FIRST_PAUSE
    shop.is_back()
    assert shop.outbox.step() == BETWEEN
    done = shop.now(waiting)
    assert (done.state, done.result.landing_url, shop.stored()) == (AttemptState.DONE, link, ["o-1"])
    assert (shop.waiting(), shop.outbox.step(), shop.came_back()) == (0, None, [])


def test_an_order_behind_others_waits_untried_even_under_a_taken_id(shop: WaitingShop, client: WarrantyClient) -> None:
    client.submit_order(order_of(order_id="taken"))
    shop.is_away()
    shop.order()
    tried = len(shop.sandbox.calls())
    waiting = shop.order("taken")
    assert (waiting.state, waiting.failure) == (AttemptState.QUEUED, None)
    assert len(shop.sandbox.calls()) == tried
    shop.is_back()
    shop.send_all()
    (back,) = shop.came_back()
    assert (back.order_id, back.state, back.result.already_known) == ("taken", AttemptState.DONE, True)


def test_orders_that_wait_go_out_oldest_first_slowly_each_once(shop: WaitingShop) -> None:
    orders = [f"o-{number}" for number in range(4)]
    shop.let_wait(*orders)
    shop.is_away(kind="drop_before_write")
    tried = len(shop.sandbox.calls())
    pauses = [min(FIRST_PAUSE * 2**times, LONGEST_PAUSE) for times in range(7)]
    assert [shop.outbox.step() for _ in pauses] == pauses
    assert len(shop.sandbox.calls()) == tried + 7  # one call each: the client does not repeat a probe
    shop.is_back()
    assert shop.send_all() == [BETWEEN] * 4
    assert shop.stored() == orders


def troubled(shop: WaitingShop, status: int | None) -> Outbox:
    """One whose order `o-0` meets this status whenever it is tried; without one it cannot even be read."""

    def trouble(attempt: Attempt) -> None:
        if attempt.order_id == "o-0":
            if status is None:
                raise ValueError
            shop.fails("submit_order", status=status)

    shop.let_wait("o-0", "o-1", "o-2")
    return outbox_of(shop, trouble)


UNKNOWN = AttemptFilter(states=frozenset({AttemptState.UNKNOWN}))


def test_an_order_that_the_service_cannot_digest_is_left_to_its_person(shop: WaitingShop) -> None:
    outbox = troubled(shop, 500)
    pauses = [outbox.step() or timedelta() for _ in range(8)]
    assert shop.stored() == ["o-1", "o-2"]
    assert sum(pauses, timedelta()) < timedelta(seconds=10)
    (left,) = shop.desk.activity.attempts(shop.clerk, UNKNOWN)
    assert (left.order_id, left.failure and left.failure.status) == ("o-0", 500)
    assert outbox.step() is None
    shop.is_back()
    assert shop.order("o-6").state is AttemptState.DONE  # none waits before it


@pytest.mark.parametrize("status", [401, 429])
def test_a_service_busy_or_unsure_of_tokens_returns_no_order(shop: WaitingShop, status: int) -> None:
    outbox = troubled(shop, status)
    for _ in range(10):
        outbox.step()
    assert shop.desk.activity.attempts(shop.clerk, UNKNOWN) == []
    shop.is_back()
    shop.outbox.step()
    assert "o-0" in shop.stored()


def test_an_order_that_cannot_even_be_read_holds_up_no_other(shop: WaitingShop) -> None:
    outbox = troubled(shop, None)
    for _ in range(3):
        outbox.step()
    assert shop.stored() == ["o-1", "o-2"]


@pytest.mark.parametrize(("status", "screen", "state"), [
    *((status, "submit_order", AttemptState.REFUSED) for status in (400, 404)),
    (503, "import_orders", AttemptState.UNKNOWN),  # an import waits as a whole
])  # fmt: skip
def test_a_refusal_or_an_import_does_not_wait(shop: WaitingShop, status: int, screen: str, state: AttemptState) -> None:
    shop.is_away(status=status)
    assert shop.order(screen=screen).state is state
    assert (shop.waiting(), shop.outbox.step(), shop.came_back()) == (0, None, [])


@pytest.mark.parametrize("status", [400, 404])
def test_an_order_refused_after_it_waited_comes_back_until_settled(shop: WaitingShop, status: int) -> None:
    drafts = shop.desk.drafts(shop.clerk, "submit_order")
    drafts.save("d", {"order_id": "o-1"})
    shop.is_away()
    shop.order("o-1", draft="d")
    dropped = shop.order("o-2")
    assert [(draft.draft_id, draft.waits) for draft in drafts.all()] == [("d", True)]
    shop.is_away(status=status)
    shop.send_all()
    refused = {(order, AttemptState.REFUSED) for order in ("o-1", "o-2")}
    assert {(back.order_id, back.state) for back in shop.came_back()} == refused
    shop.is_back()
    shop.desk.settle(shop.clerk, dropped.attempt_id, recorded=False, drops=True, note="")
    (back,) = shop.came_back()
    assert [(draft.content, draft.waits) for draft in drafts.all()] == [({"order_id": "o-1"}, False)]
    assert shop.order("o-1", LAMP, draft="d", corrects=back.attempt_id).state is AttemptState.DONE
    assert (shop.came_back(), drafts.all()) == ([], [])


def test_another_link_or_one_without_an_offer_comes_back_to_a_person(shop: WaitingShop, client: WarrantyClient) -> None:
    old = "https://old.example/{}".format
    desk = Desk(client=client, journal=shop.journal, environment="sandbox", landing_page=old)
    shop.is_away()
    moved, gift = replace(shop, desk=desk).order("o-1"), shop.order("o-2", GIFT_CARD)
    shop.is_back()
    shop.send_all()
    assert {back.attempt_id for back in shop.came_back()} == {moved.attempt_id, gift.attempt_id}
    assert (shop.now(moved).state, shop.now(gift).state) == (AttemptState.DONE, AttemptState.DONE)
    assert shop.now(moved).result.landing_url != moved.result.landing_url
    assert shop.now(gift).result.warrantable_products is False
    shop.desk.saw_to(shop.clerk, moved.attempt_id)
    assert [back.attempt_id for back in shop.came_back()] == [gift.attempt_id]


def test_a_token_that_is_refused_concerns_all_orders_those_that_wait_go_on_waiting(shop: WaitingShop) -> None:
    shop.let_wait("o-1")
    shop.is_away(status=401)
    shop.outbox.step()
    assert shop.order("o-2").state is AttemptState.QUEUED
    shop.is_back()
    shop.send_all()
    assert (shop.stored(), shop.came_back()) == (["o-1", "o-2"], [])


def test_an_order_whose_sender_died_is_sent_later_no_sale(shop: WaitingShop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shop.journal, "conclude", lambda died, _: shop.journal.attempt("sandbox", died))
    dead, sold = shop.order(), shop.send(sale_of("o-1"))
    monkeypatch.undo()
    assert dead.state is AttemptState.SENDING
    assert shop.outbox.step() is None
    shop.clock.advance(timedelta(hours=1))
    shop.send_all()
    assert (shop.now(dead).state, shop.now(sold).state) == (AttemptState.DONE, AttemptState.UNKNOWN)


def test_a_link_handed_out_over_an_open_call_is_kept(shop: WaitingShop, monkeypatch: pytest.MonkeyPatch) -> None:
    tried = shop.desk.sender._call

    def handed_out_while_the_service_hangs(order_id: str, *, ends: dict[str, Any]) -> Attempt:
        def call(*asked: Any, **options: Any) -> Any:
            shop.desk.hand_out_link(shop.clerk, asked[1])
            return tried(*asked, **options)

        with monkeypatch.context() as slow:
            slow.setattr(shop.desk.sender, "_call", call)
            shop.is_away(**ends)
            return shop.order(order_id)

    assert handed_out_while_the_service_hangs("o-1", ends={"kind": "drop_before_write"}).waits
    shop.is_back()
    shop.send_all()
    refused = handed_out_while_the_service_hangs("o-2", ends={"status": 400})
    assert refused.state is AttemptState.REFUSED
    assert [one.order_id for one in shop.came_back()] == ["o-2"]
    assert handed_out_while_the_service_hangs("o-3", ends={"status": 401}).waits  # the token is refused, not the order
    shop.is_back()
    shop.send_all()
    assert shop.stored() == ["o-1", "o-3"]


@pytest.mark.parametrize("kind", ["drop_before_write", "status"])
def test_sales_and_checkouts_never_wait_and_what_was_typed_is_kept(shop: WaitingShop, kind: str) -> None:
    shop.order()
    for screen, resource in (("record_sale", sale_of("o-1")), ("notify_checkout", checkout_of("o-2"))):
        drafts = shop.desk.drafts(shop.clerk, screen)
        drafts.save(f"d-{screen}", {"typed": "all of it"})
        shop.fails(screen, kind)
        assert shop.send(resource, f"d-{screen}").state is AttemptState.UNKNOWN
        assert [draft.content for draft in drafts.all()] == [{"typed": "all of it"}]
    assert shop.outbox.step() is None


def test_what_is_no_longer_kept_is_left_to_a_person(shop: WaitingShop) -> None:
    (waiting,) = shop.let_wait("o-1")
    shop.clock.advance(timedelta(days=15))
    purge(shop.journal.database, keep=timedelta(days=700), keep_drafts=timedelta(days=14))
    shop.send_all()
    left = shop.now(waiting)
    assert (left.state, left.waits) == (AttemptState.UNKNOWN, False)
    assert shop.waiting() == 0


def test_tries_of_what_waits_draw_on_the_common_repeats(shop: WaitingShop, client: WarrantyClient) -> None:
    """What the one used up is not there for the other; an order that is put off leaves room for one."""
    shop.is_away()
    shop.fails("verify_credentials", status=503, times=100)
    shop.order("o-1")
    for _ in range(10):
        with suppress(WarrantyError):
            client.verify_credentials()  # repeated until nothing is left
    assert shop.budget.left() == 0
    made = len(shop.sandbox.calls())
    assert (shop.outbox.step(), len(shop.sandbox.calls())) == (LOOKS_EVERY, made)
    shop.order("o-2")
    assert [shop.outbox.step() for _ in range(2)] == [FIRST_PAUSE, LOOKS_EVERY]
    assert len(shop.sandbox.calls()) == made + 1


def test_once_the_service_is_back_nothing_holds_up_those_that_follow_the_first(shop: WaitingShop) -> None:
    shop.let_wait("o-1", "o-2", "o-3")
    while shop.budget.left() > 1:
        shop.budget.spend()
    assert shop.send_all() == [BETWEEN] * 3


def test_what_may_wait_is_tried_once_and_others_repeated(shop: WaitingShop, client: WarrantyClient) -> None:
    shop.is_away(kind="drop_before_write")
    sent = shop.order()
    assert len(shop.sandbox.calls()) == 1
    longest = shop.desk.sender.patience("submit_order", once=True)
    assert sent.deadline == sent.started_at + longest
    elsewhere = Desk(client=client, journal=shop.journal, environment="sandbox")
    assert replace(shop, desk=elsewhere).order("o-2").state is AttemptState.UNKNOWN
    assert len(shop.sandbox.calls()) == 1 + 3


def test_when_the_desk_drains_it_sends_no_other_order(shop: WaitingShop) -> None:
    shop.let_wait("o-0", "o-1")
    draining, sent = Event(), Event()
    outbox = outbox_of(shop, lambda _: sent.set(), over=draining, between=timedelta(hours=1))
    outbox.start()
    assert sent.wait(10)
    draining.set()
    outbox._looking._thread.join(10)
    assert not outbox._looking._thread.is_alive()
    assert shop.stored() == ["o-0"]


def sent(sandbox: SandboxServer) -> Counter[str]:
    return Counter(call["order_id"] for call in sandbox.calls() if "order_id" in call)


@pytest.mark.both_databases
def test_two_desks_send_what_waits_once(place: Place, shop: WaitingShop, sandbox: SandboxServer) -> None:
    orders = [f"o-{number}" for number in range(5)]
    shop.let_wait(*orders)
    tried = sent(sandbox)
    with running(post, place) as (_, one), running(post, place) as (_, other):
        for told in (one, other):
            assert [told.recv(), told.recv()] == ["begun", "finished"]
    assert sent(sandbox) - tried == Counter(orders)


@pytest.mark.both_databases
def test_when_the_desk_that_sends_is_killed_another_goes_on_and_nothing_is_lost(
    place: Place, shop: WaitingShop, client: WarrantyClient, sandbox: SandboxServer
) -> None:
    orders = [f"o-{number}" for number in range(4)]
    shop.let_wait(*orders)
    tried = sent(sandbox)
    sandbox.add_fault("submit_order", "delay", seconds=5)
    with running(post, place) as (killed, told):
        assert told.recv() == "begun"
        while sent(sandbox) == tried:  # its first call is on its way: stored, and not answered yet
            assert killed.is_alive()
            killed.join(timeout=0.02)
        killed.kill()
    with running(post, place) as (_, told):
        assert [told.recv(), told.recv()] == ["begun", "finished"]
    assert sent(sandbox) - tried == Counter(orders)
    with closing(open_journal(place.journal_url, clock=lambda: utc_now() + timedelta(hours=1))) as later:
        survivor = Desk(client=client, journal=later, environment="sandbox")
        Outbox(later, survivor.sender, "sandbox", budget=client.retry_budget).step()
        assert later.count("sandbox", AttemptFilter(states=frozenset({AttemptState.DONE}))) == len(orders)
    assert {call["order_id"] for call in sandbox.calls() if call["written"]} == set(orders)


class Wire(httpx.BaseTransport):
    """The network of a client, which can be cut; `calls` is how often somebody tried to make one over it."""

    def __init__(self, whole: httpx.BaseTransport) -> None:
        self._whole = whole
        self.is_cut, self.calls = True, 0

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.calls += not isinstance(request.extensions.get("trace"), Knock)
        if self.is_cut:
            raise httpx.ConnectError("cut (test)")
        return self._whole.handle_request(request)


@dataclass(frozen=True)
class Outage:
    """The calls until its end, the orders of it, and how long after it the last was stored."""

    calls: int
    orders: list[Attempt]
    stored_after: timedelta


def outage(tills: list[WaitingShop], *, lasts: timedelta, an_order_every: timedelta) -> Outage:
    """By the journal's clock, tills in turn; it ends at the worst moment, right after a try."""
    shop = tills[0]
    shop.is_away(times=100_000)
    began, calls, waiting, orders = shop.clock(), 0, True, list[Attempt]()
    probe_at, back = began, None
    while waiting or back is None:
        now, number = shop.clock(), len(orders)
        assert now < began + lasts + timedelta(minutes=10)
        if now >= began + an_order_every * number and now < began + lasts:
            till = tills[number % len(tills)]
            orders.append(till.order(f"o-{number:03}", TV if number % 3 else LAMP))
        elif now >= probe_at:
            made = len(shop.sandbox.calls())
            pause = shop.outbox.step()
            waiting = pause is not None
            probe_at = now + (pause or timedelta(seconds=2))
            if back is None and now >= began + lasts and len(shop.sandbox.calls()) > made:
                back, calls = now, made
                shop.is_back()
        shop.clock.advance(timedelta(seconds=0.1))
    assert Counter(shop.stored()) == Counter([one.order_id for one in orders])
    assert {shop.now(one).state for one in orders} == {AttemptState.DONE}
    assert [shop.now(one).result.landing_url for one in orders] == [one.result.landing_url for one in orders]
    assert shop.came_back() == []
    return Outage(calls, orders, shop.clock() - back)


LONG = pytest.mark.long


@pytest.mark.parametrize(("minutes", "calls"), [(3, 15), pytest.param(30, 130, marks=LONG)])
def test_an_outage_on_two_tills_with_an_order_every_18_seconds(
    shop: WaitingShop, client: WarrantyClient, colleague: Operator, minutes: int, calls: int
) -> None:
    pages = partial(landing_page_url, shop.sandbox.landing_url, shop.sandbox.retailer_uuid)
    desk = Desk(client=client, journal=shop.journal, environment="sandbox", landing_page=pages)
    tills = [shop, replace(shop, desk=desk, clerk=colleague)]
    seen = outage(tills, lasts=timedelta(minutes=minutes), an_order_every=timedelta(seconds=18))
    assert len(seen.orders) == 10 * minutes / 3
    assert seen.calls <= calls
    assert seen.stored_after < timedelta(seconds=60)


@pytest.mark.parametrize("minutes", [3, pytest.param(30, marks=LONG)])
def test_in_a_quiet_shop_an_outage_is_probed_once_a_minute(shop: WaitingShop, minutes: int) -> None:
    seen = outage([shop], lasts=timedelta(minutes=minutes), an_order_every=timedelta(hours=1))
    assert len(seen.orders) == 1
    assert seen.calls <= 1 + FULL + minutes
    assert seen.stored_after < timedelta(seconds=65)


def test_while_nothing_leaves_this_machine_the_queue_only_knocks(shop: WaitingShop, client: WarrantyClient) -> None:
    wire = Wire(client._transport._pools.single_use)
    client._transport._pools = Pools(wire, wire)
    shop.order()
    began = shop.clock()
    while shop.clock() < began + timedelta(minutes=30):
        shop.clock.advance(shop.outbox.step() or timedelta())
    assert wire.calls == 1
    wire.is_cut, back = False, shop.clock()
    shop.clock.advance(LONGEST_PAUSE)  # right after a knock
    shop.send_all()
    assert (shop.stored(), wire.calls) == (["o-1"], 2)
    assert shop.clock() - back < timedelta(minutes=1)
