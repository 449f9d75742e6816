"""`python -m warranty history`, as a nightly job calls it."""

import errno
import json
import os
import signal
import socket
from collections import Counter
from datetime import UTC, date, datetime, timedelta
from itertools import count
from pathlib import Path
from unittest.mock import Mock
from zoneinfo import ZoneInfo

import pyarrow.parquet as pq
import pytest

from sandbox import SandboxServer
from tests.builders import claim_record, exports
from tests.journals import empty_journal, journal_in
from tests.warranty.claims.retrieval.fake_service import DAY
from tests.warranty.commands.conftest import Run
from warranty.__main__ import main
from warranty.access import FIRST_STORE
from warranty.client import WarrantyClient
from warranty.client.resources import ClaimQuery
from warranty.clock import utc_now
from warranty.insight.history.nights import Nights
from warranty.insight.history.past import last_night
from warranty.insight.outlook.diary import ForecastDiary, Foretold
from warranty.watch.observed.observations import Observations, Oddity, Sighting

FIRST = date(2026, 11, 21)
THIS_MONTH = datetime.now(UTC).replace(day=1)  # as of when claims are read is told by the clock


@pytest.fixture
def nights(empty: SandboxServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Nights:
    today(monkeypatch, FIRST)
    return Nights(tmp_path / "history" / "staging")


@pytest.fixture
def shop(empty: SandboxServer) -> SandboxServer:
    """It has 2,000 claims of 18 months, the newest of them open."""
    empty.add_claims(claims())
    return empty


def claims(*, closed: int = 1_950) -> list[dict[str, str]]:
    days = [DAY + timedelta(hours=6 * (number - 1_000)) for number in range(2_000)]
    made = [claim_record(day, n, status="RESOLVED" if n < closed else "OPEN") for n, day in enumerate(days)]
    return [record | {"customer_email": "ada@example.com"} for record in made]


def today(monkeypatch: pytest.MonkeyPatch, day: date) -> None:
    monkeypatch.setattr("warranty.commands.history.shop_now", lambda _: datetime(*day.timetuple()[:3], tzinfo=UTC))


def asked(shop: SandboxServer) -> int:
    return len([call for call in shop.calls() if call["operation"] == "claims"])


@pytest.mark.parametrize("zone", [ZoneInfo("Pacific/Kiritimati"), ZoneInfo("Pacific/Niue")])  # 25 hours apart
def test_a_night_has_the_day_of_the_first_store(
    empty: SandboxServer, tmp_path: Path, run: Run, zone: ZoneInfo, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("tills", "store", FIRST_STORE, "--name", "Harbour", "--time-zone", str(zone)).status == 0
    assert run("history", "take").status == 0
    (night,) = Nights(tmp_path / "history" / "staging").complete
    assert night.day == datetime.now(zone).date()


def test_a_night_of_the_sandbox_has_the_day_to_which_a_trainer_moved_it(
    empty: SandboxServer, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WARRANTY_ENVIRONMENT", "sandbox")
    monkeypatch.setattr(utc_now, "ahead", timedelta())
    for days in (1, 3):
        empty.set_clock(datetime.now(UTC) + timedelta(days=days))
        assert run("history", "take").status == 0
    taken = [night.day - datetime.now(UTC).date() for night in Nights(tmp_path / "history" / "sandbox").complete]
    assert sorted(taken) == [timedelta(days=1), timedelta(days=3)]


def test_a_night_is_kept_once_a_day_and_the_next_one_reads_what_can_have_changed(
    shop: SandboxServer, nights: Nights, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("history", "list") == (0, "", f"No night in {nights.folder}.\n")
    assert "complete: 2,000 of 2,000" in run("history", "take").err
    assert run("history", "list").err == f"1 night in {nights.folder}.\n"
    calls = asked(shop)
    assert "It is kept already: nothing was read." in run("history", "take").err
    assert asked(shop) == calls

    shop.reset()
    shop.add_claims([*claims(closed=1_960), claim_record(DAY + timedelta(days=300), 9_999)])
    today(monkeypatch, FIRST + timedelta(days=1))
    assert run("history", "take", "--quiet") == (0, "", "")
    first, second = nights.complete
    assert 0 < asked(shop) < calls / 2
    assert len(second.claims()) == 2_001
    earlier, later = (Counter(night.frame()["status"].tolist()) for night in (first, second))
    assert later == Counter(record["status"] for record in shop.claims())
    assert earlier["RESOLVED"] < later["RESOLVED"]
    lying = str(pq.read_table(second.file(next(iter(second.start_months))), partitioning=None).to_pylist())
    assert "@" not in lying + (second.path / "manifest.json").read_text()

    with journal_in(tmp_path) as journal:
        assert last_night(journal.database, "staging").load() == f"2026-11-22 on {socket.gethostname()}"
    assert exports(tmp_path, "staging") == [("claims of a night", 2_001), ("claims of a night", 2_000)]

    listed = run("history", "list")
    assert [line[:10] for line in listed.out.splitlines()] == ["2026-11-21", "2026-11-22"]
    assert ("the others proved by totals" in listed.out, "2 nights in" in listed.err) == (True, True)


@pytest.mark.long
def test_a_night_keeps_the_diary_of_forecasts(empty: SandboxServer, nights: Nights, tmp_path: Path, run: Run) -> None:
    last = THIS_MONTH - timedelta(days=1)
    month, before = f"{last:%Y-%m}", f"{last.replace(day=1) - timedelta(days=1):%Y-%m}"
    empty.add_claims(bought_and_claimed())
    with journal_in(tmp_path) as journal:
        diary = ForecastDiary(journal.database, "staging")
        bands = {"expected": 30, "low_80": 20, "high_80": 40, "low_95": 10, "high_95": 60}
        diary.write([Foretold(as_of=before, product="", month=month, **bands)])
        assert run("history", "take", "--quiet").status == 0
        earlier, *new = diary.all()
    of_month = [claim for claim in empty.claims() if claim["claim_date"].startswith(month)]
    assert earlier.came == sum(claim["warranty_start_date"][:7] <= before for claim in of_month)
    assert {(each.as_of, each.month, each.came) for each in new} == {(month, f"{THIS_MONTH:%Y-%m}", None)}
    assert "" in {each.product for each in new}


def test_an_unreadable_claim_makes_no_forecast(empty: SandboxServer, nights: Nights, tmp_path: Path, run: Run) -> None:
    unreadable = {"claim_date": "2026-05-01T00:00:00.000001", "served_as": {"warranty_start_date": "soon"}}
    empty.add_claims([*bought_and_claimed(1_000), unreadable])
    assert run("history", "take", "--quiet").status == 3
    (night,) = nights.complete
    assert night.manifest.unreadable == 1
    with journal_in(tmp_path) as journal:
        assert ForecastDiary(journal.database, "staging").all() == []


def bought_and_claimed(count: int = 2_000) -> list[dict[str, str]]:
    """Claims at ages of up to 300 days, on plans that started evenly over the three years before this month."""
    started = [THIS_MONTH - timedelta(days=1000 * number / count + 30) for number in range(count)]
    made = [start + timedelta(days=7 * number % 300) for number, start in enumerate(started)]
    return [
        claim_record(f"{day:%Y-%m-%d}T10:00:00.000000", number, warranty_start_date=f"{start:%Y-%m-%d}T00:00:00+00:00")
        for number, (start, day) in enumerate(zip(started, made, strict=True))
        if day < THIS_MONTH + timedelta(days=10)
    ]


@pytest.mark.long
def test_all_claims_are_read_where_that_is_asked_for_and_where_the_last_night_was_altered(
    empty: SandboxServer, nights: Nights, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty.add_claims(claims()[1_500:])
    assert run("history", "take").status == 0
    today(monkeypatch, FIRST + timedelta(days=1))
    assert run("history", "take", "--all").status == 0
    last = nights.complete[-1]
    assert last.manifest.proof == "read"
    file = last.file(next(iter(last.start_months)))
    file.write_bytes(file.read_bytes()[:-1])
    today(monkeypatch, FIRST + timedelta(days=2))
    assert "is not what was sealed: every claim is read." in run("history", "take").err
    assert nights.complete[-1].manifest.proof == "read"


@pytest.mark.parametrize("ends", ["refused", "stopped"])
def test_a_night_that_could_not_be_read_completely_exits_with_3_and_is_told_apart(
    shop: SandboxServer, nights: Nights, run: Run, monkeypatch: pytest.MonkeyPatch, ends: str
) -> None:
    whole, calls = WarrantyClient.claims_body, count()

    def cut_off(client: WarrantyClient, query: ClaimQuery) -> bytes:
        if next(calls) == 12:
            if ends == "stopped":
                os.kill(os.getpid(), signal.SIGTERM)
            else:
                shop.add_fault("claims", "status", status=401, times=100)
        return whole(client, query)

    monkeypatch.setattr(WarrantyClient, "claims_body", cut_off)
    cut = run("history", "take")
    shop.clear_faults()
    why = {"refused": "The service refused the public token while claims were read."}
    why["stopped"] = "Somebody stopped the reading before its end"
    assert (cut.status, [words for words in ("INCOMPLETE: ", why[ends]) if words not in cut.err]) == (3, [])
    assert nights.complete == []
    listed = run("history", "list")
    assert ("INCOMPLETE: " in listed.out, "1 that is not whole in" in listed.err) == (True, True)
    assert run("history", "take").status == 0  # its lease was given back
    assert (len(nights.complete), nights.incomplete) == (1, [])


def test_a_full_disk_is_told(shop: SandboxServer, nights: Nights, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    full = Mock(side_effect=OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))
    monkeypatch.setattr(pq, "write_table", full)
    sentence = f"Nothing was kept: {nights.folder} could not be written (No space left on device).\n"
    assert run("history", "take") == (1, "", sentence)
    assert list(nights.folder.iterdir()) == []


def test_a_closed_folder_is_told_before_any_call(shop: SandboxServer, nights: Nights, run: Run) -> None:
    nights.folder.parent.write_text("a file where the folder should be")
    before = asked(shop)
    failed = run("history", "take")
    assert (failed.status, "could not be written" in failed.err, asked(shop)) == (1, True, before)


def test_old_nights_are_removed(shop: SandboxServer, nights: Nights, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WARRANTY_HISTORY_DAYS", "2")
    for after in range(4):
        today(monkeypatch, FIRST + timedelta(days=after))
        assert run("history", "take", "--quiet").status == 0
    assert [night.day.day for night in nights.complete] == [22, 23, 24]
    manifest = json.loads((nights.complete[0].path / "manifest.json").read_bytes())
    assert manifest["environment"] == "staging"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("WARRANTY_DATA_DIR", str(tmp_path))
    now = datetime.now(UTC)
    empty_journal(tmp_path / "journal.sqlite3")
    with journal_in(tmp_path) as journal:
        seen = Sighting(Oddity("claims", "HTTP status", "429"), now, now, 2)
        Observations(journal.database, "sandbox").add([seen])
    return tmp_path


def test_drift_is_told_as_json(folder: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["observed", "drift"]) == 0
    report = json.loads(capsysbinary.readouterr().out)
    assert [(each["what"], each["answers"]) for each in report["seen"]] == [("429", 2)]
    assert report["assumptions"]["endpoints.no-limits-no-versions"]["first_contradicted"]
    assert exports(folder) == [("service drift json", 1)]


def test_drift_goes_into_a_file_where_it_can_be_written(folder: Path, run: Run) -> None:
    file = folder / "drift.json"
    assert run("observed", "drift", "--out", file)[:2] == (0, f"1 finding written to {file}.\n")
    assert json.loads((folder / "drift.json").read_bytes())["seen"]
    assert run("observed", "drift", "--out", folder / "missing" / "drift.json").status == 2


@pytest.mark.parametrize(
    "command", ["alerts run", "alerts report", "history take --quiet", "claims --quiet --out claims.csv"]
)
def test_what_a_command_asks_is_in_the_diary(empty: SandboxServer, tmp_path: Path, run: Run, command: str) -> None:
    empty.add_fault("claims", "status", status=429, times=1)
    assert run(*command.split()).status == 0
    with journal_in(tmp_path) as journal:
        found = Observations(journal.database, "staging").drift()
    assert ("claims", "429") in {(each.oddity.operation, each.oddity.what) for each in found}
