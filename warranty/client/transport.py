"""The one way out: authentication, timeouts, repeats, the log, and what each ending means.

A pool of connections is kept for the life of the process: HTTP/1.1 over verified TLS. Calls that must not
be repeated get a connection of their own, because a kept connection that the service has just closed
looks like a lost answer, and for such a call that would leave a person with an unknown outcome although
nothing was sent.

No redirect is followed (it may act twice, and would carry a token elsewhere), no cookie is kept, and no
variable of the environment (proxies, certificate files) changes where a token goes. Interface:
Authentication, Errors.
"""

import contextlib
import json
import logging
import ssl
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, Generic, Self, TypeVar

import httpx

from warranty.client.answers import Unreadable, service_words
from warranty.client.operations import Operation, Token
from warranty.client.pacing import Pacing, Timeouts, retry_after
from warranty.client.plans import read_plans
from warranty.errors import CredentialRefused, NotSent, OutcomeUnknown, Trace, UnexpectedAnswer, WarrantyError
from warranty.resources.base import Sent
from warranty.settings.credentials import Credential

T = TypeVar("T")

CALLS: Final = logging.getLogger("warranty.calls")
"""One JSON line per attempt: operation, attempt id, status, milliseconds, repeats, outcome; no more."""

LARGEST_ANSWER: Final = 32 * 1024 * 1024
"""Bytes, unpacked. The interface names no page size; this only stops an answer without an end."""

_NOTHING_LEFT: Final = (
    httpx.ConnectError,
    httpx.ConnectTimeout,
    httpx.PoolTimeout,
    httpx.UnsupportedProtocol,
)
_COMMON_HEADERS: Final = (
    ("Content-Type", "application/json"),
    ("Accept", "application/json"),
    ("Accept-Encoding", "gzip, deflate"),
    ("User-Agent", "warranty-desk"),
)
_TOO_MANY_REQUESTS: Final = 429


@dataclass(frozen=True, slots=True)
class Success(Generic[T]):
    """What a call brought; `after_silence` says that an earlier try of it may have arrived."""

    value: T
    after_silence: bool = False


@dataclass(frozen=True, slots=True)
class _Reply:
    """An answer: its status, its body as far as it came, and the pause that it asks for."""

    status: int
    body: bytes
    complete: bool
    wanted_pause: timedelta | None


@dataclass(frozen=True, slots=True)
class Pools:
    """The connections: `kept` ones for harmless calls, and one made anew for each call that must not be repeated.

    They are the pools of httpx without its Client on top: docs/decisions/transport.md.
    """

    kept: httpx.BaseTransport
    single_use: httpx.BaseTransport

    @classmethod
    def over_tls(cls, context: ssl.SSLContext) -> Self:
        """Make both for the network; the context verifies the service's certificate."""
        return cls(_pool(context, keep=16), _pool(context, keep=0))


