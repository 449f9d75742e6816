"""Claims while they are read: how far, stopped by one of those who wait, left by another."""

import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from functools import partial
from itertools import count
from pathlib import Path
from queue import Empty, SimpleQueue

import pytest
from streamlit.testing.v1 import AppTest

from sandbox import SandboxServer
from tests.builders import MANAGER, STAFF
from tests.components.claims.screen.screen import FILES, claim_dates, labels, open_row, read, read_by, with_files
from tests.components.stage import Stage, press, shown, table, words
from tests.waiting import until
from tests.warranty.claims.readings.kept_claims import Clock
from warranty.claims.retrieval import Bounds, ClaimSet, Progress, retrieve_claims
from warranty.client import WarrantyClient
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
        self,
        query: ClaimQuery,
        *,
        progress: Callable[[Progress], None] | None,
        cancel: threading.Event | None,
        bounds: Bounds | None,
        former: ClaimSet | None,
    ) -> ClaimSet:
        assert progress is not None
        assert cancel is not None
        whole = retrieve_claims(self._client, query, bounds=bounds)
        progress(Progress(120, 480, 3, timedelta(seconds=3)))
        while not self.let_go.wait(0.01):
            with suppress(Empty):
                share = self.brings.get_nowait()
                part = partial(oldest, whole, share)
                self._clock.now += timedelta(seconds=10)
                progress(Progress(share, 480, 3, timedelta(seconds=3), part=part))
            if cancel.is_set():
                return replace(whole, received=120, reasons=(Sentence("Reading was stopped."),))
        return whole


def oldest(whole: ClaimSet, many: int) -> ClaimSet:
    dates = sorted(whole.frame["claim_date"])
    table = whole.table.dated((dates[0], dates[many - 1]))
    return replace(whole, table=table, received=many, still_reading=True)


@pytest.fixture
def slow(stage: Stage) -> Iterator[Slow]:
    clock = Clock()
    reader = Slow(stage, clock)
    read_by(stage, reader, now=clock)
    yield reader
    reader.let_go.set()


def until_read(test: AppTest, seal: str) -> None:
    """The screen looks again by itself until this stands on it."""
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
    assert "Not all claims are here." in words(test)
    assert "Reading was stopped." in words(test)
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
    assert " claims · " not in words(test)
    assert "complete" not in words(test)
    assert "Refresh" not in [button.label for button in test.button]
    assert not next(each for each in test.multiselect if each.label == "Status").options  # with their counts
    slow.brings.put(240)
    until_read(test, "240 of 480, still reading")
    slow.let_go.set()
    read(stage, test)
    assert "complete: 480 of 480" in words(test)
    assert "480 claims · " in words(test)
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


def test_whoever_waits_for_another_tabs_reading_keeps_it_without_that_tab(stage: Stage, slow: Slow) -> None:
    first, second = (stage.screen("claims", MANAGER, query={"period": "all"}) for _ in range(2))
    claim_dates(first).set_value("90-days")
    shown(first.run())
    assert stage.runtime.claims.look(ClaimQuery()).running
    slow.let_go.set()
    assert "complete: 480 of 480" in words(read(stage, second))


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


@pytest.fixture
def newest_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    with SandboxServer(seed="demo", claims_order="newest") as server:
        staged = Stage(server, tmp_path, monkeypatch)
        yield staged
        staged.runtime.process.close()


def test_refresh_goes_on_where_it_was_stopped(newest_first: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    stage = newest_first
    whole, midway, go_on = WarrantyClient.claims_body, threading.Event(), threading.Event()
    asked, ends_are_known = count(1), threading.Event()

    def held(client: WarrantyClient, query: ClaimQuery) -> bytes:
        number, days = next(asked), query.claim_dates
        if days and days[1] - days[0] < timedelta(seconds=1):  # whether the ends of a range count
            answer = whole(client, query)
            ends_are_known.set()
            return answer
        if number > 8 and not go_on.is_set() and ends_are_known.wait(20):  # only then can it go on later
            midway.set()
            go_on.wait(20)
        return whole(client, query)

    monkeypatch.setattr(WarrantyClient, "claims_body", held)
    test = stage.screen("claims", MANAGER, query={"period": "all"})
    assert midway.wait(20)
    shown(test.run())
    read(stage, press(test, "Stop reading"))
    go_on.set()
    assert "incomplete: " in words(test)
    assert "Somebody stopped the reading before its end" in words(test)
    assert "choose Refresh: it goes on from here" in words(test)
    part = stage.runtime.claims.look(ClaimQuery()).cached
    assert "complete: 480 of 480" in words(read(stage, press(test, "Refresh")))
    all_of_it = stage.runtime.claims.look(ClaimQuery()).cached
    assert part is not None
    assert all_of_it is not None
    assert all_of_it.claims.as_of == part.claims.as_of
    assert all_of_it.claims.requests == next(asked) - 1
