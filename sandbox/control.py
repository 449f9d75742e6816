"""The control routes under /_sandbox: for tests, for trainers, and for whoever wants to see what happened.

They belong to the stand-in, not to the service, so they take no token and never stand under /api.
"""

import json
import re
from collections.abc import Callable
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import Any, get_args

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from sandbox.api.operations import OPERATION_NAMES
from sandbox.endpoints.claims.records import ClaimProblem, read_claim
from sandbox.seeds import sow
from sandbox.seeds.evening import evening
from sandbox.service.clock import Clock
from sandbox.service.faults import FaultProblem, read_fault
from sandbox.service.service import DEMO_CUSTOMER, DEMO_SUBSCRIBER, MERCHANTS, Seed, Service
from sandbox.store.model import Claim


class ControlProblem(ValueError):
    """A control request that cannot be followed; the sentence says why."""


class Control:
    """What the control routes do; the server's Python methods do the same through it."""

    def __init__(self, service: Service, *, seed: Seed) -> None:
        self._service = service
        self._seed: Seed = seed

    def health(self) -> dict[str, Any]:
        """That it answers, and what is in it."""
        with self._service.store.transaction() as records:
            orders = len(records.order_ids())
        return {
            "status": "ok",
            "seed": self._seed,
            "now": self._service.now().isoformat(),
            "orders": orders,
            "claims": len(self._service.claims),
            "merchants": list(MERCHANTS),
            "subscriber": DEMO_SUBSCRIBER,
            "customer": DEMO_CUSTOMER,
        }

    def reset(self, seed: Seed | None = None) -> None:
        """Back to the start: seed, clock, no faults, an empty ledger. Tokens and retailer stay."""
        self._service.faults.clear()
        self._service.ledger.clear()
        self._service.clock.restart()
        self._seed = seed or self._seed
        with self._service.store.transaction() as records:
            records.clear()
            sow(self._service, records, self._seed)
        self._service.read_claims()

    def add_fault(self, content: dict[str, Any]) -> None:
        """Queue a fault; `FaultProblem` when it is none."""
        self._service.faults.add(read_fault(content, OPERATION_NAMES))

    def add_claims(self, contents: list[Any]) -> list[Claim]:
        """Add claims, all or none; `ClaimProblem` when one is none."""
        now = self._service.now()
        claims = [read_claim(content, number=number, now=now) for number, content in enumerate(contents)]
        self._service.add_claims(claims)
        return claims

    def set_clock(self, content: dict[str, Any]) -> Clock:
        """{"now": a zoned timestamp} stands still there, {"now": null} lets go, {"advance_seconds": n} moves on."""
        clock = self._service.clock
        if set(content) == {"advance_seconds"} and isinstance(content["advance_seconds"], int | float):
            try:
                clock.advance(timedelta(seconds=content["advance_seconds"]))
            except (OverflowError, ValueError):
                raise ControlProblem("advance_seconds leads out of the calendar.") from None
            return clock
        if set(content) != {"now"}:
            raise ControlProblem('Send {"now": timestamp or null} or {"advance_seconds": number}.')
        if content["now"] is None:
            clock.release()
            return clock
        try:
            moment = datetime.fromisoformat(content["now"])
            clock.set(moment if moment.tzinfo else moment.replace(tzinfo=UTC))
        except (TypeError, ValueError, OverflowError):
            raise ControlProblem("now must be a timestamp, such as 2026-11-21T10:00:00+00:00.") from None
        return clock

    def evening(self, days_ago: str) -> dict[str, Any]:
        """All claims as they stood so many days ago, in the form of the interface's own answer."""
        if not re.fullmatch("[0-9]{1,4}", days_ago):
            raise ControlProblem("days_ago must be a number of days.")
        now = self._service.now().replace(tzinfo=None)
        claims = evening(self._service.claims.all_records(), at=now - timedelta(days=int(days_ago)), now=now)
        return {"data": claims, "page": 1, "per_page": len(claims) + 1, "total_count": len(claims)}

    def outbox(self) -> list[dict[str, Any]]:
        """The mails and text messages that the service would have sent, oldest first."""
        with self._service.store.transaction() as records:
            return [{**asdict(one), "sent_at": one.sent_at.isoformat()} for one in records.messages()]

    def subscriptions(self) -> list[dict[str, Any]]:
        """The active subscriptions and what they took in."""
        with self._service.store.transaction() as records:
            items = records.subscribed_items()
            return [
                {
                    "email": email,
                    "items": [
                        {**asdict(item), "added_at": item.added_at.isoformat()} for item in items if item.email == email
                    ],
                }
                for email in records.subscribers()
            ]


