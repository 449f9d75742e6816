"""Sign-in, by streamlit-authenticator: the one module that knows the library.

The library draws the form, checks the bcrypt hash and writes the signed cookie; who comes with a cookie is let in
without it. What it leaves open is closed here: guesses are slowed down, unknown names take as long as known ones, a
cookie from before a sign-out is refused although it has not expired, a removed person is out at once, and a broken
cookie is a sign-in form, never a traceback.
"""

import gc
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any, Protocol

import bcrypt
import jwt
import streamlit as st

from components import session
from components.throttle import Throttle
from warranty.access import Operator
from warranty.accounts import Accounts

SHIFT = timedelta(hours=12)  # how long a sign-in lasts: a shift, also when somebody forgets to sign out
_SIGNING_OUT = "signing-out"
_SIGNED_IN_AT = "signed-in-at"
_JUST_LET_IN = "just-let-in"
_COOKIE = "cookie"
_COOKIE_TAKES = timedelta(seconds=10)


class SignOuts(Protocol):
    """When each person last signed out, kept beyond a restart."""

    def last(self, username: str) -> datetime | None:
        """The last sign-out (aware UTC), None when there is none."""

    def note(self, username: str, moment: datetime) -> None:
        """Keep a sign-out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignIn:
    """The parts of signing in, made once per process."""

    accounts: Callable[[], Accounts]
    cookie_name: str
    sign_outs: SignOuts
    by_name: Throttle
    by_address: Throttle

    def operator(self, *, beside_form: Callable[[], None]) -> Operator | None:
        """The person signed in; None after drawing the form, with `beside_form` under it.

        All that this draws stands in one container: the form comes and goes, and so does what writes the cookie, and
        a screen below that moved up or down would be mounted anew, with the text just typed into it lost.
        """
        with st.container():
            return self._operator(beside_form)

    def _operator(self, beside_form: Callable[[], None]) -> Operator | None:
        session.forget(_JUST_LET_IN)
        accounts = self.accounts()
        username = session.signed_in_username() or self._by_cookie(accounts)
        leaving = username is not None and (
            session.recall(_SIGNING_OUT, False) or self._left(username, _signed_in_at())
        )
        operator = accounts.operator(username) if username and not leaving else None
        if operator is not None and not _writing_cookie():
            return operator  # the library is not needed: its component would only hold the browser up
        # Signing out draws a component once: the form below it must not move, or it is emptied.
        with st.container():
            authenticator = _authenticator(accounts, self.cookie_name)
            if username and operator is None:
                _leave(authenticator)
        if username and operator is None and not leaving:
            st.error("This account no longer exists. Ask a manager.")
            return None
        if operator is None:
            username = self._form(authenticator, accounts, beside_form)
            operator = accounts.operator(username) if username else None
        _keep_writing_cookie(authenticator)
        return operator

    def watch(self) -> Callable[[], Operator | None]:
        """Give a look at who is signed in by now in this tab: None after a sign-out in any tab, or a removal."""
        username, since = session.signed_in_username(), _signed_in_at()

        def look() -> Operator | None:
            if username is None or self._left(username, since):
                return None
            return self.accounts().operator(username)

        return look

    @property
    def just_let_in(self) -> bool:
        """Whether the form let somebody in during this run: the page must not be left, it is writing the cookie."""
        return session.recall(_JUST_LET_IN, False)

    @property
    def signed_in_for(self) -> timedelta:
        """How long ago the person of this tab signed in."""
        return datetime.now(UTC) - _signed_in_at()

    def begin_sign_out(self) -> None:
        """For the sign-out button's callback: the run that follows at once signs out, in every tab."""
        username = session.signed_in_username()
        if username:
            self.sign_outs.note(username, datetime.now(UTC))
        session.remember(_SIGNING_OUT, True)

    def _left(self, username: str, since: datetime) -> bool:
        last = self.sign_outs.last(username)
        return last is not None and since <= last

    def _by_cookie(self, accounts: Accounts) -> str | None:
        """Sign in whom the browser's cookie names, unless it is broken, expired, or from before a sign-out."""
        cookie = _cookie(self.cookie_name, accounts.cookie_key)
        if cookie is None:
            session.refuse_cookie()
            return None
        username, issued_at = cookie
        if self._left(username, issued_at) or accounts.operator(username) is None:
            session.refuse_cookie()
            return None
        session.enter(username)
        session.remember(_SIGNED_IN_AT, issued_at)
        return username

    def _form(self, authenticator: Any, accounts: Accounts, beside_form: Callable[[], None]) -> str | None:
        """Draw the library's form and let it judge; the form is gone in the run that lets somebody in."""
        guard = _GuardedLogin(authenticator.authentication_controller, accounts, self)
        cookies = _DeferredCookie(authenticator.cookie_controller)
        authenticator.authentication_controller = guard
        authenticator.cookie_controller = cookies
        place = st.empty()
        with place.container(), st.columns([1, 1.3, 1])[1]:
            st.title("Warranty Desk")
            authenticator.login(
                max_login_attempts=None,
                key="sign-in",
                fields={
                    "Form name": "Sign in",
                    "Username": "Name",
                    "Password": "Password",
                    "Login": "Sign in",
                },
            )
            if guard.problem:
                st.error(guard.problem)
            beside_form()
        username = session.signed_in_username()
        if username is None:
            return None
        place.empty()
        if guard.let_in:
            session.remember(_SIGNED_IN_AT, datetime.now(UTC))
            session.remember(_JUST_LET_IN, True)
        # Drawn after the form is gone: the cookie is written by a component that must stay on the page.
        cookies.write()
        return username


