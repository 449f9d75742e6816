"""What is removed when, and what the command line does with the record."""

import csv
import io
import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, select

from sandbox import SandboxServer
from tests.builders import order_of
from tests.warranty.conftest import Clock
from warranty.__main__ import main
from warranty.access import Operator
from warranty.commands.housekeeping.retention import purge
from warranty.desk import DataErased, Desk
from warranty.desk.journal import AttemptState, Batches, Drafts, Journal, Purged
from warranty.watch.alerts.alert_log import ALERT_MESSAGES, Alert, AlertLog, Known

DAY = timedelta(days=1)


@pytest.mark.both_databases
def test_what_is_settled_goes_in_its_time_and_what_is_not_stays_without_personal_data(
    *, desk: Desk, journal: Journal, clerk: Operator, sandbox: SandboxServer, clock: Clock
) -> None:
    desk.send(clerk, order_of(order_id="old"), draft_id="a", screen="s")
    sandbox.add_fault("submit_order", "drop_before_write", times=3)
    unknown = desk.send(clerk, order_of(order_id="unknown"), draft_id="b", screen="s")
    Drafts(journal.database, "sandbox", "dana", "s").save("c", {"zip": "02134"})
    sources = [{"number": 1, "name": "#1", "row": 2}]
    Batches(journal.database, "sandbox", "dana").begin(file_name="a.csv", layout={}, choices={}, sources=sources)
    clock.advance(5 * DAY)
    assert purge(journal.database, keep=5 * DAY, keep_drafts=5 * DAY) == Purged(), "not a day too early"
    clock.advance(5 * DAY)
    kept = desk.send(clerk, order_of(order_id="new"), draft_id="d", screen="submit_order")
    personal = Purged(drafts=1, imports=1, bodies=1)
    assert purge(journal.database, keep=10 * DAY, keep_drafts=5 * DAY, only_count=True) == personal
    assert purge(journal.database, keep=10 * DAY, keep_drafts=5 * DAY) == personal
    assert purge(journal.database, keep=5 * DAY, keep_drafts=10 * DAY) == Purged(attempts=1)
    assert purge(journal.database, keep=5 * DAY, keep_drafts=5 * DAY) == Purged()
    assert desk.activity.recent_orders(clerk) == [kept]
    assert Batches(journal.database, "sandbox", "dana").open_batch() is None
    assert Drafts(journal.database, "sandbox", "dana", "s").all() == []
    assert desk.activity.attempt(clerk, unknown.attempt_id) == unknown
    calls = len(sandbox.calls())
    with pytest.raises(DataErased):
        desk.send_order_again(clerk, unknown.attempt_id)
    assert len(sandbox.calls()) == calls
    assert desk.settle(clerk, unknown.attempt_id, recorded=True, note="").state is AttemptState.DONE


def test_alerts_long_over_go_with_their_messages(journal: Journal, clock: Clock) -> None:
    alerts = AlertLog(journal.database, "sandbox")
    over, standing = (Alert("entry-unknown", f"unknown {name}", "…") for name in ("over", "standing"))
    for alert in (over, standing):
        alerts.note([Known("only what is new", (alert,))], ways=["mail"])
        clock.advance(timedelta(seconds=1))
    alerts.note([Known("unknown over")], ways=["mail"])
    told = [message.alerts for message in alerts.owed(["mail"])]
    clock.advance(5 * DAY)
    purge(journal.database, keep=5 * DAY, keep_drafts=DAY)
    clock.advance(DAY)
    purge(journal.database, keep=5 * DAY, keep_drafts=DAY, only_count=True)
    assert [message.alerts for message in alerts.owed(["mail"])] == told == [(over,), (standing,)]
    purge(journal.database, keep=5 * DAY, keep_drafts=DAY)
    assert [message.alerts for message in alerts.owed(["mail"])] == [(standing,)]
    with journal.database.read() as connection:
        assert connection.scalar(select(func.count()).select_from(ALERT_MESSAGES)) == 1


class TestCommand:
    @pytest.fixture
    def shop(
        self, *, journal_url: str, desk: Desk, clerk: Operator, sandbox: SandboxServer, clock: Clock,
        monkeypatch: pytest.MonkeyPatch, tmp_path: Path,
    ) -> Path:  # fmt: skip
        clock.now = datetime(2020, 2, 1, 12, tzinfo=UTC)
        order = order_of(order_id="o-1")
        formula = order.line_items[0].model_copy(update={"product_title": "=HYPERLINK(1)"})
        desk.send(clerk, order.model_copy(update={"line_items": (formula,)}), draft_id="a", screen="s")
        clock.advance(timedelta(minutes=1))
        sandbox.add_fault("submit_order", "status", status=400)
        desk.send(clerk, order_of(order_id="o-2"), draft_id="b", screen="s")
        monkeypatch.setenv("WARRANTY_JOURNAL_URL", journal_url)
        monkeypatch.setenv("WARRANTY_ENVIRONMENT", "sandbox")
        monkeypatch.chdir(tmp_path)
        return tmp_path

    def test_export_writes_safe_csv_or_json_lines(self, shop: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
        assert main(["journal", "export", "--out", "journal.csv"]) == 0
        rows = list(csv.DictReader(io.StringIO((shop / "journal.csv").read_text())))
        of_two_lines = [("o-2", "refused", "400")] * 2
        assert [(r["order_id"], r["state"], r["status"]) for r in rows] == [*of_two_lines, ("o-1", "done", "")]
        assert "=HYPERLINK" in rows[2]["items"]
        assert not any(cell.startswith(("=", "+", "-", "@")) for row in rows for cell in row.values())
        assert main(["journal", "export", "--format", "jsonl", "--state", "done"]) == 0
        lines = capsysbinary.readouterr().out.splitlines()
        assert [json.loads(line)["items"][0]["price"] for line in lines] == ["899.00"]
        assert main(["journal", "export", "--format", "jsonl", "--to", "2020-01-30"]) == 0
        assert capsysbinary.readouterr().out == b""

    def test_list_prints_each_and_purge_keeps_as_told(self, shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["journal", "list", "--limit", "1", "--from", "2020-01-31", "--to", "2020-02-02"]) == 0
        printed = capsys.readouterr()
        assert re.search(r"\trefused\tsubmit_order\tdana\to-2\tRequestRefused\n", printed.out)
        assert printed.err == "1 of 2 entries of sandbox.\n"

        def purge(*words: str) -> str:
            assert main(["journal", "purge", *words]) == 0
            return capsys.readouterr().out

        assert purge("--days", "36500") == "Removed: nothing.\n"
        assert purge("--dry-run") == "To be removed: 2 entries.\n"
        assert purge() == "Removed: 2 entries.\n"
        assert purge() == "Removed: nothing.\n"
        for wrong in ("0", "-1", "x"):
            with pytest.raises(SystemExit):
                purge("--days", wrong)
