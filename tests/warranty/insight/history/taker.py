"""A `history take` in a process of its own, which tells how far it is and waits there."""

import os
from collections.abc import Mapping
from itertools import count
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Event

from warranty.__main__ import main
from warranty.client import WarrantyClient
from warranty.client.resources import ClaimQuery
from warranty.database.leases import Lease


def take(environ: Mapping[str, str], *, waits_at: int, go: Event, progress: Connection) -> None:
    """Say `reading` before the call of number `waits_at`, and `written` before the night appears; wait for `go` there.

    At the end say the exit status.
    """
    os.environ.update(environ)
    ask, asked, renew = WarrantyClient.claims_body, count(1), Lease.renew

    def told(client: WarrantyClient, query: ClaimQuery) -> bytes:
        if next(asked) == waits_at:
            progress.send("reading")
            go.wait(60)
        return ask(client, query)

    def told_at_last(lease: Lease) -> None:
        progress.send("written")
        go.wait(60)
        renew(lease)

    WarrantyClient.claims_body = told  # type: ignore[method-assign, assignment]
    Lease.renew = told_at_last  # type: ignore[method-assign, assignment]
    progress.send(main(["history", "take", "--quiet"]))