class ControlRoutes:
    """The control routes as Starlette endpoints. All of them run on the server's loop, one after the other."""

    def __init__(self, service: Service, control: Control) -> None:
        self._service = service
        self._control = control

    def routes(self) -> list[Route]:
        """The routes to mount."""
        endpoints: list[tuple[str, Callable[..., Any], list[str]]] = [
            ("health", self._health, ["GET"]),
            ("empty", self._empty, ["GET", "POST"]),
            ("calls", self._calls, ["GET"]),
            ("outbox", self._outbox, ["GET"]),
            ("subscriptions", self._subscriptions, ["GET"]),
            ("reset", self._reset, ["POST"]),
            ("faults", self._faults, ["GET", "POST", "DELETE"]),
            ("claims", self._claims, ["POST"]),
            ("clock", self._clock, ["GET", "POST"]),
            ("evening", self._evening, ["GET"]),
        ]
        return [Route(f"/_sandbox/{name}", work, methods=methods) for name, work, methods in endpoints]

    async def _health(self, _request: Request) -> Response:
        return JSONResponse(self._control.health())

    async def _empty(self, _request: Request) -> Response:
        """Nothing: what the benchmark compares the endpoints with."""
        return Response(status_code=204)

    async def _calls(self, _request: Request) -> Response:
        return JSONResponse(self._service.ledger.calls())

    async def _outbox(self, _request: Request) -> Response:
        return JSONResponse(self._control.outbox())

    async def _subscriptions(self, _request: Request) -> Response:
        return JSONResponse(self._control.subscriptions())

    async def _reset(self, request: Request) -> Response:
        content = await _object(request, may_be_absent=True)
        seed = content.get("seed")
        if seed is not None and seed not in get_args(Seed):
            raise ControlProblem(f"seed must be one of {', '.join(get_args(Seed))}.")
        self._control.reset(seed)
        return JSONResponse(self._control.health())

    async def _faults(self, request: Request) -> Response:
        if request.method == "POST":
            self._control.add_fault(await _object(request))
        if request.method == "DELETE":
            self._service.faults.clear()
        return JSONResponse({"faults": self._service.faults.waiting()})

    async def _claims(self, request: Request) -> Response:
        content = await _json(request)
        if isinstance(content, dict):
            content = content.get("claims", [content])
        if not isinstance(content, list):
            raise ControlProblem('Send a claim record, a list of them, or {"claims": [...]}.')
        added = self._control.add_claims(content)
        return JSONResponse({"added": len(added), "claims": len(self._service.claims)})

    async def _evening(self, request: Request) -> Response:
        return JSONResponse(self._control.evening(request.query_params.get("days_ago", "0")))

    async def _clock(self, request: Request) -> Response:
        if request.method == "POST":
            self._control.set_clock(await _object(request))
        return JSONResponse({"now": self._service.now().isoformat(), "is_set": self._service.clock.is_set})


async def problem_answer(_request: Request, problem: Exception) -> Response:
    """A control request that cannot be followed gets a 400 with its sentence."""
    return JSONResponse({"error": str(problem)}, status_code=400)


PROBLEMS: tuple[type[Exception], ...] = (ControlProblem, FaultProblem, ClaimProblem)


async def _json(request: Request) -> Any:
    try:
        return json.loads(await request.body())
    except (ValueError, RecursionError):
        raise ControlProblem("The body must be JSON.") from None


async def _object(request: Request, *, may_be_absent: bool = False) -> dict[str, Any]:
    if may_be_absent and not await request.body():
        return {}
    content = await _json(request)
    if not isinstance(content, dict):
        raise ControlProblem("The body must be a JSON object.")
    return content
