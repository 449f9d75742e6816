"""The gate of every screen: nobody signed in, or a role without the permission, sees nothing of it.

The shell lets a person in on every run of the script. What runs without the shell (a fragment, a dialog, a file that
is built when its button is pressed) asks here whether that still holds: docs/decisions/gate.md.
"""

from collections.abc import Callable
from typing import Final

import streamlit as st

from components.navigation import SCREENS
from components.platform import session
from warranty.access import GRANTS, Operator, Permission, Role, roles_with
from warranty.desk.taking_away import TakenAway
from warranty.errors import PermissionDenied, SignedOut
from warranty.language import N_, _

_IS_FOR: Final = {
    Role.STAFF: N_("{screen} is for who sells. Sign in as staff or as a manager."),
    Role.MANAGER: N_("{screen} is for managers. Ask one, or sign in as one."),
    Role.ADMINISTRATOR: N_("{screen} is for administrators. Ask one, or sign in as one."),
}
"""By the first role that has the right."""


def require(permission: Permission) -> Operator:
    """Give the signed-in person, or end the screen here with a sentence.

    Every screen calls this first: the menu only hides, it does not guard.
    """
    operator = session.current_operator()
    if operator is None:
        st.error(_("Sign in to open this screen."))
        st.stop()
    try:
        operator.require(permission)
    except PermissionDenied:
        title = next(screen.title for screen in SCREENS if screen.permission is permission)
        if operator.at.switched_by and permission in GRANTS[operator.role]:
            st.info(_("{screen} does not open by a PIN or a badge. Sign in with your password.", screen=_(title)))
            st.stop()
        st.info(_(_IS_FOR[roles_with(permission)[0]], screen=_(title)))
        st.stop()
    return operator


def recheck(permission: Permission | None = None, *, by_itself: bool = False) -> None:
    """The first line of every fragment and dialog: draw nothing, but the screen anew, for who may not see it any more.

    That is whoever has signed out in another tab, was removed, or has lost the permission.
    Costs no call, and at most one small query in two seconds. What is drawn `by_itself` is nobody's work: it keeps no
    sign-in from ending.
    """
    operator = session.still_signed_in()()
    if operator is None or not (permission is None or operator.may(permission)):
        st.rerun()
    if not by_itself:
        session.works()


def guarded(build: Callable[[], bytes], permission: Permission | None = None) -> Callable[[], bytes]:
    """A file that is built when its button is pressed: then it raises for who may not have it any more.

    For papers of one customer; what takes data away is `taken_away`. Raises `SignedOut` or `PermissionDenied`; the
    browser says beside the button that there is no file.
    """
    still = session.still_signed_in()

    def checked() -> bytes:
        operator = still()
        if operator is None:
            raise SignedOut
        if permission is not None:
            operator.require(permission)
        return build()

    return checked


def taken_away(what: TakenAway, build: Callable[[], bytes], *, count: int, subset: str = "") -> Callable[[], bytes]:
    """As `guarded`, for a file that takes data away: that it goes out is written down, else it does not.

    `count` is the number of its rows, `subset` its filter in words. Raises `JournalUnavailable` as well.
    """
    taking = session.taking_away()

    def noted() -> bytes:
        content = build()
        taking(what, count=count, subset=subset)
        return content

    return guarded(noted, what.permission)
