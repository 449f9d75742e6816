"""What a supervisor, a proxy and a monitor ask of this process; no answer says anything of customers or tokens.

`/livez`: the event loop answers, nothing is asked. `/readyz`: people may be sent here. `/version`: which program, on
which journal. `/healthz`: the journal can be written. Whatever hangs, the event loop does not wait for it, and of any
number of questions at once one goes to the database.
"""

import asyncio
from collections.abc import Callable
from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from components.platform.serving.life import Life
from warranty import VERSION
from warranty.database.schema import Schema
from warranty.errors import JournalUnavailable

_PATIENCE_SECONDS: Final = 2
"""A proxy that asks every few seconds wants an answer before it asks again."""


class Health:
    """Answers for a process; `schema` asks its journal, and may raise `JournalUnavailable`."""

    def __init__(self, *, environment: str, schema: Callable[[], Schema], life: Life) -> None:
        self._environment = environment
        self._schema = schema
        self._life = life
        self._pending: asyncio.Future[Schema | None] | None = None

    async def ready(self) -> JSONResponse:
        """Whether people may be sent here."""
        status = "draining"
        if not self._life.draining.is_set():
            schema = await self._soon()
            status = "ready" if schema else "journal unavailable"
            if schema and not schema.fits:
                status = "journal out of date"
        return _answer({"status": status}, well=status == "ready")

    async def healthy(self) -> JSONResponse:
        """Whether the journal can be written, however long that takes to find out."""
        answers = await asyncio.shield(self._ask()) is not None
        status = "ok" if answers else "journal unavailable"
        return _answer({"status": status, "environment": self._environment}, well=answers)

    async def version(self) -> JSONResponse:
        """The program, the revision of its journal's schema (null: not known now), and the start."""
        schema = await self._soon()
        journal = schema.revision if schema else None
        return _answer({"version": VERSION, "journal": journal, "start": self._life.start_id})

    async def _soon(self) -> Schema | None:
        try:
            return await asyncio.wait_for(asyncio.shield(self._ask()), _PATIENCE_SECONDS)
        except TimeoutError:
            return None

    def _ask(self) -> asyncio.Future[Schema | None]:
        if self._pending is None or self._pending.done():
            self._pending = asyncio.ensure_future(asyncio.to_thread(self._look))
        return self._pending

    def _look(self) -> Schema | None:
        try:
            return self._schema()
        except JournalUnavailable:
            return None


def health_routes(health: Callable[[], Health]) -> list[Route]:
    """The routes; `health` is asked for once the server has started."""

    async def livez(_: Request) -> JSONResponse:
        return _answer({"status": "alive"})

    async def readyz(_: Request) -> JSONResponse:
        return await health().ready()

    async def healthz(_: Request) -> JSONResponse:
        return await health().healthy()

    async def version(_: Request) -> JSONResponse:
        return await health().version()

    return [Route(f"/{answer.__name__}", answer) for answer in (livez, readyz, healthz, version)]


def _answer(content: dict[str, str | None], *, well: bool = True) -> JSONResponse:
    return JSONResponse(content, status_code=200 if well else 503)
