"""An import in a process of its own: it sends a batch until it is done, or killed."""

from multiprocessing.connection import Connection

from tests.warranty.desk.counter import CLERK
from tests.warranty.desk.place import Place
from warranty.desk.order_imports import BatchSender


def send_batch(place: Place, batch_id: str, *, progress: Connection) -> None:
    """Send what waits of the batch. Says whenever it looks at the batch's state, and when it is done."""

    def looks() -> bool:
        progress.send("looks")
        return False

    with place.opened() as (desk, _):
        BatchSender(desk=desk, operator=CLERK, concurrency=4, stopping=looks).run(batch_id)
        progress.send("finished")
