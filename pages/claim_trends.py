"""Trends: claims as figures and charts, each with what it is told of; a tab for each question."""

import streamlit as st

from components import wiring
from components.claim_trends.ageing import ageing
from components.claim_trends.outlook import outlook
from components.claim_trends.overview import overview
from components.claim_trends.resolution import resolution
from components.claims.saved_views import title_line
from components.gate import require
from warranty.access import Permission

operator = require(Permission.SEE_TRENDS)
runtime = wiring.runtime()

line = title_line("Trends", runtime.desk.claim_views(operator))
tabs = st.tabs(
    ["Overview", "Ageing", "Resolution", "Outlook"], key="view", on_change="rerun", bind="query-params"
)
for tab, draw in zip(tabs[1:], (ageing, resolution, outlook), strict=True):
    with tab:
        if tab.open:
            draw(runtime, operator)
# The last, for it ends the script where there are no claims.
with tabs[0]:
    if tabs[0].open:
        overview(runtime.claims.of(operator), runtime.desk, operator, line)
