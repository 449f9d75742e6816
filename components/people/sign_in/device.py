"""A device that somebody has signed in on before, told from a stranger's by a signed cookie.

It opens nothing. Tries that come with it are counted for themselves, so that a stranger who guesses at a name makes its
person wait nowhere that they have been (docs/decisions/sign-in.md). It holds a random id of the device and, as keyed
hashes, the names that signed in there.
"""

import hashlib
import hmac
import secrets
from datetime import timedelta
from typing import Any, Final

import jwt

from components.platform import session
from components.platform.cookies.handing import keep_in_browser, sent

LASTS: Final = timedelta(days=400)
"""Browsers keep no cookie longer; each sign-in begins it anew."""
_MOST_NAMES: Final = 40
_KEPT: Final = "device"


class Device:
    """The device of this tab, by the cookie `name`; `key` is that of the sign-in cookies."""

    def __init__(self, name: str, key: str) -> None:
        self._name = f"{name}_device"
        self._key = hashlib.sha256(f"device\n{key}".encode()).hexdigest()  # no cookie of one kind is one of the other

    def of(self, username: str) -> str:
        """The device's id, if this name has signed in on it before; else ""."""
        content = self._content()
        return str(content["id"]) if self._hash(username) in content["names"] else ""

    def note(self, username: str) -> None:
        """Have the browser keep that this name has signed in on it."""
        content, mine = self._content(), self._hash(username)
        names = [mine, *(each for each in content["names"] if each != mine)][:_MOST_NAMES]
        token = jwt.encode({"id": content["id"], "names": names}, self._key, algorithm="HS256")
        session.remember(_KEPT, token)
        keep_in_browser(self._name, token, LASTS)

    def _content(self) -> dict[str, Any]:
        # What this tab was given is newer than what it came with.
        for token in (session.recall(_KEPT, ""), sent(self._name)):
            try:
                content: dict[str, Any] = jwt.decode(token, self._key, algorithms=["HS256"])
            except jwt.InvalidTokenError:
                continue
            return content
        return {"id": secrets.token_hex(16), "names": []}

    def _hash(self, username: str) -> str:
        return hmac.new(self._key.encode(), username.encode(), "sha256").hexdigest()[:16]


def retained_at_sign_out() -> dict[str, object]:
    """What a tab remembers of its device when all of the person goes."""
    token = session.recall(_KEPT, "")
    return {_KEPT: token} if token else {}
