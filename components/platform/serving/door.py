"""The door: what asks this server, and what a page says to it, is looked at before the platform sees it.

A browser's page from elsewhere never gets a handshake, nor a request that changes something: the platform would let a
handshake wait, with everybody else, until it has asked an address outside the shop for its own. Files go in and out for
who is signed in. The platform hears more than our screens say: it asks git about the program's folder and tells whoever
wants to know, throws away what all tabs share, and writes files for those who develop with it; nobody is heard who says
that. For each field and each name of a file it makes something, in the thread that all tabs share: both are counted.
docs/security.md names what each rule is against.
"""

import logging
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Any, Final, Protocol
from urllib.parse import urlsplit
from uuid import uuid4

import anyio
import anyio.to_thread
import streamlit as st
import uvicorn.config
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

# platform: name streamlit.proto.BackMsg_pb2.BackMsg
from streamlit.proto.BackMsg_pb2 import BackMsg

# platform: name streamlit.web.server.starlette.starlette_websocket.is_host_allowed
from streamlit.web.server.starlette.starlette_websocket import is_host_allowed

# platform: name uvicorn.middleware.proxy_headers.ProxyHeadersMiddleware
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from components.platform.cookies.names import TILL_COOKIE, origin_of, ours
from components.platform.serving.crowds import MOST_ASKED, MOST_FILES, Guests, Turns
from components.platform.session import HANDSHAKE

LONGEST_QUERY: Final = 8_000
"""Characters after the question mark of an address."""
MOST_NAMES, LONGEST_NAME = 20, 300
"""Files that are put in at once, and the letters of a file's name."""
_SIGNS: Final = frozenset({"rerun_script", "stop_script", "app_heartbeat"})
"""A press or a field, the end of a run, a sign of life."""
SAID: Final = _SIGNS | {"file_urls_request"}
"""Also the way for a file that is put in."""
_OPERATION: Final = "backend_operation_request"
_OPERATIONS: Final = frozenset({"deferred_file"})
"""A file that is made when it is pressed."""
_TOO_LARGE, _ODD, _TOO_OFTEN = 1009, 1002, 1008


MOST_FIELDS: Final = 2_000
"""Of one message; a screen has some 200."""
LARGEST, LARGEST_OF_GUESTS = 4_000_000, 250_000
"""Bytes of a message: what is typed into all fields of a screen is a hundredth of the first. Before a sign-in there is
a form of a few fields, and once all of a screen whose sign-in has ended meanwhile.
"""
MOST_OF_GUESTS: Final = 300
"""Messages in a minute before a sign-in."""


def heard(receive: Receive, *, is_guest: Callable[[], bool]) -> Receive:
    """Pass on what a screen says; end the connection at what is too large, too much or no message of the platform."""
    turns = Turns(MOST_OF_GUESTS)

    async def receive_what_a_screen_says() -> Message:
        while True:
            message = await receive()
            if message["type"] != "websocket.receive":
                return message
            guest, payload = is_guest(), message.get("bytes") or b""
            if max(len(payload), len(message.get("text") or "")) > (LARGEST_OF_GUESTS if guest else LARGEST):
                return _end(_TOO_LARGE)
            if guest and not turns.take(""):
                return _end(_TOO_OFTEN)
            try:
                request = BackMsg.FromString(payload)
            except Exception:  # noqa: BLE001 - whatever a stranger sends, the connection ends
                return _end(_ODD)
            if _is_too_much(request):
                return _end(_TOO_LARGE)
            if _is_from_screens(request, guest=guest):
                return message

    return receive_what_a_screen_says


def _is_from_screens(request: BackMsg, *, guest: bool) -> bool:
    kind = request.WhichOneof("type")
    if guest or kind != _OPERATION:  # before a sign-in there are no files
        return kind in (_SIGNS if guest else SAID)
    return request.backend_operation_request.WhichOneof("payload") in _OPERATIONS


def _is_too_much(request: BackMsg) -> bool:
    run, files = request.rerun_script, request.file_urls_request.file_names
    return (
        len(run.widget_states.widgets) > MOST_FIELDS
        or len(run.query_string) > LONGEST_QUERY
        or len(files) > MOST_NAMES
        or any(len(name) > LONGEST_NAME for name in files)
    )


def _end(code: int) -> Message:
    return {"type": "websocket.disconnect", "code": code}


