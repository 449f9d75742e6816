"""A working state that looks after itself: drawn again and again until the work has ended, then the screen anew.

The platform's timer alone is not enough. The server tells the browser once to set it, and loses that message where
an older timer's question arrives at the moment in which a run ends; the screen would then say for ever that it is
working (docs/platform-notes/polling.md). So a small watch in the browser asks by itself when nothing was drawn
for a while.
"""

import time
from collections.abc import Callable
from typing import Final

import streamlit as st

from components.gate import recheck
from components.platform.browser_part import BrowserPart
from components.ui.frame.failure_notice import journal_notice
from warranty.access import Permission
from warranty.errors import JournalUnavailable

_PATIENCE_SECONDS: Final = 4.0
_LOOK_SECONDS: Final = 60

_JS: Final = """
const watches = new WeakMap();

export default function ({ parentElement, data, setTriggerValue }) {
  clearTimeout(watches.get(parentElement));
  const late = () => {
    if (!parentElement.isConnected) return;
    watches.set(parentElement, setTimeout(late, data.patience));
    setTriggerValue("late", String(Date.now()));
  };
  watches.set(parentElement, setTimeout(late, data.patience));
  return () => clearTimeout(watches.get(parentElement));
}
"""
_LOOK_JS: Final = """
const looks = new WeakMap();

export default function ({ parentElement, data, setTriggerValue }) {
  clearInterval(looks.get(parentElement));
  looks.set(parentElement, setInterval(() => setTriggerValue("look", String(Date.now())), data.every));
  return () => clearInterval(looks.get(parentElement));
}
"""
_WATCH: Final = BrowserPart("poll", _JS)
_LOOK: Final = BrowserPart("look_in", _LOOK_JS)


def poll(draw: Callable[[], bool], *, every: float, key: str, permission: Permission | None = None) -> None:
    """Draw with `draw` every so many seconds until it says False: then the whole screen is drawn.

    `key` names the watch, `permission` is what one must be allowed to go on seeing it.
    """

    @st.fragment(run_every=every)
    def again() -> None:
        recheck(permission, by_itself=True)
        try:
            going_on = draw()
        except JournalUnavailable as problem:  # no shell around this run would say so
            journal_notice(problem)
            going_on = True
        if not going_on:
            st.rerun()
        _WATCH.unseen(
            key=f"{key}:watch",
            data={"drawn": time.monotonic(), "patience": _PATIENCE_SECONDS * 1000},
            on_late_change=_nothing,
        )

    again()


def look_in() -> None:
    """Have this tab look each minute whether its person is still in, and draw the form for one who is not."""

    @st.fragment
    def look() -> None:
        recheck(by_itself=True)
        _LOOK.unseen(key="look-in", data={"every": _LOOK_SECONDS * 1000}, on_look_change=_nothing)

    look()


def _nothing() -> None:
    """What a watch has to say is that its part be drawn, which happens anyway."""
