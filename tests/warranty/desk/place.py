"""Where a program of a test sends, and where it keeps its journal."""

import ssl
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import timedelta

from warranty.client import Pacing, Timeouts, WarrantyClient
from warranty.commands.housekeeping.opening import open_journal
from warranty.desk import Desk
from warranty.desk.journal import Journal


@dataclass(frozen=True)
class Place:
    """Picklable, so that a process of its own can be told."""

    base_url: str
    private_token: str
    public_token: str
    ca_file: str
    journal_url: str

    @contextmanager
    def opened(self) -> Iterator[tuple[Desk, Journal]]:
        """A desk there that repeats nothing, and its journal."""
        client = WarrantyClient(
            self.base_url, private_token=self.private_token, public_token=self.public_token,
            timeouts=Timeouts(read=timedelta(seconds=10)), pacing=Pacing(repeats=0),
            verify=ssl.create_default_context(cafile=self.ca_file),
        )  # fmt: skip
        with client, closing(open_journal(self.journal_url)) as journal:
            yield Desk(client=client, journal=journal, environment="sandbox"), journal
