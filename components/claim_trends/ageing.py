"""The tab Ageing of Trends: how soon and how often plans are claimed on after their start."""

import streamlit as st

from components.wiring import Runtime
from warranty.access import Operator


def ageing(runtime: Runtime, operator: Operator) -> None:
    """Draw the tab."""
    st.caption("Ageing: how soon and how often plans are claimed on after their start.")
