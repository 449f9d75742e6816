"""Being told to stop, by Ctrl-C or by SIGTERM, as something that a command can end well after."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def told_to_stop() -> Iterator[threading.Event]:
    """Give an event that is set once this process is told to stop; told again, it stops at once, as ever.

    Only the main thread of a process can listen; in another one the event is never set.
    """
    told = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield told
        return
    before: dict[signal.Signals, Any] = {}

    def listen_no_more() -> None:
        while before:
            signal.signal(*before.popitem())

    def heard(*_: object) -> None:
        told.set()
        listen_no_more()

    for each in _SIGNALS:
        before[each] = signal.signal(each, heard)
    try:
        yield told
    finally:
        listen_no_more()
