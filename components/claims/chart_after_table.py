"""The table before the chart, in a tab that has just been opened.

A browser that has nothing of us yet needs a second to take in the library that draws charts, and draws nothing else
meanwhile. Whoever looks up a claim wants the table: the chart's turn comes when the table stands.
"""

import time
from typing import Final

from components import session
from components.frame.polling import looking_again

OPENED: Final = "table-first.opened"
_TABLE_TAKES: Final = 0.7  # seconds


def table_stands() -> bool:
    """Whether the browser has had the time to draw the table; while it has not, the screen looks again by itself."""
    if not session.recall(OPENED, 0.0):
        session.remember(OPENED, time.monotonic())
    if _still_drawing():
        looking_again(_still_drawing, every=_TABLE_TAKES, key="table-first")
        return False
    return True


def _still_drawing() -> bool:
    return time.monotonic() - session.recall(OPENED, 0.0) < _TABLE_TAKES