class _GuardedLogin:
    """Stands before the library's check: waits between wrong tries, and equal time for unknown names."""

    def __init__(self, controller: Any, accounts: Accounts, parts: SignIn) -> None:
        self._controller = controller
        self._accounts = accounts
        self._parts = parts
        self.problem = ""
        self.let_in = False

    def login(self, username: str | None = None, password: str | None = None, *args: Any, **more: Any) -> Any:
        """Judge a try; a cookie's token goes straight to the library."""
        if more.get("token"):
            return self._controller.login(username, password, *args, **more)
        name, secret = (username or "").strip().lower(), (password or "").strip()
        if not name or not secret:
            self.problem = "Enter your name and your password."
            return False
        address = st.context.ip_address or "this machine"
        person = f"{name} from {address}"
        wait = max(self._parts.by_name.wait(person), self._parts.by_address.wait(address))
        if wait > timedelta(0):
            seconds = max(1, round(wait.total_seconds()))
            self.problem = f"Too many wrong tries. Try again in {seconds} seconds."
            return False
        if name not in self._accounts.by_username:
            bcrypt.checkpw(secret.encode()[:72], _dummy_hash())
        self.let_in = bool(self._controller.login(name, secret, *args, **more))
        if self.let_in:
            self._parts.by_name.succeeded(person)
        else:
            self._parts.by_name.failed(person)
            self._parts.by_address.failed(address)
            self.problem = "Name or password is not right. Check both and try again."
        return self.let_in

    def __getattr__(self, name: str) -> Any:
        return getattr(self._controller, name)


class _DeferredCookie:
    """Writes the cookie when told to, not in the middle of the form."""

    def __init__(self, controller: Any) -> None:
        self._controller = controller
        self._wanted = False

    def set_cookie(self) -> None:
        """Note that the library wants its cookie written."""
        self._wanted = True

    def write(self) -> None:
        """Have it written, now and for a while in the runs that follow: see `_keep_writing_cookie`."""
        if self._wanted:
            manager = self._controller.cookie_model.cookie_manager
            manager.set = _Remembered(manager.set)
            self._controller.set_cookie()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._controller, name)


class _Remembered:
    """Notes with what the library wrote its cookie, so that exactly that can be written once more."""

    def __init__(self, write: Callable[..., None]) -> None:
        self._write = write

    def __call__(self, *arguments: Any, **options: Any) -> None:
        session.remember(_COOKIE, (arguments, options))
        self._write(*arguments, **options)


def _writing_cookie() -> bool:
    """Whether the browser may not have written the cookie yet; afterwards what it is written with is forgotten."""
    nothing: tuple[tuple[Any, ...], dict[str, Any]] | None = None
    if session.recall(_COOKIE, nothing) is None:
        return False
    if session.signed_in_username() and datetime.now(UTC) - _signed_in_at() <= _COOKIE_TAKES:
        return True
    session.forget(_COOKIE)
    return False


def _keep_writing_cookie(authenticator: Any) -> None:
    """For some seconds after the sign-in keep the component that writes the cookie on the page.

    It needs a moment in the browser. Whoever goes to another screen at once would take it off the page before it
    has written, and be signed out by the next reload. The same values again are no new write.
    """
    if session.recall(_JUST_LET_IN, False) or not _writing_cookie():
        return
    nothing: tuple[tuple[Any, ...], dict[str, Any]] = ((), {})
    arguments, options = session.recall(_COOKIE, nothing)
    authenticator.cookie_controller.cookie_model.cookie_manager.set(*arguments, **options)


def _authenticator(accounts: Accounts, cookie_name: str) -> Any:
    """The library's object, made at most once per run: it draws a component as it is made."""
    return _library().Authenticate(
        accounts.credentials(),
        cookie_name,
        accounts.cookie_key,
        SHIFT / timedelta(days=1),
        auto_hash=False,
        login_sleep_time=0,
    )


@cache
def _library() -> Any:
    """The library, loaded in the first run of the script that needs it, and frozen like all that the start loads.

    It registers its component when it is imported, and before the server stands there is nothing to register with
    (the component is then a 404, and no cookie is ever written). Why it is frozen: docs/decisions/0003.
    """
    import streamlit_authenticator as stauth  # noqa: PLC0415

    gc.collect()
    gc.freeze()
    return stauth


def _leave(authenticator: Any) -> None:
    session.leave_everything()
    authenticator.logout(location="unrendered")
    session.refuse_cookie()


def _signed_in_at() -> datetime:
    return session.recall(_SIGNED_IN_AT, datetime.max.replace(tzinfo=UTC))


def _cookie(name: str, key: str) -> tuple[str, datetime] | None:
    """Whose cookie this browser sent, and since when; None for none, a forged, expired or odd one."""
    try:
        content = jwt.decode(st.context.cookies[name], key, algorithms=["HS256"])
        username, expires = str(content["username"]), datetime.fromtimestamp(float(content["exp_date"]), UTC)
    except Exception:  # noqa: BLE001 - whatever a stranger put into the cookie, the answer is the form
        return None
    return (username, expires - SHIFT) if expires > datetime.now(UTC) else None


def _dummy_hash() -> bytes:
    """A hash that no password fits, of the usual cost: an unknown name takes as long as a known one."""
    return b"$2b$12$" + b"C" * 21 + b"e" + b"C" * 31