_log: Final = logging.getLogger("warranty.door")
_READING: Final = {"GET", "HEAD", "OPTIONS"}
_FILES: Final = re.compile(r"(?<!/static)/(_stcore/upload_file|media)/")
"""What people put in and take out; the platform's own fonts lie in /static/media."""
_PLATFORM: Final = re.compile(r"/_stcore/(\w[\w-]*)|/component/")
_USED: Final = frozenset({"health", "host-config", "stream", "upload_file"})
"""What the platform's page asks of its server. Measurements, agents and the rest are nobody's business here, and the
scripts of our parts are not a library's, but files of ours."""
_OWN_PAGES: Final = re.compile(r"/(customer|till)/now$")
"""What pages of ours are told; a new customer's screen takes one of the places of its address."""
_PROVIDERS: Final = re.compile(r"/(auth/log(?:in|out)|oauth2callback)/?$")
"""The platform's addresses of single sign-on; the last is where the provider sends people back to."""
_MONITORS: Final = frozenset({"/livez", "/readyz", "/healthz", "/version", "/_stcore/health"})
"""Asked by what watches the process, within its network; their answers hold nothing of anybody."""
_BY_A_PROXY: Final = ("x-forwarded-for", "forwarded", "x-real-ip")
_PROTOCOLS: Final = "sec-websocket-protocol"
_OPEN: Final = (
    "This desk is asked over https alone, since passwords cross the network: begin its address with https://."
)
_TOO_MANY: Final = PlainTextResponse("Too many at once. Try again in a minute.", status_code=429)
_UNDER: Final = {"http": "http", "ws": "http", "https": "https", "wss": "https"}


class SignIn(Protocol):
    """Whom requests come from."""

    @property
    def cookie_name(self) -> str:
        """What the cookie is called that says it."""

    def is_signed_in(self, cookie: str, till_key: str) -> bool:
        """Whether this cookie is that of somebody who is signed in, or the till's of one there. May ask the journal."""

    def is_signed(self, cookie: str, till_key: str) -> bool:
        """Whether this cookie was given by us and is not known to have ended, or is the till's. Asks nothing."""


@dataclass(slots=True)
class Door:
    """ASGI middleware, the outermost of ours but for the headers of every answer.

    `only_https` says whether a password may never cross a network in the open: in staging and production.
    `has_provider` says whether people sign in at an identity provider.
    """

    app: ASGIApp
    sign_in: Callable[[], SignIn]
    guests: Callable[[], Guests]
    only_https: bool
    has_provider: bool = False
    _requests: Turns = field(default_factory=lambda: Turns(MOST_ASKED))
    _files: Turns = field(default_factory=lambda: Turns(MOST_FILES))
    _lines: Turns = field(default_factory=lambda: Turns(1))
    _refused_handshakes: int = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let in what may come in, and refuse the rest without a word about why."""
        if scope["type"] == "http":
            refused = await self._refused(scope)
            await (refused or self.app)(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._connect(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _refused(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        refused = self._refusal(scope, headers)
        if refused is None and _FILES.search(scope["path"]):
            if not await self._is_signed_in(scope, headers):
                return PlainTextResponse("Sign in first.", status_code=401)
            if scope["method"] == "PUT" and not self._files.take(_address(scope)):
                return _TOO_MANY
        return refused

    def _refusal(self, scope: Scope, headers: Headers) -> Response | None:
        path = scope["path"]
        if path not in _MONITORS and self._is_open(scope, headers):
            return PlainTextResponse(_OPEN, status_code=403)
        if len(scope["query_string"]) > LONGEST_QUERY:
            return PlainTextResponse("The address is too long.", status_code=414)
        platforms = _PLATFORM.search(path)
        if platforms and platforms[1] not in _USED:
            return PlainTextResponse("Not found.", status_code=404)
        if providers := _PROVIDERS.search(path):
            return self._not_to_the_provider(scope, headers, providers[1])
        is_ours_alone = scope["method"] not in _READING or _OWN_PAGES.search(path)
        if is_ours_alone and not _from_here(scope, headers, may_be_unsaid=True):
            return PlainTextResponse("Not from this page.", status_code=403)
        return None

    def _not_to_the_provider(self, scope: Scope, headers: Headers, endpoint: str) -> Response | None:
        """Why a request of single sign-on goes no further: each makes the platform ask the provider something."""
        if not self.has_provider:
            return PlainTextResponse("Not found.", status_code=404)
        # The provider's page leads back from elsewhere, with a state that the platform looks at; in and out, ours does.
        comes_back = endpoint == "oauth2callback" and is_host_allowed(headers.get("host", ""))
        if scope["method"] not in _READING or not (comes_back or _from_here(scope, headers, may_be_unsaid=True)):
            return PlainTextResponse("Not from this page.", status_code=403)
        if not self._requests.take(_address(scope)):
            return _TOO_MANY
        return None

    async def _connect(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        refusal = None
        if not _from_here(scope, headers, may_be_unsaid=False):
            refusal = PlainTextResponse("Not from this page.", status_code=403)
        elif self._is_open(scope, headers):
            refusal = PlainTextResponse(_OPEN, status_code=403)
        # Nothing is asked here, since hundreds may come back at once: what has ended since, the run that follows sees.
        is_signed = refusal is None and self.sign_in().is_signed(*self._cookies(scope, headers))
        name = uuid4().hex
        if not (refusal or is_signed or self.guests().come(name, _address(scope))):
            refusal = PlainTextResponse("Too many pages without a sign-in.", status_code=429)
        if refusal:
            await self._refuse(refusal, scope, receive, send)
            return
        changed = MutableHeaders(scope=scope)
        changed[HANDSHAKE] = name
        parts = headers.get(_PROTOCOLS, "").split(",")
        if not is_signed and len(parts) > 2:
            # The name of a session alone opens none: who comes without a sign-in gets a new one.
            changed[_PROTOCOLS] = ",".join(parts[:2])
        try:
            await self.app(scope, heard(receive, is_guest=lambda: self.guests().is_guest(name)), send)
        finally:
            self.guests().leave(name)

    async def _refuse(self, refusal: Response, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a handshake that is refused; one line of the log a minute tells of all of them."""
        self._refused_handshakes += 1
        if self._lines.take(""):
            words, many = bytes(refusal.body).decode(), self._refused_handshakes
            _log.warning("refused handshakes of pages since the last such line: %d, the last: %s", many, words)
            self._refused_handshakes = 0
        await WebSocket(scope, receive, send).send_denial_response(refusal)
        with anyio.move_on_after(1):  # the server logs an error where the connection is still there at our end
            gone = 0
            while gone < 2:  # the end of the answer, and that of the connection
                gone += (await receive())["type"] == "websocket.disconnect"

    def _is_open(self, scope: Scope, headers: Headers) -> bool:
        """Whether a password would cross a network in the open here, where that may not be."""
        if not self.only_https or _is_on_this_machine(scope, headers):
            return False
        return not origin_of(headers, _UNDER.get(scope["scheme"], "")).startswith("https:")

    async def _is_signed_in(self, scope: Scope, headers: Headers) -> bool:
        return await anyio.to_thread.run_sync(self.sign_in().is_signed_in, *self._cookies(scope, headers))

    def _cookies(self, scope: Scope, headers: Headers) -> tuple[str, str]:
        """That of the sign-in, and the key of a till."""
        sent, under = cookie_parser(headers.get("cookie", "")), _UNDER.get(scope["scheme"], "")
        names = self.sign_in().cookie_name, TILL_COOKIE
        return ours(names[0], sent, headers, under), ours(names[1], sent, headers, under)


