"""`python -m warranty alerts`, as a timer calls it, the report of a month, and the running desk."""

import re
from collections import Counter
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pypdfium2
import pytest

from sandbox import SandboxServer
from tests.builders import MANAGER, claim_record, exports, order_of, sale_of
from tests.journals import journal_in
from tests.waiting import until
from tests.warranty.commands.conftest import Run, alerts, configured, desk, letters
from warranty.client.resources.landing import landing_page_url
from warranty.commands.housekeeping.opening import open_journal
from warranty.database.preferences import Preference
from warranty.errors import SettingsProblem
from warranty.settings import client_from, load_settings
from warranty.watch.alerts import watch


def test_all_is_well_is_not_told_and_a_test_goes_out_by_each_way_of_which_there_must_be_one(
    empty: SandboxServer, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("alerts", "run") == (0, "Nothing to tell.\n", "")
    assert letters(tmp_path) == []
    assert run("alerts", "test") == (0, "file: taken\n", "")
    assert [letter["title"] for letter in letters(tmp_path)] == ["Our shop: test"]
    monkeypatch.delenv("WARRANTY_ALERT_FILE")
    for action in ("run", "test"):
        refused = run("alerts", action)
        assert (refused.status, "WARRANTY_ALERT_" in refused.err) == (2, True)


def test_a_refused_token_is_told_once_and_silence_of_the_service_says_nothing_about_it(
    empty: SandboxServer, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("warranty.watch.alerts.alert_log.SAME_TROUBLE", timedelta(0))
    for status, times_told in ((401, 1), (401, 1), (500, 1), (401, 1), (None, 1), (401, 2)):
        empty.clear_faults()
        if status is not None:
            empty.add_fault(operation="verify_credentials", kind="status", status=status, times=9)
        assert run("alerts", "run").status == 0
        assert len(alerts(tmp_path)) == times_told
    assert "private token (401)" in alerts(tmp_path)[0]
    assert empty.private_token not in (tmp_path / "alerts.jsonl").read_text()


def test_orders_that_wait_are_told_once_without_the_customer(
    empty: SandboxServer, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty.add_fault(operation="submit_order", kind="status", status=503, times=9)
    with desk(landing_page=partial(landing_page_url, empty.landing_url, empty.retailer_uuid)) as here:
        here.send(MANAGER, order_of(order_id="o-of-ada"), draft_id="1", screen="submit_order")
    assert run("alerts", "run").status == 0
    assert alerts(tmp_path) == []
    monkeypatch.setattr("warranty.watch.alerts.watch.ORDERS_WAIT", timedelta(0))
    for _ in range(2):
        assert run("alerts", "run").status == 0
    (words,) = alerts(tmp_path)
    assert words.startswith("1 order has waited for the service since ")
    assert letters(tmp_path)[0]["title"] == "Our shop: orders wait"
    told = (tmp_path / "alerts.jsonl").read_text()
    assert [word for word in ("o-of-ada", "ada.brook", "Brook", "Mill Lane", "617 555") if word in told] == []


def test_a_failed_way_is_told(empty: SandboxServer, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    empty.add_fault(operation="claims", kind="status", status=401, times=9)
    monkeypatch.setenv("WARRANTY_ALERT_FILE", str(tmp_path / "none" / "such"))
    failed = run("alerts", "run")
    assert "file failed: the file cannot be written (FileNotFoundError)" in failed.err
    assert (failed.status, run("alerts", "test").status) == (1, 1)
    monkeypatch.setenv("WARRANTY_ALERT_FILE", str(tmp_path / "alerts.jsonl"))
    assert run("alerts", "run").status == 0
    assert len(alerts(tmp_path)) == 1


@pytest.mark.usefixtures("empty")
def test_a_running_desk_looks_now_and_again(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    faults = [SettingsProblem("a sentence"), ValueError("planted"), ValueError("planted")]
    look = Mock(side_effect=[*faults, *[ValueError("planted")] * 10_000])
    monkeypatch.setattr(watch, "look_and_tell", look)
    settings = load_settings()
    with client_from(settings) as client, closing(open_journal(settings.journal_url)) as journal:
        watching = watch.Watching(settings, journal, client, every=timedelta(milliseconds=1))
        until(lambda: look.call_count >= 3)
        watching.stop()
        ended = look.call_count
        watch.Watching(settings.model_copy(update={"alert_file": None}), journal, client).stop()
    assert (look.call_count, "planted" in caplog.text) == (ended, False)
    for why in ("a sentence", "ValueError"):
        assert f"alerts were not looked after: {why}" in caplog.text


def test_two_nights_without_every_claim_are_told_once_in_the_shops_language(
    empty: SandboxServer, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WARRANTY_SHOP_LANGUAGE", "es")
    empty.add_claims(claim_record("2026-05-01T00:00:00.000000", number) for number in range(60))
    for ago in (1, 0):
        night = datetime.now().astimezone() - timedelta(days=ago)
        monkeypatch.setattr("warranty.commands.history.shop_now", lambda _, night=night: night)
        assert run("alerts", "run").status == 0
        assert alerts(tmp_path) == []
        assert run("history", "take", "--quiet").status == 3
    for _ in range(2):
        assert run("alerts", "run").status == 0
    (words,) = alerts(tmp_path)
    assert "no tienen todos los reclamos" in words
    assert letters(tmp_path)[0]["title"].endswith(": reclamos incompletos")


@pytest.mark.parametrize("broken", ["the token", "the timer"])
def test_a_history_that_never_had_a_night_is_told_where_it_was_set_up_and_nowhere_else(
    empty: SandboxServer, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    def days_later(days: int) -> None:
        with journal_in(tmp_path) as journal:
            awaited = Preference(journal.database, "", "first night of staging awaited since")
            awaited.save((datetime.now().astimezone() - timedelta(days=days)).isoformat())

    days_later(9)
    assert run("alerts", "run").status == 0
    assert alerts(tmp_path) == [], "no history is set up"
    if broken == "the token":
        empty.add_fault(operation="claims", kind="status", status=401, times=99)
        assert run("history", "take", "--quiet").status == 1
        empty.clear_faults()
    else:
        monkeypatch.setenv("WARRANTY_HISTORY_DIR", str(tmp_path / "nights"))
    days_later(1)
    assert run("alerts", "run").status == 0
    assert alerts(tmp_path) == [], "one night was missed"
    days_later(9)
    for _ in range(2):
        assert run("alerts", "run").status == 0
    (words,) = alerts(tmp_path)
    assert "has no night yet" in words


@pytest.mark.usefixtures("empty")
def test_a_product_that_goes_wrong_is_told_first(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    with SandboxServer(seed="lemon", tokens="account") as lemon:
        configured(lemon, monkeypatch)
        assert run("history", "take", "--quiet").status == 0
        for _ in range(2):
            assert run("alerts", "run").status == 0
        (words,) = alerts(tmp_path)
        assert run("alerts", "report").status == 0
    assert words.startswith("Washing machine 8 kg: ")
    assert "where its own past expects" in words
    assert re.match(r"PRODUCTS TO LOOK AT\nWashing machine 8 kg: \d+ claims in ", letters(tmp_path)[-1]["text"])


THIS_MONTH = datetime.now().astimezone().date().replace(day=1)
LAST = THIS_MONTH - timedelta(days=1)
MONTH = LAST.replace(day=1)
HOSTILE = "Lamp\r\nBcc: eve@evil.example\u202e ada@example.com " + "x" * 150


def made(on: date, count: int, **fields: Any) -> list[dict[str, Any]]:
    return [
        claim_record(datetime(on.year, on.month, on.day, 12, 0, n % 60, n // 60), n, **fields)  # noqa: DTZ001
        for n in range(count)
    ]


@pytest.fixture
def shop(empty: SandboxServer) -> SandboxServer:
    """12 claims in the month on two products, 10 in as many days before, 3 a year ago, and some that do not count."""
    a_year_ago = MONTH.replace(year=MONTH.year - 1)
    of_ada = {"product_name": HOSTILE, "status": "IN_REVIEW", "description": "Ada Brook, +1 617 555 0123"}
    empty.add_claims([
        *made(MONTH, 8, **of_ada), *made(LAST, 4), *made(MONTH - timedelta(days=1), 10), *made(a_year_ago, 3),
        *made(MONTH.replace(year=MONTH.year - 2), 5, status="OPEN"), *made(THIS_MONTH, 2, status="OPEN"),
    ])  # fmt: skip
    return empty


def on_paper(tmp_path: Path) -> str:
    document = pypdfium2.PdfDocument(tmp_path / f"warranty-claims-{MONTH:%Y-%m}.pdf")
    return " ".join(" ".join(page.get_textpage().get_text_range() for page in document).split())


def test_a_month_is_told_beside_those_before_and_of_no_customer(shop: SandboxServer, tmp_path: Path, run: Run) -> None:
    assert run("alerts", "report").status == 0
    (letter,) = letters(tmp_path)
    assert (letter["title"], letter["month"]) == (f"Our shop: warranty claims of {MONTH:%B %Y}", f"{MONTH:%Y-%m}")
    before, year_ago = ((MONTH - timedelta(days=days)).strftime("%b %Y") for days in (1, 365))
    for text in (letter["text"], on_paper(tmp_path)):
        words = " ".join(text.split())
        assert f"12 · 10 in {before} · could be chance; 12 · 3 in {year_ago} ·" in words
        assert f"Product {MONTH:%b %Y} {before} {year_ago}" in words
        assert re.search(r"Arc floor lamp\s+4\s+10\s+3", words)
        assert "0 to 30 days ago" in words
        assert "Open is any status but RESOLVED; found: IN_REVIEW, OPEN." in words
        assert "Older claims are not in it." in words
    rows = Counter(re.findall(r"days ago +(\d+)", letter["text"]))
    # 8 of the month, 2 of this one and 5 of a year ago
    assert sum(int(count) * times for count, times in rows.items()) == 15
    assert re.search(r": 32, as they stood on .* UTC\. Older", letter["text"])
    for text in (letter["title"], letter["text"], on_paper(tmp_path)):
        assert not [word for word in ("ada@", "eve@", "617", "Brook", "\u202e", "\r", "w-1", "0" * 20) if word in text]
        assert all(line.isprintable() for line in text.splitlines())
    assert max(map(len, letter["text"].splitlines())) < 900


def test_a_month_is_told_once_and_again_when_asked(shop: SandboxServer, tmp_path: Path, run: Run) -> None:
    assert run("alerts", "report").status == 0
    again = run("alerts", "report", "--month", f"{MONTH:%Y-%m}")
    assert (again.status, "It has been told" in again.out) == (0, True)
    assert run("alerts", "run").status == 0
    assert len(letters(tmp_path)) == 1
    assert run("alerts", "report", "--again").status == 0
    assert len({letter["id"] for letter in letters(tmp_path)}) == 2
    assert exports(tmp_path, "staging") == [("report on a month", 1)] * 2


def test_a_reading_without_every_claim_makes_no_report_and_a_way_that_is_down_gets_it_later(
    shop: SandboxServer, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop.add_claims(claim_record(f"{MONTH}T10:00:00.000000", number) for number in range(60))
    incomplete = run("alerts", "report")
    assert (incomplete.status, "INCOMPLETE" in incomplete.err, letters(tmp_path)) == (3, True, [])
    shop.reset()
    monkeypatch.setenv("WARRANTY_ALERT_FILE", str(tmp_path / "none" / "such"))
    assert run("alerts", "report").status == 1
    monkeypatch.setenv("WARRANTY_ALERT_FILE", str(tmp_path / "alerts.jsonl"))
    assert run("alerts", "run").status == 0
    assert letters(tmp_path) == []
    assert run("alerts", "report").status == 0
    (letter,) = letters(tmp_path)
    assert letter["text"].startswith("CLAIMS\nNo comparison with")


def test_what_this_desk_recorded_is_told_as_such(empty: SandboxServer, tmp_path: Path, run: Run) -> None:
    with desk(lambda: datetime(LAST.year, LAST.month, LAST.day, 12, tzinfo=UTC)) as here:
        here.send(MANAGER, order_of(order_id="o-1"), draft_id="o", screen="s")
        here.send(MANAGER, sale_of("o-1"), draft_id="1", screen="s")
        empty.add_fault(operation="submit_order", kind="status", status=500, times=9)
        silent = here.send(MANAGER, order_of(order_id="o-2"), draft_id="2", screen="s")
    empty.clear_faults()
    assert run("alerts", "report").status == 0
    (letter,) = letters(tmp_path)
    parts = ("Plans recorded from", ": 1. Plans bought on the customer page")
    nights = f"History: of the {LAST.day} nights, 0 are kept with every claim, 0 without."
    unknown = f"Entries without an answer now: 1. {silent.attempt_id}, since"
    assert [part for part in (*parts, unknown, nights) if part not in letter["text"]] == []


@pytest.mark.parametrize("month", [f"{THIS_MONTH:%Y-%m}", "2026-13", "0001-01", "soon"])
def test_a_month_that_is_not_over_or_is_none_is_refused(month: str, empty: SandboxServer, run: Run) -> None:
    refused = run("alerts", "report", "--month", month)
    assert (refused.status, "--month" in refused.err) == (2, True)
