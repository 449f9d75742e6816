"""Nights: each a folder that holds all claims as they stood, readable as it lies.

    <history>/<environment>/night=2026-11-22/
        start_month=2026-10/part.parquet    the claims of warranties that started then; columns: `SCHEMA`
        manifest.json                       what the night is: `Night`
        SHA256SUMS                          the seal, written last: `sha256sum -c SHA256SUMS`
    <history>/<environment>/incomplete/2026-11-22/    the same, of a night that could not be read completely

A night that is not whole lies elsewhere, so that whoever reads `night=*/*/part.parquet` never takes it for one. Kept
are the columns of the interface, without the customer's words.
"""

import hashlib
from collections.abc import Collection, Iterable, Sequence
from datetime import date, datetime
from functools import cached_property
from pathlib import Path
from typing import Final, Literal

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pydantic import AwareDatetime, BaseModel, Field, ValidationError
from pydantic_core import from_json

from warranty.settings import Settings

INSTANT: Final = pa.timestamp("us", "UTC")
SCHEMA: Final = pa.schema(
    [
        ("claim_date", pa.timestamp("us")),  # service time: no zone, never shifted
        ("description_hash", pa.int64()),
        ("order_date", INSTANT),
        ("order_id", pa.string()),
        ("product_name", pa.string()),
        ("status", pa.string()),
        ("warranty_id", pa.string()),
        ("warranty_start_date", INSTANT),
        ("read_at", INSTANT),
    ]
)
"""`read_at` is as of when the service gave this claim as it stands here; a status may be younger, never older.

A description is what a customer wrote: it is not kept, only a number that differs where the words do.
"""
SCHEMA_VERSION: Final = 1
_ORDER: Final = [("claim_date", "ascending"), ("order_id", "ascending"), ("warranty_id", "ascending")]


def stored_claims(frame: pd.DataFrame, read_at: datetime) -> pa.Table:
    """Give claims as they are kept, `SCHEMA`, from a frame of `ClaimSet`, as of `read_at` (aware)."""
    digests = (hashlib.blake2b(words.encode(), digest_size=8).digest() for words in frame["description"])
    hashes = [int.from_bytes(digest, signed=True) for digest in digests]
    read = pa.array([read_at] * len(frame), INSTANT)
    ours = {"description_hash": hashes, "read_at": read, "status": pa.array(frame["status"].astype("str"))}
    columns = {name: ours[name] if name in ours else pa.array(frame[name]) for name in SCHEMA.names}
    return pa.table(columns).cast(SCHEMA)


def in_order(claims: pa.Table) -> pa.Table:
    """Give them oldest first; where claims are alike, in the order in which they are."""
    return claims.take(pc.sort_indices(claims.select([name for name, _ in _ORDER]), sort_keys=_ORDER))


def frame_of(claims: pa.Table) -> pd.DataFrame:
    """Give claims as a frame: moments as `ClaimSet.frame` has them, status as a category."""
    words = [name for name in ("status",) if name in claims.column_names]
    frame: pd.DataFrame = claims.to_pandas(categories=words)
    return frame


NIGHT: Final = "night="
INCOMPLETE: Final = "incomplete"
MANIFEST: Final = "manifest.json"
SEAL: Final = "SHA256SUMS"


class Part(BaseModel, frozen=True):
    """The claims of one start month: `read_from` is as of when the one was read that was not read for longest."""

    start_month: str
    rows: int
    sha256: str
    read_from: AwareDatetime


