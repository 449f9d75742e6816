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
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Final, Generic, Self, TypeVar

import httpx
from pydantic import SecretStr

from warranty.client.answers import Unreadable, says_no, service_words
from warranty.client.credentials import Credential
from warranty.client.observer import Observer, Try
from warranty.client.operations import Operation, Token
from warranty.client.pacing import Pacing, Timeouts, retry_after
from warranty.client.plans import read_plans
from warranty.client.resources.base import Sent
from warranty.client.tls import Departure, Knock, Reached, pool
from warranty.errors import CredentialRefused, NotSent, OutcomeUnknown, Trace, UnexpectedAnswer, WarrantyError

T = TypeVar("T")
_Query = dict[str, str] | None

CALLS: Final = logging.getLogger("warranty.calls")
"""One JSON line per attempt: operation, attempt id, status, milliseconds, repeats, outcome; no more."""

LARGEST_ANSWER: Final = 32 * 1024 * 1024
"""Bytes, unpacked. The interface names no page size; this only stops an answer without an end."""

_NOTHING_LEFT: Final = (
    httpx.ConnectError,
    httpx.ConnectTimeout,
    httpx.PoolTimeout,
    httpx.ProxyError,
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
    content_type: str


_Answered = _Reply | type[WarrantyError]
"""What came of one try: an answer, or the kind of error where there was none."""


@dataclass(frozen=True, slots=True)
class Pools:
    """The connections: `keep_alive` ones for harmless calls, and one made anew for each call that must not be repeated.

    They are the pools of httpx without its Client on top: docs/decisions/client.md.
    """

    keep_alive: httpx.BaseTransport
    single_use: httpx.BaseTransport
    through_proxy: bool = False

    @classmethod
    def over_tls(cls, context: ssl.SSLContext, proxy: SecretStr | None = None) -> Self:
        """Make both for the network; the context verifies the service's certificate."""
        keep_alive, single_use = (pool(context, keep=keep, proxy=proxy) for keep in (16, 0))
        return cls(keep_alive, single_use, through_proxy=proxy is not None)


@dataclass(eq=False, repr=False)
class Transport:
    """Sends the operations of one account to one base address; safe to share between threads."""

    _base_url: str
    _credentials: Mapping[Token, Credential]
    _timeouts: Timeouts
    _pacing: Pacing
    _pools: Pools
    _observer: Observer | None = None
    _urls: dict[str, httpx.URL] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self._timeouts = replace(self._timeouts, through_proxy=self._pools.through_proxy)

    def send(
        self, operation: Operation[T], *, sent: Sent | None = None, query: _Query = None, attempt_id: str | None = None
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
            reply = self._exchange(operation, sent, query)
            trace, ending = _ended(operation, attempt_id, reply, self._hidden)
            took = timedelta(seconds=self._pacing.clock() - tried_at)
            _log(trace, ending, repeats, took)
            if self._observer is not None:
                self._observer.tried(_seen(operation, ending, reply, sent))
            if isinstance(ending, Success):
                self._pacing.budget.earn()
                return Success(ending.value, after_silence)
            pause = self._pause_before_repeat(operation, ending, repeats)
            if pause is None:
                raise _of_all_tries(operation, ending, after_silence=after_silence)
            after_silence = after_silence or not ending.nothing_written
            repeats += 1
            self._pacing.sleep(pause.total_seconds())

    def longest_call(self, operation: Operation[T]) -> timedelta:
        """Give the longest that a call takes with its repeats; finding the host's address comes on top."""
        repeats, timeouts = 0 if operation.once else self._pacing.repeats, self._timeouts
        repeated = timeouts.whole if operation.repeatable else timeouts.until_sent
        pause = self._pacing.longest_pause + self._pacing.budget.longest
        return timeouts.whole + repeats * (repeated + pause)

    def reaches(self) -> bool:
        """Whether a trusted connection to the service stands now; nothing is asked over it, so it is no call."""
        door = {"trace": Knock(), "timeout": self._timeouts.in_seconds()}
        request = httpx.Request("HEAD", self._base_url, extensions=door)
        try:
            self._pools.single_use.handle_request(request).close()
        except httpx.RequestError:
            return False
        except Reached:
            pass
        return True

    def close(self) -> None:
        """Close every connection."""
        self._pools.keep_alive.close()
        self._pools.single_use.close()

    def _pause_before_repeat(self, operation: Operation[T], error: WarrantyError, repeats: int) -> timedelta | None:
        status = error.trace.status or 0
        silent = isinstance(error, OutcomeUnknown)
        harmless = operation.repeatable and (silent or status == _TOO_MANY_REQUESTS or status >= 500)
        if operation.once or repeats >= self._pacing.repeats or not (harmless or isinstance(error, NotSent)):
            return None
        pause = self._pacing.pause(repeats, error.trace.wanted_pause)
        return pause if pause is not None and self._pacing.budget.spend(after_silence=silent) else None

    def _exchange(self, operation: Operation[T], sent: Sent | None, query: _Query) -> _Answered:
        """Send once: the reply, or the kind of error where none came; no exception of httpx gets out."""
        connections = self._pools.keep_alive if operation.repeatable else self._pools.single_use
        request = self._request(operation, sent, query)
        departure = request.extensions.get("trace")
        try:
            response = connections.handle_request(request)
        except _NOTHING_LEFT:
            return NotSent
        except httpx.RequestError:
            return NotSent if departure and not departure.left else OutcomeUnknown
        with contextlib.closing(response):
            body, complete = self._body(response)
            for credential in self._credentials.values():  # some answers repeat what they were asked with
                body = credential.hidden_in_body(body)
            pause, kind = retry_after(response.headers.get("Retry-After")), response.headers.get("Content-Type", "")
            return _Reply(response.status_code, body, complete, pause, kind)

    def _hidden(self, text: str) -> str:
        for credential in self._credentials.values():
            text = credential.hidden_in(text)
        return text

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

    def _request(self, operation: Operation[T], sent: Sent | None, query: _Query) -> httpx.Request:
        url = self._urls.get(operation.path)
        if url is None:
            url = self._urls[operation.path] = httpx.URL(self._base_url + operation.path)
        return httpx.Request(
            operation.method,
            url.copy_merge_params(query) if query else url,
            headers=[*_COMMON_HEADERS, self._credentials[operation.token].header()],
            content=None if sent is None else sent.body(),
            extensions={
                "timeout": self._timeouts.in_seconds(),
                # A proxy may break off or fall silent before there is a tunnel, and then nothing has left.
                **({"trace": Departure()} if self._pools.through_proxy else {}),
            },
        )


def _ended(
    operation: Operation[T], attempt_id: str, reply: _Answered, hidden: Callable[[str], str]
) -> tuple[Trace, Success[T] | WarrantyError]:
    if not isinstance(reply, _Reply):
        trace = Trace(operation.name, attempt_id)
        return trace, reply(trace=trace)
    trace = Trace(operation.name, attempt_id, reply.status, reply.wanted_pause)
    return trace, _understood(operation, reply, trace, hidden)


def _seen(operation: Operation[T], ending: Success[T] | WarrantyError, reply: _Answered, sent: Sent | None) -> Try:
    failure = ending.failure if isinstance(ending, WarrantyError) else None
    if not isinstance(reply, _Reply):
        return Try(operation.name, failure, sent=sent)
    parsed_elsewhere = isinstance(ending, Success) and isinstance(ending.value, bytes)
    body = None if parsed_elsewhere or not reply.complete else reply.body
    return Try(operation.name, failure, reply.status, reply.content_type, body, sent)


def _understood(
    operation: Operation[T], reply: _Reply, trace: Trace, hidden: Callable[[str], str]
) -> Success[T] | WarrantyError:
    """Tell what an answer means. What a success says may hold a customer's data: none of it goes into an error."""
    denied = operation.writes and reply.status in operation.successes and says_no(reply.body)
    if denied or reply.status not in operation.successes:
        # Hidden once more, as JSON may spell letters by number.
        words = tuple(map(hidden, service_words(reply.body)))
        if denied:
            return UnexpectedAnswer(trace=trace, service_words=words)
        # The status alone tells what a refusal means, so one whose body was cut off is still a refusal.
        plans = read_plans(words) if operation.lists_plans and reply.status == 400 else ()
        return operation.error_for(reply.status, reply.body)(trace=trace, service_words=words, plans=plans)
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
