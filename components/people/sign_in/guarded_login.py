"""Stands before the sign-in library's check of a password: waits between tries, and equal time for every name.

A device that somebody has signed in on before is told from a stranger's by a signed cookie, which opens nothing. Tries
that come with it are counted for themselves, so that a stranger who guesses at a name makes its person wait nowhere
that they have been (docs/decisions/sign-in.md). It holds a random id of the device and, as keyed hashes, the names that
signed in there.
"""

import hashlib
import hmac
import logging
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

import bcrypt
import jwt
import streamlit as st

from components.people.sign_in.at_till import Place
from components.platform import session
from components.platform.cookies.handing import keep_in_browser, sent
from components.platform.sign_in_library import Check
from warranty.language import _, ngettext
from warranty.language.written import number
from warranty.people.accounts import LONGEST_PASSWORD, Accounts, KnownAccounts
from warranty.people.accounts.passwords import LONGEST_USERNAME, NO_PASSWORD, is_password_of
from warranty.people.accounts.sign_in_tries import SignInTries
from warranty.people.tills import TillDesk

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


_log = logging.getLogger("warranty.sign_in")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What judging a try takes; `cookie_name` is that of a sign-in."""

    people: KnownAccounts
    tries: SignInTries
    tills: TillDesk
    cookie_name: str


def address_of_tab() -> str:
    """The address of the browser of this run."""
    return st.context.ip_address or "this machine"


class GuardedLogin:
    """Stands before the library's check: waits between wrong tries, and equal time for unknown names."""

    def __init__(self, accounts: Accounts, parts: Parts, *, begins_anew: Callable[[], None]) -> None:
        self._accounts = accounts
        self._parts = parts
        self._begins_anew = begins_anew
        self.problem = ""

    def login(self, username: str, password: str, check: Check) -> bool:
        """Judge a try."""
        name, secret = username.strip().lower(), password.strip()
        if not name or not secret:
            self.problem = _("Enter your name and your password.")
            return False
        if len(name) > LONGEST_USERNAME:
            return self._refuse(_("Name or password is not right. Check both and try again."))
        address, place = address_of_tab(), Place.of_this_tab(self._parts.tills)
        here = Device(self._parts.cookie_name, self._accounts.cookie_key)
        device = here.of(name)
        wait = self._parts.tries.begin(name, address, device)
        if wait > timedelta(0):
            seconds = max(1, round(wait.total_seconds()))
            return self._refuse(
                ngettext(
                    "Too many wrong tries. Try again in {n} second.",
                    "Too many wrong tries. Try again in {n} seconds.",
                    seconds,
                    n=number(seconds),
                )
            )
        # An unknown name takes as long as a known one.
        if name not in self._accounts.by_username or len(secret.encode()) > LONGEST_PASSWORD:
            bcrypt.checkpw(secret.encode()[:LONGEST_PASSWORD], NO_PASSWORD.encode())
        self._begins_anew()
        closed = self._closed(name, secret)
        if closed:
            self._parts.people.refused(name, address, place.station())
            return self._refuse(closed)
        # A password that is longer is nobody's: the check would not take it.
        if len(secret.encode()) <= LONGEST_PASSWORD and check(name, secret):
            self._parts.tries.succeeded(name, address, device)
            if till := place.till():
                self._parts.tills.signed_in_with_password(till, name)
            self._parts.people.came(name, address, place.station())
            here.note(name)
            st.rerun()  # at once: a form that is still there can be pressed again
        self._parts.people.refused(name, address, place.station())
        return self._refuse(_("Name or password is not right. Check both and try again."))

    def _closed(self, name: str, secret: str) -> str:
        """Why an account lets nobody in, for who knows its password; "" for one that does, or for a wrong password."""
        account = self._accounts.by_username.get(name)
        if account is None:
            return ""
        too_late = account.one_time_until is not None and account.one_time_until < self._accounts.now()
        if not account.locked and not too_late:
            return ""
        if not is_password_of(secret, account.password_hash):
            return _("Name or password is not right. Check both and try again.")
        if account.locked:
            return _("This account is locked. Ask an administrator.")
        return _("This one-time password is too old. Ask an administrator for another one.")

    def _refuse(self, problem: str) -> bool:
        """Note what the form says; the log, which the metrics count, is not told whose sign-in it was."""
        self.problem = problem
        _log.warning("a sign-in was refused")
        return False
