"""`python -m warranty observed`: the drift as JSON."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from sandbox import SandboxServer
from tests.builders import exports
from tests.journals import empty_journal, journal_in
from tests.warranty.commands.conftest import Run
from warranty.__main__ import main
from warranty.watch.observed.observations import Observations, Oddity, Sighting


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