def _address(scope: Scope) -> str:
    return scope["client"][0] if scope.get("client") else ""


def _is_on_this_machine(scope: Scope, headers: Headers) -> bool:
    """Whether the browser runs here: the connection, the name that it asks for and no proxy say so."""
    if not scope.get("client") or any(name in headers for name in _BY_A_PROXY):
        return False
    try:
        host = urlsplit(f"//{headers.get('host', '')}").hostname or ""
        is_here = host == "localhost" or ip_address(host).is_loopback
        return is_here and ip_address(scope["client"][0]).is_loopback
    except ValueError:  # a name that is no address
        return False


def _from_here(scope: Scope, headers: Headers, *, may_be_unsaid: bool) -> bool:
    """Whether the page that asks is one of ours: its origin has the scheme, host and port that it asks.

    Programs say no origin; browsers do so with every handshake and every request that changes something.
    """
    host, origins = headers.get("host", ""), headers.getlist("origin")
    if not is_host_allowed(host):
        return False
    if not origins:
        return may_be_unsaid and headers.get("sec-fetch-site", "same-origin") in {"same-origin", "none"}
    schemes = {"https"} if scope["scheme"] in {"https", "wss"} else {"http", "https"}  # a proxy may end TLS
    if proxys := headers.get("x-forwarded-proto"):
        schemes = {proxys.split(",")[0].strip().lower()}
    ours = {f"{scheme}://{host.lower()}" for scheme in schemes}
    return set(origins) <= ours | set(st.get_option("server.corsAllowedOrigins"))


def believe_only(proxies: Sequence[str]) -> None:
    """Have this process's server believe these addresses and networks alone of whose address a request comes from.

    By itself it believes what X-Forwarded-For says of whoever is on this machine, a browser too. It has read its own
    settings before it loads the program, and wraps it with this afterwards.
    """

    def wrapped(app: Any, trusted_hosts: object) -> ProxyHeadersMiddleware:
        return ProxyHeadersMiddleware(app, trusted_hosts=list(proxies))

    # platform: name uvicorn.config.ProxyHeadersMiddleware
    uvicorn.config.ProxyHeadersMiddleware = wrapped  # type: ignore[assignment,attr-defined]
