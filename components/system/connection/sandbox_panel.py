"""For trainers: what the sandbox shall do wrong next, what it would have mailed, its clock, and its first day again."""

from collections.abc import Mapping
from typing import Any, Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.platform import session
from components.platform.serving.sandbox_control import FAULTS, OPERATIONS, SandboxControl, Silent
from components.ui.frame.ask_first import ask_first
from components.ui.frame.failure_notice import reporting_outage
from components.words.attempts import moment
from warranty.language import _, ngettext

_A_DAY: Final = 24 * 3600
_SAID: Final = "sandbox-said"


def sandbox_panel(control: SandboxControl) -> None:
    """Draw the controls; says so when the sandbox does not answer."""
    st.header(_("Sandbox"))
    message = session.recall(_SAID, "")
    session.forget(_SAID)
    if message:
        st.success(message)
    try:
        _faults(control)
        _clock(control)
        _outbox(control)
        _reset(control)
    except Silent:
        st.error(_("The sandbox does not answer. Start the dashboard again."))


def _faults(control: SandboxControl) -> None:
    place = st.container()
    with st.expander(_("Simulate a fault")):
        st.caption(
            _(
                "The program itself tries an order, a reading of claims and a check of the tokens 3 times before "
                "you see anything. It tries a sale or a checkout once: use 1 for those."
            )
        )
        with st.form("fault", border=False, enter_to_submit=False):
            what, how, often, slow = st.columns([2, 2, 1, 1], vertical_alignment="bottom")
            operation = _choice(what, _("What"), OPERATIONS, "fault-what")
            kind = _choice(how, _("The service"), FAULTS, "fault-how")
            times = often.number_input(_("Times"), min_value=1, max_value=20, value=3, key="fault-times")
            seconds = slow.number_input(_("Seconds, if slow"), min_value=1, max_value=60, value=8, key="fault-seconds")
            if st.form_submit_button(_("Add fault")):
                control.add_fault(operation, kind, times=int(times), seconds=float(seconds))
    with place:
        waiting = control.waiting_faults()
        for fault in waiting:
            st.text(_("Waiting: {fault}", fault=_fault_words(fault)))
        if waiting:
            st.button(_("Clear these faults"), key="faults-clear", on_click=reporting_outage(control.clear_faults))


def _choice(place: DeltaGenerator, label: str, known: Mapping[str, str], key: str) -> str:
    words = {name: _(each) for name, each in known.items()}
    return place.selectbox(label, list(words), format_func=words.__getitem__, key=key, filter_mode="contains")


def _fault_words(fault: Mapping[str, Any]) -> str:
    """A fault that no call has met yet: what, how often, and how long."""
    label = f"{_(OPERATIONS[fault['operation']])} {_(FAULTS.get(fault['kind'], fault['kind']))}"
    if fault["kind"] == "delay":
        seconds = fault["seconds"]
        label += " " + ngettext("of {n} second", "of {n} seconds", seconds)
    times = fault["times"]
    return ngettext("{fault}, for the next {n} call", "{fault}, for the next {n} calls", times, fault=label)


def _clock(control: SandboxControl) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        now = moment(control.follow())
        st.text(_("The sandbox's clock: {when}", when=now), width="content")
        st.button(_("Next day"), key="sandbox-next-day", on_click=reporting_outage(control.advance), args=(_A_DAY,))
    st.caption(_("This desk goes with it: Claims, Trends, Activity and the shift report. Reset brings today back."))


def _outbox(control: SandboxControl) -> None:
    sent = control.outbox()
    with st.expander(_("Mails and messages it would have sent ({n})", n=len(sent))):
        if not sent:
            st.caption(_("None yet: an order mails its link, a checkout a welcome."))
        for message in sent[:20]:
            st.text("\n".join(f"{name}: {value}" for name, value in message.items() if value))


def _reset(control: SandboxControl) -> None:
    def reset() -> None:
        control.reset()
        session.remember(_SAID, _("The sandbox is reset. Activity still lists what was sent before."))

    lost = _("Orders and sales made in training are gone, the demo orders and claims are back.")
    ask_first(_("Reset the sandbox"), _("Yes, reset it"), lost=lost, key="sandbox-reset", on_click=reset)
