"""Taking a night, of all claims or of those that can have changed; keeping it, whole or not at all."""

import hashlib
import logging
import os
import shutil
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from warranty import VERSION
from warranty.claims.analysis.identity import IDENTITY, alike
from warranty.claims.retrieval import ClaimLimits, ClaimsService
from warranty.claims.retrieval.answers import read_answer
from warranty.claims.retrieval.columns import ClaimColumns
from warranty.claims.retrieval.update import Reading, Source, update
from warranty.client.resources import ClaimQuery
from warranty.clock import utc_now
from warranty.database.background import Background
from warranty.disk import write_private
from warranty.insight.history import nights as stored
from warranty.insight.history.nights import Night, Nights, Part, part_file, sha256, stored_claims
from warranty.settings import Settings

ROUND: Final = timedelta(days=28)
"""Within so long each claim is read anew, whatever its status: so long may a change of a closed one go unseen."""
_NIGHT: Final = timedelta(days=1)


def read_night(
    service: ClaimsService,
    earlier: Night | None,
    *,
    closed: tuple[str, ...],
    limits: ClaimLimits,
    cancel: threading.Event,
    now: Callable[[], datetime] = utc_now,
) -> Reading:
    """Read a night: all claims, or with an `earlier` one (whole and intact) what can have changed since.

    `closed` are the statuses that are taken for final: claims with them are read anew in turn, and not each night.
    Raises the `WarrantyError` of the first call if that fails: then nothing was read.
    """
    found = None
    source = Source(service, ClaimQuery(), lambda read: stored_claims(read.frame, read.as_of), limits, cancel, now)
    if earlier:
        share = max(_NIGHT, now() - earlier.as_of) / ROUND
        found = update(source, earlier.claims(), closed=closed, share=share)
    found = found or _all(source)
    return replace(found, closed=closed)


def _all(source: Source) -> Reading:
    claims = source.set_of()
    reasons = tuple(reason.english for reason in claims.reasons)
    counts: dict[str, Any] = {"unreadable": len(claims.rejected), "calls": claims.requests}
    return Reading(source.stored(claims), claims.as_of, claims.total, whole=claims.is_whole, reasons=reasons, **counts)


_UNFINISHED: Final = ".unfinished-"


def keep(
    nights: Nights,
    reading: Reading,
    *,
    day: date,
    environment: str,
    earlier: Night | None = None,
    last_look: Callable[[], None] = lambda: None,
) -> Night:
    """Write a night. It is there in one moment, sealed; a program that is killed before leaves a hidden folder.

    A part that is the same in the `earlier` night is the same file, under two names: either may be deleted. `last_look`
    is called right before the night is there; what it raises leaves none. Raises `OSError`, also where the day's night
    is there already.
    """
    made = _folder(nights.folder) / f"{_UNFINISHED}{uuid4().hex}"
    incomplete = nights.folder / stored.INCOMPLETE / str(day)
    target = nights.folder / f"{stored.NIGHT}{day}" if reading.whole else incomplete
    _folder(target.parent)
    _folder(made)
    try:
        parts = tuple(_parts(made, reading, earlier))
        night = _night(target, reading, parts, day=day, environment=environment)
        content = night.model_dump_json(indent=1).encode()
        write_private(made / stored.MANIFEST, content)
        sums = [f"{part.sha256}  {part_file(Path(), part.start_month).as_posix()}\n" for part in parts]
        seal = [*sums, f"{hashlib.sha256(content).hexdigest()}  {stored.MANIFEST}\n"]
        write_private(made / stored.SEAL, "".join(seal).encode("ascii"))
        _sync(made)
        last_look()
        if not reading.whole:
            shutil.rmtree(target, ignore_errors=True)  # the day's last try stands for it
        made.rename(target)
        _sync(target.parent)
    except BaseException:
        shutil.rmtree(made, ignore_errors=True)
        raise
    if reading.whole:
        shutil.rmtree(incomplete, ignore_errors=True)
    return night


def clear(nights: Nights, *, before: date) -> list[date]:
    """Remove nights of days `before`, all but the newest whole one, and what a killed program left; gives their days.

    Only for who holds the lease: it takes away what another is writing. Raises `OSError`.
    """
    old = [night for night in [*nights.complete[:-1], *nights.incomplete] if night.day < before]
    for night in old:
        # Under another name first: half a night must not be taken for one.
        night.path.rename(nights.folder / f"{_UNFINISHED}{uuid4().hex}")
    for left in nights.folder.glob(f"{_UNFINISHED}*"):
        shutil.rmtree(left)
    return [night.day for night in old]


