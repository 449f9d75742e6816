"""A counter in a process of its own: it sells what it is given until it is done, or killed."""

import ssl
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta
from multiprocessing.connection import Connection

from tests.journal.shop import order_of, sale_of
from warranty.access import Operator, Role
from warranty.client import Pacing, Timeouts, WarrantyClient
from warranty.desk import Desk
from warranty.journal import open_journal

CLERK = Operator("dana", "Dana Fields", Role.STAFF)


@dataclass(frozen=True)
class Counter:
    """Where a counter sends, and where it keeps its journal; picklable."""

    base_url: str
    private_token: str
    public_token: str
    ca_file: str
    journal_url: str

    def run(self, drafts: Sequence[str], *, threads: int, progress: Connection) -> None:
        """Send every draft: `order-...` an order of that id, `sale-ORDER` a sale on that order.

        As a screen does, it keeps the draft before it sends it. Says which draft is finished.
        """
        journal = open_journal(self.journal_url)
        client = WarrantyClient(
            self.base_url,
            private_token=self.private_token,
            public_token=self.public_token,
            timeouts=Timeouts(read=timedelta(seconds=10)),
            pacing=Pacing(repeats=0),
            verify=ssl.create_default_context(cafile=self.ca_file),
        )
        desk = Desk(client=client, journal=journal, environment="sandbox")

        def send(draft: str) -> None:
            journal.drafts.save(
                environment="sandbox", username="dana", screen=draft, draft_id=draft, content={"zip": "02134"}
            )
            kind, _, number = draft.partition("-")
            if kind == "order":
                desk.submit_order(CLERK, order_of(number), draft_id=draft, screen="submit_order")
            else:
                desk.record_sale(CLERK, sale_of(number), draft_id=draft, screen="record_sale")
            progress.send(draft)

        progress.send("open")
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(send, drafts))
        progress.send("finished")
        client.close()
        journal.close()
