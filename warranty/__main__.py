"""`python -m warranty COMMAND`: what is done without a browser."""

import argparse
import importlib
import sys
from collections.abc import Sequence
from typing import Final

from warranty import COMMAND
from warranty.desk.guidance import guidance
from warranty.errors import DeskError, Failure, WarrantyError

COMMANDS = (
    "accounts",
    "alerts",
    "audit",
    "check",
    "conformance",
    "journal",
    "claims",
    "history",
    "observed",
    "privacy",
    "tills",
)
_ABOUT: Final = (
    "What is done without a browser. Without a command, `warranty-desk` starts the dashboard and hands its options on "
    "to Streamlit: warranty-desk --server.port 8600"
)


def parser(commands: Sequence[str] = COMMANDS) -> argparse.ArgumentParser:
    """Make the parser with these commands; each sets `run`: from the arguments to the exit status."""
    main_parser = argparse.ArgumentParser(prog=COMMAND, description=_ABOUT)
    subparsers = main_parser.add_subparsers(dest="command", required=True)
    for command in commands:
        importlib.import_module(f"warranty.commands.{command}").add_parser(subparsers)
    return main_parser


def main(words: Sequence[str] | None = None) -> int:
    """Run one command and give its exit status: 2 where the settings or the words cannot be used."""
    words = sys.argv[1:] if words is None else words
    # A command that is named is loaded alone: `accounts` does not wait for the libraries of `claims`.
    arguments = parser(words[:1] if words and words[0] in COMMANDS else COMMANDS).parse_args(words)
    try:
        status = arguments.run(arguments)
    except DeskError as problem:
        print(problem, file=sys.stderr)
        return 2
    except WarrantyError as error:
        print(_failure_text(error.failure), file=sys.stderr)
        return 1
    return int(status)


def _failure_text(failure: Failure) -> str:
    """A failure in the words of the screens."""
    words = guidance(failure)
    lines = [words.happened, f"What to do: {words.next_step}"]
    for sentence in failure.service_words:
        plain = "".join(each if each.isprintable() else " " for each in sentence)  # none steers a terminal
        lines.append(f"The service says: {plain}")
    if failure.attempt_id:
        lines.append(f"Reference for support: {failure.attempt_id}")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
