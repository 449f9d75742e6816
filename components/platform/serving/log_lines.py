"""What is logged is one line each, whatever a stranger put into it.

The platform quotes what a page sent as it came, also from a page that nobody has signed in on: with a line break in it
a stranger would write whole lines of the log, those of the audit trail and of the calls too.
"""

import json
import logging
from datetime import UTC, datetime
from typing import Any, Final

_GOES_ON: Final = "  | "
"""What begins the further lines of a traceback, so that none can be read as a line of its own."""


class OneLine(logging.LogRecord):
    """A record whose message is one line: marks that cannot be printed are spelled as in JSON."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        if self.exc_info and self.exc_info[0] is not None:
            trace = logging.Formatter().formatException(self.exc_info)
            self.exc_text = "\n".join(_GOES_ON + printable(line) for line in trace.splitlines())

    def getMessage(self) -> str:  # noqa: N802 - the library's name
        """What was logged."""
        return printable(super().getMessage().rstrip("\n"))


class Dated(logging.Formatter):
    """Writes a line with its moment (UTC): as the first value of one in JSON, else before it."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        line = super().format(record)
        moment = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        return f'{{"at": "{moment}", {line[1:]}' if line.startswith("{") else f"{moment} {line}"


def one_line_each() -> None:
    """Have every message of this process logged so, whoever logs it."""
    logging.setLogRecordFactory(OneLine)


def printable(text: str) -> str:
    """The text without marks that end a line, move a terminal's cursor or turn the writing."""
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else json.dumps(letter)[1:-1] for letter in text)
