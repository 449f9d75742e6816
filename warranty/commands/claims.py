"""`python -m warranty claims`: all claims of a filter into a file, without a browser, for a nightly job."""

import argparse
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import date, datetime, time
from functools import partial
from pathlib import Path
from typing import Final, Literal

import httpx
from pydantic import ValidationError

from warranty.claims.analysis import Selection, covered
from warranty.claims.readings.limits import claim_limits
from warranty.claims.retrieval import ClaimSet, Progress, retrieve_claims
from warranty.client import WarrantyClient
from warranty.client.resources import ClaimQuery, problems
from warranty.client.tls import trust
from warranty.clock import utc_now
from warranty.commands.housekeeping.opening import open_journal
from warranty.commands.telling import SubParsers, check_writable, put_out, say
from warranty.database.limits import SharedTokens
from warranty.desk.journal import Journal
from warranty.desk.taking_away import describe_claims
from warranty.disk import write_whole
from warranty.errors import JournalUnavailable
from warranty.files.export import Form, claims_file, seal
from warranty.insight.history.time_notes import TimeNotes, notes_for_manifest
from warranty.people.audit import AuditKind, AuditTrail, By
from warranty.settings import Settings, client_from, load_settings
from warranty.watch.observed.observations import Observations
from warranty.watch.observed.observer import ServiceSeen

INCOMPLETE: Final = 3
_STDOUT: Final = Path("-")
# Python itself reads many more forms, and a day in one of those would mean its midnight only.
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_MOMENT: Final = re.compile(_DAY.pattern + r"T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,6})?")
# As on the screens (docs/decisions/claims-screen.md). A service may refuse the years 1 and 9999; no warranty is older.
_EARLIEST: Final = datetime.combine(date(1900, 1, 1), time.min)
_LATEST: Final = datetime.combine(date(2199, 12, 31), time.max)
_FORMS: Final[dict[str, Form]] = {".csv": "csv", ".xlsx": "xlsx", ".parquet": "parquet"}


def add_parser(subparsers: SubParsers) -> None:
    """Add the command; it exits with 3 when what it wrote does not hold every claim."""
    parser = subparsers.add_parser(
        "claims",
        help="read all claims of a filter and write them to a file",
        description="Reads all claims and writes them to a file, whole or not at all. Exit status 3: not every claim "
        "could be read, one came twice, perhaps in another's place, or the reading was stopped (Ctrl-C, SIGTERM). "
        "What was read is then written to "
        "NAME.partial.ENDING and says so; FILE stays as it was.",
    )
    day = "a day or a second (YYYY-MM-DD, YYYY-MM-DDTHH:MM:SS, the whole of it), or a time (with .ffffff), service time"
    first, last = (f"without it from {_EARLIEST:%Y-%m-%d} on", "without it up to the last, also those dated ahead")
    start, end = partial(_time, whole_day=time.min), partial(_time, whole_day=time.max)
    parser.add_argument("--from", dest="first", type=start, metavar="TIME", help=f"first claim date: {day}; {first}")
    parser.add_argument("--to", dest="last", type=end, metavar="TIME", help=f"last claim date; {last}")
    parser.add_argument("--warranty-from", type=start, metavar="TIME", help=f"first start of warranty; {first}")
    parser.add_argument("--warranty-to", type=end, metavar="TIME", help=f"last start of warranty; {last}")
    parser.add_argument("--email", type=_email, metavar="ADDRESS", help="claims of this customer only")
    out = "the file to write: XLSX or Parquet (typed columns) where it ends so, else CSV; - is standard output"
    parser.add_argument("--out", required=True, type=Path, metavar="FILE", help=out)
    parser.add_argument("--parquet", action="store_true", help="write Parquet though FILE does not end so")
    mark = "',' or ';' between the cells of a CSV; ',' without it"
    parser.add_argument("--separator", choices=[",", ";"], metavar="MARK", help=mark)
    parser.add_argument("--bom", action="store_true", help="begin the CSV with a byte order mark, for Excel")
    parser.add_argument("--manifest", action="store_true", help="write FILE.manifest.json beside it")
    parser.add_argument("--quiet", action="store_true", help="say nothing but what went wrong")
    parser.set_defaults(run=_run)


