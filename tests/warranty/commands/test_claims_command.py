"""`python -m warranty claims`, as a nightly job calls it."""

import csv
import hashlib
import json
import os
import re
import signal
import stat
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from components.words.days import EARLIEST
from sandbox import SandboxServer
from tests.builders import claim_record
from tests.warranty.retrieval.fake_service import DAY, as_bag
from warranty.__main__ import main
from warranty.client import WarrantyClient
from warranty.resources import ClaimQuery


@pytest.fixture(scope="module")
def running_sandbox() -> Iterator[SandboxServer]:
    with SandboxServer(tokens="account", seed="demo") as server:
        yield server


@pytest.fixture
def sandbox(running_sandbox: SandboxServer, monkeypatch: pytest.MonkeyPatch) -> SandboxServer:
    running_sandbox.reset()
    configured(running_sandbox, monkeypatch)
    return running_sandbox


@pytest.fixture
def newest_first(monkeypatch: pytest.MonkeyPatch) -> Iterator[SandboxServer]:
    """A sandbox whose answers are read page by page, so that a part of them is read at any time."""
    with SandboxServer(tokens="account", seed="demo", claims_order="newest") as server:
        configured(server, monkeypatch)
        yield server


def configured(server: SandboxServer, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = {
        "ENVIRONMENT": "staging",
        "BASE_URL": server.base_url,
        "PRIVATE_TOKEN": server.private_token,
        "PUBLIC_TOKEN": server.public_token,
        "CA_FILE": server.ca_file,
        "CLAIMS_CALLS_PER_SECOND": "1000",
    }
    for name, value in settings.items():
        monkeypatch.setenv(f"WARRANTY_{name}", value)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "claims.csv"


def records(path: Path, separator: str = ",") -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file, delimiter=separator))


def written(claims: Iterable[dict[str, str]]) -> Counter[tuple[tuple[str, str], ...]]:
    """Records as the file has them: the sandbox's customers also write what a spreadsheet would run."""
    return as_bag(
        {
            name: "'" + text if text.startswith(("=", "+", "-", "@", "\t")) else text
            for name, text in claim.items()
        }
        for claim in claims
    )


