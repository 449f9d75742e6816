"""The sending of an import: every order accounted for, none sent twice, whatever happens between."""

import itertools
import re
import sqlite3
import tracemalloc
from datetime import timedelta
from pathlib import Path
from unittest.mock import Mock

import pytest

from tests.builders import LAMP, STAFF, order_of
from tests.warranty.files.conftest import CONCURRENCY, EXPORT, FRENCH_IN_PARIS, Counter, begun, judged, orders_of
from warranty.client.pacing import FULL
from warranty.clock import utc_now
from warranty.desk.journal import Batches, BatchState, Intent, RowState
from warranty.desk.order_imports import UNFINISHED, prepare, send_in_background
from warranty.errors import JournalUnavailable

KINDS = ("status", "drop_before_write", "drop_after_write", "truncated_body", "not_json")


def failing_every_tenth_call(counter: Counter) -> None:
    kinds = itertools.cycle(KINDS)

    def before(number: int) -> None:
        if number % 10 == 0:
            counter.sandbox.add_fault(operation="submit_order", kind=next(kinds))

    counter.line.before = before


def test_all_sixty_orders_of_the_export_are_accounted_for_and_erased(counter: Counter, tmp_path: Path) -> None:
    sources, layout = orders_of(EXPORT.read_bytes())
    batch_id = counter.begin(sources, layout, FRENCH_IN_PARIS)
    assert prepare(counter.batches, batch_id, judged(sources, layout, FRENCH_IN_PARIS))
    assert not prepare(counter.batches, batch_id, judged(sources, layout, FRENCH_IN_PARIS)), "once for a preview"
    counter.sender().run(batch_id)
    assert counter.batches.batch(batch_id).state is BatchState.FINISHED
    assert not prepare(counter.batches, batch_id, judged(sources, layout, FRENCH_IN_PARIS))
    assert counter.batches.counts(batch_id) == {RowState.DONE: 55, RowState.LEFT_OUT: 4, RowState.FAULTY: 1}
    assert len(counter.stored()) == 55
    orders = counter.batches.orders(batch_id)
    assert all(order.result["landing_url"].endswith(order.order_id) for order in orders if order.state is RowState.DONE)
    (faulty,) = (order for order in orders if order.state is RowState.FAULTY)
    assert "row 34, Email" in faulty.result["words"]
    assert len([order.number for order in orders if order.source or order.body]) == 5
    counter.batches.close(batch_id)
    with sqlite3.connect(tmp_path / "journal.sqlite3") as database:
        dumped = "\n".join(database.iterdump())
    assert [name for name in ("customer22", "Whitfield") if name in dumped] == []
    assert counter.batches.open_batch() is None


@pytest.mark.parametrize("number", [60, pytest.param(1_000, marks=pytest.mark.long)])
def test_every_tenth_call_fails_and_every_order_is_stored_once_in_flat_memory(counter: Counter, number: int) -> None:
    batch_id = begun(counter.batches, number)
    failing_every_tenth_call(counter)
    tracemalloc.start()
    counter.sender().run(batch_id)
    held, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert counter.batches.counts(batch_id) == {RowState.DONE: number}
    assert len(counter.stored()) == len(set(counter.stored())) == number
    # The sandbox runs in this process and keeps its ledger: the sender's own part is far below this.
    assert held < 20 * 1024 * 1024
    assert peak < 40 * 1024 * 1024


def test_an_order_that_a_stopped_process_holds_is_named_with_the_time_that_it_is_held(counter: Counter) -> None:
    batch_id = begun(counter.batches, 2)
    held = counter.batches.orders(batch_id)[1]
    now = utc_now()
    intent = Intent(
        attempt_id="a" * 32, draft_id=held.draft_id, operation="submit_order", username="staff",
        operator_name="Sam Counter", screen="import_orders", environment="sandbox", order_id=held.order_id,
        started_at=now, deadline=now + timedelta(seconds=100), items=(), body={},
    )  # fmt: skip
    counter.journal.begin(intent)
    notes = []

    def wait(_seconds: float) -> None:
        notes.append(counter.batches.batch(batch_id).note)
        counter.batches.set_state(batch_id, BatchState.PAUSED)

    counter.sender(wait=wait).run(batch_id)
    assert counter.batches.counts(batch_id) == {RowState.DONE: 1, RowState.WAITING: 1}
    assert re.match(r"1 order is held by the sending that stopped.* within (9\d|100) seconds", notes[0])


