"""The tab Outlook of Trends: products to look at, and the claims to come."""

import streamlit as st

from components.wiring import Runtime
from warranty.access import Operator


def outlook(runtime: Runtime, operator: Operator) -> None:
    """Draw the tab."""
    st.caption("Outlook: products to look at, and the claims to come.")
