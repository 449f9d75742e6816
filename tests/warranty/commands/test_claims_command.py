"""`python -m warranty claims` and `history`, as nightly jobs call them: what is read, and what is written where."""

import csv
import errno
import hashlib
import json
import os
import re
import signal
import socket
import stat
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from io import BytesIO, StringIO
from itertools import count
from pathlib import Path
from unittest.mock import Mock
from zoneinfo import ZoneInfo

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from components.words.days import EARLIEST
from sandbox import SandboxServer
from tests.builders import claim_record, exports
from tests.journals import empty_journal, journal_in
from tests.warranty.claims.retrieval.fake_service import DAY, as_bag
from tests.warranty.commands.conftest import Run, configured, records, written
from warranty.__main__ import main
from warranty.access import FIRST_STORE
from warranty.client import WarrantyClient
from warranty.client.resources import ClaimQuery
from warranty.clock import utc_now
from warranty.disk import write_whole
from warranty.insight.history.nights import Nights
from warranty.insight.history.past import last_night
from warranty.insight.outlook.diary import ForecastDiary, Foretold
from warranty.watch.observed.observations import Observations, Oddity, Sighting


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_all_claims_are_written_for_their_owner_only(demo: SandboxServer, out: Path, run: Run) -> None:
    ended = run("claims", "--out", out, "--manifest")
    assert ended.status == 0
    assert as_bag(records(out)) == written(demo.claims())
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    assert [words for words in ("complete: 480 of 480", "of 480 claims") if words not in ended.err] == []
    assert "about 0 s left" not in ended.err  # it ends within a second
    manifest = json.loads((out.parent / "claims.csv.manifest.json").read_text())
    assert (manifest["sha256"], manifest["file"]) == (hashlib.sha256(out.read_bytes()).hexdigest(), "claims.csv")
    assert names(out.parent) == ["claims.csv", "claims.csv.manifest.json"]


def test_days_are_whole_and_a_customer_is_found_by_address(demo: SandboxServer, out: Path, run: Run) -> None:
    demo.add_claims(
        claim_record(f"2026-05-01T{time}", number) | {"customer_email": "ada@example.com"}
        for number, time in enumerate(["00:00:00.000000", "23:59:59.999999"])
    )
    words = ["claims", "--from", "2026-05-01", "--to", "2026-05-01", "--out", out]
    assert run(*words, "--email", "ada@example.com", "--separator", ";", "--bom", "--quiet") == (0, "", "")
    assert len(records(out, ";")) == 2
    assert run(*words).status == 0
    wanted = [record for record in demo.claims() if record["claim_date"].startswith("2026-05-01")]
    assert as_bag(records(out)) == written(wanted)


def test_a_time_to_the_second_means_the_whole_of_it(demo: SandboxServer, out: Path, run: Run) -> None:
    moments = [DAY.replace(microsecond=each) for each in (0, 500_000, 999_999)]
    demo.add_claims(claim_record(moment, number) for number, moment in enumerate(moments))
    second = "2026-05-01T00:00:00"
    for first, last, found in ((second, second, 3), (second, f"{second}.5", 2), (f"{second}.5", second, 2)):
        assert run("claims", "--from", first, "--to", last, "--out", out, "--quiet").status == 0
        assert len(records(out)) == found


def test_an_open_end_takes_in_claims_dated_ahead_warranty_days_narrow(demo: SandboxServer, out: Path, run: Run) -> None:
    demo.add_claims([claim_record("2126-12-25T12:00:00.000000", 1)])
    assert run("claims", "--from", "2126-12-01", "--out", out).status == 0
    assert [record["claim_date"] for record in records(out)] == ["2126-12-25T12:00:00.000000"]
    assert run("claims", "--from", "2026-06-01T00:00:00", "--out", out).status == 0
    assert as_bag(records(out)) == written([record for record in demo.claims() if record["claim_date"] >= "2026-06"])
    assert run("claims", "--warranty-from", "2026-01-01", "--warranty-to", "2026-03-31", "--out", out).status == 0
    starts = [datetime.fromisoformat(record["warranty_start_date"]) for record in records(out)]
    assert min(starts) >= datetime.fromisoformat("2026-01-01T00:00:00+00:00")
    assert max(starts) < datetime.fromisoformat("2026-04-01T00:00:00+00:00")


