"""Shift report: what was sold in a day or a range, by person and by product, and what went wrong; for managers."""

import streamlit as st

from components import wiring
from components.gate import require
from components.shop.shift_report.view import download_buttons, nothing_yet, shift_view
from components.ui.in_address.filters import days_choice, put_in_address
from components.words.attempts import clock_of, here, moment, today
from warranty.access import Permission
from warranty.language import _

operator = require(Permission.SEE_SHIFT_REPORT)
runtime = wiring.runtime()
settings, now = runtime.settings, runtime.desk.now()

with clock_of(runtime.staff.tills.time_zone(operator)):  # two who look from two places see one day
    st.title(_("Shift report"), anchor=False)
    name, days = days_choice(today(now), key="shift", default="today")
    put_in_address({"shift": name}, defaults={"shift": "today"})
    start, end = days.bounds(here()) if days else (None, None)
    report = runtime.desk.activity.shift_report(operator, start, end, zone=here())
    if report is None:
        nothing_yet(days.words if days else _("all days"), widest=days is None)
        st.stop()

    shift_view(report, settings.currency, now=now)
    download_buttons(report, settings, days=days, made=f"{moment(now)} ({here()})")
