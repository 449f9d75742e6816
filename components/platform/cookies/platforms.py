"""The platform's own cookies, on their way to a browser.

It sets them without Secure, and what an identity provider said of a person for 30 days. A sign-in here holds a shift at
most; after that nobody needs the provider's word, not even to sign out over there.
"""

from typing import Final

# platform: name streamlit.web.server.starlette.starlette_server_config.USER_COOKIE_NAME
_OF_A_PERSON: Final = "_streamlit_user"
_SHIFT_SECONDS: Final = 12 * 60 * 60


def as_sent(cookie: str, *, is_secure: bool) -> str:
    """The value of a Set-Cookie as it leaves us; `is_secure` where the browser came by HTTPS."""
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