def _parts(folder: Path, reading: Reading, earlier: Night | None) -> list[Part]:
    """Write the files of all start months, each YYYY-MM in UTC."""
    claims = stored.in_order(reading.claims)
    claims = claims.append_column("start_month", pc.strftime(claims["warranty_start_date"], format="%Y-%m"))
    parts = []
    for month in sorted(pc.unique(claims["start_month"]).to_pylist()):
        part = claims.filter(pc.equal(claims["start_month"], month)).drop_columns(["start_month"])
        file = part_file(folder, month)
        _folder(file.parent)
        if earlier is None or not _linked(earlier, month, part, file):
            pq.write_table(part, file, compression="zstd")
            file.chmod(0o600)
            _sync(file)
        _sync(file.parent)
        read_from = pc.min(part["read_at"]).as_py()
        parts.append(Part(start_month=month, rows=len(part), sha256=sha256(file), read_from=read_from))
    return parts


def _linked(earlier: Night, month: str, part: pa.Table, file: Path) -> bool:
    """Give the earlier night's file a second name where it holds the same claims, and the file system has such."""
    known = earlier.start_months.get(month)
    if known is None or known.rows != len(part) or sha256(earlier.file(month)) != known.sha256:
        return False
    if not earlier.claims(start_months=[month]).equals(part):
        return False
    try:
        os.link(earlier.file(month), file)
    except OSError:
        return False
    return True


def _night(path: Path, reading: Reading, parts: tuple[Part, ...], *, day: date, environment: str) -> Night:
    return Night(
        path=path,
        product_version=VERSION,
        environment=environment,
        day=day,
        as_of=reading.as_of,
        whole=reading.whole,
        seal=reading.seal,
        reasons=reading.reasons,
        proof="read tonight / proved by total" if reading.proved_by_totals else "read",
        rows=len(reading.claims),
        read_tonight=pc.sum(pc.greater_equal(reading.claims["read_at"], pa.scalar(reading.as_of))).as_py() or 0,
        unreadable=reading.unreadable,
        alike=alike(reading.claims.select(IDENTITY).to_pandas()),
        closed_statuses=reading.closed,
        parts=parts,
    )


def _folder(path: Path) -> Path:
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path


def _sync(path: Path) -> None:
    """See that a file, or the names in a folder, are on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


_EVENINGS: Final = 60
_PAUSE: Final = 0.15
"""Seconds between two, so that who begins at this desk meanwhile does not wait."""


def start_evenings(settings: Settings, evening: Callable[[int], bytes]) -> Background:
    """Begin to take them: sixty soon after the first start, which does not wait for them, then each day's.

    `evening` gives what the service would have answered so many days ago, of all claims.
    """
    log, soon = logging.getLogger("warranty.history"), timedelta(seconds=15)
    fault, over = "no evening was taken", threading.Event()
    work = partial(take_evenings, settings, evening, over)
    taking = Background("evenings", work, every=soon, log=log, fault=fault, over=over)
    taking.start()
    return taking


def take_evenings(settings: Settings, evening: Callable[[int], bytes], over: threading.Event) -> None:
    """Take those since the last; the first ones are there all at once, so that nobody reads of nights that are late."""
    nights, now = Nights.of(settings), utc_now()
    last, made = nights.last, nights.folder.with_name("evenings")
    shutil.rmtree(made, ignore_errors=True)  # of a program that was ended
    into = nights if last else Nights(made)
    for days_ago in reversed(range(_EVENINGS)):
        as_of = now - timedelta(days=days_ago)
        day = as_of.astimezone().date()
        if last and day <= last.day:
            continue
        if over.wait(_PAUSE):
            return
        columns = ClaimColumns()
        columns.add(read_answer(evening(days_ago), number=1))
        claims = columns.table().frame
        reading = Reading(stored_claims(claims, as_of), as_of, len(claims), closed=settings.closed_statuses)
        last = keep(into, reading, day=day, environment=settings.environment)
    if into.folder == made:
        made.rename(nights.folder)
