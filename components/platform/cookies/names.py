"""What our cookies are called in a browser, and which of those that it sends are ours.

A browser keeps the cookies of a host together, whatever the port: the name holds the port, so that two desks of one
machine leave each other's alone. Over HTTPS it begins with `__Host-`, which a browser takes from this very host alone,
over HTTPS, for no other host of the domain; there a cookie without it is not ours.
"""

from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response

TILL_COOKIE: Final = "warranty_desk_till"
"""The key of a registered till."""
_OVER_HTTPS: Final = "__Host-"
_USUAL_PORTS: Final = {"http": 80, "https": 443}
# platform: name streamlit.web.server.starlette.starlette_server_config.USER_COOKIE_NAME
_OF_A_PERSON: Final = "_streamlit_user"
_SHIFT_SECONDS: Final = 12 * 60 * 60


def name_in_browser(name: str, origin: str) -> str:
    """What the cookie `name` is called in a browser whose page has this origin, such as https://desk.example.com."""
    parts = urlsplit(origin)
    port = "" if parts.port in {None, _USUAL_PORTS.get(parts.scheme)} else f"_{parts.port}"
    return f"{_OVER_HTTPS if parts.scheme == 'https' else ''}{name}{port}"


def origin_of(headers: Mapping[str, str], scheme: str = "") -> str:
    """The origin of the page that a request with these headers comes from, as far as they say: "" where they do not.

    A browser says it itself with a handshake and whatever changes something; of other requests the host is known,
    and from the proxy, or the `scheme` of a connection without one, whether it came over HTTPS.
    """
    lowered = {name.lower(): value for name, value in headers.items()}
    if origin := lowered.get("origin", ""):
        return origin.lower()
    by = lowered.get("x-forwarded-proto", "").split(",")[0].strip().lower() or scheme
    return f"{by}://{lowered.get('host', '').lower()}" if by else ""


def ours(name: str, cookies: Mapping[str, str], headers: Mapping[str, str], scheme: str = "") -> str:
    """What the cookie `name` holds in a request with these cookies and headers; "" where there is none of ours."""
    try:
        return cookies.get(name_in_browser(name, origin_of(headers, scheme)), "")
    except ValueError:  # a host that is none
        return ""


def set_in(answer: Response, request: Request, name: str, value: str, seconds: int) -> None:
    """Have the browser of a request keep a cookie of ours, which no script can read; of no seconds, give it back."""
    origin = origin_of(request.headers, request.url.scheme)
    is_secure, named = origin.startswith("https:"), name_in_browser(name, origin)
    answer.set_cookie(named, value, max_age=seconds, path="/", secure=is_secure, httponly=True, samesite="strict")


def as_sent(cookie: str, *, is_secure: bool) -> str:
    """The value of a Set-Cookie as it leaves us; `is_secure` where the browser came by HTTPS.

    The platform sets its own without Secure, and what an identity provider said of a person for 30 days. A sign-in here
    holds a shift at most; after that nobody needs the provider's word, not even to sign out over there.
    """
    name, *parts = (part.strip() for part in cookie.split(";"))
    if name.startswith(_OF_A_PERSON):
        parts = [_shorter(part) for part in parts]
    if is_secure and not any(part.lower() == "secure" for part in parts):
        parts.append("Secure")
    return "; ".join([name, *parts])


def _shorter(part: str) -> str:
    what, _, seconds = part.partition("=")
    is_long = what.lower() == "max-age" and seconds.isdigit() and int(seconds) > _SHIFT_SECONDS
    return f"{what}={_SHIFT_SECONDS}" if is_long else part
