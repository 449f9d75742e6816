"""An app of ours asked within this process."""

import asyncio
from collections.abc import Callable, Mapping

import httpx
from starlette.types import ASGIApp

from tests.machine import in_a_loop_of_its_own


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
            found = await asyncio.gather(*(client.request(method, path, headers=headers) for path in paths))
        then()
        return found

    return in_a_loop_of_its_own(ask())
