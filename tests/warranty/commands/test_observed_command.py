"""`python -m warranty observed`: the drift as JSON, the record as a page."""

import json
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.builders import exports
from warranty.__main__ import main
from warranty.journal import open_journal
from warranty.journal.shared.observations import Oddity, Sighting, Tries


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