class Night(BaseModel, frozen=True):
    """One night that is kept: its folder, and what its manifest says.

    `whole`: every claim of the service is in it, or counted among the `unreadable`; such nights are compared. `day` is
    that of the machine that took it. `as_of` is when the reading began, in UTC: all were there then, or came since; a
    claim stood as it is here at its `read_at`. `proof` says how that is known: all were read, or totals prove the rest.
    `alike` counts claims that cannot be told from another one (analysis.identity).
    """

    path: Path = Field(exclude=True)
    schema_version: Literal[1] = SCHEMA_VERSION
    product_version: str
    environment: str
    day: date
    as_of: AwareDatetime
    whole: bool
    seal: str
    reasons: tuple[str, ...]
    proof: Literal["read", "read tonight / proved by total"]
    rows: int
    read_tonight: int
    unreadable: int
    alike: int
    closed_statuses: tuple[str, ...]
    parts: tuple[Part, ...]

    @cached_property
    def start_months(self) -> dict[str, Part]:
        """Its parts by start month, YYYY-MM; two nights with the same `sha256` there hold the same claims."""
        return {part.start_month: part for part in self.parts}

    def file(self, start_month: str) -> Path:
        """The Parquet file of a start month."""
        return part_file(self.path, start_month)

    def claims(self, *, start_months: Collection[str] | None = None, columns: Sequence[str] | None = None) -> pa.Table:
        """Read its claims, or those of some start months and columns; raises `OSError` where a file is gone.

        Within a start month they are sorted by claim_date, order_id and warranty_id.
        """
        wanted = self.start_months if start_months is None else start_months
        schema = SCHEMA if columns is None else pa.schema([SCHEMA.field(name) for name in columns])
        files = (self.file(month) for month in self.start_months if month in wanted)
        read = [pq.read_table(file, columns=schema.names, partitioning=None) for file in files]
        return pa.concat_tables([schema.empty_table(), *read])

    def frame(
        self, *, start_months: Collection[str] | None = None, columns: Sequence[str] | None = None
    ) -> pd.DataFrame:
        """Read its claims as a frame; see `claims`."""
        return frame_of(self.claims(start_months=start_months, columns=columns))

    def is_intact(self) -> bool:
        """Whether its files are those that were sealed; reads them all."""
        try:
            return all(sha256(self.file(part.start_month)) == part.sha256 for part in self.parts)
        except OSError:
            return False


class Nights:
    """The nights of a folder, one environment's; nothing but what lies there is known, so it may be moved."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @classmethod
    def of(cls, settings: Settings) -> "Nights":
        """Those of the environment of the settings."""
        return cls(settings.history_dir / settings.environment)

    @property
    def complete(self) -> list[Night]:
        """Those that are whole, the oldest first: only they are compared."""
        return [night for night in _nights(self.folder.glob(f"{NIGHT}*")) if night.whole]

    @property
    def incomplete(self) -> list[Night]:
        """Those that are not, the oldest first."""
        return _nights((self.folder / INCOMPLETE).glob("*"))

    @property
    def last(self) -> Night | None:
        """The newest whole one."""
        return next(iter(reversed(self.complete)), None)

    @property
    def unreadable(self) -> list[Path]:
        """Folders of nights whose manifest is not what was sealed, or was made by a later version of the program."""
        return [path for path in sorted(self.folder.glob(f"{NIGHT}*")) if _night(path) is None]


def part_file(night: Path, start_month: str) -> Path:
    """Where the claims of a start month lie in a night's folder."""
    return night / f"start_month={start_month}" / "part.parquet"


def sha256(file: Path) -> str:
    """The hash of a file, as `sha256sum` tells it."""
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def _nights(folders: Iterable[Path]) -> list[Night]:
    found = [_night(path) for path in folders]
    return sorted((night for night in found if night is not None), key=lambda night: (night.as_of, night.day))


def _night(path: Path) -> Night | None:
    """Read a night; None where its manifest is not what was sealed."""
    try:
        content = (path / MANIFEST).read_bytes()
        seal = (path / SEAL).read_text(encoding="ascii")
        if f"{hashlib.sha256(content).hexdigest()}  {MANIFEST}\n" not in seal:
            return None
        return Night.model_validate({**from_json(content), "path": path})
    except (OSError, ValueError, ValidationError):
        return None
