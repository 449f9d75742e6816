"""The sign-in library, streamlit-authenticator: the one module that calls it.

It draws the form, checks the bcrypt hash and signs the cookie. Its own cookie manager is a component in a frame that is
drawn as the library's object is made, writes by script and answers as soon as it stands. Every answer is one more run
of the script, and a run that begins while a press is being judged takes the press's place: the press is lost
(docs/platform-notes/sign-in-cookie.md). What a script writes, every script can read. What stands in for it here draws
nothing, and the server sets the cookie (platform.cookies).
"""

import gc
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from functools import cache
from types import SimpleNamespace
from typing import Any, Final

import jwt

from components.platform.cookies.handing import keep_in_browser, take_from_browser
from warranty.people.accounts import Accounts

LEFT: Final = "warranty-desk.signed-out"
"""Where a tab that signs out says so; the browser tells its other tabs, which the page's script reloads."""

Check = Callable[..., Any]
"""The library's own check of a name and a password."""
Judge = Callable[[str, str, Check], bool]


class SignInLibrary:
    """The library's object; with our cookie manager it draws nothing as it is made."""

    def __init__(self, accounts: Accounts, cookie_name: str, lasts: timedelta) -> None:
        self._lasts = lasts
        people = {  # made anew: the library writes into what it is given
            each.username: {"name": each.name, "password": each.password_hash, "roles": [each.role.value]}
            for each in accounts.by_username.values()
        }
        self._inside = _library().Authenticate(
            {"usernames": people},
            cookie_name,
            accounts.cookie_key,
            lasts / timedelta(days=1),
            auto_hash=False,
            login_sleep_time=0,
        )
        self.check: Check = self._inside.authentication_controller.login

    def form(self, judge: Judge, words: Mapping[str, str]) -> None:
        """Draw the form, and have each try of it judged."""

        def login(username: str | None = None, password: str | None = None, *args: Any, **more: Any) -> Any:
            if more.get("token"):  # of a cookie
                return self.check(username, password, *args, **more)
            return judge(username or "", password or "", self.check)

        # platform: habit streamlit_authenticator asks its controller
        self._inside.authentication_controller.login = login
        self._inside.login(max_login_attempts=None, key="sign-in", fields=dict(words))

    def give_cookie(self, moment: datetime) -> datetime:
        """Sign the cookie of whom the library let in, and have it kept; gives the moment as the cookie has it."""
        cookies = self._inside.cookie_controller
        # platform: name streamlit_authenticator.models.cookie_model.CookieModel._set_exp_date
        cookies.cookie_model._set_exp_date = (moment + self._lasts).timestamp
        cookies.set_cookie()
        # platform: habit streamlit_authenticator signs the name and the end of a sign-in
        return _began(cookies.cookie_model.exp_date, self._lasts)

    def leave(self, *, take_cookie: bool) -> None:
        """End what the library holds of a person in this tab."""
        self._inside.authentication_controller.logout()
        if take_cookie:
            self._inside.cookie_controller.delete_cookie()


def read_cookie(token: str, key: str, lasts: timedelta) -> tuple[str, datetime] | None:
    """Whose cookie this is, and when the sign-in began; None for none, and for a forged, expired or odd one."""
    try:  # platform: habit streamlit_authenticator signs the name and the end of a sign-in
        content = jwt.decode(token, key, algorithms=["HS256"])
        return str(content["username"]), _began(float(content["exp_date"]), lasts)
    except Exception:  # noqa: BLE001 - whatever a stranger put into the cookie, the answer is the form
        return None


def _began(expires: float, lasts: timedelta) -> datetime:
    """When a sign-in began whose cookie says that it ends at this moment, in seconds of the epoch."""
    return datetime.fromtimestamp(expires, UTC) - lasts


class _QuietCookies:
    """Notes what the browser is to keep, and draws nothing."""

    def set(self, cookie: str, val: str, *, expires_at: datetime) -> None:
        keep_in_browser(cookie, val, expires_at - datetime.now(expires_at.tzinfo))

    def delete(self, cookie: str) -> None:
        take_from_browser(cookie, tells=LEFT)


@cache
def _library() -> Any:
    """The library, with our cookie manager in place of its own, loaded in the first run of the script that needs it.

    It warns when it is imported outside of a run. It is frozen like all that the start loads
    (docs/platform-notes/garbage.md).
    """
    import streamlit_authenticator as stauth  # noqa: PLC0415

    # platform: name streamlit_authenticator.models.cookie_model.stx
    from streamlit_authenticator.models import cookie_model  # noqa: PLC0415

    cookie_model.stx = SimpleNamespace(CookieManager=_QuietCookies)
    gc.collect()
    gc.freeze()
    return stauth
