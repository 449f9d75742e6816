"""How to reach a customer: e-mail and phone, read as they are typed (interface: Billing address)."""

from collections.abc import Mapping
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.platform.markup import plain
from components.ui.forms.draft_form import DraftForm
from components.ui.forms.faults import problem_at
from warranty.language import _
from warranty.places.contact import PhoneProblem, email_hint, read_phone


def reach_fields(form: DraftForm, *, country: str) -> dict[str, str]:
    """Draw e-mail and phone beside each other, and give what was entered; empty ones are left out.

    The phone is given as it is sent; one that cannot be read as it was typed, for `phone_problem` to refuse. `country`
    is the code of the country whose numbers may be typed as at home.
    """
    mail, telephone = st.columns(2)
    with mail:
        email = _field(form, "email", _("E-mail"), country)
    with telephone:
        phone = _field(form, "phone", _("Phone (optional)"), country)
    return {field: text for field, text in (("email", email), ("phone", phone)) if text}


def one_reach_field(
    form: DraftForm, start: str, country: str, place: DeltaGenerator, other: DeltaGenerator
) -> dict[str, str]:
    """Draw one field for the e-mail or the phone in its place, and one for the other of the two in another.

    `start` is what the draft's names begin with. What both hold is given as by `reach_fields`.
    """
    entered, row = reach_of(form.content, start), f"{start}reach"
    held = next(filter(entered.get, entered), "email")
    if row not in form.content:  # a draft of a former version
        form.keep({row: entered[held], f"{start}{held}": ""})
    with place:
        typed = form.text(row, _("E-mail or phone"), default=entered[held], autocomplete="off", show_fault=False)
        kind, another = _kinds(typed)
        form.faults.draw(start.rstrip("."), at=row)  # neither was entered
        reached = {kind: _checked(form, f"{start}{kind}", row, typed, country)}
    with other:
        label = _("Phone") if another == "phone" else _("E-mail")
        reached[another] = _field(form, f"{start}{another}", label, country)
    return {field: text for field, text in reached.items() if text}


def reach_of(content: Mapping[str, Any], start: str) -> dict[str, str]:
    """E-mail and phone as they were typed into a draft whose names of `one_reach_field` begin so."""
    held = {kind: str(content.get(f"{start}{kind}") or "").strip() for kind in ("email", "phone")}
    typed = str(content.get(f"{start}reach") or "").strip()
    if f"{start}reach" not in content:
        return held
    kind, another = _kinds(typed)
    return {kind: typed, another: held[another]}


def _kinds(typed: str) -> tuple[str, str]:
    """What a text is, and what else a customer can be reached by."""
    is_phone = "@" not in typed and any(map(str.isdigit, typed))
    return ("phone", "email") if is_phone else ("email", "phone")


def _field(form: DraftForm, field: str, label: str, country: str) -> str:
    typed = form.text(field, label, autocomplete="off", show_fault=False)
    return _checked(form, field, field, typed, country)


def _checked(form: DraftForm, field: str, at: str, typed: str, country: str) -> str:
    """Draw what is to be said of a text in the field `at`, and give it as it is sent under the name of `field`."""
    form.faults.draw(field, at=at, alone=True)
    if field.endswith("email"):
        meant = None if form.is_locked else email_hint(typed)
        if meant:
            st.button(
                _("Did you mean {address}?", address=plain(meant)),
                key="use-email-hint",
                on_click=form.put,
                args=({at: meant},),
                type="tertiary",
            )
        elif typed and "@" not in typed and field not in form.faults.found:
            problem_at({at: _("Enter an e-mail address, or a phone number in digits")}, at, alone=True)
        return typed
    problem = phone_problem(typed, country)
    if problem and field not in form.faults.found:
        problem_at({at: problem}, at, alone=True)
    if not typed or problem:
        return typed
    number = read_phone(typed, country)
    if number.doubt:
        st.caption(number.doubt)
    st.caption(_("Sent as {number}", number=number.e164))
    return number.e164


def phone_problem(phone: str, country: str) -> str:
    """Why a phone number cannot be sent; "" where it can, or where none was entered."""
    try:
        if phone:
            read_phone(phone, country)
    except PhoneProblem as problem:
        return str(problem)
    return ""
