"""Several desks on one journal: one sends what waits, and when it dies another one does."""

from collections import Counter
from datetime import timedelta

import pytest

from sandbox import SandboxServer
from tests.warranty.desk.outbox.poster import post
from tests.warranty.desk.outbox.waiting_shop import WaitingShop
from tests.warranty.desk.place import Place
from tests.warranty.desk.processes import running
from warranty.client import WarrantyClient
from warranty.clock import utc_now
from warranty.commands.housekeeping.opening import open_journal
from warranty.desk import Desk
from warranty.desk.journal import AttemptFilter, AttemptState
from warranty.desk.outbox.outbox import Outbox

pytestmark = pytest.mark.both_databases


def sent(sandbox: SandboxServer) -> Counter[str]:
    return Counter(call["order_id"] for call in sandbox.calls() if "order_id" in call)


def test_two_desks_send_what_waits_once(place: Place, shop: WaitingShop, sandbox: SandboxServer) -> None:
    orders = [f"o-{number}" for number in range(5)]
    shop.let_wait(*orders)
    tried = sent(sandbox)
    with running(post, place) as (_, one), running(post, place) as (_, other):
        for told in (one, other):
            assert [told.recv(), told.recv()] == ["begun", "finished"]
    assert sent(sandbox) - tried == Counter(orders)


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

    later = open_journal(place.journal_url, clock=lambda: utc_now() + timedelta(hours=1))
    survivor = Desk(client=client, journal=later, environment="sandbox")
    Outbox(later, survivor.sender, "sandbox", budget=client.retry_budget).step()
    done = later.count("sandbox", AttemptFilter(states=frozenset({AttemptState.DONE})))
    later.close()
    assert done == len(orders)
    assert {call["order_id"] for call in sandbox.calls() if call["written"]} == set(orders)
