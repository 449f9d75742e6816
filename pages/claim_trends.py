"""Trends: the claims of the filter as figures and charts, each with its seal, its words and its data."""

import streamlit as st

from components import wiring
from components.claims_bar import claims_bar
from components.claims_counts import CountedClaims
from components.claims_none import end_without_claims
from components.date_presets import service_today
from components.gate import require
from components.saved_views import saved_views
from components.trends_charts import trends_charts
from components.trends_headline import trends_headline
from warranty.access import Permission

operator = require(Permission.SEE_TRENDS)
runtime = wiring.runtime()
today = service_today()

with st.container(horizontal=True, vertical_alignment="bottom", horizontal_alignment="distribute"):
    st.title("Trends", width="content")
    saved_views(runtime.journal, username=operator.username, environment=runtime.settings.environment)
read = claims_bar(runtime.claims, screen="claim_trends", today=today)
end_without_claims(read.kept.claims, shown=len(read.places))
counted = CountedClaims(read.kept, read.chosen)
trends_headline(runtime.claims, counted, read.chosen, today=today)
trends_charts(counted, read.kept.claims, read.chosen, today=today)
