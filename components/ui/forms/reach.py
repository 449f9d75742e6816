"""How to reach a customer: e-mail and phone, read as they are typed (interface: Billing address)."""

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.platform.markup import plain
from components.ui.forms.draft_form import DraftForm
from components.ui.forms.faults import problem_at
from warranty.language import _
from warranty.places.contact import PhoneProblem, email_hint, read_phone


def reach_fields(
    form: DraftForm, start: str, *, phone_label: str, country: str, places: Sequence[DeltaGenerator] = ()
) -> dict[str, str]:
    """Draw e-mail and phone, beside each other or in these places, and give what was entered; empty ones are left out.

    `start` is what the draft's names of both begin with, "" or a name and a dot. The phone is given as it is sent;
    one that cannot be read as it was typed, for `phone_problem` to refuse. `country` is the code of the country whose
    numbers may be typed as at home.
    """
    email, phone = f"{start}email", f"{start}phone"
    if start:
        form.faults.draw(start.rstrip("."), at=email)  # neither was entered
    mail, telephone = places or st.columns(2)
    with mail:
        address = form.text(email, _("E-mail"), alone=True, autocomplete="off")
        meant = None if form.is_locked else email_hint(address)
        if meant:
            st.button(
                _("Did you mean {address}?", address=plain(meant)),
                key="use-email-hint",
                on_click=form.put,
                args=({email: meant},),
                type="tertiary",
            )
    with telephone:
        typed = form.text(phone, phone_label, alone=True, autocomplete="off")
        problem = phone_problem(typed, country)
        if problem and phone not in form.faults.found:
            problem_at({phone: problem}, phone, alone=True)
        number = read_phone(typed, country) if typed and not problem else None
        if number:
            if number.doubt:
                st.caption(number.doubt)
            st.caption(_("Sent as {number}", number=number.e164))
    reach = {"email": address, "phone": number.e164 if number else typed}
    return {field: value for field, value in reach.items() if value}


def phone_problem(phone: str, country: str) -> str:
    """Why a phone number cannot be sent; "" where it can, or where none was entered."""
    try:
        if phone:
            read_phone(phone, country)
    except PhoneProblem as problem:
        return str(problem)
    return ""
