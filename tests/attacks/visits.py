"""What strangers do by websocket."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

Found = TypeVar("Found")


def done(visit: Coroutine[Any, Any, Found]) -> Found:
    """In a thread of its own: a browser that was at work before in this process leaves a loop running in the first."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, visit).result()
