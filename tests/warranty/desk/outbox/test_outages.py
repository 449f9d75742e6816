"""A whole outage, by the journal's clock: how many calls it makes, and how soon after it everything is stored."""

from collections import Counter
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial

import httpx
import pytest

from tests.builders import LAMP, TV
from tests.warranty.desk.outbox.waiting_shop import WaitingShop
from warranty.access import Operator
from warranty.client import WarrantyClient
from warranty.client.pacing import FULL
from warranty.client.resources.landing import landing_page_url
from warranty.client.tls import Knock
from warranty.client.transport import Pools
from warranty.desk import Desk
from warranty.desk.journal import Attempt, AttemptState
from warranty.desk.outbox.outbox import LONGEST_PAUSE


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
    began, calls = shop.clock(), 0
    orders: list[Attempt] = []
    probe_at = began
    back: datetime | None = None
    waiting = True
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
