"""Reading as small tasks: each is a generator that yields what to ask and is sent the answer.

The planning knows nothing of threads, clocks or sockets; `retrieve` runs it against the service, and a
test or a benchmark may run it against anything that answers.
"""

from collections.abc import Generator
from typing import Final

from warranty.retrieval.answers import Answer
from warranty.retrieval.spans import Ask

Task = Generator[Ask, Answer, None]
"""Yields an `Ask`, is sent its `Answer`; where there will be none, `Unread` is thrown into it."""


class Unread(Exception):
    """What was asked will not be answered; the text says why, for people."""


CANCELLED: Final = "Somebody stopped the reading before its end; nothing failed."
OUTSIDE: Final = "The service answered with claims outside the range that was asked for."
