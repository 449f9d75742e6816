"""`python -m warranty observed`: the drift as JSON, the record as a page."""

import json
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from sandbox import SandboxServer
from tests.builders import exports
from tests.warranty.commands.test_claims_command import configured
from warranty.__main__ import main
from warranty.journal import open_journal
from warranty.journal.shared.observations import Oddity, Sighting, Tries
from warranty.settings import load_settings


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("WARRANTY_DATA_DIR", str(tmp_path))
    now = datetime.now(UTC)
    with closing(open_journal(f"sqlite:///{tmp_path / 'journal.sqlite3'}")) as journal:
        seen = Sighting(Oddity("claims", "HTTP status", "429"), now, now, 2)
        tries = {Tries(now.date().isoformat(), "claims", "done", "", 200): 7}
        journal.observations("sandbox").add([seen], tries)
    return tmp_path


def test_drift_is_told_as_json(folder: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["observed", "drift"]) == 0
    report = json.loads(capsysbinary.readouterr().out)
    assert [(each["what"], each["answers"]) for each in report["seen"]] == [("429", 2)]
    assert report["assumptions"]["endpoints.no-limits-no-versions"]["first_contradicted"]
    assert exports(folder) == [("service drift json", 1)]


def test_the_record_is_a_page_to_print(folder: Path) -> None:
    assert main(["observed", "record", "--out", str(folder / "record.pdf")]) == 0
    assert (folder / "record.pdf").read_bytes().startswith(b"%PDF")
    assert main(["observed", "record", "--out", str(folder / "missing" / "record.pdf")]) == 2
    assert exports(folder) == [("service record pdf", 1)]


@pytest.mark.parametrize(
    ("command", "operations"),
    [
        ("alerts run", {"verify_credentials", "claims"}),
        ("alerts report", {"claims"}),
        ("history take --quiet", {"claims"}),
        ("claims --quiet --out claims.csv", {"claims"}),
    ],
)
def test_what_a_command_asks_of_the_service_is_in_the_record_as_what_a_screen_asks(
    *,
    running_sandbox: SandboxServer,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    command: str,
    operations: set[str],
) -> None:
    running_sandbox.reset()
    configured(running_sandbox, monkeypatch)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WARRANTY_ALERT_FILE", str(tmp_path / "alerts.jsonl"))
    running_sandbox.add_fault("claims", "status", status=429, times=1)
    assert main(command.split()) == 0
    settings = load_settings()
    with closing(open_journal(settings.journal_url)) as journal:
        kept = journal.observations(settings.environment)
        assert {each.operation for each in kept.tries(since="2000-01-01")} == operations
        assert ("claims", "429") in {(each.oddity.operation, each.oddity.what) for each in kept.drift()}
