"""Writes the sign-in cookie into the browser, and hears nothing back from there.

The sign-in library has a component for this, in a frame, that is drawn as the library's object is made and answers as
soon as it stands. Every answer is one more run of the script, and a run that begins while a press is being judged
takes the press's place: the press is lost (docs/platform-notes/sign-in-cookie.md). What stands here never answers.
"""

from datetime import datetime
from typing import Final

from components import session
from components.browser_part import browser_part

_COOKIE: Final = "cookie"
_ENDS: Final = "Max-Age=0"
LEFT: Final = "warranty-desk.signed-out"
"""Where a tab that signs out says so; the browser tells its other tabs, which the page's script reloads."""

_JS: Final = """
const written = new WeakMap();

export default function ({ parentElement, data }) {
  if (!data.cookie || written.get(parentElement) === data.cookie) return;
  written.set(parentElement, data.cookie);
  document.cookie = data.cookie + (location.protocol === "https:" ? "; Secure" : "");
  if (data.leaves) localStorage.setItem(data.leaves, Date.now());
}
"""


class QuietCookies:
    """Stands in for the library's cookie manager: notes what is to be written, and draws nothing."""

    def set(self, cookie: str, val: str, *, expires_at: datetime) -> None:
        """Have this cookie written."""
        lasts = round((expires_at - datetime.now(expires_at.tzinfo)).total_seconds())
        session.remember(_COOKIE, f"{cookie}={val}; Path=/; Max-Age={lasts}; SameSite=Strict")

    def delete(self, cookie: str) -> None:
        """Have this cookie taken away."""
        session.remember(_COOKIE, f"{cookie}=; Path=/; {_ENDS}; SameSite=Strict")


def write_cookie(*, make_ready: bool) -> None:
    """Have the browser write what was noted last; the same again is no new write.

    In every run, not only in the one that noted it: that one may end at once, for another screen, unseen. `make_ready`
    is for the form: what writes stands there already, so that whoever reloads right after signing in has the cookie.
    """
    cookie = session.recall(_COOKIE, "")
    if cookie or make_ready:
        browser_part("sign_in_cookie", _JS)(
            key="sign-in-cookie", data={"cookie": cookie, "leaves": LEFT if _ENDS in cookie else ""}
        )
