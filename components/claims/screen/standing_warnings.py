"""The early warnings that stand, as the first sentences of a screen, whatever days it shows."""

from typing import Final

import streamlit as st

from components.claims.screen.reading import look_or_read, while_running
from components.platform.markup import plain
from components.words.days import service_today
from warranty.access import Operator, Permission
from warranty.claims.analysis import Period
from warranty.claims.readings.readings import ClaimReadings, KeptClaims
from warranty.claims.retrieval import ClaimSet
from warranty.client.resources import ClaimQuery
from warranty.insight.outlook.forecasts import outlook_days
from warranty.insight.outlook.warnings import Watch, watch
from warranty.language import locale

_ROLE: Final = "standing-warnings"


def standing_warnings(readings: ClaimReadings, operator: Operator, *, after: ClaimSet) -> None:
    """Draw them for who may see trends; the claims they need are read once a day, `after` the screen's are complete."""
    if not operator.may(Permission.SEE_TRENDS):
        return
    days = outlook_days(service_today())
    query = ClaimQuery(claim_dates=days.times)
    found = readings.look(query)
    if after.is_complete and not (found.cached and found.cached.claims.is_complete):
        found = look_or_read(readings, _ROLE, query)
    if found.cached and found.cached.claims.is_complete:  # of whole months: what was read earlier today says the same
        for warning in watched(found.cached, days).warnings:
            st.warning(plain(warning.sentence))
    elif after.is_complete and found.running:
        while_running(readings, _ROLE, query, lambda _: None, permission=Permission.SEE_TRENDS)


def watched(cached: KeptClaims, days: Period) -> Watch:
    """What the rule says of every product, worked out once for all who look."""
    return cached.derived(("watch", str(locale())), lambda: watch(cached.claims.frame, days=days))
