"""What presses of the screen People do, and what is said of it: a refusal, or a one-time password, shown once."""

from collections.abc import Callable
from functools import partial
from typing import Final

import streamlit as st

from components.platform import session
from components.ui.frame.failure_notice import reporting_outage
from warranty.language import _
from warranty.people.accounts import AccountRefused
from warranty.people.accounts.administration import ONE_TIME_LASTS

_SAID: Final = "people-said"
_DONE: Final = "people-done"
_ONE_TIME: Final = "people-one-time"


def doing(deed: Callable[[], object], done: str = "") -> Callable[[], None]:
    """The callback of a press: does it, and notes what is to be said; `done` is a sentence in the reader's language."""
    return reporting_outage(partial(_do, deed, done))


def giving_out(deed: Callable[[], tuple[str, str] | None]) -> Callable[[], None]:
    """The callback of a press that makes a one-time password: of whom, and which; None where nothing was made."""

    def give() -> None:
        made = deed()
        if made is not None:
            session.remember(_ONE_TIME, made)

    return reporting_outage(partial(_do, give, ""))


def _do(deed: Callable[[], object], done: str) -> None:
    session.forget(_SAID)
    try:
        deed()
    except AccountRefused as refused:
        session.remember(_SAID, refused.reason)
        return
    if done:
        session.remember(_DONE, done)


def last_outcome() -> None:
    """Draw what the last press was told, and the one-time password until it was passed on."""
    if done := session.recall(_DONE, ""):
        session.forget(_DONE)
        st.toast(done, icon=":material/check:")
    if message := session.recall(_SAID, ""):
        st.error(_(message))
    one_time: tuple[str, str] | None = session.recall(_ONE_TIME, None)
    if one_time is None:
        return
    with st.container(border=True):
        st.text(_("One-time password of {name}", name=one_time[0]))
        st.code(one_time[1], language=None)
        st.caption(
            _(
                "It is shown only once: write it down or read it out. It works for {days} days, and the person "
                "then chooses a password of their own.",
                days=ONE_TIME_LASTS.days,
            )
        )
        st.button(_("I have passed it on"), key="one-time-done", on_click=session.forget, args=(_ONE_TIME,))
