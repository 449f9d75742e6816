"""Trends: the claims of the filter as figures and charts, each with its seal, its words and its data."""

import streamlit as st

from components import wiring
from components.claim_trends.headline import trends_headline
from components.claims.chart_view import chart_that_opens_claims
from components.claims.charts import CountedClaims
from components.claims.saved_views import title_and_views
from components.claims.screen_head import claims_head
from components.claims.seal import end_without_claims
from components.gate import require
from warranty.access import Permission

operator = require(Permission.SEE_TRENDS)
runtime = wiring.runtime()

title_and_views("Trends", runtime.desk.claim_views(operator))
read = claims_head(runtime.claims.of(operator), screen="claim_trends")
claims = read.kept.claims
end_without_claims(claims, shown=len(read.places))
counted = CountedClaims(read.kept, read.chosen)
trends_headline(runtime.claims.of(operator), counted, read.chosen, today=read.today)
st.caption(
    "A click on a coloured bar opens Claims with the claims of that bar. The grey bar of all other products and "
    "the squares show numbers only."
)
first, *others, last = counted.every_chart(today=read.today)
chart_that_opens_claims(first, claims)
for pair in (others[:2], others[2:]):
    for place, chart in zip(st.columns(2, gap="medium"), pair, strict=True):
        with place:
            chart_that_opens_claims(chart, claims)
chart_that_opens_claims(last, claims)
