"""Where the desk's addresses begin on its host, and what those that answer there by themselves have in common."""

from collections.abc import Callable
from functools import wraps

import streamlit as st
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from warranty.errors import JournalUnavailable


def path_of(name: str) -> str:
    """The path of what has this name below the desk's own."""
    return f"/{st.get_option('server.baseUrlPath')}".rstrip("/") + f"/{name}"


def or_unavailable(answer: Callable[[Request], Response]) -> Callable[[Request], Response]:
    """It, in a thread, since it waits for the journal; 503 where that is away."""

    @wraps(answer)
    def asked(request: Request) -> Response:
        try:
            return answer(request)
        except JournalUnavailable:
            return JSONResponse({}, status_code=503)

    return asked


async def small_body(request: Request, longest: int) -> bytes | None:
    """What was sent; None where that is longer, or was cut off."""
    body = b""
    try:
        async for part in request.stream():
            body += part
            if len(body) > longest:
                return None
    except ClientDisconnect:
        return None
    return body


def address_of(request: Request) -> str:
    """The address that a request comes from."""
    return request.client.host if request.client else ""
