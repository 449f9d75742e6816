"""`python -m warranty check`: whether the provider of single sign-on says what signing in there takes."""

import time
from datetime import timedelta
from typing import Final

import httpx

from warranty.commands.table import Row
from warranty.settings import Settings

_NEEDED: Final = ("issuer", "authorization_endpoint", "token_endpoint", "jwks_uri")
_SECONDS: Final = 10


def provider_row(settings: Settings, address: str) -> Row:
    """Ask the address that [auth] names, as the desk does at each sign-in."""
    started = time.perf_counter()
    try:
        told = httpx.get(address, timeout=_SECONDS).raise_for_status().json()
        missing = [name for name in _NEEDED if not told.get(name)]
    except (httpx.HTTPError, ValueError, AttributeError):
        note = "the server_metadata_url of [auth] gives no description of a provider: check it, and the firewall"
        return Row("single sign-on", False, note)
    if missing:
        return Row("single sign-on", False, f"the description of the provider has no {', '.join(missing)}")
    roles = ", ".join(f"{group} is {role}" for group, role in settings.sso_roles)
    note = f"{told['issuer']}: {roles}"
    if not told.get("end_session_endpoint"):
        note += "; without an end_session_endpoint: who signs out here stays signed in there"
    return Row("single sign-on", True, note, timedelta(seconds=time.perf_counter() - started))
