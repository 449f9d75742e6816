"""What commands share: their actions and options, the records as one opens them, files, and what is said on stderr."""

import argparse
import logging
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeVar

from warranty.access import Operator, Role
from warranty.commands.housekeeping.opening import open_journal
from warranty.desk.journal import Journal
from warranty.disk import write_whole
from warranty.errors import DeskError
from warranty.people.audit import AuditTrail
from warranty.settings import Settings, load_settings

T = TypeVar("T")
SubParsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
MACHINE: Final = Operator("", "the command line", Role.ADMINISTRATOR)
"""Whoever has this machine."""


def actions_of(subparsers: SubParsers, command: str, means: str) -> Callable[..., argparse.ArgumentParser]:
    """Add a command; gives what adds an action to it, by its name, what runs it and what it does."""
    actions = subparsers.add_parser(command, help=means).add_subparsers(dest="action", required=True)

    def action(name: str, run: Callable[[argparse.Namespace], int], means: str, **more: Any) -> argparse.ArgumentParser:
        parser = actions.add_parser(name, help=means, **more)
        parser.set_defaults(run=run)
        return parser

    return action


def option(read: Callable[[str], T], means: str) -> Callable[[str], T]:
    """A type of an option whose words are refused in a sentence, in place of a function's name."""

    def typed(text: str) -> T:
        try:
            return read(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text!r} is not {means}") from None

    return typed


def counted(*parts: tuple[int, str, str]) -> str:
    """`2 entries, 1 draft`; of what there is none, nothing."""
    return ", ".join(f"{number:,} {one if number == 1 else many}" for number, one, many in parts if number)


@contextmanager
def audit_on_stderr() -> Iterator[None]:
    """Have the rows of the audit trail written to stderr while this lasts, one JSON line each; not to a terminal."""
    if sys.stderr is not None and sys.stderr.isatty():
        yield
        return
    log, handler = logging.getLogger("warranty.audit"), logging.StreamHandler(sys.stderr)
    log.setLevel(logging.INFO)
    log.addHandler(handler)
    try:
        yield
    finally:
        log.removeHandler(handler)


@contextmanager
def opened_records() -> Iterator[tuple[Settings, Journal, AuditTrail]]:
    """The settings, their journal, and the audit trail of their environment."""
    settings = load_settings()
    with audit_on_stderr(), closing(open_journal(settings.journal_url)) as journal:
        yield settings, journal, AuditTrail(journal.database, settings.environment, settings.audit_secret)


def say(text: str, *, end: str = "\n") -> None:
    """Write a line to stderr; that nobody reads it any more must not cost the file."""
    with suppress(OSError):
        if sys.stderr is not None:
            print(text, end=end, file=sys.stderr, flush=True)


def check_writable(path: Path) -> None:
    """Raise `DeskError` where a file cannot be written, as far as can be seen before."""
    taken = path.exists() and not path.is_file()
    if taken or not os.access(path.resolve().parent, os.W_OK | os.X_OK):
        raise DeskError(f"{path} cannot be written: name a file in a folder that exists and may be written to")


def put_out(out: Path | None, content: bytes) -> None:
    """Write it to this file, else to standard output."""
    if out is None:
        sys.stdout.buffer.write(content)
        sys.stdout.flush()
    else:
        write_whole(out, content)