class Transport:
    """Sends the operations of one account to one base address; safe to share between threads."""

    def __init__(
        self,
        base_url: str,
        *,
        credentials: Mapping[Token, Credential],
        timeouts: Timeouts,
        pacing: Pacing,
        pools: Pools,
    ) -> None:
        self._base_url = base_url.rstrip("/")
        self._credentials = credentials
        self._timeouts = timeouts
        self._pacing = pacing
        self._urls: dict[str, httpx.URL] = {}
        self._pools = pools

    def send(
        self,
        operation: Operation[T],
        *,
        sent: Sent | None = None,
        query: dict[str, str] | None = None,
        attempt_id: str | None = None,
    ) -> Success[T]:
        """Send, and repeat where the operation allows it; give the result or raise the last try's error.

        Only branches of `WarrantyError` are raised; none carries a request, a token, or a cause that does. Without an
        `attempt_id` a random one is made, so that two desks never make the same.
        """
        attempt_id = attempt_id or uuid.uuid4().hex
        after_silence = False
        repeats = 0
        while True:
            tried_at = self._pacing.clock()
            trace, ending = self._try(operation, attempt_id, sent, query)
            _log(trace, ending, repeats, timedelta(seconds=self._pacing.clock() - tried_at))
            if isinstance(ending, Success):
                return Success(ending.value, after_silence)
            pause = self._pause_before_repeat(operation, ending, repeats)
            if pause is None:
                raise _of_all_tries(operation, ending, after_silence=after_silence)
            after_silence = after_silence or not ending.nothing_written
            repeats += 1
            self._pacing.sleep(pause.total_seconds())

    def longest_call(self, operation: Operation[T]) -> timedelta:
        """Give the longest that a call takes with its repeats; finding the host's address comes on top."""
        repeats, timeouts = self._pacing.repeats, self._timeouts
        repeated = timeouts.whole if operation.repeatable else timeouts.until_sent
        return timeouts.whole + repeats * (repeated + self._pacing.longest_pause)

    def close(self) -> None:
        """Close every connection."""
        self._pools.kept.close()
        self._pools.single_use.close()

    def _pause_before_repeat(
        self, operation: Operation[T], error: WarrantyError, repeats: int
    ) -> timedelta | None:
        status = error.trace.status or 0
        harmless = operation.repeatable and (
            isinstance(error, OutcomeUnknown) or status == _TOO_MANY_REQUESTS or status >= 500
        )
        if operation.once or repeats >= self._pacing.repeats or not (harmless or isinstance(error, NotSent)):
            return None
        return self._pacing.pause(repeats, error.trace.wanted_pause)

    def _try(
        self, operation: Operation[T], attempt_id: str, sent: Sent | None, query: dict[str, str] | None
    ) -> tuple[Trace, Success[T] | WarrantyError]:
        reply = self._exchange(operation, sent, query)
        if not isinstance(reply, _Reply):
            trace = Trace(operation.name, attempt_id)
            return trace, reply(trace=trace)
        trace = Trace(operation.name, attempt_id, reply.status, reply.wanted_pause)
        return trace, _understood(operation, reply, trace)

    def _exchange(
        self, operation: Operation[T], sent: Sent | None, query: dict[str, str] | None
    ) -> _Reply | type[WarrantyError]:
        """Send once: the reply, or the kind of error where none came; no exception of httpx gets out."""
        pool = self._pools.kept if operation.repeatable else self._pools.single_use
        try:
            response = pool.handle_request(self._request(operation, sent, query))
        except _NOTHING_LEFT:
            return NotSent
        except httpx.RequestError:
            return OutcomeUnknown
        with contextlib.closing(response):
            body, complete = self._body(response)
            return _Reply(
                response.status_code, body, complete, retry_after(response.headers.get("Retry-After"))
            )

    def _body(self, response: httpx.Response) -> tuple[bytes, bool]:
        """Read the body, unpacked, and whether it came whole: not cut off, not too late, not without end."""
        pieces: list[bytes] = []
        size, latest = 0, self._pacing.clock() + self._timeouts.body.total_seconds()
        try:
            for piece in response.iter_bytes():
                pieces.append(piece)
                size += len(piece)
                if size > LARGEST_ANSWER or self._pacing.clock() > latest:
                    return b"", False
        except httpx.RequestError:
            return b"", False
        return b"".join(pieces), True

    def _request(
        self, operation: Operation[T], sent: Sent | None, query: dict[str, str] | None
    ) -> httpx.Request:
        url = self._urls.get(operation.path)
        if url is None:
            url = self._urls[operation.path] = httpx.URL(self._base_url + operation.path)
        return httpx.Request(
            operation.method,
            url.copy_merge_params(query) if query else url,
            headers=[*_COMMON_HEADERS, self._credentials[operation.token].header()],
            content=None if sent is None else sent.body(),
            extensions={"timeout": self._timeouts.in_seconds()},
        )


def _pool(verify: ssl.SSLContext, *, keep: int) -> httpx.HTTPTransport:
    """Make a bounded pool; an idle connection is closed before a service usually closes it."""
    return httpx.HTTPTransport(
        verify=verify,
        trust_env=False,
        http2=False,
        limits=httpx.Limits(max_connections=32, max_keepalive_connections=keep, keepalive_expiry=4.0),
    )


def _understood(operation: Operation[T], reply: _Reply, trace: Trace) -> Success[T] | WarrantyError:
    """Tell what an answer means. What a success says may hold a customer's data: none of it goes into an error."""
    if reply.status not in operation.successes:
        # The status alone tells what a refusal means, so one whose body was cut off is still a refusal.
        words = service_words(reply.body)
        plans = read_plans(words) if operation.lists_plans and reply.status == 400 else ()
        return operation.error_for(reply.status)(trace=trace, service_words=words, plans=plans)
    if reply.complete:
        try:
            return Success(operation.read(reply.body))
        except Unreadable as unreadable:
            if not unreadable.cut_off:
                return UnexpectedAnswer(trace=trace)
    return OutcomeUnknown(trace=trace)


def _of_all_tries(operation: Operation[T], last: WarrantyError, *, after_silence: bool) -> WarrantyError:
    """What the last try's error says of all tries together.

    That a repeat did not arrive, or that its token was refused, says nothing about a sending before it that had no
    answer: the service may have acted on that one.
    """
    if operation.writes and after_silence and isinstance(last, NotSent | CredentialRefused):
        return OutcomeUnknown(trace=last.trace, service_words=last.service_words)
    return last


def _log(trace: Trace, ending: object, repeats: int, took: timedelta) -> None:
    failed = isinstance(ending, WarrantyError)
    level = logging.WARNING if failed else logging.INFO
    if not CALLS.isEnabledFor(level):
        return
    line = {
        "operation": trace.operation,
        "attempt_id": trace.attempt_id,
        "status": trace.status,
        "milliseconds": round(took.total_seconds() * 1000, 1),
        "repeats": repeats,
        "outcome": type(ending).__name__ if failed else "done",
    }
    CALLS.log(level, "%s", json.dumps(line), extra={"call": line})
