"""Connection: whether all is well, what this desk is connected to, and both tokens (GET /api/verify-auth)."""

import streamlit as st

from components import wiring
from components.gate import require
from components.people.till.registered import tills_and_badges
from components.system.connection.report import (
    claim_statuses,
    connection_state,
    desk_facts,
    recent_calls_table,
    service_seen,
)
from components.system.connection.sandbox_panel import sandbox_panel
from warranty.access import Permission
from warranty.language import _

operator = require(Permission.CHECK_CONNECTION)
runtime = wiring.runtime()
people = runtime.staff.sign_in.people().by_username.values()

st.title(_("Connection"), anchor=False)
connection_state(runtime.settings, runtime.service.client, runtime.desk, operator)
if runtime.service.sandbox and operator.may(Permission.CONTROL_SANDBOX):
    sandbox_panel(runtime.service.sandbox)
st.header(_("Details"))
desk_facts(runtime.settings, runtime.desk, runtime.process.watching, operator, roles=[person.role for person in people])
recent_calls_table(runtime.service.recent_calls.newest_first())
if operator.may(Permission.READ_CLAIMS):
    with st.expander(_("Claim statuses: which words count as closed")):
        claim_statuses(runtime.claims.of(operator))
if operator.may(Permission.REGISTER_TILLS):
    tills_and_badges(runtime.staff.tills, operator, list(people))
if operator.may(Permission.SEE_SERVICE_DRIFT):
    service_seen(runtime.service.seen.of(operator), runtime.settings)
