"""Work that runs beside the screens; late requests of a fragment undo no press, what a run drew last is not dropped."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.runtime.scriptrunner import RerunData
from streamlit.runtime.scriptrunner_utils.exceptions import StopException
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequests, ScriptRequestType

from components.platform.serving import runs
from components.platform.serving.jobs import JobRegistry
from components.wiring import keep_to_owner
from tests.components.stage import Stage
from warranty.commands.housekeeping.retention import start_forgetting
from warranty.desk.journal import Drafts
from warranty.errors import JournalUnavailable
from warranty.people.audit import AuditFilter, AuditTrail


def test_five_clicks_during_a_slow_answer_and_one_before_it_was_read_are_one_job() -> None:
    jobs, answered, calls = JobRegistry(), Event(), []

    def work() -> str:
        calls.append(1)
        answered.wait(10)
        return "done"

    for _ in range(5):
        jobs.start_once("draft", work)
    assert jobs.running("draft")
    answered.set()
    jobs.close()
    assert jobs.finished("draft")
    jobs.start_once("draft", work)
    assert jobs.take("draft") == "done"
    assert len(calls) == 1


def test_a_problem_of_the_work_is_raised_where_the_answer_is_taken_and_none_where_another_tab_took_it() -> None:
    jobs = JobRegistry()

    def work() -> None:
        raise JournalUnavailable("no space left")

    jobs.start_once("draft", work)
    jobs.close()
    with pytest.raises(JournalUnavailable):
        jobs.take("draft")
    assert not jobs.finished("draft")
    jobs = JobRegistry(workers=1)
    jobs.start_once("draft", lambda: 7)
    jobs.close()
    assert jobs.take("draft") == 7
    assert jobs.take("draft") is None


def test_at_the_end_what_was_pressed_is_worked_off_wholly_and_nothing_else_begins() -> None:
    jobs, goes_on, done = JobRegistry(workers=1), Event(), []

    def work() -> None:
        goes_on.wait(10)
        done.append("first")

    jobs.start_once("first", work)
    jobs.start_once("waits for the first", lambda: done.append("second"))
    jobs.closing.set()
    jobs.start_once("after", lambda: done.append("after"))
    assert not jobs.running("after")
    goes_on.set()
    jobs.close()
    assert done == ["first", "second"]


def test_it_is_done_again_and_again_also_after_a_day_on_which_the_journal_was_away() -> None:
    done, times = Event(), []

    def forgets() -> None:
        times.append(datetime.now(UTC))
        if len(times) == 1:
            raise JournalUnavailable("away")
        done.set()

    stop = start_forgetting(forgets, every=timedelta(milliseconds=10))
    assert done.wait(30)
    stop()


def test_an_old_draft_goes_and_a_row_says_how_much_did(stage: Stage) -> None:
    journal = stage.runtime.desk.journal
    Drafts(journal.database, "sandbox", "dana", "submit_order").save("old", {"zip": "02134"})
    journal.database.clock = lambda: datetime.now(UTC) + timedelta(days=15)
    stage.runtime.process.forget()
    assert Drafts(journal.database, "sandbox", "dana", "submit_order").all() == []
    (row,) = AuditTrail(journal.database, "sandbox").rows(AuditFilter(kind="purge"))
    assert (row.role, row.details["drafts"]) == ("program", 1)


def test_the_data_folder_is_its_owners_alone(stage: Stage, tmp_path: Path) -> None:
    assert stage.runtime.settings.data_dir.stat().st_mode & 0o777 == 0o700
    open_to_all = tmp_path / "data"
    open_to_all.mkdir(mode=0o755)
    keep_to_owner(open_to_all)
    assert open_to_all.stat().st_mode & 0o777 == 0o700


PRESS = RerunData(page_script_hash="claims", query_string="period=all")
BACK = RerunData(page_script_hash="orders")
LATE = RerunData(page_script_hash="orders", fragment_id="keys")


@pytest.mark.parametrize(("asked", "screen", "fragments"), [
    ((PRESS, LATE), "claims", []), ((LATE, PRESS, LATE), "claims", []), ((PRESS, BACK), "orders", []),
    ((LATE, BACK), "orders", []), ((LATE,), "orders", ["keys"]),
], ids=["late", "between", "back", "stays", "alone"])  # fmt: skip
def test_the_last_press_of_the_menu_says_where(asked: Sequence[RerunData], screen: str, fragments: list[str]) -> None:
    requests = ScriptRequests()
    for one in asked:
        assert runs._on_the_screen_to_come(requests, one)
    run = requests.on_scriptrunner_ready().rerun_data
    assert (run.page_script_hash, run.fragment_id_queue) == (screen, fragments)


def test_a_screen_that_ends_early_or_is_drawn_anew_keeps_what_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    requests = ScriptRequests()
    requests.request_rerun(LATE)
    with monkeypatch.context() as screen:
        screen.setattr(runs, "get_script_run_ctx", lambda **_: SimpleNamespace(script_requests=requests))
        with pytest.raises(StopException):
            runs._this_run_alone(requests)
    assert requests.on_scriptrunner_ready().rerun_data.fragment_id_queue == ["keys"]
    runs._this_run_alone(requests)  # the server's, when a tab has gone
    assert requests.on_scriptrunner_ready().type is ScriptRequestType.STOP
    requests = ScriptRequests()
    requests.request_rerun(PRESS)
    monkeypatch.setattr(runs, "get_script_run_ctx", lambda **_: SimpleNamespace(page_script_hash="orders"))
    assert runs._on_the_screen_to_come(requests, BACK)
    assert requests.on_scriptrunner_ready().rerun_data.page_script_hash == "claims"


@pytest.mark.parametrize("screen", ["orders", "claims"])
def test_what_a_fragment_asks_late_undoes_no_filter_in_the_url(monkeypatch: pytest.MonkeyPatch, screen: str) -> None:
    run: list[RerunData] = []
    shown = SimpleNamespace(page_script_hash=screen, query_string="period=90-days", has_script_started=True)
    runner: Any = SimpleNamespace(_get_script_run_ctx=lambda: shown)
    ended: Any = SimpleNamespace(_scriptrunner=None, _client_state=shown)
    monkeypatch.setattr(runs, "_run", lambda of, asked: run.append(asked))
    monkeypatch.setattr(runs, "_create", lambda of, asked: run.append(asked))
    before = RerunData(page_script_hash="orders", query_string="period=30-days")
    late = replace(before, fragment_id="keys", fragment_id_queue=["keys"])
    for asked in (late, before):  # and the browser's Back
        runs._on_the_screen_shown(runner, asked)
        runs._after_the_last(ended, asked)
    assert [(one.page_script_hash, one.query_string) for one in run] == [
        *[(screen, "period=90-days")] * 2,
        *[("orders", "period=30-days")] * 2,
    ]
    shown.has_script_started = False  # the first of a new runner is right by then
    runs._on_the_screen_shown(runner, replace(late, query_string="period=all"))
    assert run[-1].query_string == "period=all"


def test_a_request_at_the_end_of_a_run_waits_until_what_it_drew_is_delivered(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[str] = []
    waiting: list[Callable[[], None]] = []
    loop = SimpleNamespace(call_soon=lambda act, *given: waiting.append(partial(act, *given)))
    ended = SimpleNamespace(request_rerun=lambda asked: False)
    session: Any = SimpleNamespace(_scriptrunner=ended, _state=None, _event_loop=loop, _client_state=LATE)
    monkeypatch.setattr(runs, "_create", lambda of, asked: begun.append(asked.fragment_id))
    runs._after_the_last(session, LATE)
    waiting.pop()()
    assert begun == []
    session._scriptrunner = None  # the last of its events was delivered
    waiting.pop()()
    assert begun == ["keys"]
    assert waiting == []