def _time(text: str, *, whole_day: time) -> datetime:
    try:
        if _DAY.fullmatch(text):
            return datetime.combine(date.fromisoformat(text), whole_day)
        if _MOMENT.fullmatch(text):
            moment = datetime.fromisoformat(text)
            return moment if "." in text else moment.replace(microsecond=whole_day.microsecond)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text} is no day or time of the calendar") from None
    raise argparse.ArgumentTypeError(
        f"{text!r} is neither YYYY-MM-DD nor YYYY-MM-DDTHH:MM:SS, with or without .ffffff, without a zone"
    )


def _email(text: str) -> str:
    """Refuse an address that is empty, as from a variable that is not set: it would mean every customer."""
    if not text.strip():
        raise argparse.ArgumentTypeError("it is empty; leave --email away to read the claims of every customer")
    return text


def _run(arguments: argparse.Namespace) -> int:
    try:
        query = ClaimQuery(
            claim_dates=_range(arguments.first, arguments.last),
            warranty_start_dates=_range(arguments.warranty_from, arguments.warranty_to),
            customer_email=arguments.email,
        )
    except ValidationError as refused:
        for problem in problems(refused):
            say(problem.message)
        return 2
    refusal = _refusal(arguments)
    if refusal:
        say(refusal)
        return 2
    if arguments.out != _STDOUT:
        check_writable(arguments.out)
    settings = load_settings()
    with _journal(settings) as journal, stop_on_signals() as stop:
        with observed_client(settings, journal) if journal else client_from(settings) as client:
            limits = claim_limits(settings, journal.database if journal else None, client)
            progress = None if arguments.quiet else _progress()
            claims = retrieve_claims(client, query, progress=progress, limits=limits, cancel=stop)
        if stop.is_set() and not claims.received and not claims.is_complete:
            say(f"Stopped before anything was read: {arguments.out} was not written")
            return 1
        return _write(claims, arguments, settings, journal)


@contextmanager
def _journal(settings: Settings) -> Iterator[Journal | None]:
    """The journal; None where it does not answer, since claims can be read without it."""
    try:
        journal = open_journal(settings.journal_url)
    except JournalUnavailable:
        yield None
        return
    with closing(journal):
        yield journal


@contextmanager
def observed_client(settings: Settings, journal: Journal) -> Iterator[WarrantyClient]:
    """A client whose answers are in the diary of drift, written at the end; with it the day is the service's."""
    if settings.environment == "sandbox":
        _follow_sandbox(settings)
    database, environment = journal.database, settings.environment
    seen = ServiceSeen(Observations(database, environment), settings, now=database.clock)
    with closing(seen), client_from(settings, SharedTokens(database, environment), observer=seen) as client:
        yield client


def _follow_sandbox(settings: Settings) -> None:
    """Go by the clock of the sandbox, which a trainer moves on; of a service without such a route by the computer's."""
    address, context = f"{settings.base_url}/_sandbox/clock", trust(settings.ca_file)
    with suppress(httpx.HTTPError, httpx.InvalidURL, ValueError, LookupError, TypeError):
        utc_now.follow(datetime.fromisoformat(httpx.get(address, verify=context, trust_env=False).json()["now"]))


@contextmanager
def stop_on_signals() -> Iterator[threading.Event]:
    """Give an event that is set once Ctrl-C or SIGTERM tells this process to stop; told again, it stops at once.

    Only the main thread of a process can listen; in another one the event is never set.
    """
    stop = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    before = {each: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)}

    def listen_no_more() -> None:
        for each, handler in before.items():
            signal.signal(each, handler)

    def heard(*_: object) -> None:
        stop.set()
        listen_no_more()

    for each in before:
        signal.signal(each, heard)
    try:
        yield stop
    finally:
        listen_no_more()


