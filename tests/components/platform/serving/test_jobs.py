"""What goes on in the background: each press's work once and whole, and each day what is old goes."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event

import pytest

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
