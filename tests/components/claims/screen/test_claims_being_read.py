"""Claims while they are read: how far, stopped by one of those who wait, left by another."""

import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.builders import MANAGER, STAFF
from tests.components.claims.screen.screen import FILES, labels, open_row, read, read_by, with_files
from tests.components.stage import Stage, press, says, says_not, shown, table, words
from tests.waiting import until
from tests.warranty.claims.readings.kept_claims import Clock
from warranty.claims.retrieval import ClaimSet, Progress, retrieve_claims
from warranty.client.resources import ClaimQuery
from warranty.language import Sentence


class Slow:
    """A reader that reads when it is let go, and gives a part when it is stopped; `brings` are parts on the way."""

    def __init__(self, stage: Stage, clock: Clock) -> None:
        self._client = stage.runtime.service.client
        self._clock = clock
        self.brings: SimpleQueue[int] = SimpleQueue()
        self.let_go = threading.Event()

    def __call__(
        self, query: ClaimQuery, *, progress: Callable[[Progress], None], cancel: threading.Event, **_: Any
    ) -> ClaimSet:
        whole = retrieve_claims(self._client, query)
        progress(Progress(120, 480, 3, timedelta(seconds=3)))
        while not self.let_go.wait(0.01):
            with suppress(Empty):
                share = self.brings.get_nowait()
                part = partial(oldest, whole, share)
                self._clock.now += timedelta(seconds=10)
                progress(Progress(share, 480, 3, timedelta(seconds=3), part=part))
            if cancel.is_set():
                rest: Any = "what is still to be read"
                return replace(whole, received=120, reasons=(Sentence("Reading was stopped."),), rest=rest)
        return whole


def oldest(whole: ClaimSet, many: int) -> ClaimSet:
    dates = sorted(whole.frame["claim_date"])
    return replace(whole, table=whole.table.dated((dates[0], dates[many - 1])), received=many, still_reading=True)


@pytest.fixture
def slow(stage: Stage) -> Iterator[Slow]:
    clock = Clock()
    reader = Slow(stage, clock)
    read_by(stage, reader, now=clock)
    yield reader
    reader.let_go.set()


def until_read(test: AppTest, seal: str) -> None:
    while seal not in words(test):
        shown(test.run())


def test_a_long_reading_shows_its_progress_and_stops_as_incomplete(stage: Stage, slow: Slow) -> None:
    test = stage.screen("claims", MANAGER, query={"period": "all"})
    while "120 of 480" not in test.get("progress")[0].proto.text:
        shown(test.run())
    assert test.get("progress")[0].proto.text == "Reading claims: 120 of 480 (25 %), about 9 s left"
    assert table(test).empty
    read(stage, press(test, "Stop reading"))
    assert "incomplete: 120 of 480" in words(test)
    for said in ("Not all claims are here.", "Reading was stopped.", "choose Refresh: it goes on from here"):
        assert said in words(test)
    assert not slow.let_go.is_set()


def test_claims_are_shown_while_more_are_read_and_a_part_concludes_nothing(stage: Stage, slow: Slow) -> None:
    test = stage.screen("claims", MANAGER, query={"period": "all", "sort": "product"})
    slow.brings.put(120)
    until_read(test, "120 of 480, still reading")
    assert len(table(test)) == 120
    assert table(test)["product_name"].str.casefold().is_monotonic_increasing
    assert "120 of 480, still reading" in table(test).attrs["caption"]
    test.session_state["claims:chart"] = True
    test.session_state["claims-more"] = True
    shown(with_files(test))
    assert not test.get("plotly_chart")
    assert labels(test) == set()
    says_not(test, " claims · ", "complete")
    assert "Refresh" not in [button.label for button in test.button]
    assert not next(each for each in test.multiselect if each.label == "Status").options  # with their counts
    slow.brings.put(240)
    until_read(test, "240 of 480, still reading")
    slow.let_go.set()
    read(stage, test)
    says(test, "complete: 480 of 480", "480 claims · ")
    assert labels(test) == FILES


def test_a_claim_that_is_open_stays_the_same_while_others_come_before_it(stage: Stage, slow: Slow) -> None:
    test = stage.screen("claims", MANAGER, query={"period": "all"})
    slow.brings.put(120)
    until_read(test, "120 of 480, still reading")
    open_row(test, 3)
    assert "4 of 120 read so far" in words(test)
    order = next(part.proto.json for part in test.get("bidi_component") if "order number" in part.proto.json)
    slow.brings.put(240)
    until_read(test, "240 of 480, still reading")
    assert "124 of 240 read so far" in words(test)
    assert order in [part.proto.json for part in test.get("bidi_component")]


def test_overview_waits_for_all_claims(stage: Stage, slow: Slow) -> None:
    test = stage.screen("overview", MANAGER)
    slow.brings.put(120)
    while stage.runtime.claims.look(ClaimQuery()).part is None:
        shown(test.run())
    shown(test.run())
    assert not test.get("plotly_chart")
    assert "still reading" not in words(test)


def test_stopping_before_the_first_answer_is_not_told_as_if_no_claims_fitted(stage: Stage) -> None:
    stage.sandbox.add_fault(operation="claims", kind="delay", seconds=1, times=1)
    test = stage.screen("claims", MANAGER, query={"period": "all"})
    assert "asking the service how many" in test.get("progress")[0].proto.text
    read(stage, press(test, "Stop reading"))
    assert "The reading was stopped before the service answered." in words(test)
    assert "0 of 0" not in words(test)
    stage.sandbox.clear_faults()
    assert "complete: 480 of 480" in words(read(stage, press(test, "Read these claims")))


def test_a_persons_stop_ends_nobody_elses_reading_and_they_can_wait_again(stage: Stage, slow: Slow) -> None:
    manager, staff = (stage.screen("claims", who, query={"period": "all"}) for who in (MANAGER, STAFF))
    press(manager, "Stop reading")
    assert "You stopped waiting." in words(manager)
    assert not manager.get("progress")
    until(lambda: "120 of 480" in staff.run().get("progress")[0].proto.text)
    press(manager, "Wait for them again")
    assert "120 of 480" in manager.get("progress")[0].proto.text
    slow.let_go.set()
    for test in (staff, manager):
        read(stage, test)
        assert "complete: 480 of 480" in words(test)
        assert "stopped" not in words(test)
