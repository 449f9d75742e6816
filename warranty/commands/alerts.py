"""`python -m warranty alerts`: tell of trouble, and of each month, without a browser."""

import argparse
import sys
from contextlib import closing, nullcontext
from dataclasses import replace
from datetime import datetime, timedelta
from uuid import uuid4

from warranty.claims.analysis import Period
from warranty.claims.analysis.starts import starts_back
from warranty.commands.claims import INCOMPLETE, observed_client
from warranty.commands.housekeeping.opening import open_journal
from warranty.commands.telling import SubParsers, actions_of, option
from warranty.errors import SettingsProblem
from warranty.language import _, speaking
from warranty.people.audit import AuditKind, AuditTrail, By
from warranty.people.tills.tills import shop_now
from warranty.settings import load_settings
from warranty.watch.alerts.alert_log import Alert, AlertLog, Message
from warranty.watch.alerts.report import letter_of_month
from warranty.watch.alerts.watch import Delivered, deliver, look_and_tell
from warranty.watch.alerts.ways import MONTHLY, Letter, NotTaken, one_line, ways_of


def add_parser(subparsers: SubParsers) -> None:
    """Add the command and its actions; each exits with 1 where something could not be delivered."""
    action = actions_of(subparsers, "alerts", "tell of trouble by mail, webhook or file, and report on a month")
    action("run", _run, "look what is wrong and tell what was not told yet, every few minutes")
    action("test", _test, "send one message by each way")
    means = "tell of a month that is over, once; exit status 3 when not every claim could be read"
    report = action("report", _report, means)
    month = option(_month, "a month such as 2026-10")
    report.add_argument("--month", type=month, metavar="YYYY-MM", help="the month; without it the last one")
    report.add_argument("--again", action="store_true", help="also if it was told before")


def _month(text: str) -> Period:
    """A month of a year as on the screens."""
    first = datetime.strptime(text, "%Y-%m").date()  # noqa: DTZ007 - a month has no zone
    month = starts_back(first + timedelta(days=31), 1)
    if first.year <= 1900:
        raise argparse.ArgumentTypeError(f"{text} is no month of a shop")
    return month


def _run(_: argparse.Namespace) -> int:
    settings = load_settings()
    with (
        closing(open_journal(settings.journal_url)) as journal,
        # The embedded sandbox runs inside the desk only: it is not asked.
        nullcontext() if settings.uses_embedded_sandbox else observed_client(settings, journal) as client,
    ):
        new, ended = look_and_tell(settings, journal, client)
    if new:
        print(f"{new} new.")
    return _ended(ended)


def _test(_arguments: argparse.Namespace) -> int:
    settings, status = load_settings(), 0
    shop = one_line(settings.shop_name)
    about: dict[str, object] = {"environment": settings.environment, "alerts": [], "count": 0}
    with speaking(settings.shop_language):
        title = _("{shop}: test", shop=shop)
        works = _("this way works. Nothing is wrong.")
    text = f"Warranty Desk, {shop}, {settings.environment}: {works}"
    for way in ways_of(settings):
        try:
            way.send(Letter(message_id=uuid4().hex, title=title, text=text, about=about))
            print(f"{way.name}: taken")
        except NotTaken as problem:
            print(f"{way.name}: {problem}", file=sys.stderr)
            status = 1
    return status


def _report(arguments: argparse.Namespace) -> int:
    settings = load_settings()
    ways = ways_of(settings)
    with closing(open_journal(settings.journal_url)) as journal, observed_client(settings, journal) as client:
        today = shop_now(journal.database).date()
        month = arguments.month or starts_back(today, 1)
        if month.last >= today:
            raise SettingsProblem(f"--month: {month.first:%Y-%m} is not over.")
        alert = Alert(MONTHLY, f"report {month.first:%Y-%m}", f"The report on {month.first:%B %Y}.")
        alerts = AlertLog(journal.database, settings.environment)
        alerts.begin(alert, ways=settings.alert_ways, again=arguments.again)
        if not any(alert in message.alerts for message in alerts.owed(settings.alert_ways)):
            print("It has been told; --again tells it once more.")
            return 0
        with speaking(settings.shop_language):
            made = letter_of_month(settings, journal, client, month)
        if isinstance(made, str):
            print(f"{made}. Nothing was sent; it is sent when this is run again.", file=sys.stderr)
            return INCOMPLETE

        def written(message: Message) -> Letter | None:
            return replace(made, message_id=message.message_id) if alert in message.alerts else None

        audit = AuditTrail(journal.database, settings.environment, settings.audit_secret)
        audit.note(AuditKind.EXPORT, By.command(), what="report on a month", filter=f"{month.first:%Y-%m}", count=1)
        ended = deliver(journal, settings.environment, ways, letter=written)
    return _ended(ended)


def _ended(ended: Delivered) -> int:
    """Say what was taken, and on stderr what was not; gives the exit status."""
    if ended.elsewhere:
        print("Another program is telling them.")
    for way, count in ended.taken.items():
        print(f"{way} took {count}.")
    for way, why in ended.failed.items():
        print(f"{way} failed: {why}.", file=sys.stderr)
    if not (ended.elsewhere or ended.taken or ended.failed):
        print("Nothing to tell.")
    return 1 if ended.failed else 0
