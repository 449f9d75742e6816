"""Audit: who did what, and whether its rows are as they were written; for administrators.

The chain and what it protects against: docs/decisions/personal-data.md.
"""

import streamlit as st

from components import wiring
from components.gate import require
from components.people.audit.listed import about_customer, audit_filters, audit_listed, verify_button
from components.words.attempts import clock_of
from warranty.access import Permission
from warranty.language import _

operator = require(Permission.SEE_AUDIT)
runtime = wiring.runtime()
book = runtime.audit_book.of(operator)

st.title(_("Audit"), anchor=False)
st.caption(_("Each row is sealed together with the one before it. No row holds a customer's name, e-mail or phone."))
with clock_of(runtime.staff.tills.time_zone(operator)):
    audit_listed(book, audit_filters(book, runtime.desk.now()))
    verify_button(book)
about_customer(runtime.privacy, operator, country=runtime.settings.country)