def test_an_open_start_reaches_back_as_far_as_the_screens(demo: SandboxServer, out: Path, run: Run) -> None:
    demo.add_claims([claim_record(DAY.replace(year=1900, month=1, day=1), 1)])
    assert run("claims", "--to", "2026-05-31", "--out", out).status == 0
    assert as_bag(records(out)) == written([record for record in demo.claims() if record["claim_date"] < "2026-06"])
    assert f"{EARLIEST:%Y-%m-%d}T" in min(record["claim_date"] for record in records(out))


ODD = {"claim_date": "2020-05-01T00:00:00.000000", "served_as": {"order_date": "a secret"}}


@pytest.mark.parametrize(("claims", "sealed", "why"), [
    ([claim_record(DAY.replace(year=2020), number) for number in range(60)], "INCOMPLETE: 50 of 60",
     "share the microsecond 2020-05-01T00:00:00.000000"),
    ([ODD], "INCOMPLETE: 0 of 1, 1 unreadable", "record 0: order_date is not a timestamp with a UTC offset"),
    ([claim_record(DAY.replace(year=2020), 1)] * 2, "2 of 2, 1 of them repeat another",
     "Claims that repeat another one in all eight fields: 1. Others may be missing."),
], ids=["too many at one moment", "unreadable", "twice in place of others"])  # fmt: skip
def test_an_incomplete_set_is_written_beside_the_good_file(
    *, demo: SandboxServer, out: Path, run: Run, claims: list[dict[str, object]], sealed: str, why: str
) -> None:
    out.write_text("yesterday")
    demo.add_claims(claims)
    ended = run("claims", "--to", "2020-12-31", "--out", out, "--manifest")
    part = out.with_name("claims.partial.csv")
    for words in (why, f"{part}: {sealed}, read", f"{out} was not written"):
        assert words in ended.err
    assert (ended.status, "secret" in ended.err, out.read_text()) == (3, False, "yesterday")
    assert {record["incomplete"].partition(", read")[0] for record in records(part)} <= {sealed}
    assert not json.loads(Path(f"{part}.manifest.json").read_text())["claims"]["complete"]


@pytest.mark.parametrize("name", ["claims.parquet", "claims"])
def test_parquet_has_types_and_a_seal_if_empty_too(demo: SandboxServer, tmp_path: Path, run: Run, name: str) -> None:
    out, night = tmp_path / name, tmp_path / "night.parquet"
    assert run("claims", "--parquet", "--manifest", "--out", out).status == 0
    table = pq.read_table(out)
    types = [str(table.schema.field(name).type) for name in ("claim_date", "order_date")]
    assert (table.num_rows, types) == (480, ["timestamp[us]", "timestamp[us, tz=UTC]"])
    assert table.schema.metadata[b"complete"] == b"true"
    assert table.schema.metadata[b"claims"].startswith(b"complete: 480 of 480")
    assert json.loads((tmp_path / f"{name}.manifest.json").read_text())["form"] == "parquet"
    assert run("claims", "--from", "2001-01-01", "--to", "2001-01-01", "--out", night).status == 0
    nothing = pq.read_table(night)
    assert (nothing.num_rows, nothing.column_names) == (0, table.column_names)
    assert pa.concat_tables([nothing, table], promote_options="permissive").num_rows == 480
    assert pa.types.is_dictionary(nothing.schema.field("status").type)


def test_a_name_that_ends_in_xlsx_is_a_workbook(demo: SandboxServer, tmp_path: Path, run: Run) -> None:
    book = tmp_path / "claims.XLSX"
    assert run("claims", "--out", book, "--quiet") == (0, "", "")
    assert openpyxl.load_workbook(book, read_only=True)["Claims"].max_row == 481


