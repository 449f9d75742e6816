"""The charts of Trends: time across the screen, the others two a row; a click on a bar opens Claims with it."""

from dataclasses import replace
from datetime import date

import streamlit as st

from components.charts.figure import Chart
from components.claims import tab_filter
from components.claims.chart_view import chart_view
from components.claims.charts import CountedClaims
from components.claims.claims_filter import ClaimsFilter
from components.navigation import go_to
from warranty.retrieval import ClaimSet


def trends_charts(counted: CountedClaims, claims: ClaimSet, chosen: ClaimsFilter, *, today: date) -> None:
    """Draw the charts."""
    st.caption(
        "A click on a coloured bar opens Claims with the claims of that bar. The grey bar of all other products and "
        "the squares show numbers only."
    )
    first, *paired, last = counted.every_chart(today=today)
    _draw(first, claims, chosen)
    for row in (paired[:2], paired[2:]):
        for place, chart in zip(st.columns(2, gap="medium"), row, strict=True):
            with place:
                _draw(chart, claims, chosen)
    _draw(last, claims, chosen)


def _draw(chart: Chart, claims: ClaimSet, chosen: ClaimsFilter) -> None:
    with st.container(border=True):
        picked = chart_view(chart, claims, key=f"trends:{chart.name}")
    if picked:
        tab_filter.fill_fields(replace(chosen, pick=picked))
        go_to("claims")
