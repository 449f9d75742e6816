"""What the tests of retrieval share: a patient clock."""

import threading

import pytest


class NoWaiting(threading.Event):
    """An event whose waits take no time and are written down; it is the retrieval's cancel token and its pauses."""

    def __init__(self) -> None:
        super().__init__()
        self.pauses: list[float] = []

    def wait(self, timeout: float | None = None) -> bool:
        self.pauses.append(timeout or 0.0)
        return self.is_set()


@pytest.fixture
def no_waiting() -> NoWaiting:
    return NoWaiting()
