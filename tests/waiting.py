"""Waiting for what another program or thread brings about, in tests."""

import time
from collections.abc import Callable
from threading import Event


def until(holds: Callable[[], bool], *, seconds: float = 30) -> None:
    """Look until it holds; fails where it does not within so many seconds."""
    deadline, pause = time.monotonic() + seconds, Event()
    while not holds():
        assert time.monotonic() < deadline, f"it did not happen within {seconds:g} seconds"
        pause.wait(0.05)
