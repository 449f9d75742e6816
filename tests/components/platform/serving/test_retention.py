"""What is old goes at the start and again every day; what the desk keeps is its owner's alone."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event

from components.wiring import keep_to_owner
from tests.components.stage import Stage
from warranty.commands.housekeeping.retention import start_forgetting
from warranty.desk.journal import Drafts
from warranty.errors import JournalUnavailable
from warranty.people.audit import AuditFilter, AuditTrail


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
