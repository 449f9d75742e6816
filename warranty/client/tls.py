"""TLS: whom we trust, and what a service shows of itself (interface: all traffic is HTTPS)."""

import contextlib
import socket
import ssl
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any, Final

import httpx
from pydantic import SecretStr

from warranty.errors import SettingsProblem


def trust(verify: ssl.SSLContext | Path | str | None) -> ssl.SSLContext:
    """Give a context that verifies: the one given, one of a PEM file, or for None one of the usual authorities.

    Raises `SettingsProblem` for a file that cannot be read and for a context that does not verify.
    """
    if verify is None:
        return httpx.create_ssl_context(trust_env=False)
    if isinstance(verify, ssl.SSLContext):
        if verify.verify_mode is not ssl.CERT_REQUIRED or not verify.check_hostname:
            raise SettingsProblem("The TLS context does not verify the service's certificate: use one that does.")
        return verify
    if not isinstance(verify, (str, Path)):
        raise SettingsProblem("The service's certificate is always verified: give a TLS context or a PEM file.")
    with contextlib.suppress(OSError, ssl.SSLError):
        return ssl.create_default_context(cafile=str(verify))
    raise SettingsProblem(f"The CA file {verify} cannot be read as PEM: check WARRANTY_CA_FILE.")


def pool(context: ssl.SSLContext, *, keep: int, proxy: SecretStr | None = None) -> httpx.HTTPTransport:
    """Make a bounded pool of verified connections, all of them through the proxy if there is one.

    An idle connection is closed before a service usually closes it. A proxy that speaks TLS is verified by the same
    context.
    """
    through = None
    if proxy is not None:
        through = httpx.Proxy(proxy.get_secret_value())
        if through.url.scheme == "https":
            through.ssl_context = context
    return httpx.HTTPTransport(
        verify=context,
        trust_env=False,
        http2=False,
        limits=httpx.Limits(max_connections=32, max_keepalive_connections=keep, keepalive_expiry=4.0),
        proxy=through,
    )


class Departure:
    """Follows one request on its way out, as a `trace` of httpx: had anything of it left, beyond a proxy's tunnel?"""

    def __init__(self) -> None:
        self.left = False
        self.tunnelled = False
        self.secured: ssl.SSLObject | None = None

    def __call__(self, event: str, info: dict[str, Any]) -> None:
        """Take note of a step."""
        name = event.partition(".")[2]
        if name == "send_request_headers.started" and info["request"].method != b"CONNECT":
            self.left = True
        elif name == "start_tls.started":
            self.tunnelled = event.startswith("proxy.")  # httpcore's name for what it does behind one
        elif name == "start_tls.complete":
            self.secured = info["return_value"].get_extra_info("ssl_object")


class Reached(Exception):
    """The connection stands; raised by a `Knock`."""


class Knock(Departure):
    """A departure that ends at the door: once a trusted connection stands, before anything is asked over it."""

    def __call__(self, event: str, info: dict[str, Any]) -> None:
        """Take note of a step, and raise `Reached` where the next one would leave."""
        super().__call__(event, info)
        if self.left:
            raise Reached


@dataclass(frozen=True, slots=True)
class Handshake:
    """A handshake that succeeded: the protocol's version, what its certificate says, and the time it took.

    `ahead` is how far the clock of this machine is ahead of the host's; None where the host does not tell its time.
    """

    version: str
    issuer: str
    expires: datetime
    elapsed: timedelta
    ahead: timedelta | None


class TlsProblem(Exception):
    """There is no trusted connection; the text says why, for whoever runs the program."""

    def __init__(self, problem: str, *, at_proxy: bool = False) -> None:
        super().__init__(problem)
        self.at_proxy = at_proxy


def handshake(url: str, context: ssl.SSLContext, *, timeout: timedelta, proxy: SecretStr | None = None) -> Handshake:
    """Connect to the host of an https address as calls do, and ask for its front page without a token.

    Raises `TlsProblem` with the reason.
    """
    departure = Departure()
    limits = dict.fromkeys(("connect", "read", "write", "pool"), timeout.total_seconds())
    request = httpx.Request("HEAD", httpx.URL(url).join("/"), extensions={"trace": departure, "timeout": limits})
    started, date_header, problem = time.perf_counter(), None, ""
    with pool(context, keep=0, proxy=proxy) as connections:
        try:
            answer = connections.handle_request(request)
            date_header = answer.headers.get("Date")
            answer.close()
        except (httpx.RequestError, UnicodeError) as error:
            problem = _reason(error)
    elapsed = timedelta(seconds=time.perf_counter() - started)
    secured = departure.secured if departure.left else None
    if secured is None:
        at_proxy = proxy is not None and not departure.tunnelled
        raise TlsProblem(f"{'the proxy: ' if at_proxy else ''}{problem}", at_proxy=at_proxy)
    certificate: dict[str, Any] = secured.getpeercert() or {}
    names = {key: value for part in certificate.get("issuer", ()) for key, value in part}
    return Handshake(
        secured.version() or "TLS",
        names.get("commonName") or names.get("organizationName") or "an unnamed authority",
        datetime.fromtimestamp(ssl.cert_time_to_seconds(str(certificate["notAfter"])), UTC),
        elapsed,
        _ahead(date_header),
    )


def _reason(error: BaseException) -> str:
    """Tell why there is no connection, by the first cause that says so."""
    causes = [error]
    while (cause := causes[-1].__cause__ or causes[-1].__context__) is not None:
        causes.append(cause)
    for cause in reversed(causes):
        for kind, reason in _REASONS.items():
            if isinstance(cause, kind):
                return reason(cause)
    return "the connection broke off"


_REASONS: Final[dict[type[BaseException], Callable[[Any], str]]] = {
    httpx.ProxyError: lambda error: f"it refuses to connect, with status {str(error).split(' ')[0]}",
    ssl.SSLCertVerificationError: lambda error: f"the certificate is not trusted: {error.verify_message}",
    ssl.SSLError: lambda _: "the host does not speak TLS as it should",
    UnicodeError: lambda _: "the host does not speak TLS as it should",
    socket.gaierror: lambda _: "the host has no address: its name may be misspelt, or there is no network",
    TimeoutError: lambda _: "the host does not answer",
    OSError: lambda error: f"no connection: {error.strerror or 'the network failed'}",
}


def _ahead(date: str | None) -> timedelta | None:
    try:
        return datetime.now(UTC) - parsedate_to_datetime(date) if date else None
    except (TypeError, ValueError):
        return None
