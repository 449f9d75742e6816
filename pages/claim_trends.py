"""Trends: how soon claims come, how long they take, and those to come; a tab for each question."""

from importlib import import_module

import streamlit as st

from components import wiring
from components.claims.trends.tabs import trends_tabs
from components.gate import require
from warranty.access import Permission
from warranty.language import _

operator = require(Permission.SEE_TRENDS)
runtime = wiring.runtime()

st.title(_("Trends"), anchor=False)
for (tab, is_open), name in zip(trends_tabs(), ("ageing", "resolution", "outlook"), strict=True):
    with tab:
        if is_open:  # what no tab is opened for is not loaded
            getattr(import_module(f"components.claims.trends.{name}"), name)(runtime, operator)
