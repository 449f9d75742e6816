"""A journal on two PostgreSQL servers: what was confirmed is there when the first one is gone, and work goes on."""

from typing import Any

import pytest

from tests.builders import order_of, sale_of
from tests.chain.two_servers import TwoServers
from tests.machine import program
from warranty.access import Operator
from warranty.client import WarrantyClient
from warranty.client.resources import Sale, SaleReceipt
from warranty.commands.housekeeping.opening import open_journal
from warranty.database.schema import writable_schema
from warranty.desk import Desk
from warranty.desk.journal import AttemptFilter, AttemptState

pytestmark = pytest.mark.postgres


class ClientThatSees:
    """The client, and what happens right after the service has acted on a sale."""

    def __init__(self, client: WarrantyClient, servers: TwoServers) -> None:
        self._client = client
        self._servers = servers

    def record_sale(self, sale: Sale, *, attempt_id: str) -> SaleReceipt:
        receipt = self._client.record_sale(sale, attempt_id=attempt_id)
        self._servers.primary.kill()
        return receipt

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)


def test_nothing_confirmed_is_lost_with_the_first_server(client: WarrantyClient, clerk: Operator) -> None:
    program("postgres", package="postgresql")
    with TwoServers() as servers:
        journal = open_journal(servers.url)
        seeing: Any = ClientThatSees(client, servers)
        desk = Desk(client=seeing, journal=journal, environment="sandbox")
        order = desk.send(clerk, order_of(order_id="o-1"), draft_id="a", screen="submit_order")
        sale = desk.send(clerk, sale_of("o-1"), draft_id="b", screen="record_sale")
        assert (sale.state, sale.journalled) == (AttemptState.DONE, False)
        servers.promote()
        assert writable_schema(journal.database).fits  # the promotion has ended: at once
        desk.activity.attempts(clerk, AttemptFilter())  # whatever is looked at next writes what is not written yet
        elsewhere = open_journal(servers.url)
        found = elsewhere.attempts("sandbox", AttemptFilter())
        assert {(one.attempt_id, one.state) for one in found} == {
            (order.attempt_id, AttemptState.DONE),
            (sale.attempt_id, AttemptState.DONE),
        }
        elsewhere.close()
        journal.close()
