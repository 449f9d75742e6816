"""Stands before the sign-in library's check of a password: waits between tries, and equal time for every name."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

import bcrypt
import streamlit as st

from components.people.sign_in.at_till import Place
from components.people.sign_in.device import Device
from components.platform.sign_in_library import Check
from warranty.language import _, ngettext
from warranty.language.written import number
from warranty.people.accounts import LONGEST_PASSWORD, Accounts, KnownAccounts
from warranty.people.accounts.passwords import LONGEST_USERNAME, NO_PASSWORD, is_password_of
from warranty.people.accounts.sign_in_tries import SignInTries
from warranty.people.tills import TillDesk

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
