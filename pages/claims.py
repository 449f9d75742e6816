"""Claims: what customers claimed, all of it or said otherwise, to look up and to take away."""

from functools import partial

import streamlit as st

from components import wiring
from components.claims.chart_view import chart_view, table_stands
from components.claims.charts import CountedClaims
from components.claims.claim_details import claim_in_full
from components.claims.claims_table import claims_table
from components.claims.export import export_buttons
from components.claims.headline import headline_line
from components.claims.saved_views import saved_views
from components.claims.screen_head import claims_head, narrow_to_bar
from components.claims.seal import end_without_claims, seal_text
from components.gate import require
from components.words.days import service_today
from warranty.access import Permission

operator = require(Permission.READ_CLAIMS)
runtime = wiring.runtime()

with st.container(horizontal=True, vertical_alignment="bottom", horizontal_alignment="distribute"):
    st.title("Claims", width="content")
    saved_views(runtime.journal, username=operator.username, environment=runtime.settings.environment)
read = claims_head(runtime.claims, screen="claims", today=service_today())
claims = read.kept.claims
if operator.may(Permission.EXPORT_CLAIMS):
    with read.buttons:
        export_buttons(claims, read.chosen, rows=len(read.places), locale=st.context.locale)
end_without_claims(claims, shown=len(read.places))
counted = CountedClaims(read.kept, read.chosen)
read.summary.text(headline_line(counted.headline()), width="content")
claims_table(
    read.kept,
    seal=seal_text(claims),
    claim=partial(claim_in_full, claims, timeline=partial(runtime.desk.order_timeline, operator)),
)
if table_stands():
    narrow_to_bar(chart_view(counted.over_time(), claims, key="claims:over-time", marked=read.chosen.pick))
