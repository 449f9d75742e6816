"""What `python -m warranty claims` writes and where: its arguments mean what they say, and no good file is lost."""

import csv
import os
import sys
from collections.abc import Iterator
from io import BytesIO, StringIO
from pathlib import Path

import openpyxl
import pyarrow.parquet as pq
import pytest

from sandbox import SandboxServer
from tests.builders import claim_record
from tests.warranty.commands.test_claims_command import configured, records
from tests.warranty.retrieval.fake_service import DAY
from warranty.__main__ import main
from warranty.client import WarrantyClient
from warranty.commands.claims import write_whole


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
def out(tmp_path: Path) -> Path:
    return tmp_path / "claims.csv"


def test_the_ending_of_the_name_says_what_is_written(sandbox: SandboxServer, tmp_path: Path) -> None:
    book, typed = tmp_path / "claims.XLSX", tmp_path / "claims.parquet"

    assert main(["claims", "--out", str(book), "--quiet"]) == 0
    assert main(["claims", "--out", str(typed), "--quiet"]) == 0

    assert openpyxl.load_workbook(book)["Claims"].max_row == 481
    assert pq.read_table(typed).num_rows == 480


def test_a_hyphen_is_standard_output(
    sandbox: SandboxServer,
    tmp_path: Path,
    capsysbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)

    assert main(["claims", "--out", "-"]) == 0
    written = capsysbinary.readouterr()
    assert len(list(csv.DictReader(StringIO(written.out.decode(), newline="")))) == 480
    assert b"complete: 480 of 480" in written.err

    assert main(["claims", "--out", "-", "--parquet", "--quiet"]) == 0
    assert pq.read_table(BytesIO(capsysbinary.readouterr().out)).num_rows == 480
    assert {path.name.partition("3")[0] for path in tmp_path.rglob("*") if path.is_file()} == {
        "journal.sqlite"
    }


@pytest.mark.parametrize(
    "words",
    [
        ["--out", "claims.xlsx", "--separator", ";"],
        ["--out", "claims.xlsx", "--parquet"],
        ["--out", "claims.csv", "--parquet"],
        ["--out", "claims", "--parquet", "--bom"],
        ["--out", "claims.parquet", "--bom"],
        ["--out", "-", "--manifest"],
    ],
)
def test_arguments_that_contradict_each_other_are_refused_before_anything_is_read(
    words: list[str], sandbox: SandboxServer, capsys: pytest.CaptureFixture[str]
) -> None:
    before = len(sandbox.calls())

    assert main(["claims", *words]) == 2

    assert "leave" in capsys.readouterr().err
    assert len(sandbox.calls()) == before


def test_a_time_to_the_second_means_the_whole_of_it(sandbox: SandboxServer, out: Path) -> None:
    moments = [DAY.replace(microsecond=each) for each in (0, 500_000, 999_999)]
    sandbox.add_claims(claim_record(moment, number) for number, moment in enumerate(moments))
    second = "2026-05-01T00:00:00"

    for first, last, found in ((second, second, 3), (second, f"{second}.5", 2), (f"{second}.5", second, 2)):
        assert main(["claims", "--from", first, "--to", last, "--out", str(out), "--quiet"]) == 0
        assert len(records(out)) == found


def test_the_help_names_what_may_stand_between_cells(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["claims", "--help"])
    told = " ".join(capsys.readouterr().out.split())
    assert "{,,;}" not in told
    assert "--separator MARK ',' or ';' between the cells of a CSV" in told


def test_claims_that_repeat_another_are_told(
    sandbox: SandboxServer, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sandbox.add_claims([claim_record(DAY.replace(year=2020), 1)] * 2)

    assert main(["claims", "--to", "2020-12-31", "--out", str(out)]) == 0

    told = capsys.readouterr().err
    assert "complete: 2 of 2, 1 of them repeat another" in told
    assert "Claims that repeat another one in all eight fields: 1." in told


def test_a_failure_without_a_reference_shows_no_empty_one(
    sandbox: SandboxServer,
    out: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(WarrantyClient, "claims_body", lambda _client, _query: b'{"data": []}')

    assert main(["claims", "--out", str(out)]) == 1

    told = capsys.readouterr().err
    assert "the service gave an answer that we do not understand." in told
    assert "The service says" not in told
    assert "attempt" not in told
    assert "Reference" not in told


def test_a_folder_that_is_not_there_is_told_before_anything_is_read(
    sandbox: SandboxServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = len(sandbox.calls())

    assert main(["claims", "--out", str(tmp_path / "nowhere" / "claims.csv")]) == 2

    assert "name a file in a folder that exists" in capsys.readouterr().err
    assert len(sandbox.calls()) == before


def test_what_is_no_file_is_not_replaced_by_one(
    sandbox: SandboxServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    assert main(["claims", "--out", str(pipe)]) == 2

    assert "cannot be written" in capsys.readouterr().err
    assert pipe.is_fifo()


def test_a_folder_that_may_not_be_written_to_is_told_before_anything_is_read(
    sandbox: SandboxServer, out: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Root may write everywhere, so the question is answered here.
    monkeypatch.setattr(os, "access", lambda path, _mode: path != out.parent)
    before = len(sandbox.calls())

    assert main(["claims", "--out", str(out)]) == 2

    assert "may be written to" in capsys.readouterr().err
    assert len(sandbox.calls()) == before


class Unheeded(StringIO):
    """What nobody reads any more, such as a pipe whose other end was closed."""

    def write(self, _text: str) -> int:
        raise BrokenPipeError


@pytest.mark.parametrize("stderr", [None, Unheeded()])
def test_a_file_is_written_though_nobody_reads_what_the_command_says(
    sandbox: SandboxServer, out: Path, monkeypatch: pytest.MonkeyPatch, stderr: StringIO | None
) -> None:
    monkeypatch.setattr(sys, "stderr", stderr)

    assert main(["claims", "--out", str(out)]) == 0

    assert len(records(out)) == 480


def test_where_a_link_stands_the_file_that_it_names_is_written(tmp_path: Path) -> None:
    folder, link = tmp_path / "folder", tmp_path / "latest.csv"
    folder.mkdir()
    link.symlink_to(folder / "claims.csv")

    write_whole(link, b"today")

    assert link.is_symlink()
    assert (folder / "claims.csv").read_bytes() == b"today"
    assert [path.name for path in folder.iterdir()] == ["claims.csv"]


def test_what_stood_there_stays_until_the_new_file_is_whole(tmp_path: Path) -> None:
    out = tmp_path / "claims.csv"
    out.write_text("yesterday")

    with pytest.raises(TypeError):
        write_whole(out, "text where bytes are meant")  # type: ignore[arg-type]

    assert out.read_text() == "yesterday"
    assert [path.name for path in tmp_path.iterdir()] == ["claims.csv"]
