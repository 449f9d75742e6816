"""The tokens of an account, held so that nothing shows them (interface: Authentication)."""

import re
from typing import Final, NoReturn

from pydantic import SecretStr

from warranty.errors import SettingsProblem
from warranty.language import _

AUTHORIZATION: Final = "Authorization"
_VISIBLE_ASCII: Final = re.compile(r"[!-~]+")
_HEADER_NAME: Final = re.compile(r"[0-9A-Za-z!#$%&'*+.^_`|~-]+")
_HINT_FROM_LENGTH: Final = 16
_HIDDEN_FROM_LENGTH: Final = 8
_HIDDEN: Final = "[token]"


class Credential:
    """One token and the header it travels in; its text is seen by the header alone.

    In `Authorization` the token follows the word Bearer. The interface does not show the other header's
    name or form, so in any other header the bare token travels: our assumption.
    """

    __slots__ = ("_header", "_name", "_token")

    def __init__(self, name: str, token: str | SecretStr, *, header: str = AUTHORIZATION) -> None:
        secret = SecretStr((token.get_secret_value() if isinstance(token, SecretStr) else token).strip())
        del token  # some tracebacks print what a function holds
        if not _VISIBLE_ASCII.fullmatch(secret.get_secret_value()):
            raise SettingsProblem(
                f"The {name} token is empty or holds a space or a character that no token has: copy it again "
                "from the settings tab of the partner dashboard."
            )
        if not _HEADER_NAME.fullmatch(header):
            raise SettingsProblem("WARRANTY_PUBLIC_TOKEN_HEADER is not the name of a header.")
        self._name = name
        self._token = secret
        self._header = header

    def header(self) -> tuple[str, str]:
        """Give the header that authenticates a request: its name and its value."""
        value = self._token.get_secret_value()
        is_bearer = self._header.lower() == AUTHORIZATION.lower()
        return self._header, f"Bearer {value}" if is_bearer else value

    def hidden_in(self, text: str) -> str:
        """The text without this token, which a service or a proxy may repeat; a word too short for a token stays."""
        value = self._token.get_secret_value()
        return text.replace(value, _HIDDEN) if len(value) >= _HIDDEN_FROM_LENGTH else text

    def hidden_in_body(self, body: bytes) -> bytes:
        """The same of an answer as it came, in which slashes may be escaped."""
        value = self._token.get_secret_value()
        if len(value) < _HIDDEN_FROM_LENGTH:
            return body
        for written in {value, value.replace("/", "\\/")}:
            body = body.replace(written.encode(), _HIDDEN.encode())
        return body

    def __repr__(self) -> str:
        return f"<{self._name} token>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("A token is not pickled.")


def token_hint(token: SecretStr | None) -> str:
    """Say whether a token is set, and of a long one its last two characters, to tell two accounts apart."""
    if token is None:
        return _("not set")
    value = token.get_secret_value()
    return _("set, ends in …{end}", end=value[-2:]) if len(value) >= _HINT_FROM_LENGTH else _("set")