def test_a_hyphen_is_standard_output(
    demo: SandboxServer, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["claims", "--out", "-"]) == 0
    said = capsysbinary.readouterr()
    assert len(list(csv.DictReader(StringIO(said.out.decode(), newline="")))) == 480
    assert b"complete: 480 of 480" in said.err
    assert main(["claims", "--out", "-", "--parquet", "--quiet"]) == 0
    assert pq.read_table(BytesIO(capsysbinary.readouterr().out)).num_rows == 480
    assert names(tmp_path) == []


def test_a_refused_token_takes_none(demo: SandboxServer, out: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    out.write_text("yesterday")
    monkeypatch.setenv("WARRANTY_PUBLIC_TOKEN", "not-the-token")
    ended = run("claims", "--out", out)
    assert (ended.status, out.read_text(), names(out.parent)) == (1, "yesterday", ["claims.csv"])
    said = ("The service does not accept this shop's access", "What to do: Call IT support to replace the public token")
    assert [words for words in said if words not in ended.err] == []
    assert re.search("^Reference for support: [0-9a-f]{32}$", ended.err, re.MULTILINE)
    assert [word for word in ("CredentialRefused", "not-the-token") if word in ended.err] == []


@pytest.mark.parametrize("words", [
    "--from yesterday", "--from 2026-05-01T00:00:00+00:00", "--from 2026-05-01T00:00:00.000000+00:00",
    "--from 20260501 --to 20260501", "--from 2026-W18-5 --to 2026-W18-5", "--from 2026-05-01 --to 2026-05-01T00",
    "--to 2026-05-01_23:59:59.999999", "--to 2026-05-01T23:59:59.", "--to 2026-05-01T23:59:59.1234567",
    "--to 2026-02-30", "--from 2026-05-02 --to 2026-05-01", "--to ", "--email ", "--email _", "--email not_an_address",
    "--out claims.xlsx --separator ;", "--out claims.xlsx --parquet", "--out claims.csv --parquet",
    "--out claims --parquet --bom", "--out claims.pdf", "--out claims.parquet --bom", "--out - --manifest",
])  # fmt: skip
def test_meaningless_words_exit_with_2_at_once(words: str, demo: SandboxServer, out: Path, run: Run) -> None:
    before = len(demo.calls())
    ended = run("claims", "--out", out, *[word.replace("_", " ") for word in words.split(" ")])
    assert ended.status == 2
    assert not words.startswith("--out") or "leave" in ended.err or "end in .csv, .xlsx" in ended.err
    assert (out.exists(), len(demo.calls())) == (False, before)


@pytest.mark.parametrize("target", ["a folder that is not there", "a folder of others", "a pipe"])
def test_a_file_that_cannot_be_written_is_told_before_anything_is_read(
    demo: SandboxServer, out: Path, run: Run, monkeypatch: pytest.MonkeyPatch, target: str
) -> None:
    if target == "a folder that is not there":
        out = out.parent / "nowhere" / "claims.csv"
    elif target == "a folder of others":
        # Root may write everywhere, so the question is answered here.
        monkeypatch.setattr(os, "access", lambda path, _mode: path != out.parent)
    else:
        os.mkfifo(out)
    before = len(demo.calls())
    ended = run("claims", "--out", out)
    assert ended.status == 2
    assert "cannot be written: name a file in a folder that exists and may be written to" in ended.err
    assert len(demo.calls()) == before
    assert out.is_fifo() is (target == "a pipe")


class Unheeded(StringIO):
    """What nobody reads any more, such as a pipe whose other end was closed."""

    def write(self, _text: str) -> int:
        raise BrokenPipeError


@pytest.mark.parametrize("stderr", [None, Unheeded()])
def test_a_file_is_written_though_nobody_reads_what_the_command_says(
    demo: SandboxServer, out: Path, monkeypatch: pytest.MonkeyPatch, stderr: StringIO | None
) -> None:
    monkeypatch.setattr(sys, "stderr", stderr)
    assert main(["claims", "--out", str(out)]) == 0
    assert len(records(out)) == 480


class Unheard(Exception):
    """A signal that the command did not take."""


@pytest.fixture
def when_stopped() -> Iterator[Callable[[int], None]]:
    """What hears a signal outside the command: it fails the test, where Python would end all tests."""

    def unheard(number: int, _: object) -> None:
        raise Unheard(number)

    before = {number: signal.signal(number, unheard) for number in (signal.SIGINT, signal.SIGTERM)}
    yield lambda number: os.kill(os.getpid(), number)
    for number, handler in before.items():
        assert signal.getsignal(number) is unheard
        signal.signal(number, handler)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_told_to_stop_it_writes_what_was_read_says_so_and_exits_with_3(
    out: Path, run: Run, monkeypatch: pytest.MonkeyPatch, when_stopped: Callable[[int], None], number: int
) -> None:
    whole, asked = WarrantyClient.claims_body, count()

    def stopped(client: WarrantyClient, query: ClaimQuery) -> bytes:
        if next(asked) == 4:
            when_stopped(number)
        return whole(client, query)

    monkeypatch.setattr(WarrantyClient, "claims_body", stopped)
    # Its answers are read page by page, so that a part of them is read at any time.
    with SandboxServer(tokens="account", seed="demo", claims_order="newest") as server:
        configured(server, monkeypatch, CLAIMS_CONCURRENCY=1)
        ended = run("claims", "--out", out, "--manifest")
    assert ended.status == 3
    assert "Somebody stopped the reading before its end" in ended.err
    rows = records(out.with_name("claims.partial.csv"))
    assert 0 < len(rows) < 480
    assert {row["incomplete"].partition(", read")[0] for row in rows} == {f"INCOMPLETE: {len(rows)} of 480"}
    assert f"INCOMPLETE: {len(rows)} of 480" in ended.err
    assert names(out.parent) == ["claims.partial.csv", "claims.partial.csv.manifest.json"]


def test_told_to_stop_before_anything_is_read_it_leaves_the_file_of_yesterday_alone(
    demo: SandboxServer, out: Path, run: Run, monkeypatch: pytest.MonkeyPatch, when_stopped: Callable[[int], None]
) -> None:
    out.write_text("yesterday")
    answer = threading.Event()

    def stopped(client: WarrantyClient, query: ClaimQuery) -> bytes:
        when_stopped(signal.SIGTERM)
        answer.wait(20)
        return b""

    monkeypatch.setattr(WarrantyClient, "claims_body", stopped)
    try:
        ended = run("claims", "--out", out)
    finally:
        answer.set()
    assert (ended.status, out.read_text()) == (1, "yesterday")
    assert "Stopped before anything was read" in ended.err


def test_where_a_link_stands_the_file_that_it_names_is_written(tmp_path: Path) -> None:
    folder, link = tmp_path / "folder", tmp_path / "latest.csv"
    folder.mkdir()
    link.symlink_to(folder / "claims.csv")
    write_whole(link, b"today")
    assert link.is_symlink()
    assert (folder / "claims.csv").read_bytes() == b"today"
    assert names(folder) == ["claims.csv"]


def test_what_stood_there_stays_until_the_new_file_is_whole(out: Path) -> None:
    out.write_text("yesterday")
    with pytest.raises(TypeError):
        write_whole(out, "text where bytes are meant")  # type: ignore[arg-type]
    assert out.read_text() == "yesterday"
    assert names(out.parent) == ["claims.csv"]


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
def test_a_night_has_the_day_of_the_first_store(empty: SandboxServer, tmp_path: Path, run: Run, zone: ZoneInfo) -> None:
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
    assert night.unreadable == 1
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
    assert last.proof == "read"
    file = last.file(next(iter(last.start_months)))
    file.write_bytes(file.read_bytes()[:-1])
    today(monkeypatch, FIRST + timedelta(days=2))
    assert "is not what was sealed: every claim is read." in run("history", "take").err
    assert nights.complete[-1].proof == "read"


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
    monkeypatch.setattr(pq, "write_table", Mock(side_effect=OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))))
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
    assert json.loads((nights.complete[0].path / "manifest.json").read_bytes())["environment"] == "staging"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("WARRANTY_DATA_DIR", str(tmp_path))
    now = datetime.now(UTC)
    empty_journal(tmp_path / "journal.sqlite3")
    with journal_in(tmp_path) as journal:
        Observations(journal.database, "sandbox").add([Sighting(Oddity("claims", "HTTP status", "429"), now, now, 2)])
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
