"""`python -m warranty alerts report`: a month told once, as a count by hand has it, and of no customer."""

import json
import re
from collections import Counter
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

from sandbox import SandboxServer
from tests.builders import MANAGER, claim_record, exports, order_of, sale_of
from tests.warranty.commands.test_claims_command import configured
from warranty.__main__ import main
from warranty.client import client_from
from warranty.desk import Desk
from warranty.journal import open_journal
from warranty.settings import load_settings

THIS_MONTH = datetime.now().astimezone().date().replace(day=1)
LAST = THIS_MONTH - timedelta(days=1)
MONTH = LAST.replace(day=1)
HOSTILE = "Lamp\r\nBcc: eve@evil.example\u202e ada@example.com " + "x" * 150


def made(on: date, count: int, **fields: Any) -> list[dict[str, Any]]:
    """So many claims of a day, told apart by the second."""
    return [
        claim_record(datetime(on.year, on.month, on.day, 12, 0, n % 60, n // 60), n, **fields)  # noqa: DTZ001
        for n in range(count)
    ]


@pytest.fixture
def sandbox(running_sandbox: SandboxServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> SandboxServer:
    """12 claims in the month on two products, 10 in as many days before, 3 a year ago, and some that do not count."""
    running_sandbox.reset()
    running_sandbox.clear_faults()
    configured(running_sandbox, monkeypatch)
    monkeypatch.setenv("WARRANTY_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("WARRANTY_ALERT_FILE", str(tmp_path / "alerts.jsonl"))
    a_year_ago = MONTH.replace(year=MONTH.year - 1)
    running_sandbox.add_claims(
        [
            *made(
                MONTH, 8, product_name=HOSTILE, status="IN_REVIEW", description="Ada Brook, +1 617 555 0123"
            ),
            *made(LAST, 4),
            *made(MONTH - timedelta(days=1), 10),
            *made(a_year_ago, 3),
            *made(a_year_ago - timedelta(days=1), 5, status="OPEN"),
            *made(THIS_MONTH, 2, status="OPEN"),
        ]
    )
    return running_sandbox


def told(tmp_path: Path) -> list[dict[str, Any]]:
    path = tmp_path / "alerts.jsonl"
    return (
        [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []
    )


def on_paper(tmp_path: Path) -> str:
    document = pypdfium2.PdfDocument(tmp_path / f"warranty-claims-{MONTH:%Y-%m}.pdf")
    return " ".join(" ".join(page.get_textpage().get_text_range() for page in document).split())


def test_a_month_is_told_beside_the_days_before_and_the_year_before_with_what_that_is_worth(
    sandbox: SandboxServer, tmp_path: Path
) -> None:
    assert main(["alerts", "report"]) == 0
    (letter,) = told(tmp_path)
    assert letter["title"] == f"Our shop: warranty claims of {MONTH:%B %Y}"
    assert letter["month"] == f"{MONTH:%Y-%m}"
    days = LAST.day
    for text in (letter["text"], on_paper(tmp_path)):
        said = " ".join(text.split())
        assert (
            f"2 more than the {days} days before (10): within chance; 9 more than the same days last year (3):"
            in said
        )
        assert "leads with 8 of 12, Arc floor lamp has 4: within chance." in said
        assert re.search(r"Arc floor lamp\s+4\s+10\s+3", said)
        assert "0 to 30 days ago" in said
        assert "Open is any status but RESOLVED; found: IN_REVIEW, OPEN." in said
        assert "Older claims are not in it." in said
    rows = Counter(re.findall(r"days ago +(\d+)", letter["text"]))
    assert sum(int(count) * times for count, times in rows.items()) == 10  # 8 of the month and 2 of this one
    assert re.search(r": 27, as they stood on .* UTC\. Older", letter["text"])


def test_nothing_of_a_customer_and_nothing_that_steers_is_in_a_report(
    sandbox: SandboxServer, tmp_path: Path
) -> None:
    assert main(["alerts", "report"]) == 0
    (letter,) = told(tmp_path)
    for text in (letter["title"], letter["text"], on_paper(tmp_path)):
        assert not [
            word for word in ("ada@", "eve@", "617", "Brook", "\u202e", "\r", "w-1", "0" * 20) if word in text
        ]
        assert all(line.isprintable() for line in text.splitlines())
    assert max(map(len, letter["text"].splitlines())) < 900


def test_a_month_is_told_once_and_again_when_asked(
    sandbox: SandboxServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["alerts", "report"]) == 0
    assert main(["alerts", "report", "--month", f"{MONTH:%Y-%m}"]) == 0
    assert "It has been told" in capsys.readouterr().out
    assert main(["alerts", "run"]) == 0
    assert len(told(tmp_path)) == 1
    assert main(["alerts", "report", "--again"]) == 0
    assert len({letter["id"] for letter in told(tmp_path)}) == 2
    assert exports(tmp_path, "staging") == [("report on a month", 1)] * 2


def test_a_reading_without_every_claim_makes_no_report_and_a_way_that_is_down_gets_it_later(
    sandbox: SandboxServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    sandbox.add_claims(claim_record(f"{MONTH}T10:00:00.000000", number) for number in range(60))
    assert main(["alerts", "report"]) == 3
    assert "INCOMPLETE" in capsys.readouterr().err
    assert told(tmp_path) == []
    sandbox.reset()
    monkeypatch.setenv("WARRANTY_ALERT_FILE", str(tmp_path / "none" / "such"))
    assert main(["alerts", "report"]) == 1
    monkeypatch.setenv("WARRANTY_ALERT_FILE", str(tmp_path / "alerts.jsonl"))
    assert main(["alerts", "run"]) == 0
    assert told(tmp_path) == []
    assert main(["alerts", "report"]) == 0
    (letter,) = told(tmp_path)
    assert letter["text"].startswith("CLAIMS\n0 claims, as many as")


def test_what_this_desk_recorded_is_told_as_such(sandbox: SandboxServer, tmp_path: Path) -> None:
    settings = load_settings()
    in_the_month = datetime(LAST.year, LAST.month, LAST.day, 12, tzinfo=UTC)
    with (
        client_from(settings) as client,
        closing(open_journal(settings.journal_url, clock=lambda: in_the_month)) as journal,
    ):
        desk = Desk(client=client, journal=journal, environment=settings.environment)
        client.submit_order(order_of(order_id="o-1"))
        desk.send(MANAGER, sale_of("o-1"), draft_id="1", screen="s")
        sandbox.add_fault(operation="submit_order", kind="status", status=500, times=9)
        silent = desk.send(MANAGER, order_of(order_id="o-2"), draft_id="2", screen="s")
    sandbox.clear_faults()
    assert main(["alerts", "report"]) == 0
    (letter,) = told(tmp_path)
    assert "Plans recorded from" in letter["text"]
    assert ": 1. Plans bought on the landing page" in letter["text"]
    assert f"Entries without an answer now: 1. {silent.attempt_id}, since" in letter["text"]
    assert f"History: of the {LAST.day} nights, 0 are kept with every claim, 0 without." in letter["text"]


@pytest.mark.parametrize("month", [f"{THIS_MONTH:%Y-%m}", "2026-13", "0001-01", "soon"])
def test_a_month_that_is_not_over_or_is_none_is_refused(
    month: str, sandbox: SandboxServer, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["alerts", "report", "--month", month])
    assert "--month" in capsys.readouterr().err
