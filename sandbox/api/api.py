"""Everything under /api: token first, then method and body, then the operation, then what misbehaviour is due.

Sections of the interface: "Authentication", "Endpoints". Written as a plain ASGI application: what stands between
a request and its rule is all in `Api.__call__`.
"""

import asyncio
import hmac
import json
import logging
from dataclasses import replace
from typing import Any

from starlette.types import Message, Receive, Scope, Send

from sandbox.api.operations import BY_PATH, Operation
from sandbox.service.faults import Fault
from sandbox.service.service import Service
from sandbox.wire.answers import JSON_TYPE, Answer, Refused, error, json_answer
from sandbox.wire.bodies import LARGEST_BODY
from sandbox.wire.connection import drop
from sandbox.wire.requests import Request

log = logging.getLogger("sandbox")

LARGEST_READ = 32 * LARGEST_BODY
"""What is read of a body that is too large, so that its sender hears the answer instead of a closed door."""


class Api:
    """The ASGI application of the service's endpoints."""

    def __init__(self, service: Service, *, stopping: asyncio.Event) -> None:
        self._service = service
        self._stopping = stopping
        self._tokens = {"private": service.private_token.encode(), "public": service.public_token.encode()}
        self._headers = {"private": b"authorization", "public": service.public_token_header.lower().encode()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, and write it into the ledger before its answer leaves."""
        # Assumption endpoints.headers-not-checked
        # Assumption endpoints.no-limits-no-versions
        operation = BY_PATH.get(scope["path"])
        try:
            body = await _read(receive)
        except _ClientGone:
            return
        request = Request(body, scope["query_string"].decode("latin-1"))
        fault = None
        answer = self._turned_away(scope, operation)
        if answer is None and operation is not None:
            fault = self._service.faults.next(operation.name)
            answer = self._worked(operation, request, fault)
            if fault is not None and fault.kind == "drop_after_write":
                answer = None
        self._service.ledger.note(
            at=self._service.now(),
            operation=operation.name if operation else None,
            method=scope["method"],
            path=scope["path"],
            status=answer.status if answer else None,
            fault=fault.kind if fault else None,
            facts=request.facts,
        )
        if answer is None:
            await drop(scope, receive)
        elif fault is None:
            await _send(send, answer)
        else:
            await self._send_faulty(scope, receive, send, fault, answer)

    def _turned_away(self, scope: Scope, operation: Operation | None) -> Answer | None:
        """401 before anything else; then 404 for what is no endpoint and 405 for the wrong method."""
        if not self._authorised(scope, operation):
            # Assumption auth.401-body
            return error(["The token is missing or not recognized."], 401)
        # Assumption auth.no-such-endpoint
        if operation is None:
            return error(["There is no such endpoint."], 404)
        if scope["method"] != operation.method:
            refusal = error([f"This endpoint takes {operation.method} only."], 405)
            return replace(refusal, headers={**refusal.headers, "allow": operation.method})
        return None

    def _authorised(self, scope: Scope, operation: Operation | None) -> bool:
        """Whether the one header carries the word Bearer, a space, and the token that the endpoint takes."""
        kinds = ("private", "public") if operation is None else (operation.token,)
        return any(self._carries(scope, kind) for kind in kinds)

    def _carries(self, scope: Scope, kind: str) -> bool:
        name, token = self._headers[kind], self._tokens[kind]
        # Assumption auth.bearer-strict
        values = [value for header, value in scope["headers"] if header == name]
        if len(values) != 1:
            return False
        # Assumption auth.public-token-header
        bare = name != b"authorization" and hmac.compare_digest(values[0], token)
        return hmac.compare_digest(values[0], b"Bearer " + token) or bare

    def _worked(self, operation: Operation, request: Request, fault: Fault | None) -> Answer | None:
        """The operation's answer; None when a fault comes before any work."""
        if fault is not None and fault.kind == "drop_before_write":
            return None
        if fault is not None and fault.kind == "status" and not fault.after_write:
            return _fault_status(operation, fault)
        try:
            answer = operation.work(self._service, request)
        except Refused as refusal:
            answer = operation.refusal(refusal.sentences, refusal.status)
        except Exception:
            # Our own mistake must not end the sandbox; the traceback shows code, not the request.
            log.exception("%s went wrong inside the sandbox", operation.name)
            answer = operation.refusal(["The sandbox itself made a mistake."], 500)
        if operation.assumption is not None:
            answer = replace(answer, headers={**answer.headers, "x-sandbox-assumption": operation.assumption})
        if fault is not None and fault.kind == "status":
            return _fault_status(operation, fault)
        return answer

    async def _send_faulty(self, scope: Scope, receive: Receive, send: Send, fault: Fault, answer: Answer) -> None:
        """Send an answer with the misbehaviour that was asked for."""
        if fault.kind == "delay":
            await self._wait(fault.seconds)
            await _send(send, answer)
        elif fault.kind == "truncated_body":
            await _send_part(send, answer)
            await drop(scope, receive, after_what_was_sent=True)
        elif fault.kind == "not_json":
            page = b"<!doctype html><title>Please wait</title><h1>We will be back soon</h1>"
            await _send(send, Answer(200, page, {"content-type": "text/html; charset=utf-8"}))
        elif fault.kind in {"extra_field", "unknown_status"}:
            await _send(send, _altered(answer, fault.kind))
        else:
            await _send(send, answer)

    async def _wait(self, seconds: float) -> None:
        """Sleep, but not beyond the sandbox's end."""
        try:
            await asyncio.wait_for(self._stopping.wait(), seconds)
        except TimeoutError:
            return


def _fault_status(operation: Operation, fault: Fault) -> Answer:
    answer = operation.refusal([f"The sandbox was asked to answer {fault.status}."], fault.status)
    if fault.retry_after is None:
        return answer
    return replace(answer, headers={**answer.headers, "retry-after": str(fault.retry_after)})


def _altered(answer: Answer, kind: str) -> Answer:
    """The same answer with a field that the interface does not show, or with claim statuses nobody has heard of."""
    try:
        content: Any = json.loads(answer.body)
    except ValueError:
        return answer
    if kind == "extra_field":
        extra = {"added_without_notice": {"version": 2, "tags": ["new"]}}
        for thing in [content, *(content.get("data", []) if isinstance(content, dict) else content)]:
            if isinstance(thing, dict):
                thing.update(extra)
    else:
        for record in content.get("data", []):
            record["status"] = "ESCALATED_TO_UNDERWRITER"
    return json_answer(content, status=answer.status, headers=answer.headers)


class _ClientGone(Exception):
    """The client went away before its request was whole: nothing must come of half a request."""


async def _read(receive: Receive) -> bytes | None:
    """The whole body; None when it is larger than the sandbox takes. `_ClientGone` when its end never came."""
    parts: list[bytes] = []
    size, more = 0, True
    while more and size <= LARGEST_READ:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise _ClientGone
        part: bytes = message.get("body", b"")
        size += len(part)
        if size <= LARGEST_BODY:
            parts.append(part)
        else:
            parts.clear()
        more = message.get("more_body", False)
    return b"".join(parts) if size <= LARGEST_BODY else None


async def _send(send: Send, answer: Answer) -> None:
    await send(_start(answer))
    await send({"type": "http.response.body", "body": answer.body})


async def _send_part(send: Send, answer: Answer) -> None:
    """Promise the whole body and send half of it."""
    promised = answer if answer.body else Answer(answer.status, b'{"success": true}', {"content-type": JSON_TYPE})
    await send(_start(promised))
    await send({"type": "http.response.body", "body": promised.body[: len(promised.body) // 2], "more_body": True})


def _start(answer: Answer) -> Message:
    headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in answer.headers.items()]
    headers.append((b"content-length", str(len(answer.body)).encode()))
    return {"type": "http.response.start", "status": answer.status, "headers": headers}
