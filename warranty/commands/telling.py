"""What a command writes down is told on stderr as the dashboard tells it: one JSON line for each row of the trail."""

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def told_on_stderr() -> Iterator[None]:
    """Have the rows of the audit trail told while this lasts."""
    log, handler = logging.getLogger("warranty.audit"), logging.StreamHandler(sys.stderr)
    log.setLevel(logging.INFO)
    log.addHandler(handler)
    try:
        yield
    finally:
        log.removeHandler(handler)
