"""A whole outage, by the journal's clock: how many calls it makes, and how soon after it everything is stored."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

import httpx
import pytest

from tests.builders import LAMP, TV, order_of
from tests.warranty.outbox.waiting_shop import Shop
from warranty.access import Operator
from warranty.client import WarrantyClient
from warranty.client.pacing import FULL
from warranty.client.tls import Knock
from warranty.client.transport import Pools
from warranty.desk import Desk
from warranty.journal import Attempt, AttemptState
from warranty.landing import landing_page_url
from warranty.outbox.outbox import LONGEST_PAUSE


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
    """An outage of 30 minutes: the calls until its end, the orders of it, and how long after it the last was stored."""

    calls: int
    orders: list[Attempt]
    stored_after: timedelta


def outage(shop: Shop, tills: list[tuple[Desk, Operator]], *, an_order_every: timedelta) -> Outage:
    """By the journal's clock, tills in turn; it ends at the worst moment, right after a try."""
    shop.is_away(times=100_000)
    began, calls = shop.clock(), 0
    orders: list[Attempt] = []
    probe_at = began
    back: datetime | None = None
    waiting = True
    while waiting or back is None:
        now, number = shop.clock(), len(orders)
        assert now < began + timedelta(minutes=40)
        if now >= began + an_order_every * number and now < began + timedelta(minutes=30):
            till, person = tills[number % len(tills)]
            order = order_of(TV if number % 3 else LAMP, order_id=f"o-{number:03}")
            orders.append(till.send(person, order, draft_id=f"d-{number}", screen="submit_order"))
        elif now >= probe_at:
            made = len(shop.sandbox.calls())
            pause = shop.outbox.step()
            waiting = pause is not None
            probe_at = now + (pause or timedelta(seconds=2))
            if back is None and now >= began + timedelta(minutes=30) and len(shop.sandbox.calls()) > made:
                back, calls = now, made
                shop.is_back()
        shop.clock.advance(timedelta(seconds=0.1))
    assert Counter(shop.stored()) == Counter([one.order_id for one in orders])
    assert {shop.now(one).state for one in orders} == {AttemptState.DONE}
    assert [shop.now(one).landing_url for one in orders] == [one.landing_url for one in orders]
    assert shop.came_back() == []
    return Outage(calls, orders, shop.clock() - back)


@pytest.mark.soak
def test_a_30_minute_outage_on_two_tills_with_100_orders(
    shop: Shop, client: WarrantyClient, colleague: Operator
) -> None:
    pages = partial(landing_page_url, shop.sandbox.landing_url, shop.sandbox.retailer_uuid)
    second = Desk(client=client, journal=shop.journal, environment="sandbox", landing_page=pages)
    tills = [(shop.desk, shop.clerk), (second, colleague)]
    seen = outage(shop, tills, an_order_every=timedelta(seconds=18))
    assert len(seen.orders) == 100
    assert seen.calls <= 1.3 * 100
    assert seen.stored_after < timedelta(seconds=60)


def test_in_a_quiet_shop_an_outage_is_probed_once_a_minute_so_that_its_end_is_found(shop: Shop) -> None:
    seen = outage(shop, [(shop.desk, shop.clerk)], an_order_every=timedelta(minutes=30))
    assert len(seen.orders) == 1
    assert seen.calls <= 1 + FULL + 30
    assert seen.stored_after < timedelta(seconds=65)


def test_while_nothing_leaves_this_machine_the_queue_knocks_and_makes_no_call_in_any_shop(
    shop: Shop, client: WarrantyClient
) -> None:
    wire = Wire(client._transport._pools.single_use)
    client._transport._pools = Pools(wire, wire)
    shop.order("o-1")
    began = shop.clock()
    while shop.clock() < began + timedelta(minutes=30):
        shop.clock.advance(shop.outbox.step() or timedelta())
    assert wire.calls == 1
    wire.is_cut, back = False, shop.clock()
    shop.clock.advance(LONGEST_PAUSE)  # right after a knock
    shop.send_all()
    assert (shop.stored(), wire.calls) == (["o-1"], 2)
    assert shop.clock() - back < timedelta(minutes=1)
