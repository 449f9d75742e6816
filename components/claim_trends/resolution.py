"""The tab Resolution of Trends: how long claims take, from the history of the nights."""

import streamlit as st

from components.wiring import Runtime
from warranty.access import Operator


def resolution(runtime: Runtime, operator: Operator) -> None:
    """Draw the tab."""
    st.caption("Resolution: how long claims take, from the history of the nights.")
