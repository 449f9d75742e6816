"""The customer's page, beside the dashboard and without sign-in: three files, and what its screen shows now.

It is not one of the platform's screens: it asks twice a second for a few hundred bytes, from whichever replica answers,
and draws them with a script of ours. What a browser is, its cookie says: a secret that nobody else has.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from components.platform.cookies.names import ours, set_in
from components.platform.own_page.page import page_files
from components.platform.paths import address_of, or_unavailable, path_of
from warranty.files.printing.page import qr_code
from warranty.language import N_
from warranty.people.tills.customer_screens import CustomerScreens, Look
from warranty.settings import Settings

_COOKIE: Final = "warranty_desk_customer"
_COOKIE_SECONDS: Final = 86_400
WORDS: Final[Mapping[str, str]] = {
    "welcome": N_("Welcome"),
    "connect": N_("Connect this screen"),
    "how": N_("At the counter: press your name in the bar, then Customer's screen, and type this code."),
    "basket": N_("Your purchase"),
    "total": N_("Total"),
    "scan": N_("Scan to choose your warranty"),
    "later": N_("The page opens as soon as our service is back."),
    "no_code": N_("Ask us for the link to your warranty."),
    "offers": N_("Plans you can choose"),
    "plans": N_("Your protection plan"),
    "sold": N_("Thank you. Your protection plan:"),
    "months": N_("{n} months"),
    "month": N_("1 month"),
    "more": N_("and {n} more"),
    "plan": N_("Plan"),
    "away": N_("One moment, please"),
    "leave": N_("Disconnect"),
    "sure": N_("Disconnect this screen from the counter?"),
    "alt": N_("QR code of your warranty's page"),
}
"""What the customer's screen says, in the language that is chosen on it; it fills in what stands in braces."""


def customer_routes(screens: Callable[[], CustomerScreens], settings: Settings) -> list[Route]:
    """The routes; `screens` are asked for once the server has started."""
    path = path_of("customer")

    def now(request: Request) -> Response:
        secret, is_new = _secret(request), False
        look = screens().look(secret) if secret else None
        if look is None:
            secret, is_new = screens().begin(address_of(request)) or "", True
            look = screens().look(secret)
        if look is None:
            return JSONResponse({}, status_code=429)
        content = _content(look, settings.shop_name)
        is_known = request.query_params.get("seen") == content["version"]
        answer = Response(status_code=204) if is_known else JSONResponse(content)
        if is_new:
            set_in(answer, request, _COOKIE, secret, _COOKIE_SECONDS)
        return answer

    def leave(request: Request) -> Response:
        screens().leave(_secret(request))
        return Response(status_code=204)

    return [
        *page_files("customer", Path(__file__).parent, WORDS, settings.environment),
        Route(f"{path}/now", or_unavailable(now), methods=["GET"]),
        Route(f"{path}/leave", or_unavailable(leave), methods=["POST"]),
    ]


def _content(look: Look, shop: str) -> dict[str, Any]:
    """What the page is told: what is shown, with a picture of the link's code in place of the link."""
    content: dict[str, Any] = {"shop": shop, "code": look.code, "shown": _with_code(look.shown)}
    content["version"] = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:16]
    return content


def _with_code(shown: Mapping[str, Any] | None) -> dict[str, Any] | None:
    if shown is None:
        return None
    content = dict(shown)
    if url := content.pop("url", ""):
        code = qr_code(str(url))
        content["picture"] = code and code.svg_data_uri(border=4, dark="#000", light="#fff")
    return content


def _secret(request: Request) -> str:
    return ours(_COOKIE, request.cookies, request.headers, request.url.scheme)
