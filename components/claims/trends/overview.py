"""The first tab of Trends: the claims of the filter as figures and charts, each with its seal and its data."""

import streamlit as st

from components.claims.screen.chart_view import chart_that_opens_claims
from components.claims.screen.charts import CountedClaims
from components.claims.screen.figure_view import figure_tiles
from components.claims.screen.same_warranty import repeat_figure, repeat_words
from components.claims.screen.saved_views import TitleLine
from components.claims.screen.screen_head import claims_head
from components.claims.screen.seal import end_without_claims
from components.claims.trends.headline import trends_answers
from components.claims.trends.notes import notes_panel
from warranty.access import Operator
from warranty.claims.readings.readings import ClaimReadings
from warranty.desk import Desk
from warranty.language import _


def overview(readings: ClaimReadings, desk: Desk, operator: Operator, line: TitleLine) -> None:
    """Draw the filters, answers in words, charts and figures; ends the script here where there is nothing to draw."""
    read = claims_head(readings, line, screen="claim_trends")
    claims = read.kept.claims
    end_without_claims(claims, shown=len(read.places))
    counted = CountedClaims(read.kept, read.chosen)
    figures = trends_answers(readings, counted, read.chosen, today=read.today)
    notes = desk.time_notes(operator)
    first, *others = counted.every_chart(today=read.today)
    chart_that_opens_claims(first, claims, notes=notes)
    st.caption(
        _(
            "A click on a coloured bar opens Claims with the claims of that bar. Squares and grey bars show numbers "
            "only."
        )
    )
    notes_panel(notes, desk, operator)
    figure_tiles(figures)
    st.caption(repeat_words(repeat_figure(read.kept, read.places, counted.base)))
    for pair in (others[:2], others[2:]):
        for place, chart in zip(st.columns(2, gap="medium"), pair, strict=True):
            with place:
                chart_that_opens_claims(chart, claims)
