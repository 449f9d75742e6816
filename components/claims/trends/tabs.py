"""The tabs of Trends, of which the address names the open one."""

from collections.abc import Sequence
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.platform import session
from warranty.language import N_, _, language

_TABS: Final = (N_("Ageing"), N_("Resolution"), N_("Outlook"))
_PARAMETER: Final = "view"
_BEGUN: Final = "trends.begun-with"


def trends_tabs() -> Sequence[tuple[DeltaGenerator, bool]]:
    """Draw the tabs, the one that the address names opened; give each, and whether it is the open one.

    The address names it in no language, so that a link is everybody's.
    """
    key = f"{_PARAMETER}:{language()}"
    if not session.is_filled(key):  # drawn anew: what is opened first is a part of what the tabs are
        requested = st.query_params.get(_PARAMETER, "")
        session.remember(_BEGUN, requested if requested in _TABS else _TABS[0])
    begun: str = session.recall(_BEGUN, _TABS[0])
    drawn = st.tabs([_(name) for name in _TABS], default=_(begun), key=key, on_change="rerun")
    opened = [bool(tab.open) for tab in drawn]
    shown = next((name for name, is_open in zip(_TABS, opened, strict=True) if is_open), _TABS[0])
    if shown != _TABS[0]:
        st.query_params[_PARAMETER] = shown
    else:
        st.query_params.pop(_PARAMETER, None)
    return list(zip(drawn, opened, strict=True))
