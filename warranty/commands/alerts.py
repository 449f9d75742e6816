"""`python -m warranty alerts`: tell of trouble, and of each month, without a browser."""

import argparse
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from uuid import uuid4

from warranty.alerts.delivery import Delivered
from warranty.alerts.letter import Letter, one_line
from warranty.alerts.watch import look_and_tell
from warranty.alerts.ways import NotTaken, ways_of
from warranty.client import WarrantyClient, client_from
from warranty.journal import open_journal
from warranty.settings import Settings, load_settings


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command and its actions; each exits with 1 where something could not be delivered."""
    parser = subparsers.add_parser(
        "alerts", help="tell of trouble by mail, webhook or file, and report on a month"
    )
    actions = parser.add_subparsers(dest="action", required=True)
    run = actions.add_parser(
        "run", help="look what is wrong and tell what was not told yet; to be run every few minutes"
    )
    run.set_defaults(run=_run)
    actions.add_parser("test", help="send one message by each way").set_defaults(run=_test)


def _run(_: argparse.Namespace) -> int:
    settings = load_settings()
    with closing(open_journal(settings.journal_url)) as journal, _client(settings) as client:
        new, ended = look_and_tell(settings, journal, client)
    print(f"{new} new. {_said(ended)}")
    return 1 if ended.failed else 0


@contextmanager
def _client(settings: Settings) -> Iterator[WarrantyClient | None]:
    """The client; none for the embedded sandbox, which runs inside the desk only."""
    if settings.uses_embedded_sandbox:
        yield None
        return
    with client_from(settings) as client:
        yield client


def _test(_: argparse.Namespace) -> int:
    settings = load_settings()
    shop = one_line(settings.shop_name)
    ways, status = ways_of(settings), 0
    for way in ways:
        try:
            way.send(
                Letter(
                    message_id=uuid4().hex,
                    title=f"{shop}: test",
                    text=f"Warranty Desk, {shop}, {settings.environment}: this way works. Nothing is wrong.",
                    about={"environment": settings.environment, "alerts": [], "count": 0},
                )
            )
            print(f"{way.name}: taken")
        except NotTaken as problem:
            print(f"{way.name}: {problem}", file=sys.stderr)
            status = 1
    if not ways:
        print("No way is configured: see WARRANTY_ALERT_… in the README.", file=sys.stderr)
    return status if ways else 2


def _said(ended: Delivered) -> str:
    if ended.elsewhere:
        return "Another program is telling them."
    taken = [f"{way} took {count}" for way, count in ended.taken.items()]
    failed = [f"{way} failed: {why}" for way, why in ended.failed.items()]
    return f"{'; '.join([*taken, *failed]) or 'Nothing to tell'}."
