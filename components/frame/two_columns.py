"""Two columns on a PC, work and beside it what goes with it; one column on a tablet, in the order of work.

The platform's grid wraps three columns to two before it wraps them to one, so beside nothing the aside would be half
as wide as a tablet. A component without a face says how wide the window is, once, and again when that changes
(docs/platform-notes/tablet-columns.md).
"""

from typing import Any, Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components import session
from components.browser_part import browser_part

_WIDEST_TABLET: Final = 1199
"""In pixels. A tablet on its side has one column too: three of the least width do not fit beside each other."""

_LEAST_COLUMN: Final = 320
_NARROW: Final = "window-is-narrow"
_KEY: Final = "window-width"

_JS: Final = """
const told = new WeakMap();

export default function ({ parentElement, data, setStateValue }) {
  const query = window.matchMedia(`(max-width: ${data.widest}px)`);
  const tell = () => {
    if (query.matches === (told.get(parentElement) ?? data.narrow)) return;
    told.set(parentElement, query.matches);
    setStateValue("narrow", query.matches);
  };
  query.addEventListener("change", tell);
  tell();
  return () => query.removeEventListener("change", tell);
}
"""


def work_and_aside() -> tuple[DeltaGenerator, DeltaGenerator]:
    """Two places, to be drawn in this order: the work, 2/3 of a PC's width, and the aside, 1/3; or one below the other.

    The places stay what they are when the window becomes narrow or wide, so nothing that was typed is lost.
    """
    narrow = session.recall(_NARROW, False)
    with st.container(gap=None):
        grid = st.grid(
            1 if narrow else 3, min_column_width=_LEAST_COLUMN, gap="small" if narrow else "medium"
        )
        places = grid.cell(column_span=1 if narrow else 2), grid.cell()
        browser_part("window_width", _JS)(
            key=_KEY,
            data={"widest": _WIDEST_TABLET, "narrow": narrow},
            default={"narrow": narrow},
            on_narrow_change=_note_width,
        )
    return places


def _note_width() -> None:
    state: Any = session.value_of(_KEY, {})
    session.remember(_NARROW, bool(state.get("narrow")))
