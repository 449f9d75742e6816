"""The desk when its journal cannot be written or loses its server: nothing goes out unnoted, and no answer is lost."""

from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from sandbox import SandboxServer
from tests.builders import checkout_of, order_of, sale_of
from tests.chain.two_servers import TwoServers
from tests.machine import program
from tests.warranty.conftest import Clock
from tests.warranty.desk.shop import Shop
from warranty.access import Operator
from warranty.client import WarrantyClient
from warranty.client.resources import Sale, SaleReceipt
from warranty.commands.housekeeping.opening import open_journal
from warranty.database.schema import writable_schema
from warranty.desk import Desk
from warranty.desk.journal import AttemptFilter, AttemptState, Journal
from warranty.errors import JournalUnavailable


class Unwritable:
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
def unwritable(journal: Journal) -> Unwritable:
    return Unwritable(journal)


@pytest.fixture
def unlucky(
    client: WarrantyClient, unwritable: Unwritable, clerk: Operator, sandbox: SandboxServer, clock: Clock
) -> Shop:
    desk = Desk(client=client, journal=unwritable, environment="sandbox")  # type: ignore[arg-type]
    return Shop(desk, clerk, sandbox, clock)


def test_without_an_intent_on_disk_nothing_is_sent(unlucky: Shop, unwritable: Unwritable) -> None:
    unwritable.fails = "begin"
    for resource in (order_of(order_id="o-1"), sale_of("o-1"), checkout_of("o-1")):
        with pytest.raises(JournalUnavailable):
            unlucky.send(resource)
    assert unlucky.sandbox.calls() == []
    unwritable.fails = ""
    assert unlucky.order().state is AttemptState.DONE


def test_an_answer_not_written_is_written_later(unlucky: Shop, desk: Desk, unwritable: Unwritable) -> None:
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


def test_an_intent_not_known_to_be_written_was_never_sent(unlucky: Shop, unwritable: Unwritable) -> None:
    unwritable.fails_after = "begin"
    with pytest.raises(JournalUnavailable):
        unlucky.order(draft="d")
    unwritable.fails_after = ""
    assert unlucky.now("d").state is AttemptState.NOT_SENT


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
