"""Headers on every answer of the dashboard: scripts of ours alone, nothing from other hosts, no frames, no copies."""

import base64
import hashlib
from collections.abc import Callable, Sequence
from functools import cache
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from components.platform.cookies.names import as_sent, origin_of

_POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        # The page's own scripts by what they say. Parts of ours in the page come as blobs, and the platform reads large
        # numbers by WebAssembly (docs/decisions/gate.md). No text becomes a script.
        "script-src 'self' blob: 'wasm-unsafe-eval' {scripts}",
        "style-src 'self' 'unsafe-inline'",  # the platform writes its styles into the page as it draws
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "connect-src 'self'",
        "worker-src 'self' blob:",
        "manifest-src 'self'",
        "frame-src 'none'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",  # no site draws the desk inside its own page
    )
)
_HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(self), accelerometer=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), "
    "magnetometer=(), microphone=(), midi=(), payment=(), serial=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}
_OVER_HTTPS: Final = {"Strict-Transport-Security": "max-age=31536000"}


class SecurityHeaders:
    """ASGI middleware that adds the headers; `scripts` are the texts of the scripts that stand in a page of ours."""

    def __init__(self, app: ASGIApp, *, scripts: Callable[[], Sequence[str]]) -> None:
        self._app = app
        self._policy = cache(lambda: content_security_policy(scripts()))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, with the headers added to its answer."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        is_secure = origin_of(Headers(scope=scope), scope["scheme"]).startswith("https:")
        ours = {"Content-Security-Policy": self._policy(), **_HEADERS, **(_OVER_HTTPS if is_secure else {})}

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in ours.items():
                    headers.setdefault(name, value)
                message["headers"] = [
                    (name, as_sent(value.decode("latin-1"), is_secure=is_secure).encode("latin-1"))
                    if name.lower() == b"set-cookie"
                    else (name, value)
                    for name, value in message["headers"]
                ]
                headers = MutableHeaders(scope=message)
                if "max-age" not in headers.get("Cache-Control", ""):  # as the platform's own files have it
                    headers["Cache-Control"] = "no-store"
            await send(message)

        await self._app(scope, receive, send_with_headers)


def content_security_policy(scripts: Sequence[str]) -> str:
    """The policy under which these scripts run, and no other that stands in a page."""
    digests = (base64.b64encode(hashlib.sha256(each.encode()).digest()).decode() for each in scripts)
    return _POLICY.format(scripts=" ".join(f"'sha256-{digest}'" for digest in digests))
