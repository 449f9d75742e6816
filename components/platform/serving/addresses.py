"""Whose address a request is said to come from.

The platform's server believes what X-Forwarded-For says of whoever is on this machine, a browser too. It is to believe
the proxies that a setting names, and nobody where it names none.
"""

from collections.abc import Sequence
from typing import Any

import uvicorn.config

# platform: name uvicorn.middleware.proxy_headers.ProxyHeadersMiddleware
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware


def believe_only(proxies: Sequence[str]) -> None:
    """Have this process's server believe these addresses and networks alone.

    The server has read its own settings before it loads the program, and wraps it with this afterwards.
    """

    def wrapped(app: Any, trusted_hosts: object) -> ProxyHeadersMiddleware:
        return ProxyHeadersMiddleware(app, trusted_hosts=list(proxies))

    # platform: name uvicorn.config.ProxyHeadersMiddleware
    uvicorn.config.ProxyHeadersMiddleware = wrapped  # type: ignore[assignment,attr-defined]
