"""An app of ours asked within this process."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import httpx
from starlette.types import ASGIApp

T = TypeVar("T")


def elsewhere(doing: Coroutine[Any, Any, T]) -> T:
    """Do it in a thread of its own: a browser of another test may have left a loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, doing).result()


def answers(
    app: ASGIApp,
    *paths: str,
    method: str = "GET",
    headers: Mapping[str, str] | None = None,
    cookies: Mapping[str, str] | None = None,
    then: Callable[[], None] = lambda: None,
) -> list[httpx.Response]:
    """The answers to questions that all come at once; `then` is done when all are there."""

    async def ask() -> list[httpx.Response]:
        transport = httpx.ASGITransport(app, client=("192.0.2.7", 1))
        async with httpx.AsyncClient(
            transport=transport, base_url="http://desk", cookies=dict(cookies or {})
        ) as client:
            questions = (client.request(method, path, headers=headers) for path in paths)
            found = await asyncio.gather(*questions)
        then()
        return found

    return elsewhere(ask())
