"""A customer's address on a checkout, billing or shipping: all but the flat is required."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from components.forms.draft_form import DraftForm
from warranty.places.countries import countries, states


def customer_address_fields(form: DraftForm, name: str, *, country: str) -> dict[str, Any]:
    """Draw the fields of the address `name` and give its values under the interface's names; `country` comes first."""
    first, last = st.columns(2)
    with first:
        first_name = form.text(f"{name}.first_name", "First name", autocomplete="off")
    with last:
        last_name = form.text(f"{name}.last_name", "Last name", autocomplete="off")
    street, flat = st.columns([2, 1])
    with street:
        address1 = form.text(f"{name}.address1", "Street and number", autocomplete="off")
    with flat:
        address2 = form.text(f"{name}.address2", "Flat, floor (optional)", autocomplete="off")
    postal_code, city = st.columns([1, 2])
    with postal_code:
        zip_code = form.text(f"{name}.zip", "ZIP or postal code", autocomplete="off")
    with city:
        town = form.text(f"{name}.city", "City", autocomplete="off")
    where, region = st.columns(2)
    with where:
        code = _picked(
            form, f"{name}.country_code", "Country", list(countries()), words=_country_name, first=country
        )
    with region:
        state = _state(form, name, code)
    address = {
        "first_name": first_name,
        "last_name": last_name,
        "address1": address1,
        "address2": address2,
        "city": town,
        "state": state,
        "zip": zip_code,
        "country": countries()[code].name if code in countries() else "",
        "country_code": code,
    }
    return {field: value for field, value in address.items() if value}


def _country_name(code: str) -> str:
    return countries()[code].name


def _state(form: DraftForm, name: str, country_code: str) -> str:
    """A pick list where the country has states, else a text: the service requires a state in every country."""
    known = states(country_code)
    if not known:
        return form.text(
            f"{name}.state",
            "State",
            placeholder="The region, or the city again",
            autocomplete="off",
        )
    chosen = _picked(
        form,
        f"{name}.state.{country_code}",
        "State",
        list(known),
        words=lambda code: f"{known[code].name} ({code})",
    )
    form.fault((f"{name}.state", form.widget_key(f"{name}.state.{country_code}")))
    return chosen


def _picked(
    form: DraftForm,
    field: str,
    label: str,
    codes: list[str],
    *,
    words: Callable[[str], str],
    first: str | None = None,
) -> str:
    kept, key = form.kept(field, first), form.widget_key(field)
    chosen = st.selectbox(
        label,
        codes,
        index=codes.index(kept) if kept in codes else None,
        key=key,
        format_func=words,
        placeholder="Type or choose",
        disabled=form.is_locked,
        on_change=form.typed,
        args=(field, key),
    )
    form.values[field] = chosen
    return chosen or first or ""
