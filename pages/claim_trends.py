"""Trends: the claims of the filter as figures and charts, each with its seal, its words and its data."""

from components import wiring
from components.claim_trends.charts import trends_charts
from components.claim_trends.headline import trends_headline
from components.claims.charts import CountedClaims
from components.claims.saved_views import title_and_views
from components.claims.screen_head import claims_head
from components.claims.seal import end_without_claims
from components.gate import require
from warranty.access import Permission

operator = require(Permission.SEE_TRENDS)
runtime = wiring.runtime()

title_and_views(
    "Trends", runtime.journal, username=operator.username, environment=runtime.settings.environment
)
read = claims_head(runtime.claims.of(operator), screen="claim_trends")
end_without_claims(read.kept.claims, shown=len(read.places))
counted = CountedClaims(read.kept, read.chosen)
trends_headline(runtime.claims.of(operator), counted, read.chosen, today=read.today)
trends_charts(counted, read.kept.claims, read.chosen, today=read.today)
