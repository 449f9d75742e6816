"""An import in a process of its own: it sends a batch until it is done, or killed."""

import ssl
from dataclasses import dataclass
from datetime import timedelta
from multiprocessing.connection import Connection

from warranty.access import Operator, Role
from warranty.client import Pacing, Timeouts, WarrantyClient
from warranty.desk import Desk
from warranty.journal import open_journal
from warranty.orders_import import BatchSender

CLERK = Operator("dana", "Dana Fields", Role.STAFF)


@dataclass(frozen=True)
class Importer:
    """Where an import sends, and where it keeps its journal; picklable."""

    base_url: str
    private_token: str
    public_token: str
    ca_file: str
    journal_url: str

    def run(self, batch_id: str, progress: Connection) -> None:
        """Send what waits of the batch. Says whenever it looks at the batch's state, and when it is done."""
        journal = open_journal(self.journal_url)
        client = WarrantyClient(
            self.base_url,
            private_token=self.private_token,
            public_token=self.public_token,
            timeouts=Timeouts(read=timedelta(seconds=10)),
            pacing=Pacing(repeats=0),
            verify=ssl.create_default_context(cafile=self.ca_file),
        )

        def looks() -> bool:
            progress.send("looks")
            return False

        BatchSender(
            desk=Desk(client=client, journal=journal, environment="sandbox"),
            batches=journal.batches,
            concurrency=4,
            stopping=looks,
        ).run(CLERK, batch_id)
        progress.send("finished")
        client.close()
        journal.close()
