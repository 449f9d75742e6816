"""Several desks on one journal: one sends what waits, and when it dies another one does."""

from collections import Counter
from collections.abc import Sequence
from datetime import timedelta

from sandbox import SandboxServer
from tests.builders import order_of
from tests.warranty.desk.place import Place
from tests.warranty.desk.processes import running
from tests.warranty.outbox.poster import post
from warranty.access import Operator
from warranty.client import WarrantyClient
from warranty.desk import Desk
from warranty.journal import AttemptFilter, AttemptState, open_journal, utc_now
from warranty.outbox.outbox import Outbox


def let_wait(desk: Desk, clerk: Operator, sandbox: SandboxServer, orders: Sequence[str]) -> None:
    sandbox.add_fault("submit_order", "drop_before_write", times=1000)
    for order in orders:
        desk.send(clerk, order_of(order_id=order), draft_id=f"d-{order}", screen="submit_order")
    sandbox.clear_faults()


def sent(sandbox: SandboxServer) -> Counter[str]:
    """How often the service got each order."""
    return Counter(call["order_id"] for call in sandbox.calls() if "order_id" in call)


def test_two_desks_of_one_journal_send_each_order_that_waits_once(
    place: Place, desk: Desk, clerk: Operator, sandbox: SandboxServer
) -> None:
    orders = [f"o-{number}" for number in range(12)]
    let_wait(desk, clerk, sandbox, orders)
    with running(post, place) as (_, one), running(post, place) as (_, other):
        for told in (one, other):
            assert [told.recv(), told.recv()] == ["begun", "finished"]
    assert sent(sandbox) == Counter(orders)


def test_when_the_desk_that_sends_is_killed_another_goes_on_and_nothing_is_lost(
    place: Place, desk: Desk, client: WarrantyClient, clerk: Operator, sandbox: SandboxServer
) -> None:
    orders = [f"o-{number}" for number in range(6)]
    let_wait(desk, clerk, sandbox, orders)
    sandbox.add_fault("submit_order", "delay", seconds=5)
    with running(post, place) as (killed, told):
        assert told.recv() == "begun"
        while not sent(sandbox):  # its first call is on its way: stored, and not answered yet
            assert killed.is_alive()
            killed.join(timeout=0.02)
        killed.kill()
    with running(post, place) as (_, told):
        assert [told.recv(), told.recv()] == ["begun", "finished"]
    assert sent(sandbox) == Counter(orders)

    later = open_journal(place.journal_url, clock=lambda: utc_now() + timedelta(hours=1))
    survivor = Desk(client=client, journal=later, environment="sandbox")
    Outbox(later, survivor.sender, "sandbox", budget=client.retry_budget).step()
    done = later.count("sandbox", AttemptFilter(states=frozenset({AttemptState.DONE})))
    later.close()
    assert done == len(orders)
    assert {call["order_id"] for call in sandbox.calls() if call["written"]} == set(orders)
