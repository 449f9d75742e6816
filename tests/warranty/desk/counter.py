"""A counter in a process of its own: it sells or imports what it is given until it is done, or killed."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier

from tests.builders import STAFF, order_of, sale_of
from tests.warranty.desk.place import Place
from warranty.client.resources import Sale
from warranty.desk import EarlierSending
from warranty.desk.journal import Drafts
from warranty.desk.order_imports import BatchSender


def send_all(place: Place, drafts: Sequence[str], *, threads: int, progress: Connection) -> None:
    """Send every draft: `order-...` an order of that id, `sale-ORDER` a sale on that order.

    As a screen does, it keeps the draft before it sends it. Says which draft is finished.
    """
    with place.opened() as (desk, journal):

        def send(draft: str) -> None:
            Drafts(journal.database, "sandbox", STAFF.username, draft).save(draft, {"zip": "02134"})
            kind, _, number = draft.partition("-")
            if kind == "order":
                desk.send(STAFF, order_of(order_id=number), draft_id=draft, screen="submit_order")
            else:
                desk.send(STAFF, sale_of(number), draft_id=draft, screen="record_sale")
            progress.send(draft)

        progress.send("open")
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(send, drafts))
        progress.send("finished")


def sell_each(place: Place, sales: Sequence[Sale], *, till: str, start: Barrier, progress: Connection) -> None:
    """Sell each at the same moment as the other tills, under drafts of this till; says what became of it."""
    with place.opened() as (desk, _):
        for sale in sales:
            start.wait(timeout=60)
            try:
                sold = desk.send(STAFF, sale, draft_id=f"{till}-{sale.id}", screen="record_sale")
            except EarlierSending as asked:
                progress.send(f"asked of {asked.earlier[0].order_id}")
            else:
                progress.send(f"{sold.state} {sale.id}")
        progress.send("finished")


def send_batch(place: Place, batch_id: str, *, progress: Connection) -> None:
    """Send what waits of the batch. Says whenever it looks at the batch's state, and when it is done."""

    def looks() -> bool:
        progress.send("looks")
        return False

    with place.opened() as (desk, _):
        BatchSender(desk=desk, operator=STAFF, concurrency=4, stopping=looks).run(batch_id)
        progress.send("finished")