def _write(claims: ClaimSet, arguments: argparse.Namespace, settings: Settings, journal: Journal | None) -> int:
    out: Path = arguments.out
    if not claims.is_certain and out != _STDOUT:
        out = out.with_name(f"{out.stem}.partial{out.suffix}")
    form = _form(arguments)
    notes = _notes(claims, settings, journal) if arguments.manifest else ()
    mark: Literal[",", ";"] = arguments.separator or ","
    file = claims_file(claims, form, separator=mark, bom=arguments.bom, name=out.name, notes=notes)
    if journal is not None:
        audit = AuditTrail(journal.database, settings.environment, settings.audit_secret)
        customer = audit.subject(claims.query.customer_email) if claims.query.customer_email else ""
        subset = describe_claims(claims.query, Selection())
        what = f"claims {form}"
        audit.note(AuditKind.EXPORT, By.command(), what=what, filter=subset, count=len(claims.frame), customer=customer)
    try:
        put_out(None if out == _STDOUT else out, file.content)
        if arguments.manifest:
            write_whole(out.with_name(out.name + ".manifest.json"), file.manifest)
    except OSError as problem:
        say(f"{out} could not be written: {problem.strerror}")
        return 1
    _report(claims, out, quiet=arguments.quiet)
    if out not in (_STDOUT, arguments.out):
        say(f"{arguments.out} was not written: it might not hold every claim.")
    return 0 if claims.is_certain else INCOMPLETE


def _notes(claims: ClaimSet, settings: Settings, journal: Journal | None) -> list[dict[str, str]] | None:
    """Give what was written on the days of the claims; None where the journal does not answer."""
    days, notes = covered(claims), None
    with suppress(JournalUnavailable):
        notes = TimeNotes(journal.database, settings.environment).all() if journal else None
    return notes_for_manifest(notes, days.first, days.last)


def _form(arguments: argparse.Namespace) -> Form:
    return "parquet" if arguments.parquet else _FORMS.get(arguments.out.suffix.lower(), "csv")


def _refusal(arguments: argparse.Namespace) -> str | None:
    """Say which two arguments cannot be meant together; None where all can."""
    out: Path = arguments.out
    form = _form(arguments)
    if _FORMS.get(out.suffix.lower(), form) != form:
        return f"--parquet writes Parquet, and {out} is a name for {out.suffix[1:].upper()}: leave one of them away"
    if out.suffix[1:].isalpha() and out.suffix.lower() not in _FORMS and not arguments.parquet:
        return f"{out} is no name for a file of claims: let it end in {', '.join(_FORMS)}"
    if form != "csv" and (arguments.separator or arguments.bom):
        return f"--separator and --bom are for CSV, and {out} is written as {form}: leave them away"
    if out == _STDOUT and arguments.manifest:
        return "--manifest is written beside a file, and --out - is standard output: leave one of them away"
    return None


def _range(first: datetime | None, last: datetime | None) -> tuple[datetime, datetime] | None:
    """Give a range: an end that is left open is as far as on the screens."""
    return None if first is None and last is None else (first or _EARLIEST, last or _LATEST)


def _progress() -> Callable[[Progress], None]:
    """Say now and then how far the reading is; on a terminal in one line."""
    terminal = sys.stderr is not None and sys.stderr.isatty()
    reported = 0

    def tell(progress: Progress) -> None:
        nonlocal reported
        percent = int(progress.share * 100)
        if not terminal and percent < reported + 10:
            return
        reported = percent
        left = progress.remaining
        rest = f", about {left.total_seconds():.0f} s left" if left and left.total_seconds() >= 1 else ""
        end = "\r" if terminal else "\n"
        say(f"{progress.received:,} of {progress.total or 0:,} claims{rest}   ", end=end)

    return tell


def _report(claims: ClaimSet, out: Path, *, quiet: bool) -> None:
    if not quiet:
        say(f"{out}: {seal(claims)}, {claims.requests} requests")
    for reason in claims.reasons:
        say(str(reason))
    if claims.table.repeated:
        say(f"Claims that repeat another one in all eight fields: {claims.table.repeated}. Others may be missing.")
    if claims.rejected:
        say(f"Claims that could not be read and are not in the file: {len(claims.rejected)}")
        for rejected in claims.rejected[:20]:
            where = f"answer {rejected.answer}, record {rejected.record}"
            say(f"  {where}: {rejected.field or 'the record'} {rejected.reason}")
