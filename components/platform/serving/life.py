"""The life of this process: which start of the program it is, and how it ends when it is asked to."""

import signal
import threading
from collections.abc import Callable
from types import FrameType
from uuid import uuid4


class Life:
    """One for each process; `pause` is how long, in seconds, a proxy needs to see that people go elsewhere."""

    def __init__(self, *, pause: float = 0) -> None:
        self._pause = pause
        self.start_id = uuid4().hex
        """Another at each start: tells whether the process that answers is the one that answered before."""
        self.draining = threading.Event()
        """Set when the program was asked to end: nothing new is begun, and what runs on looks for its place to stop."""

    def drain_at_sigterm(self, finish: Callable[[], None]) -> None:
        """At the first SIGTERM drain: pause, `finish` what is on its way, and only then let the server stop.

        The server's own way is to hang up at once and to wait afterwards. A second SIGTERM ends the program on the
        spot, as a power cut would: what was on its way then is unknown. Elsewhere than in the main thread, where no
        signal arrives, this does nothing.
        """
        if threading.current_thread() is not threading.main_thread():
            return
        server_stops = signal.getsignal(signal.SIGTERM)
        if not callable(server_stops):
            return

        def leave() -> None:
            try:
                threading.Event().wait(self._pause)
                finish()
            finally:
                server_stops(signal.SIGTERM, None)

        def asked(number: int, _: FrameType | None) -> None:
            if self.draining.is_set():
                signal.signal(number, signal.SIG_DFL)
                signal.raise_signal(number)
            self.draining.set()
            threading.Thread(target=leave, name="drain").start()

        signal.signal(signal.SIGTERM, asked)
