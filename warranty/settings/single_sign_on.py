"""Single sign-on: which groups of the provider may what, and `[auth]` of the secrets file, which is the platform's own.

The platform reads `[auth]` when somebody presses the button, and says then what it lacks. Here it is looked at before
the start, with all other settings.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated, Final
from urllib.parse import urlsplit

from pydantic_settings import NoDecode

from warranty.access import Role
from warranty.settings.secrets_file import SECRETS_FILE, secrets_file
from warranty.settings.values import THIS_MACHINE, listed

CALLBACK: Final = "/oauth2callback"
"""Where the provider sends people back to: the platform's address."""
SAID: Final = ("sso", "sso_roles", "environment", "base_url")
"""The settings that `[auth]` is looked at with."""
_ROLES: Final = "groups and their roles, such as warranty-staff=staff,warranty-managers=manager"
_NEEDED: Final = {
    "redirect_uri": f"the desk's own address with {CALLBACK} at its end",
    "cookie_secret": "made by chance, such as by `openssl rand -hex 32`",
    "client_id": "the provider gives it",
    "client_secret": "the provider gives it",
    "server_metadata_url": "the provider's address with /.well-known/openid-configuration at its end",
}
_SHORTEST_SECRET: Final = 32
_FEWEST_LETTERS: Final = 8


def _pair(part: object) -> tuple[str, str]:
    """What a group gives; the last `=` parts the two, since names of groups may hold one."""
    group, _, given = map(str.strip, str(part).rpartition("="))
    if not (group and given):
        raise ValueError
    return group, given


def _role(part: object) -> tuple[str, Role]:
    group, given = _pair(part)
    return group, Role(given)


GroupRoles = Annotated[tuple[tuple[str, Role], ...], NoDecode, listed(_role, _ROLES)]
GroupStores = Annotated[
    tuple[tuple[str, str], ...], NoDecode, listed(_pair, "groups and the ids of their stores, such as shop-north=north")
]


def provider_address() -> str:
    """Where the provider describes itself, as the secrets file says it; "" where there is none."""
    auth = secrets_file().get("auth")
    return str(auth.get("server_metadata_url") or "") if isinstance(auth, Mapping) else ""


def sign_on_faults(auth: object, values: Mapping[str, object]) -> Iterator[str]:
    """A sentence for each fault of `[auth]` and of what goes with it; `values` are `SAID` as they stand."""
    if str(values["sso"] or ("beside" if auth is not None or values["sso_roles"] else "off")) == "off":
        return
    if auth is None:
        names = " and ".join(f"WARRANTY_{name.upper()}" for name in ("sso", "sso_roles") if values[name])
        yield f"{names} needs [auth] in {SECRETS_FILE.as_posix()}, the section of the provider."
        return
    if not values["sso_roles"]:
        yield f"Set WARRANTY_SSO_ROLES, which must list {_ROLES} (or WARRANTY_SSO=off)."
    is_real = values["environment"] != "sandbox" if values["environment"] else bool(values["base_url"])
    yield from _faults(auth, is_real=is_real)


def _faults(auth: object, *, is_real: bool) -> Iterator[str]:
    where = f"[auth] in {SECRETS_FILE.as_posix()}"
    if not isinstance(auth, Mapping):
        yield f"{where} must be a section with {', '.join(_NEEDED)}."
        return
    for name in sorted(str(key) for key, value in auth.items() if isinstance(value, Mapping)):
        if name != "client_kwargs":
            yield f"{where} has a section of its own: the desk knows one provider, whose lines stand in [auth] itself."
    for name, cure in _NEEDED.items():
        if not isinstance(auth.get(name), str) or not str(auth[name]).strip():
            yield f"{name} is missing from {where}: {cure}."
    redirect, metadata, secret = (
        str(auth.get(name) or "").strip() for name in ("redirect_uri", "server_metadata_url", "cookie_secret")
    )
    if redirect and not redirect.endswith(CALLBACK):
        yield f"redirect_uri in {where} must be {_NEEDED['redirect_uri']}."
    for name, address in (("redirect_uri", redirect), ("server_metadata_url", metadata)):
        if address and not _is_safe(address, is_real=is_real):
            yield f"{name} in {where} must begin with https://."
    if secret and is_real and (len(secret) < _SHORTEST_SECRET or len(set(secret)) < _FEWEST_LETTERS):
        yield (
            f"cookie_secret in {where} can be guessed: it must have {_SHORTEST_SECRET} characters or more, "
            f"{_NEEDED['cookie_secret']}."
        )


def _is_safe(address: str, *, is_real: bool) -> bool:
    try:
        parts = urlsplit(address.replace("{port}", "0"))
    except ValueError:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and not is_real and parts.hostname in THIS_MACHINE)
