"""A night is kept whole or not at all, and can be read as it lies."""

import hashlib
import json
import stat
import subprocess
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pyarrow as pa
import pyarrow.dataset as ds
import pytest

from tests.builders import claim_record
from tests.warranty.claims.retrieval.fake_service import DAY, FakeService, Record
from warranty.claims.retrieval import retrieve_claims
from warranty.claims.retrieval.update import Reading
from warranty.client.resources import ClaimQuery
from warranty.insight.history.keeping import clear, keep
from warranty.insight.history.nights import SCHEMA, Night, Nights, stored_claims

EVENING = datetime(2026, 11, 21, 23, tzinfo=UTC)
FIRST = date(2026, 11, 21)


def records(count: int) -> list[Record]:
    starts = [f"2026-{1 + number % 4:02}-05T10:00:00+02:00" for number in range(count)]
    days = [DAY + timedelta(days=number) for number in range(count)]
    return [claim_record(days[n], n, warranty_start_date=starts[n]) for n in range(count)]


def reading(claims: list[Record], *, as_of: datetime = EVENING, whole: bool = True) -> Reading:
    frame = retrieve_claims(FakeService(claims), ClaimQuery()).frame
    return Reading(stored_claims(frame, as_of), as_of, total=len(frame), whole=whole)


@pytest.fixture
def nights(tmp_path: Path) -> Nights:
    return Nights(tmp_path / "history" / "sandbox")


def kept(nights: Nights, found: Reading, *, after: int = 0, earlier: Night | None = None) -> Night:
    return keep(nights, found, day=FIRST + timedelta(days=after), environment="sandbox", earlier=earlier)


def test_a_night_holds_every_claim_typed_and_not_what_the_customer_wrote(nights: Nights) -> None:
    kept(nights, reading([*records(8), claim_record(DAY, 99, description="My name is Ada Byron")]))
    (night,) = nights.complete
    claims = night.claims()
    assert (claims.schema, len(claims)) == (SCHEMA, 9)
    assert (night.day, night.as_of, night.whole, night.seal) == (FIRST, EVENING, True, "complete: 9 of 9")
    assert list(night.start_months) == sorted(night.start_months)
    assert night.frame(start_months=["2026-02"], columns=["warranty_id"])["warranty_id"].tolist() == ["w-1", "w-5"]
    assert all(b"Byron" not in path.read_bytes() for path in night.path.rglob("*.*"))
    assert night.frame()["description_hash"].nunique() == 2


def test_a_night_lies_there_for_its_owner_only_and_says_what_it_is(nights: Nights) -> None:
    night = kept(nights, reading(records(8)))
    assert {stat.S_IMODE(path.stat().st_mode) for path in night.path.rglob("*")} == {0o600, 0o700}
    assert stat.S_IMODE(night.path.stat().st_mode) == 0o700
    parts = json.loads((night.path / "manifest.json").read_bytes())["parts"]
    assert [(part["start_month"], part["rows"]) for part in parts] == [(f"2026-0{month}", 2) for month in range(1, 5)]
    subprocess.run(["sha256sum", "-c", "--quiet", "SHA256SUMS"], cwd=night.path, check=True)
    hive = ds.partitioning(pa.schema([("start_month", pa.string())]), flavor="hive")
    files = sorted(map(str, night.path.glob("*/part.parquet")))
    found = ds.dataset(files, partitioning=hive, partition_base_dir=str(night.path))
    assert found.count_rows(filter=ds.field("start_month") == "2026-03") == 2


def test_what_did_not_change_is_one_file_that_outlives_the_night_before(nights: Nights) -> None:
    first = kept(nights, reading(records(8)))
    claims = first.frame()
    later = EVENING + timedelta(days=1)
    changed = claims["warranty_id"] == "w-1"
    claims["status"] = claims["status"].astype("str").mask(changed, "RESOLVED")
    claims["read_at"] = claims["read_at"].mask(changed, later)
    found = Reading(pa.Table.from_pandas(claims, SCHEMA, preserve_index=False), later, total=8)
    second = kept(nights, found, after=1, earlier=first)
    same = [month for month in first.start_months if first.file(month).samefile(second.file(month))]
    assert same == ["2026-01", "2026-03", "2026-04"]
    assert (second.read_tonight, second.start_months["2026-02"].read_from) == (1, EVENING)
    clear(nights, before=FIRST + timedelta(days=1))
    assert [night.day for night in nights.complete] == [second.day]
    assert len(second.claims()) == 8


def test_an_incomplete_night_is_kept_apart_and_gives_way_to_a_whole_one_of_its_day(nights: Nights) -> None:
    kept(nights, reading(records(3), whole=False))
    kept(nights, reading(records(4), whole=False))
    assert nights.complete == []
    assert [len(night.claims()) for night in nights.incomplete] == [4]
    assert nights.incomplete[0].seal.startswith("INCOMPLETE")
    kept(nights, reading(records(5)))
    assert [len(night.claims()) for night in nights.complete] == [5]
    assert nights.incomplete == []
    with pytest.raises(OSError, match="not empty"):
        kept(nights, reading(records(6)))
    assert [len(night.claims()) for night in nights.complete] == [5]


def test_a_night_is_there_once_all_is_written_and_what_was_left_is_cleared(nights: Nights) -> None:
    def look() -> None:
        assert nights.complete == []
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        keep(nights, reading(records(8)), day=FIRST, environment="sandbox", last_look=look)
    assert list(nights.folder.iterdir()) == []
    (nights.folder / ".unfinished-1" / "start_month=2026-01").mkdir(parents=True)
    kept(nights, reading(records(8)))
    assert len(nights.complete) == 1
    clear(nights, before=FIRST)
    assert [path.name for path in nights.folder.iterdir()] == ["night=2026-11-21"]


def test_the_newest_whole_night_is_never_cleared(nights: Nights) -> None:
    for after in range(3):
        kept(nights, reading(records(2)), after=after)
    kept(nights, reading(records(2), whole=False), after=3)
    assert clear(nights, before=FIRST + timedelta(days=400)) == [FIRST + timedelta(days=after) for after in (0, 1, 3)]
    assert [night.day for night in nights.complete] == [FIRST + timedelta(days=2)]


def test_a_night_that_is_not_what_was_sealed_is_left_out_and_named(nights: Nights) -> None:
    night = kept(nights, reading(records(8)))
    assert night.is_intact()
    night.file("2026-01").write_bytes(night.file("2026-02").read_bytes())
    assert not night.is_intact()
    manifest = night.path / "manifest.json"
    manifest.write_bytes(manifest.read_bytes().replace(b'"rows": 8', b'"rows": 9'))
    assert (nights.complete, nights.unreadable) == ([], [night.path])
    assert hashlib.sha256(manifest.read_bytes()).hexdigest() not in (night.path / "SHA256SUMS").read_text()


def test_no_claims_at_all_are_a_night_too(nights: Nights) -> None:
    night = kept(nights, reading([]))
    assert (night.whole, night.claims().schema, len(night.frame())) == (True, SCHEMA, 0)