@pytest.mark.parametrize(("status", "why"), [
    (0, "could not be reached"), (503, "did not answer as it should"), (403, "did not answer as it should"),
    (401, "accept this shop's access"),
])  # fmt: skip
def test_a_service_in_trouble_pauses_the_batch_and_is_asked_little(counter: Counter, status: int, why: str) -> None:
    import httpx

    batch_id = begun(counter.batches, 50)

    def away(number: int) -> None:
        if not status:
            raise httpx.ConnectError("no route")

    counter.line.before = away
    counter.sandbox.add_fault(operation="submit_order", kind="status", status=status or 503, times=1000)
    counter.sender().run(batch_id)
    batch = counter.batches.batch(batch_id)
    assert (batch.state, counter.batches.counts(batch_id)) == (BatchState.PAUSED, {RowState.WAITING: 50})
    assert why in batch.note
    assert counter.line.requests <= 8 + CONCURRENCY + FULL
    counter.line.before = lambda number: None
    counter.sandbox.clear_faults()
    counter.batches.set_state(batch_id, BatchState.SENDING)
    counter.sender().run(batch_id)
    assert counter.batches.counts(batch_id) == {RowState.DONE: 50}


def test_what_stays_uncertain_is_told_and_sent_again_on_request(counter: Counter) -> None:
    batch_id = begun(counter.batches, 3)
    counter.sandbox.add_fault(operation="submit_order", kind="drop_after_write", times=100)
    counter.sender().run(batch_id)
    assert counter.batches.counts(batch_id) == {RowState.UNKNOWN: 3}
    assert all("don't know" in order.result["words"] for order in counter.batches.orders(batch_id))
    counter.sandbox.reset()
    counter.batches.wait_again(batch_id, UNFINISHED)
    counter.batches.set_state(batch_id, BatchState.SENDING)
    counter.sender().run(batch_id)
    assert counter.batches.counts(batch_id) == {RowState.DONE: 3}


def test_a_refused_order_tells_the_words_of_the_service_and_the_others_go_on(counter: Counter) -> None:
    batch_id = begun(counter.batches, 5)
    counter.sandbox.add_fault(operation="submit_order", kind="status", status=400, times=1)
    counter.sender().run(batch_id)
    assert counter.batches.counts(batch_id) == {RowState.DONE: 4, RowState.REFUSED: 1}
    counter.batches.preview_again(batch_id)
    assert counter.batches.batch(batch_id).state is BatchState.PREVIEW
    assert counter.batches.counts(batch_id) == {RowState.DONE: 4, RowState.READ: 1}


def test_a_journal_that_cannot_be_written_pauses_instead_of_losing(counter: Counter) -> None:
    batch_id = begun(counter.batches, 3)
    broken = Mock(run=Mock(side_effect=JournalUnavailable("The journal cannot be written (full).")))
    send_in_background(broken, counter.batches, batch_id)()
    batch = counter.batches.batch(batch_id)
    assert (batch.state, batch.note) == (BatchState.PAUSED, "The journal cannot be written (full).")


def test_orders_sent_before_are_recognised_by_the_journal(counter: Counter) -> None:
    batch_id = begun(counter.batches, 3)
    counter.sender().run(batch_id)
    ids = [order.order_id for order in counter.batches.orders(batch_id)]
    found = counter.batches.sent_before([*ids, "another"])
    assert [found[order_id].names for order_id in ids] == [frozenset({order_id}) for order_id in ids]
    assert (len(found), found[ids[0]].products) == (3, frozenset({"TV-1"}))
    assert Batches(counter.journal.database, "production", STAFF.username).sent_before(ids) == {}


def test_an_order_whose_id_another_customers_order_has_is_refused_and_the_rest_goes_on(counter: Counter) -> None:
    batch_id = begun(counter.batches, 3)
    other = order_of(LAMP, order_id=counter.batches.orders(batch_id)[0].order_id)
    counter.desk.send(STAFF, other, draft_id="at the counter", screen="submit_order")
    counter.sender().run(batch_id)
    assert counter.batches.counts(batch_id) == {RowState.DONE: 2, RowState.REFUSED: 1}
    (refused,) = counter.batches.orders(batch_id, states=(RowState.REFUSED,))
    said = str((refused.result or {})["words"])
    assert [words for words in ("This number is taken", "1 × Arc floor lamp") if words not in said] == []
