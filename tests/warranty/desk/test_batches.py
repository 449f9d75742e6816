"""Imports on each database: paused, killed in the middle, and sent by two processes at once."""

from datetime import UTC, datetime, timedelta

from sqlalchemy import update

from sandbox import SandboxServer
from tests.warranty.conftest import Clock
from tests.warranty.desk.counter import CLERK
from tests.warranty.desk.importer import send_batch
from tests.warranty.desk.place import Place
from tests.warranty.desk.processes import running
from tests.warranty.files.conftest import judged, many_orders
from warranty.desk import Desk
from warranty.desk.order_imports import BatchSender, prepare
from warranty.files.order_files.assessment import Choices
from warranty.journal import BatchState, Journal, RowState
from warranty.journal.tables import LEASES


def begun(journal: Journal, number: int) -> str:
    sources, layout = many_orders(number)
    batch_id = journal.batches("sandbox", CLERK.username).begin(
        file_name="orders.csv",
        layout=layout.model_dump(),
        choices=Choices().model_dump(),
        sources=[source.model_dump() for source in sources],
    )
    assert prepare(journal.batches("sandbox", CLERK.username), batch_id, judged(sources, layout, Choices()))
    return batch_id


def stored(sandbox: SandboxServer) -> list[str]:
    return [str(call["order_id"]) for call in sandbox.calls() if call["written"]]


def test_a_paused_import_keeps_the_rest_and_goes_on_with_it(
    desk: Desk, journal: Journal, sandbox: SandboxServer
) -> None:
    batch_id = begun(journal, 40)

    def pause() -> bool:
        if journal.batches("sandbox", CLERK.username).counts(batch_id).get(RowState.DONE, 0) >= 5:
            journal.batches("sandbox", CLERK.username).set_state(
                batch_id, BatchState.PAUSED, only_from=(BatchState.SENDING,)
            )
        return False

    sender = BatchSender(desk=desk, operator=CLERK, concurrency=4, stopping=pause)
    sender.run(batch_id)
    counts = journal.batches("sandbox", CLERK.username).counts(batch_id)
    assert journal.batches("sandbox", CLERK.username).batch(batch_id).state is BatchState.PAUSED
    assert 5 <= counts[RowState.DONE] < 40
    assert counts[RowState.WAITING] == 40 - counts[RowState.DONE]
    assert len(stored(sandbox)) == counts[RowState.DONE]
    journal.batches("sandbox", CLERK.username).set_state(
        batch_id, BatchState.SENDING, only_from=(BatchState.PAUSED,)
    )
    BatchSender(desk=desk, operator=CLERK, concurrency=4).run(batch_id)
    assert journal.batches("sandbox", CLERK.username).counts(batch_id) == {RowState.DONE: 40}
    assert journal.batches("sandbox", CLERK.username).batch(batch_id).state is BatchState.FINISHED
    assert len(stored(sandbox)) == len(set(stored(sandbox))) == 40


def test_an_import_whose_process_was_killed_goes_on_and_no_order_is_stored_twice(
    desk: Desk, journal: Journal, clock: Clock, sandbox: SandboxServer, place: Place
) -> None:
    batch_id = begun(journal, 60)
    sandbox.add_fault(operation="submit_order", kind="delay", seconds=0.1, times=60)
    with running(send_batch, place, batch_id) as (process, told):
        for _ in range(3):  # before the first order, and after some were written down
            assert told.recv() == "looks"
        process.kill()
        process.join()
    counts = journal.batches("sandbox", CLERK.username).counts(batch_id)
    assert 0 < counts[RowState.DONE] < 60
    assert journal.batches("sandbox", CLERK.username).batch(batch_id).state is BatchState.SENDING
    sandbox.clear_faults()
    clock.advance(timedelta(days=365))  # beyond the time of the process: what was on its way is late now
    assert journal.batches("sandbox", CLERK.username).is_being_sent(batch_id), "as far as others know"
    BatchSender(desk=desk, operator=CLERK, concurrency=4).run(batch_id)
    assert journal.batches("sandbox", CLERK.username).counts(batch_id) == counts
    with journal._database.write() as connection:  # seconds later
        connection.execute(update(LEASES).values(until=datetime.now(UTC)))
    assert not journal.batches("sandbox", CLERK.username).is_being_sent(batch_id)
    BatchSender(desk=desk, operator=CLERK, concurrency=4).run(batch_id)
    assert journal.batches("sandbox", CLERK.username).counts(batch_id) == {RowState.DONE: 60}
    assert len(stored(sandbox)) == len(set(stored(sandbox))) == 60
    # Only what was on its way was asked a second time.
    assert len(sandbox.calls()) <= 64


def test_two_processes_on_one_import_send_each_order_once(
    journal: Journal, sandbox: SandboxServer, place: Place
) -> None:
    batch_id = begun(journal, 40)
    with (
        running(send_batch, place, batch_id) as (_, first),
        running(send_batch, place, batch_id) as (_, second),
    ):
        for told in (first, second):
            while told.recv() != "finished":
                pass
    assert journal.batches("sandbox", CLERK.username).counts(batch_id) == {RowState.DONE: 40}
    assert len(stored(sandbox)) == len(set(stored(sandbox))) == len(sandbox.calls()) == 40
