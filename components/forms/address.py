"""A person's address and how to reach them, told which fields are required (interface: Billing address, Address)."""

from collections.abc import Collection
from typing import Final

import streamlit as st

from components.forms.draft_form import DraftForm
from components.forms.faults import plain
from warranty.places.contact import PhoneProblem, email_hint, read_phone
from warranty.places.countries import countries, states

_LABELS: Final = {
    "first_name": "First name",
    "last_name": "Last name",
    "address1": "Street and number",
    "address2": "Flat, floor",
    "city": "City",
    "zip": "ZIP or postal code",
}


def name_fields(form: DraftForm, name: str, *, required: Collection[str]) -> dict[str, str]:
    """Draw the names of the address `name`, and give what was entered; empty ones are left out, as in `place_fields`.

    Fields that are not `required` say that they are optional.
    """
    return _row(form, name, required, first_name=1, last_name=1)


def place_fields(form: DraftForm, name: str, *, country: str, required: Collection[str]) -> dict[str, str]:
    """Draw where the address `name` is; street and city are folded away where they are optional.

    `country` is the code of the country that the form begins with.
    """
    if "address1" in required:
        street = _row(form, name, required, address1=2, address2=1) | _row(
            form, name, required, zip=1, city=2
        )
        where, region = st.columns(2)
    else:
        where, region, beside = st.columns(3)
    with where:
        names = {code: known.name for code, known in countries().items()}
        code = form.choice(f"{name}.country", "Country", names, country)
    with region:
        state = _state(form, f"{name}.state", code)
    if "address1" not in required:
        with beside:
            street = _row(form, name, required, zip=1)
        with st.expander("Street and city (optional)", key="street-and-city"):
            for field in ("address1", "address2", "city"):
                street |= _row(form, name, {field}, **{field: 1})
    place = {**street, "state": state, "country": names.get(code, ""), "country_code": code}
    return {field: value for field, value in place.items() if value}


def _row(form: DraftForm, name: str, required: Collection[str], **widths: int) -> dict[str, str]:
    """Text fields beside each other, in these widths."""
    places = st.columns(list(widths.values())) if len(widths) > 1 else [st.container()]
    entered = {}
    for field, place in zip(widths, places, strict=True):
        with place:
            label = _LABELS[field] + ("" if field in required else " (optional)")
            entered[field] = form.text(f"{name}.{field}", label, autocomplete="off")
    return {field: value for field, value in entered.items() if value}


def _state(form: DraftForm, field: str, country: str) -> str:
    """A pick list where the country has states; else a text, since the interface wants a state in every country."""
    known = states(country)
    if not known:
        return form.text(field, "State", placeholder="Region, or the city again", autocomplete="off")
    names = {code: f"{state.name} ({code})" for code, state in known.items()}
    code = form.choice(f"{field}.{country}", "State", names, None, placeholder="Type or choose")
    form.fault((field, form.widget_key(f"{field}.{country}")))
    return code or ""


def email_field(form: DraftForm, field: str) -> str:
    """Draw the field, and what was probably meant where the address looks mistyped."""
    email = form.text(field, "E-mail", autocomplete="off")
    meant = None if form.is_locked else email_hint(email)
    if meant:
        st.button(
            f"Did you mean {plain(meant)}?",
            key="use-email-hint",
            on_click=form.put,
            args=(field, meant),
            type="tertiary",
        )
    return email


def sendable_phone(typed: str, country: str) -> tuple[str, str]:
    """A phone number as it is sent; or as it was typed, and what is wrong with it."""
    try:
        return (read_phone(typed, country).e164 if typed else ""), ""
    except PhoneProblem as problem:
        return typed, str(problem)
