"""`python -m warranty observed`: the drift as JSON, the record as a page."""

import json
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from sandbox import SandboxServer
from tests.builders import exports
from tests.warranty.commands.conftest import Run
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


def test_the_record_is_a_page_to_print(folder: Path, run: Run) -> None:
    assert run("observed", "record", "--out", folder / "record.pdf").status == 0
    assert (folder / "record.pdf").read_bytes().startswith(b"%PDF")
    assert run("observed", "record", "--out", folder / "missing" / "record.pdf").status == 2
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
    empty: SandboxServer, run: Run, command: str, operations: set[str]
) -> None:
    empty.add_fault("claims", "status", status=429, times=1)
    assert run(*command.split()).status == 0
    settings = load_settings()
    with closing(open_journal(settings.journal_url)) as journal:
        found = journal.observations(settings.environment)
        assert {each.operation for each in found.tries(since="2000-01-01")} == operations
        assert ("claims", "429") in {(each.oddity.operation, each.oddity.what) for each in found.drift()}
