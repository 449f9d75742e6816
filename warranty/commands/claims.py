"""`python -m warranty claims`: all claims of a filter into a file, without a browser, for a nightly job."""

import argparse
import os
import re
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import ValidationError

from warranty.client import client_from
from warranty.commands.stopping import told_to_stop
from warranty.export import claims_file, manifest_of, seal
from warranty.resources import ClaimQuery, problems
from warranty.retrieval import ClaimSet, Progress, retrieve_claims
from warranty.settings import load_settings

INCOMPLETE: Final = 3
# Python itself reads many more forms, and a day in one of those would mean its midnight only.
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_MOMENT: Final = re.compile(_DAY.pattern + r"T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}")
_FURTHEST_ZONE: Final = timedelta(hours=14)
# As on the screens (docs/decisions/0070). A service may refuse the year 1, and no warranty is older.
_EARLIEST: Final = datetime.combine(date(1900, 1, 1), time.min)


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command; it exits with 3 when the file, written all the same, does not hold every claim."""
    parser = subparsers.add_parser(
        "claims",
        help="read all claims of a filter and write them to a file",
        description="Reads all claims and writes them to a file, whole or not at all. Exit status 3: the file does "
        "not hold every claim, because not all could be read or the reading was stopped (Ctrl-C, SIGTERM); it says "
        "so.",
    )
    day = "a day (YYYY-MM-DD, the whole of it) or a time (YYYY-MM-DDTHH:MM:SS.ffffff), service time"
    first, last = f"without it from {_EARLIEST:%Y-%m-%d} on", "without it up to today"
    parser.add_argument(
        "--from", dest="first", type=_start, metavar="TIME", help=f"first claim date: {day}; {first}"
    )
    parser.add_argument("--to", dest="last", type=_end, metavar="TIME", help=f"last claim date; {last}")
    parser.add_argument(
        "--warranty-from", type=_start, metavar="TIME", help=f"first start of warranty; {first}"
    )
    parser.add_argument("--warranty-to", type=_end, metavar="TIME", help=f"last start of warranty; {last}")
    parser.add_argument("--email", type=_email, metavar="ADDRESS", help="claims of this customer only")
    parser.add_argument("--out", required=True, type=Path, metavar="FILE", help="the file to write")
    parser.add_argument(
        "--parquet", action="store_true", help="write typed columns as Parquet instead of CSV"
    )
    parser.add_argument("--separator", choices=[",", ";"], default=",", help="between the cells of the CSV")
    parser.add_argument("--bom", action="store_true", help="begin the CSV with a byte order mark, for Excel")
    parser.add_argument("--manifest", action="store_true", help="write FILE.manifest.json beside it")
    parser.add_argument("--quiet", action="store_true", help="say nothing but what went wrong")
    parser.set_defaults(run=_run)


def _start(text: str) -> datetime:
    return _time(text, time.min)


def _end(text: str) -> datetime:
    return _time(text, time.max)


def _time(text: str, whole_day: time) -> datetime:
    try:
        if _DAY.fullmatch(text):
            return datetime.combine(date.fromisoformat(text), whole_day)
        if _MOMENT.fullmatch(text):
            return datetime.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text} is no day or time of the calendar") from None
    raise argparse.ArgumentTypeError(
        f"{text!r} is neither YYYY-MM-DD nor YYYY-MM-DDTHH:MM:SS.ffffff without a zone"
    )


def _email(text: str) -> str:
    """Refuse an address that is empty, as from a variable that is not set: it would mean every customer."""
    if not text.strip():
        raise argparse.ArgumentTypeError(
            "it is empty; leave --email away to read the claims of every customer"
        )
    return text


def _run(arguments: argparse.Namespace) -> int:
    try:
        query = _query(arguments)
    except ValidationError as refused:
        for problem in problems(refused):
            _say(problem.message)
        return 2
    out: Path = arguments.out
    if (out.exists() and not out.is_file()) or not os.access(out.resolve().parent, os.W_OK | os.X_OK):
        _say(f"{out} cannot be written: name a file in a folder that exists and may be written to")
        return 2
    settings = load_settings()
    with told_to_stop() as stop:
        with client_from(settings) as client:
            claims = retrieve_claims(
                client,
                query,
                progress=None if arguments.quiet else _progress(),
                concurrency=settings.claims_concurrency,
                calls_per_second=settings.claims_calls_per_second,
                cancel=stop,
            )
        if stop.is_set() and not claims.received and not claims.is_complete:
            _say(f"Stopped before anything was read: {out} was not written")
            return 1
        return _write(claims, arguments)


def _write(claims: ClaimSet, arguments: argparse.Namespace) -> int:
    out: Path = arguments.out
    if arguments.parquet:
        content = _parquet(claims)
        manifest = manifest_of(claims, name=out.name, content=content, rows=len(claims.frame), form="parquet")
    else:
        file = claims_file(claims, separator=arguments.separator, bom=arguments.bom, name=out.name)
        content, manifest = file.content, file.manifest
    try:
        write_whole(out, content)
        if arguments.manifest:
            write_whole(out.with_name(out.name + ".manifest.json"), manifest)
    except OSError as problem:
        _say(f"{out} could not be written: {problem.strerror}")
        return 1
    _report(claims, out, quiet=arguments.quiet)
    return 0 if claims.is_complete and not claims.rejected else INCOMPLETE


def _query(arguments: argparse.Namespace) -> ClaimQuery:
    return ClaimQuery(
        claim_dates=_range(arguments.first, arguments.last),
        warranty_start_dates=_range(arguments.warranty_from, arguments.warranty_to),
        customer_email=arguments.email,
    )


def _range(first: datetime | None, last: datetime | None) -> tuple[datetime, datetime] | None:
    """Give a range: without its start from 1900 on, without its end up to what any clock on earth calls today."""
    if first is None and last is None:
        return None
    latest = (datetime.now(UTC) + _FURTHEST_ZONE).replace(tzinfo=None)
    return first or _EARLIEST, last or max(latest, first or latest)


def _progress() -> Callable[[Progress], None]:
    """Say now and then how far the reading is; on a terminal in one line."""
    terminal = sys.stderr is not None and sys.stderr.isatty()
    told = 0

    def tell(progress: Progress) -> None:
        nonlocal told
        percent = int(progress.share * 100)
        if not terminal and percent < told + 10:
            return
        told = percent
        left = progress.remaining
        rest = f", about {left.total_seconds():.0f} s left" if left is not None else ""
        end = "\r" if terminal else "\n"
        _say(f"{progress.received:,} of {progress.total or 0:,} claims{rest}   ", end=end)

    return tell


def _say(text: str, *, end: str = "\n") -> None:
    """Write a line to stderr; that nobody reads it any more must not cost the file."""
    with suppress(OSError):
        if sys.stderr is not None:
            print(text, end=end, file=sys.stderr, flush=True)


def _report(claims: ClaimSet, out: Path, *, quiet: bool) -> None:
    if not quiet:
        _say(f"{out}: {seal(claims)}, {claims.requests} requests")
    for reason in claims.reasons:
        _say(reason)
    if claims.rejected:
        _say(f"Claims that could not be read and are not in the file: {len(claims.rejected)}")
        for rejected in claims.rejected[:20]:
            where = f"answer {rejected.answer}, record {rejected.record}"
            _say(f"  {where}: {rejected.field or 'the record'} {rejected.reason}")


def _parquet(claims: ClaimSet) -> bytes:
    """Write the typed columns, with the seal as metadata of the file; zoned times are in UTC."""
    table = pa.Table.from_pandas(claims.frame, preserve_index=False)
    told = {b"claims": seal(claims).encode(), b"complete": str(claims.is_complete).lower().encode()}
    sink = pa.BufferOutputStream()
    pq.write_table(table.replace_schema_metadata({**(table.schema.metadata or {}), **told}), sink)
    content: bytes = sink.getvalue().to_pybytes()
    return content


def write_whole(path: Path, content: bytes) -> None:
    """Write a file for its owner's eyes only, whole or not at all: what stood there stays until the new one is.

    Where a link stands there, the file that it names is written.
    """
    path = path.resolve()
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
