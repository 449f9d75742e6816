"""Claims: what customers claimed, all of it or said otherwise, to look up and to take away."""

from functools import partial

import streamlit as st

from components import wiring
from components.claims.screen.chart_view import chart_over_table
from components.claims.screen.charts import CountedClaims
from components.claims.screen.claims_table import claims_table
from components.claims.screen.export import export_files
from components.claims.screen.saved_views import title_line
from components.claims.screen.screen_head import claims_head
from components.claims.screen.seal import end_without_claims
from components.claims.screen.standing_warnings import standing_warnings
from components.gate import require
from warranty.access import Permission
from warranty.language import _

operator = require(Permission.READ_CLAIMS)
runtime = wiring.runtime()

seal, files = title_line(_("Claims"), runtime.desk, operator)
warned, readings = st.container(), runtime.claims.of(operator)
read = claims_head(readings, seal)
claims, notes = read.cached.claims, runtime.insight.time_notes(operator)
table = partial(claims_table, read.cached, timeline=partial(runtime.desk.activity.order_timeline, operator))
if operator.may(Permission.EXPORT_CLAIMS) and not claims.still_reading:
    with files:
        export_files(read.cached, read.chosen, places=read.places, notes=notes)
with warned:
    standing_warnings(readings, operator, after=claims)
end_without_claims(claims, shown=len(read.places))
if claims.still_reading:
    table()
else:
    read.summary.text(CountedClaims(read.cached, read.chosen, picked=True).headline(), width="content")
    counted = CountedClaims(read.cached, read.chosen)
    chart_over_table(counted.over_time, claims, marked=read.chosen.pick, notes=notes)
    table()
