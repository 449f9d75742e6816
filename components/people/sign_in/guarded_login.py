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
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

import bcrypt
import jwt
import streamlit as st

from components.people.sign_in.limits import Place
from components.platform import session
from components.platform.cookies.handing import keep_in_browser, sent
from components.platform.markup import plain
from components.platform.sign_in_library import Check
from warranty.language import N_, _, ngettext
from warranty.people.accounts import LONGEST_PASSWORD, Accounts, KnownAccounts
from warranty.people.accounts.passwords import LONGEST_USERNAME, NO_PASSWORD, is_password_of
from warranty.people.accounts.provided import NotLetIn, ProvidedAccounts, WhyNot
from warranty.people.accounts.sign_in_tries import SignInTries
from warranty.people.audit import By
from warranty.people.tills import TillDesk

LASTS: Final = timedelta(days=400)
"""Browsers keep no cookie longer; each sign-in begins it anew."""
_MOST_NAMES: Final = 40
DEVICE: Final = "device"
"""What a tab remembers by this name stays in it when all of the person goes."""


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
        session.remember(DEVICE, token)
        keep_in_browser(self._name, token, LASTS)

    def _content(self) -> dict[str, Any]:
        # What this tab was given is newer than what it came with.
        for token in (session.recall(DEVICE, ""), sent(self._name)):
            try:
                content: dict[str, Any] = jwt.decode(token, self._key, algorithms=["HS256"])
            except jwt.InvalidTokenError:
                continue
            return content
        return {"id": secrets.token_hex(16), "names": []}

    def _hash(self, username: str) -> str:
        return hmac.new(self._key.encode(), username.encode(), "sha256").hexdigest()[:16]


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


def wait_words(wait: timedelta) -> str:
    """That there were too many wrong tries, and how long to wait."""
    seconds = max(1, round(wait.total_seconds()))
    return ngettext(
        "Too many wrong tries. Try again in {n} second.", "Too many wrong tries. Try again in {n} seconds.", seconds
    )


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
            return self._refuse(wait_words(wait))
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


_REFUSED: Final = "refused-by-provider"
_WORDS: Final[Mapping[WhyNot, str]] = {
    WhyNot.NO_GROUP: N_("By {provider} you are {name}, and in no group that may work here. Ask IT support."),
    WhyNot.TAKEN: N_(
        "By {provider} you are {name}, and somebody else has this login name here. If it is an older account of "
        "yours, an administrator can remove it."
    ),
    WhyNot.LOCKED: N_("By {provider} you are {name}, and your account here is locked. Ask an administrator."),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ByProvider:
    """The provider of a shop; `is_only` where nobody signs in with a password."""

    accounts: ProvidedAccounts
    name: str
    is_only: bool

    def enter(self, place: Place, address: str) -> str | None:
        """The login name of whom the provider has just sent back to this tab; None for nobody.

        Who may not come in is told why where the form is drawn.
        """
        if was_refused() or not st.user.get("is_logged_in"):
            return None
        at = place.station()
        by = By(address=address, till=at.till_id if at else "", store=at.store_id if at else "")
        try:
            username = self.accounts.enter(st.user.to_dict(), by)
        except NotLetIn as refused:
            session.remember(_REFUSED, (refused.why, refused.username, refused.reference))
            return None
        till = place.till()
        if username and till:
            place.tills.signed_in_with_password(till, username)
        return username

    def offer(self) -> None:
        """Draw the button, and why the last one who came by it may not come in."""
        refused: tuple[WhyNot, str, str] | None = session.recall(_REFUSED, None)
        called = plain(self.name or _("your work account"))
        if refused is not None:
            why, name, reference = refused
            words = _(_WORDS[why], provider=called, name=plain(name or "?"))
            st.error(f"{words} " + _("Reference: {reference}", reference=reference))
        come = _("Sign in with {provider}", provider=called)
        st.button(come, key="by-provider", on_click=st.login, type="primary", width="stretch")
        if refused is not None:  # else the next person at this computer is taken for them over there
            leave = _("Sign out of {provider}", provider=called)
            st.button(leave, key="out-of-provider", on_click=st.logout, width="stretch")


def was_refused() -> bool:
    """Whether the provider's word let somebody not in, in this tab."""
    return session.recall(_REFUSED, None) is not None
