"""Stands in for the sign-in library's cookie manager: what it wants written, the server sets (platform.cookies).

The library's own is a component in a frame, that is drawn as the library's object is made, writes by script and answers
as soon as it stands. Every answer is one more run of the script, and a run that begins while a press is being judged
takes the press's place: the press is lost (docs/platform-notes/sign-in-cookie.md). What a script writes, every script
can read. What stands here draws nothing.
"""

from datetime import datetime
from typing import Final

from components.platform.cookies.handing import keep_in_browser, take_from_browser

LEFT: Final = "warranty-desk.signed-out"
"""Where a tab that signs out says so; the browser tells its other tabs, which the page's script reloads."""


class QuietCookies:
    """Notes what the browser is to keep, and draws nothing."""

    def set(self, cookie: str, val: str, *, expires_at: datetime) -> None:
        """Have this cookie kept."""
        keep_in_browser(cookie, val, expires_at - datetime.now(expires_at.tzinfo))

    def delete(self, cookie: str) -> None:
        """Have this cookie taken away."""
        take_from_browser(cookie, tells=LEFT)
