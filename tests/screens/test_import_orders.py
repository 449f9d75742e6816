"""Import, as the script draws it in each state of a batch."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox import SandboxServer
from tests.order_desk.conftest import FRENCH_IN_PARIS, many_orders
from tests.selling.stage import Stage, shown, words
from warranty.journal import BatchState, RowState
from warranty.order_files import Choices, assess_all
from warranty.orders_import import prepare


@pytest.fixture(scope="module")
def sandbox() -> Iterator[SandboxServer]:
    with SandboxServer() as running:
        yield running


@pytest.fixture
def stage(sandbox: SandboxServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    sandbox.reset()
    staged = Stage(sandbox, tmp_path, monkeypatch)
    yield staged
    staged.runtime.close()


def batch_of(stage: Stage, number: int) -> str:
    sources, layout = many_orders(number)
    return stage.runtime.journal.batches.begin(
        environment="sandbox",
        username="staff",
        file_name="a*file*.csv",
        layout=layout.as_json(),
        choices=Choices().as_json(),
        sources=[source.as_json() for source in sources],
    )


def test_without_a_batch_it_asks_for_a_file(stage: Stage) -> None:
    text = words(stage.screen("import_orders"))
    assert "Choose a file of orders" in text


def test_a_preview_sends_what_is_ready_and_shows_what_became_of_it(stage: Stage) -> None:
    assert FRENCH_IN_PARIS.id_column == "Id"
    batch_of(stage, 3)
    screen = stage.screen("import_orders")
    assert "3 orders: 3 ready, 0 to mend, 0 left out." in words(screen)
    next(button for button in screen.button if button.label == "Send 3 orders").click()
    screen.run()
    screen.run()
    assert "3 of 3 orders are stored." in words(screen)
    assert len(stage.sandbox.calls()) == 3


def test_a_batch_whose_program_stopped_says_so_and_goes_on(stage: Stage) -> None:
    batch_id = batch_of(stage, 2)
    batches = stage.runtime.journal.batches
    sources, layout = many_orders(2)
    prepare(batches, batch_id, assess_all(sources, layout, Choices()))
    screen = stage.screen("import_orders")
    assert "The program stopped while it sent these orders." in words(screen)
    next(button for button in screen.button if button.label == "Go on").click()
    screen.run()
    screen.run()
    assert batches.batch(batch_id).state is BatchState.FINISHED
    assert batches.counts(batch_id) == {RowState.DONE: 2}


def faulty_batch(stage: Stage, number: int) -> str:
    sources, layout = many_orders(number)
    return stage.runtime.journal.batches.begin(
        environment="sandbox",
        username="staff",
        file_name="orders.csv",
        layout=layout.as_json(),
        choices=Choices().as_json(),
        sources=[source.with_value(None, "email", "").as_json() for source in sources],
    )


def test_three_hundred_faults_are_paged_and_none_is_out_of_reach(stage: Stage) -> None:
    faulty_batch(stage, 300)
    screen = stage.screen("import_orders")
    assert "To mend (300)" in words(screen)
    assert "Faults 1 to 10 of 300" in words(screen)
    screen.pagination[0].set_value(30)
    shown(screen.run())
    assert "Faults 291 to 300 of 300" in words(screen)
    last = next(field for field in screen.text_input if field.label.startswith("New text for row 301,"))
    last.set_value("ada@example.com")
    assert "To mend (299)" in words(shown(screen.run()))


def test_one_text_mends_every_row_with_the_same_fault(stage: Stage) -> None:
    faulty_batch(stage, 25)
    screen = stage.screen("import_orders")
    screen.pagination[0].set_value(3)
    shown(screen.run())
    next(field for field in screen.text_input if field.label == "Text for all of them").set_value(
        "counter@example.com"
    )
    next(button for button in screen.button if button.label == "Put it into 25 rows").click()
    assert "25 orders: 25 ready, 0 to mend, 0 left out." in words(shown(screen.run()))
