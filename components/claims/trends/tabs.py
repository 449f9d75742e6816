"""The tabs of Trends, each by a name that stands in the address in no language, so that a link is everybody's."""

from collections.abc import Sequence
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.platform import session
from warranty.language import N_, _, language

_NAMES: Final = (N_("Overview"), N_("Ageing"), N_("Resolution"), N_("Outlook"))
_PARAMETER: Final = "view"
_BEGUN: Final = "trends.begun-with"


def trends_tabs() -> Sequence[tuple[DeltaGenerator, bool]]:
    """Draw the tabs, the one that the address names opened; give each, and whether it is the open one."""
    key = f"{_PARAMETER}:{language()}"
    if not session.is_filled(key):  # drawn anew: what is opened first is a part of what the tabs are
        asked = st.query_params.get(_PARAMETER, "")
        session.remember(_BEGUN, asked if asked in _NAMES else _NAMES[0])
    begun: str = session.recall(_BEGUN, _NAMES[0])
    drawn = st.tabs([_(name) for name in _NAMES], default=_(begun), key=key, on_change="rerun")
    opened = [bool(tab.open) for tab in drawn]
    shown = next((name for name, is_open in zip(_NAMES, opened, strict=True) if is_open), _NAMES[0])
    if shown != _NAMES[0]:
        st.query_params[_PARAMETER] = shown
    else:
        st.query_params.pop(_PARAMETER, None)
    return list(zip(drawn, opened, strict=True))
