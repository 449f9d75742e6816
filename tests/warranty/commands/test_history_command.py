"""`python -m warranty history`, as a nightly job calls it."""

import errno
import json
import os
import signal
import socket
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from itertools import count
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from sandbox import SandboxServer
from tests.builders import claim_record, exports
from tests.warranty.retrieval.fake_service import DAY
from warranty.__main__ import main
from warranty.client import WarrantyClient
from warranty.commands.claims import INCOMPLETE
from warranty.history import Nights
from warranty.history.past import last_night
from warranty.journal import Foretold, open_journal
from warranty.resources import ClaimQuery
from warranty.settings import load_settings

FIRST = date(2026, 11, 21)


@pytest.fixture
def nights(sandbox: SandboxServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Nights:
    settings = {
        "ENVIRONMENT": "staging",
        "BASE_URL": sandbox.base_url,
        "PRIVATE_TOKEN": sandbox.private_token,
        "PUBLIC_TOKEN": sandbox.public_token,
        "CA_FILE": sandbox.ca_file,
        "DATA_DIR": str(tmp_path),
        "CLAIMS_CALLS_PER_SECOND": "1000",
    }
    for name, value in settings.items():
        monkeypatch.setenv(f"WARRANTY_{name}", value)
    today(monkeypatch, FIRST)
    return Nights(tmp_path / "history" / "staging")


@pytest.fixture
def shop(sandbox: SandboxServer) -> Iterator[SandboxServer]:
    """It has 2,000 claims of 18 months, the newest of them open."""
    sandbox.add_claims(claims())
    yield sandbox
    sandbox.reset()


def claims(*, closed: int = 1_950) -> list[dict[str, str]]:
    return [
        claim_record(
            DAY + timedelta(hours=6 * (number - 1_000)),
            number,
            status="RESOLVED" if number < closed else "OPEN",
        )
        | {"customer_email": "ada@example.com"}
        for number in range(2_000)
    ]


def today(monkeypatch: pytest.MonkeyPatch, day: date) -> None:
    monkeypatch.setattr("warranty.commands.history._today", lambda: day)


def asked(shop: SandboxServer) -> int:
    return len([call for call in shop.calls() if call["operation"] == "claims"])


def test_a_night_is_kept_once_a_day_and_the_next_one_reads_what_can_have_changed(
    shop: SandboxServer, nights: Nights, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["history", "take"]) == 0
    assert "complete: 2,000 of 2,000" in capsys.readouterr().err
    calls = asked(shop)
    assert main(["history", "take"]) == 0
    assert "It is kept already: nothing was read." in capsys.readouterr().err
    assert asked(shop) == calls

    shop.reset()
    shop.add_claims([*claims(closed=1_960), claim_record(DAY + timedelta(days=300), 9_999)])
    today(monkeypatch, FIRST + timedelta(days=1))
    assert main(["history", "take", "--quiet"]) == 0
    assert capsys.readouterr().err == ""
    first, second = nights.complete
    assert asked(shop) == second.manifest.calls < calls / 2
    assert len(second.claims()) == 2_001
    assert second.frame()["status"].value_counts().to_dict() == shop_statuses(shop)
    assert (
        first.frame()["status"].value_counts()["RESOLVED"]
        < second.frame()["status"].value_counts()["RESOLVED"]
    )
    lying = str(pq.read_table(second.file(next(iter(second.start_months))), partitioning=None).to_pylist())
    assert "@" not in lying + (second.path / "manifest.json").read_text()

    settings = load_settings()
    with closing(open_journal(settings.journal_url)) as journal:
        where = last_night(journal, settings.environment).load()
    assert where == f"2026-11-22 on {socket.gethostname()}"
    assert exports(settings.data_dir, "staging") == [
        ("claims of a night", 2_001),
        ("claims of a night", 2_000),
    ]

    assert main(["history", "list"]) == 0
    told = capsys.readouterr()
    assert [line[:10] for line in told.out.splitlines()] == ["2026-11-21", "2026-11-22"]
    assert "the others proved by totals" in told.out
    assert "2 nights in" in told.err


def test_each_complete_night_keeps_the_diary_of_forecasts_and_says_what_came_without_a_browser(
    sandbox: SandboxServer, nights: Nights, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    this = datetime.now(UTC).replace(day=1)  # as of when it is read is told by the clock
    last = this - timedelta(days=1)
    month, before = f"{last:%Y-%m}", f"{last.replace(day=1) - timedelta(days=1):%Y-%m}"
    sandbox.add_claims(bought_and_claimed(this, claims=2_000))
    journal = open_journal(f"sqlite:///{tmp_path / 'journal.sqlite3'}")
    diary = journal.forecasts("staging")
    said = Foretold(
        as_of=before, product="", month=month, expected=30, low_80=20, high_80=40, low_95=10, high_95=60
    )
    diary.write([said])
    try:
        assert main(["history", "take", "--quiet"]) == 0
        earlier, *new = diary.all()
        assert earlier.came == sum(
            claim["claim_date"].startswith(month) and claim["warranty_start_date"][:7] <= before
            for claim in sandbox.claims()
        )
        assert {(each.as_of, each.month, each.came) for each in new} == {(month, f"{this:%Y-%m}", None)}
        assert "" in {each.product for each in new}
    finally:
        journal.close()
        sandbox.reset()


def test_a_night_of_which_a_claim_cannot_be_read_foretells_nothing(
    sandbox: SandboxServer, nights: Nights, tmp_path: Path
) -> None:
    unreadable = {"claim_date": "2026-05-01T00:00:00.000001", "served_as": {"warranty_start_date": "soon"}}
    sandbox.add_claims([*bought_and_claimed(datetime.now(UTC).replace(day=1), claims=2_000), unreadable])
    try:
        assert main(["history", "take", "--quiet"]) == INCOMPLETE
        assert nights.last is not None
        with closing(open_journal(f"sqlite:///{tmp_path / 'journal.sqlite3'}")) as journal:
            assert journal.forecasts("staging").all() == []
    finally:
        sandbox.reset()


def bought_and_claimed(this: datetime, *, claims: int) -> list[dict[str, str]]:
    """Claims at ages of up to 300 days, on plans that started evenly over the three years before this month."""
    started = [this - timedelta(days=1000 * number / claims + 30) for number in range(claims)]
    made = [start + timedelta(days=7 * number % 300) for number, start in enumerate(started)]
    return [
        claim_record(
            f"{day:%Y-%m-%d}T10:00:00.000000", number, warranty_start_date=f"{start:%Y-%m-%d}T00:00:00+00:00"
        )
        for number, (start, day) in enumerate(zip(started, made, strict=True))
        if day < this + timedelta(days=10)
    ]


def shop_statuses(shop: SandboxServer) -> dict[str, int]:
    statuses = [record["status"] for record in shop.claims()]
    return {status: statuses.count(status) for status in statuses}


def test_all_claims_are_read_where_that_is_asked_for_and_where_the_last_night_was_altered(
    shop: SandboxServer, nights: Nights, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["history", "take"]) == 0
    today(monkeypatch, FIRST + timedelta(days=1))
    assert main(["history", "take", "--all"]) == 0
    last = nights.complete[-1]
    assert last.manifest.proof == "read"
    file = last.file(next(iter(last.start_months)))
    file.write_bytes(file.read_bytes()[:-1])
    today(monkeypatch, FIRST + timedelta(days=2))
    assert main(["history", "take"]) == 0
    assert "is not what was sealed: every claim is read." in capsys.readouterr().err
    assert nights.complete[-1].manifest.proof == "read"


def test_a_night_that_could_not_be_read_completely_exits_with_3_and_is_told_apart(
    shop: SandboxServer, nights: Nights, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    whole, calls = WarrantyClient.claims_body, count()

    def refused(client: WarrantyClient, query: ClaimQuery) -> bytes:
        if next(calls) == 12:
            shop.add_fault("claims", "status", status=401, times=100)
        return whole(client, query)

    monkeypatch.setattr(WarrantyClient, "claims_body", refused)
    assert main(["history", "take"]) == 3
    shop.clear_faults()
    told = capsys.readouterr().err
    assert "INCOMPLETE: " in told
    assert "The service refused the public token while claims were read." in told
    assert nights.complete == []
    assert main(["history", "list"]) == 0
    told_now = capsys.readouterr()
    assert "INCOMPLETE: " in told_now.out
    assert "0 nights in" in told_now.err
    assert main(["history", "take"]) == 0
    assert len(nights.complete) == 1
    assert nights.incomplete == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_told_to_stop_it_keeps_what_was_read_apart_and_exits_with_3(
    shop: SandboxServer,
    nights: Nights,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    *,
    number: int,
) -> None:
    whole, calls = WarrantyClient.claims_body, count()

    def stopped(client: WarrantyClient, query: ClaimQuery) -> bytes:
        if next(calls) == 12:
            os.kill(os.getpid(), number)
        return whole(client, query)

    monkeypatch.setattr(WarrantyClient, "claims_body", stopped)
    assert main(["history", "take"]) == 3
    assert "Somebody stopped the reading before its end" in capsys.readouterr().err
    assert nights.complete == []
    monkeypatch.setattr(WarrantyClient, "claims_body", whole)
    assert main(["history", "take"]) == 0  # its lease was given back


def test_a_claim_that_cannot_be_read_is_told_by_status_3_and_the_night_is_compared_all_the_same(
    shop: SandboxServer, nights: Nights
) -> None:
    shop.add_claims([claim_record(DAY, 77) | {"served_without": ["status"]}])
    assert main(["history", "take"]) == 3
    (night,) = nights.complete
    assert night.manifest.unreadable == 1


def test_a_full_disk_is_a_sentence_and_leaves_nothing_behind(
    shop: SandboxServer, nights: Nights, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(pq, "write_table", full)
    assert main(["history", "take"]) == 1
    assert (
        capsys.readouterr().err
        == f"Nothing was kept: {nights.folder} could not be written (No space left on device).\n"
    )
    assert list(nights.folder.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_a_sentence_before_anything_is_asked(
    shop: SandboxServer, nights: Nights, capsys: pytest.CaptureFixture[str]
) -> None:
    nights.folder.parent.write_text("a file where the folder should be")
    before = asked(shop)
    assert main(["history", "take"]) == 1
    assert "could not be written" in capsys.readouterr().err
    assert asked(shop) == before


def test_nights_are_removed_after_their_days(
    shop: SandboxServer, nights: Nights, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WARRANTY_HISTORY_DAYS", "2")
    for after in range(5):
        today(monkeypatch, FIRST + timedelta(days=after))
        assert main(["history", "take", "--quiet"]) == 0
    assert [night.day.day for night in nights.complete] == [23, 24, 25]
    told = json.loads((nights.complete[0].path / "manifest.json").read_bytes())
    assert told["environment"] == "staging"
