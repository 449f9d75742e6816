"""The landing pages: what a customer sees on a phone after a purchase without protection.

Sections of the interface: "What the service does" 2, "POST /api/carts" (the URL). Buying here takes no payment.
"""

from http import HTTPStatus
from urllib.parse import parse_qs

from starlette.types import ASGIApp, Receive, Scope, Send

from sandbox.endpoints.sales.endpoint import sell
from sandbox.endpoints.sales.request import SaleLine
from sandbox.landing.view import STYLE, missing_page, order_page
from sandbox.landing.words import PageLanguage, language_of
from sandbox.service.landing_address import landing_page_address, segments
from sandbox.service.service import Service
from sandbox.store.model import Order
from sandbox.wire.answers import Refused

LARGEST_FORM = 16 * 1024

_HEADERS = {
    # Nothing runs on this page and nothing is loaded but its style and product pictures, whatever an order holds.
    "content-security-policy": (
        "default-src 'none'; style-src 'self'; img-src 'self' https:; form-action 'self'; "
        "base-uri 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    # The address is the key to the order: no picture's host gets to see it.
    "referrer-policy": "same-origin",
    "cache-control": "no-store",
    "vary": "accept-language",
}


def landing_application(service: Service) -> ASGIApp:
    """The ASGI application of the landing pages' own port."""
    return _LandingPages(service)


class _LandingPages:
    def __init__(self, service: Service) -> None:
        self._service = service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        method = scope["method"]
        parts = segments(scope["raw_path"])
        if parts == ["", "style.css"] and method in {"GET", "HEAD"}:
            await _send(send, HTTPStatus.OK, STYLE, {"content-type": "text/css; charset=utf-8"})
            return
        order = self._order(parts)
        language = language_of(scope["query_string"], dict(scope["headers"]).get(b"accept-language", b""))
        if order is None:
            await _send_page(send, HTTPStatus.NOT_FOUND, missing_page(language))
        elif method == "POST":
            await self._buy(order, language, scope, receive, send)
        elif method in {"GET", "HEAD"}:
            bought = b"bought" in scope["query_string"].split(b"&")
            await _send_page(send, HTTPStatus.OK, order_page(order, language=language, bought=bought))
        else:
            await _send(send, HTTPStatus.METHOD_NOT_ALLOWED, b"", {"allow": "GET, HEAD, POST"})

    def _order(self, parts: list[str] | None) -> Order | None:
        """The order of an address such as /carts/<retailer_uuid>/checkout/<order_id>; nothing else reaches one."""
        match parts:
            case ["", "carts", self._service.retailer_uuid, "checkout", order_id] if order_id:
                with self._service.store.transaction() as records:
                    return records.order(order_id)
        return None

    async def _buy(self, order: Order, language: PageLanguage, scope: Scope, receive: Receive, send: Send) -> None:
        """Sell one unit of what the customer chose, then show the page again."""
        # Assumption landing.no-payment
        headers = dict(scope["headers"])
        if headers.get(b"sec-fetch-site", b"none") not in {b"none", b"same-origin"}:
            await _send_page(send, HTTPStatus.FORBIDDEN, missing_page(language))
            return
        form = await _read_form(receive)
        try:
            line = SaleLine(
                "", line_item_id=int(form.get("line_item_id", "")), warranty_offer_id=form.get("warranty_offer_id", "")
            )
            with self._service.store.transaction() as records:
                sell(records, order.order_id, [line])
        except (Refused, ValueError):
            # Somebody was faster, or the page is old: the page as it is now says what can still be bought.
            with self._service.store.transaction() as records:
                now = records.order(order.order_id) or order
            await _send_page(send, HTTPStatus.CONFLICT, order_page(now, language=language, refused=True))
            return
        place = landing_page_address("", self._service.retailer_uuid, order.order_id)
        await _send(send, HTTPStatus.SEE_OTHER, b"", {**_HEADERS, "location": f"{place}?bought&lang={language}"})


async def _read_form(receive: Receive) -> dict[str, str]:
    body, more = b"", True
    while more and len(body) <= LARGEST_FORM:
        message = await receive()
        if message["type"] == "http.disconnect":
            return {}
        body += message.get("body", b"")
        more = message.get("more_body", False)
    if more:
        return {}
    fields = parse_qs(body.decode("utf-8", errors="replace"), max_num_fields=10) if body.count(b"&") < 10 else {}
    return {name: values[0] for name, values in fields.items()}


async def _send_page(send: Send, status: HTTPStatus, page: str) -> None:
    await _send(send, status, page.encode(), {**_HEADERS, "content-type": "text/html; charset=utf-8"})


async def _send(send: Send, status: HTTPStatus, body: bytes, headers: dict[str, str]) -> None:
    lines = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
    lines.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": int(status), "headers": lines})
    await send({"type": "http.response.body", "body": body})
