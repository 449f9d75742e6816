"""Trends: claims as figures and charts, each with what it is told of; a tab for each question."""

from importlib import import_module

from components import wiring
from components.claims.screen.saved_views import title_line
from components.claims.trends.overview import overview, trends_tabs
from components.gate import require
from warranty.access import Permission
from warranty.language import _

operator = require(Permission.SEE_TRENDS)
runtime = wiring.runtime()

line = title_line(_("Trends"), runtime.desk, operator)
(first, first_is_open), *others = trends_tabs()
for (tab, is_open), name in zip(others, ("ageing", "resolution", "outlook"), strict=True):
    with tab:
        if is_open:  # what no tab is opened for is not loaded
            getattr(import_module(f"components.claims.trends.{name}"), name)(runtime, operator)
# The last, for it ends the script where there are no claims.
with first:
    if first_is_open:
        overview(runtime.claims.of(operator), runtime.insight, operator, line)
