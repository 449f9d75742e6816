"""The customer of an order: name, e-mail or phone, billing address with its state (interface: Billing address)."""

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from components.forms.draft_form import DraftForm
from components.forms.faults import plain, problem_at
from warranty.places.contact import PhoneProblem, email_hint, read_phone
from warranty.places.countries import countries, states


def billing_address_fields(form: DraftForm, *, country: str) -> dict[str, Any]:
    """Draw the fields and give what was entered under the interface's names; empty ones are left out.

    `country` is the code of the country that the form begins with. A phone number is given in the form in which it
    is sent; one that cannot be read is given as typed, for `phone_problem` to refuse.
    """
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.header("Customer", anchor=False, width="content")
        st.caption(
            "The link goes to the e-mail or the phone. A state is needed in every country.", width="content"
        )
    form.fault(("billing_address", form.widget_key("billing_address.email")))
    first, last = st.columns(2)
    with first:
        first_name = form.text("billing_address.first_name", "First name", autocomplete="off")
    with last:
        last_name = form.text("billing_address.last_name", "Last name (optional)", autocomplete="off")
    mail, telephone = st.columns(2)
    with mail:
        email = form.text(
            "billing_address.email",
            "E-mail",
            autocomplete="off",
        )
        _hint(form, email)
    with telephone:
        phone_place = st.container()
    where = st.columns(3)
    with where[0]:
        code = _country(form, country)
    with where[1]:
        state = _state(form, code)
    with where[2]:
        postal_code = form.text("billing_address.zip", "ZIP or postal code (optional)", autocomplete="off")
    with phone_place:
        phone = _phone(form, code)
    with st.expander("Street and city (optional)", key="street-and-city"):
        street = form.text("billing_address.address1", "Street and number", autocomplete="off")
        more = form.text("billing_address.address2", "Flat, floor", autocomplete="off")
        city = form.text("billing_address.city", "City", autocomplete="off")
    address: dict[str, Any] = {
        "first_name": first_name,
        "last_name": last_name,
        "email": email,
        "phone": phone,
        "address1": street,
        "address2": more,
        "city": city,
        "zip": postal_code,
        "state": state,
        "country": countries()[code].name,
        "country_code": code,
        "province_code": state if state in states(code) else "",
    }
    return {name: value for name, value in address.items() if value}


def phone_problem(address: dict[str, Any]) -> str | None:
    """Why the phone number of an entered address cannot be sent; None where it can, or where none was entered."""
    phone = address.get("phone")
    if not phone:
        return None
    try:
        read_phone(phone, address.get("country_code", "US"))
    except PhoneProblem as problem:
        return str(problem)
    return None


def _country(form: DraftForm, default: str) -> str:
    known = countries()
    code = _pick(
        form, "billing_address.country", "Country", known, default=default, words=lambda c: known[c].name
    )
    return code or default


def _state(form: DraftForm, country: str) -> str:
    """A pick list where the country has states; else a text, since the interface wants a state in every country."""
    known = states(country)
    if not known:
        return form.text(
            "billing_address.state",
            "State",
            placeholder="Region, or the city again",
            autocomplete="off",
        )
    code = _pick(
        form,
        f"billing_address.state.{country}",
        "State",
        known,
        words=lambda c: f"{known[c].name} ({c})",
        placeholder="Type or choose",
    )
    form.fault(("billing_address.state", form.widget_key(f"billing_address.state.{country}")))
    return code or ""


def _pick(
    form: DraftForm,
    field: str,
    label: str,
    known: Mapping[str, Any],
    *,
    words: Callable[[str], str],
    default: str | None = None,
    **options: Any,
) -> str | None:
    """A pick list of codes, put back from the draft."""
    codes = list(known)
    kept = form.kept(field, default)
    key = form.widget_key(field)
    chosen = st.selectbox(
        label,
        codes,
        index=codes.index(kept) if kept in known else None,
        format_func=words,
        key=key,
        disabled=form.is_locked,
        on_change=form.typed,
        args=(field, key),
        **options,
    )
    form.values[field] = chosen
    return chosen


def _phone(form: DraftForm, country: str) -> str:
    typed = form.text("billing_address.phone", "Phone", autocomplete="off")
    if not typed:
        return ""
    try:
        number = read_phone(typed, country)
    except PhoneProblem as problem:
        if "billing_address.phone" not in form.problems:
            problem_at({"phone": str(problem)}, "phone")
        return typed
    if number.doubt:
        st.caption(number.doubt)
    st.caption(f"Sent as {number.e164}")
    return number.e164


def _hint(form: DraftForm, email: str) -> None:
    meant = email_hint(email)
    if meant is None or form.is_locked:
        return
    st.button(
        f"Did you mean {plain(meant)}?",
        key="use-email-hint",
        on_click=form.put,
        args=("billing_address.email", meant),
        type="tertiary",
    )
