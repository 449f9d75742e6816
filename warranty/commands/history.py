"""`python -m warranty history`: all claims as they stand, kept once a day, and the list of what is kept."""

import socket
from argparse import Namespace
from contextlib import closing, suppress
from datetime import UTC, timedelta
from threading import Event
from typing import Final

from warranty.claims.readings.limits import claim_limits
from warranty.claims.retrieval.update import PAGE
from warranty.client import WarrantyClient
from warranty.commands.claims import INCOMPLETE, observed_client, stop_on_signals
from warranty.commands.housekeeping.opening import open_journal
from warranty.commands.telling import SubParsers, actions_of, counted, say
from warranty.database.leases import Lease, Leases
from warranty.desk.journal import Journal
from warranty.errors import JournalUnavailable, LeaseHeld, LeaseLost
from warranty.insight.history.keeping import clear, keep, read_night
from warranty.insight.history.nights import Night, Nights
from warranty.insight.history.past import last_night, up_to_date
from warranty.insight.outlook.forecasts import keep_diary_by_night
from warranty.people.audit import AuditKind, AuditTrail, By
from warranty.people.tills.tills import shop_now
from warranty.settings import Settings, load_settings

ELSEWHERE: Final = 4
_LASTS: Final = timedelta(minutes=5)
"""Longer than a call takes with its repeats; a machine that died holds up the others for so long."""


def add_parser(subparsers: SubParsers) -> None:
    """Add the command and its two actions."""
    action = actions_of(subparsers, "history", "keep all claims as they stand, once a day; list what is kept")
    take = action(
        "take",
        _take,
        "keep today's claims",
        description="Reads what can have changed since the last night that is kept, proves the rest by totals, and "
        "keeps all claims as Parquet. Exit status 3: not all could be read, or the reading was stopped (Ctrl-C, "
        "SIGTERM); what was read is kept apart. 4: another machine is at it.",
    )
    take.add_argument("--all", action="store_true", help="read every claim, as in the first night")
    take.add_argument("--quiet", action="store_true", help="say nothing but what went wrong")
    action("list", _list, "print the nights that are kept, the oldest first")


def _take(arguments: Namespace) -> int:
    settings = load_settings()
    nights = Nights.of(settings)
    try:
        with stop_on_signals() as stop, closing(open_journal(settings.journal_url)) as journal:
            leased = Leases(journal.database).taken(f"history {settings.environment}", lasts=_LASTS)
            with leased as lease, lease.renewing(stop), observed_client(settings, journal) as client:
                return _taken(arguments, settings, journal, client, lease=lease, stop=stop)
    except LeaseHeld as held:
        say(f"Nothing was read: the claims are being read elsewhere. {held}")
        return ELSEWHERE
    except LeaseLost as lost:
        say(f"Nothing was kept. {lost}")
    except OSError as problem:
        say(f"Nothing was kept: {nights.folder} could not be written ({problem.strerror}).")
    return 1


def _taken(
    arguments: Namespace, settings: Settings, journal: Journal, client: WarrantyClient, *, lease: Lease, stop: Event
) -> int:
    """Take today's night unless it is there, and say what it is."""
    day, nights = shop_now(journal.database).date(), Nights.of(settings)
    nights.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    clear(nights, before=day - timedelta(days=settings.history_days))
    earlier = nights.last
    if earlier is not None and earlier.day >= day:
        say(f"{_line(earlier)}\nIt is kept already: nothing was read.")
        return 0
    if earlier is not None and not earlier.is_intact():
        say(f"{earlier.path} is not what was sealed: every claim is read.")
        earlier = None
    limits = claim_limits(settings, journal.database, client)
    since, closed = None if arguments.all else earlier, settings.closed_statuses
    reading = read_night(client, since, closed=closed, limits=limits, cancel=stop)
    if not reading.whole and not len(reading.claims):
        say(f"Nothing was kept: nothing was read. {' '.join(reading.reasons)}")
        return INCOMPLETE
    AuditTrail(journal.database, settings.environment, settings.audit_secret).note(
        AuditKind.EXPORT, By.command(), what="claims of a night", filter=str(day), count=len(reading.claims)
    )
    night = keep(nights, reading, day=day, environment=settings.environment, earlier=earlier, last_look=lease.renew)
    up_to_date(nights)  # so that no screen has to wait for it
    if night.whole:
        with suppress(JournalUnavailable):  # the next night says it
            last_night(journal.database, settings.environment).save(f"{day} on {socket.gethostname()}")
    if not arguments.quiet:
        say(f"{night.path}: {_line(night)}")
        say(f"It took {reading.calls:,} calls; a reading of all takes about {-(-len(reading.claims) // PAGE):,}.")
    for reason in reading.reasons:
        say(reason)
    if night.whole and not reading.unreadable:
        try:
            keep_diary_by_night(journal.database, settings.environment, night)
        except (JournalUnavailable, OSError) as problem:  # the night is kept in any case
            say(f"The diary of forecasts was not kept; the next night does it. {problem}")
    return 0 if night.whole and not reading.unreadable else INCOMPLETE


def _list(_arguments: Namespace) -> int:
    nights = Nights.of(load_settings())
    whole, others = nights.complete, nights.incomplete
    for night in sorted([*whole, *others], key=lambda night: night.day):
        print(_line(night))
    for path in nights.unreadable:
        print(f"{path} is not what was sealed, or was made by a later version: it is left out.")
    found = counted((len(whole), "night", "nights"), (len(others), "that is not whole", "that are not whole"))
    say(f"{found or 'No night'} in {nights.folder}.")
    return 0


def _line(night: Night) -> str:
    parts = [
        f"{night.day}\t{night.seal}",
        f"as of {night.as_of.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC",
        f"{night.read_tonight:,} read, the others proved by totals"
        if night.proof != "read" and night.whole
        else f"{night.read_tonight:,} read",
        *([f"{night.alike:,} alike"] if night.alike else []),
        *night.reasons,
    ]
    return ", ".join(parts)