def test_all_claims_are_written_for_their_owner_only_and_the_command_says_how_many(
    sandbox: SandboxServer, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status = main(["claims", "--out", str(out), "--manifest"])

    assert status == 0
    assert as_bag(records(out)) == written(sandbox.claims())
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    assert "complete: 480 of 480" in capsys.readouterr().err
    told = json.loads((out.parent / "claims.csv.manifest.json").read_text())
    assert told["sha256"] == hashlib.sha256(out.read_bytes()).hexdigest()
    assert told["file"] == "claims.csv"
    assert sorted(path.name for path in out.parent.iterdir()) == ["claims.csv", "claims.csv.manifest.json"]


def test_days_are_whole_days_and_a_customer_is_found_by_address(sandbox: SandboxServer, out: Path) -> None:
    sandbox.add_claims(
        claim_record(moment, number) | {"customer_email": "ada@example.com"}
        for number, moment in enumerate(
            [DAY, DAY.replace(hour=23, minute=59, second=59, microsecond=999_999)]
        )
    )
    words = ["claims", "--from", "2026-05-01", "--to", "2026-05-01", "--out", str(out)]

    assert main([*words, "--email", "ada@example.com", "--separator", ";", "--bom", "--quiet"]) == 0
    assert len(records(out, ";")) == 2
    assert main(words) == 0
    wanted = [record for record in sandbox.claims() if record["claim_date"].startswith("2026-05-01")]
    assert as_bag(records(out)) == written(wanted)


def test_an_open_end_takes_in_claims_dated_ahead_and_a_warranty_range_narrows(
    sandbox: SandboxServer, out: Path
) -> None:
    sandbox.add_claims([claim_record("2126-12-25T12:00:00.000000", 1)])
    assert main(["claims", "--from", "2126-12-01", "--out", str(out)]) == 0
    assert [record["claim_date"] for record in records(out)] == ["2126-12-25T12:00:00.000000"]

    assert main(["claims", "--from", "2026-06-01T00:00:00", "--out", str(out)]) == 0
    since_june = [record for record in sandbox.claims() if record["claim_date"] >= "2026-06"]
    assert as_bag(records(out)) == written(since_june)

    assert (
        main(["claims", "--warranty-from", "2026-01-01", "--warranty-to", "2026-03-31", "--out", str(out)])
        == 0
    )
    found = records(out)
    assert found
    starts = [datetime.fromisoformat(record["warranty_start_date"]) for record in found]
    assert all(
        timedelta(0) <= start - datetime.fromisoformat("2026-01-01T00:00:00+00:00") for start in starts
    )


def test_an_open_start_reaches_back_to_the_first_day_that_can_be_picked_on_the_screens(
    sandbox: SandboxServer, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sandbox.add_claims([claim_record(DAY.replace(year=1900, month=1, day=1), 1)])

    assert main(["claims", "--to", "2026-05-31", "--out", str(out)]) == 0

    until_may = [record for record in sandbox.claims() if record["claim_date"] < "2026-06"]
    assert as_bag(records(out)) == written(until_may)
    assert f"{EARLIEST:%Y-%m-%d}T" in min(record["claim_date"] for record in records(out))
    with pytest.raises(SystemExit):
        main(["claims", "--help"])
    assert "without it from 1900-01-01" in " ".join(capsys.readouterr().out.split())


def test_an_incomplete_set_is_written_beside_the_good_file_of_yesterday_and_exits_with_3(
    sandbox: SandboxServer, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out.write_text("yesterday")
    sandbox.add_claims(claim_record(DAY, number) for number in range(60))

    status = main(["claims", "--from", "2026-05-01", "--to", "2026-05-01", "--out", str(out)])

    assert status == 3
    told = capsys.readouterr().err
    assert "INCOMPLETE" in told
    assert "share the microsecond 2026-05-01T00:00:00.000000" in told
    part = out.with_name("claims.partial.csv")
    assert f"{part}: INCOMPLETE: " in told
    assert f"{out} was not written" in told
    assert all(record["incomplete"].startswith("INCOMPLETE: ") for record in records(part))
    assert out.read_text() == "yesterday"


def test_parquet_has_typed_columns_and_the_seal(sandbox: SandboxServer, tmp_path: Path) -> None:
    out = tmp_path / "claims.parquet"

    assert main(["claims", "--parquet", "--manifest", "--out", str(out)]) == 0

    table = pq.read_table(out)
    assert table.num_rows == 480
    assert str(table.schema.field("claim_date").type) == "timestamp[us]"
    assert str(table.schema.field("order_date").type) == "timestamp[us, tz=UTC]"
    assert table.schema.metadata[b"complete"] == b"true"
    assert table.schema.metadata[b"claims"].startswith(b"complete: 480 of 480")
    assert json.loads((tmp_path / "claims.parquet.manifest.json").read_text())["form"] == "parquet"


def test_parquet_without_a_claim_has_the_same_columns(sandbox: SandboxServer, tmp_path: Path) -> None:
    night, all_claims = tmp_path / "night.parquet", tmp_path / "all.parquet"

    assert (
        main(["claims", "--parquet", "--from", "2001-01-01", "--to", "2001-01-01", "--out", str(night)]) == 0
    )
    assert main(["claims", "--parquet", "--out", str(all_claims)]) == 0

    nothing, everything = pq.read_table(night), pq.read_table(all_claims)
    assert nothing.num_rows == 0
    assert nothing.column_names == everything.column_names
    assert pa.concat_tables([nothing, everything], promote_options="permissive").num_rows == 480
    assert pa.types.is_dictionary(nothing.schema.field("status").type)


def test_unreadable_claims_are_told_by_place_and_reason_and_not_by_content(
    sandbox: SandboxServer, out: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = WarrantyClient.claims_body

    def spoilt(client: WarrantyClient, query: ClaimQuery) -> bytes:
        page = json.loads(whole(client, query))
        page["data"] = [record | {"order_date": "my secret day"} for record in page["data"]]
        return json.dumps(page).encode()

    monkeypatch.setattr(WarrantyClient, "claims_body", spoilt)
    sandbox.add_claims([claim_record(DAY.replace(year=2020), 1)])

    status = main(["claims", "--from", "2020-01-01", "--to", "2020-12-31", "--out", str(out)])

    told = capsys.readouterr().err
    assert status == 3
    assert "INCOMPLETE: 0 of 1, 1 unreadable" in told
    assert "answer 1, record 0: order_date is not a timestamp with a UTC offset" in told
    assert "secret" not in told
    assert records(out.with_name("claims.partial.csv")) == []


def test_a_refused_token_leaves_the_file_of_yesterday_alone(
    sandbox: SandboxServer, out: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out.write_text("yesterday")
    monkeypatch.setenv("WARRANTY_PUBLIC_TOKEN", "not-the-token")

    assert main(["claims", "--out", str(out)]) == 1

    assert out.read_text() == "yesterday"
    told = capsys.readouterr().err
    assert "The service does not accept this shop's access" in told
    assert "What to do: Call IT support to replace the public token" in told
    assert re.search("^Reference for support: [0-9a-f]{32}$", told, re.MULTILINE)
    assert "CredentialRefused" not in told
    assert "not-the-token" not in told
    assert [path.name for path in out.parent.iterdir()] == ["claims.csv"]


@pytest.mark.parametrize(
    "words",
    [
        ["--from", "yesterday"],
        ["--from", "2026-05-01T00:00:00+00:00"],
        ["--from", "2026-05-01T00:00:00.000000+00:00"],
        ["--from", "20260501", "--to", "20260501"],
        ["--from", "2026-W18-5", "--to", "2026-W18-5"],
        ["--from", "2026-05-01", "--to", "2026-05-01T00"],
        ["--to", "2026-05-01 23:59:59.999999"],
        ["--to", "2026-05-01T23:59:59."],
        ["--to", "2026-05-01T23:59:59.1234567"],
        ["--to", "2026-02-30"],
        ["--to", ""],
        ["--email", ""],
        ["--email", " "],
        ["--from", "2026-05-02", "--to", "2026-05-01"],
        ["--email", "not an address"],
    ],
)
def test_words_that_cannot_be_meant_exit_with_2(words: list[str], sandbox: SandboxServer, out: Path) -> None:
    before = len(sandbox.calls())
    try:
        status: object = main(["claims", *words, "--out", str(out)])
    except SystemExit as refused:
        status = refused.code

    assert status == 2
    assert not out.exists()
    assert len(sandbox.calls()) == before


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
    newest_first: SandboxServer,
    out: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    *,
    when_stopped: Callable[[int], None],
    number: int,
) -> None:
    monkeypatch.setenv("WARRANTY_CLAIMS_CONCURRENCY", "1")
    whole, asked = WarrantyClient.claims_body, count()

    def stopped(client: WarrantyClient, query: ClaimQuery) -> bytes:
        if next(asked) == 4:
            when_stopped(number)
        return whole(client, query)

    monkeypatch.setattr(WarrantyClient, "claims_body", stopped)

    assert main(["claims", "--out", str(out), "--manifest"]) == 3

    told = capsys.readouterr().err
    assert "INCOMPLETE: " in told
    assert " of 480" in told
    assert "Somebody stopped the reading before its end" in told
    rows = records(out.with_name("claims.partial.csv"))
    assert 0 < len(rows) < 480
    assert all(row["incomplete"].startswith(f"INCOMPLETE: {len(rows)} of 480") for row in rows)
    written_now = sorted(path.name for path in out.parent.iterdir())
    assert written_now == ["claims.partial.csv", "claims.partial.csv.manifest.json"]


def test_told_to_stop_before_anything_is_read_it_leaves_the_file_of_yesterday_alone(
    sandbox: SandboxServer,
    out: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    when_stopped: Callable[[int], None],
) -> None:
    out.write_text("yesterday")
    answer = threading.Event()

    def stopped(client: WarrantyClient, query: ClaimQuery) -> bytes:
        when_stopped(signal.SIGTERM)
        answer.wait(20)
        return b""

    monkeypatch.setattr(WarrantyClient, "claims_body", stopped)
    try:
        assert main(["claims", "--out", str(out)]) == 1
    finally:
        answer.set()

    assert out.read_text() == "yesterday"
    assert "Stopped before anything was read" in capsys.readouterr().err
