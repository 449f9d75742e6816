"""Connection: which environment this is, and whether both tokens are accepted (GET /api/verify-auth)."""

import streamlit as st

from components import wiring
from components.connection.claim_statuses import claim_statuses
from components.connection.report import (
    connection_report,
    open_questions,
    recent_calls_table,
    settings_report,
)
from components.connection.sandbox_panel import sandbox_panel
from components.connection.service_seen import service_seen
from components.gate import require
from warranty.access import Permission

operator = require(Permission.CHECK_CONNECTION)
runtime = wiring.runtime()

st.title("Connection")
settings_report(runtime.settings, last_alert=runtime.desk.last_alert(operator))
connection_report(runtime.client)
claim_statuses(runtime.claims.of(operator))
recent_calls_table(runtime.recent_calls.newest_first())
open_questions()
if operator.may(Permission.SEE_SERVICE_RECORD):
    service_seen(runtime.seen.of(operator), runtime.settings)
if runtime.sandbox_control and operator.may(Permission.CONTROL_SANDBOX):
    sandbox_panel(runtime.sandbox_control)
