"""A person's address, told which fields are required (interface: Billing address, Address)."""

import re
from collections.abc import Callable, Collection
from functools import partial
from typing import Any, Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.ui.forms.draft_form import DraftForm
from warranty.language import N_, _
from warranty.places.countries import countries, kind_of_state, shown_countries, state_of_zip, states

_KINDS_OF_STATE: Final = (N_("State"), N_("Province"), N_("County"), N_("Prefecture"), N_("Department"), N_("Canton"))
"""What a form calls the parts of a country, by the library's word; any other is a region."""
_LABELS: Final = {
    "first_name": N_("First name"),
    "last_name": N_("Last name"),
    "address1": N_("Street and number"),
    "address2": N_("Apartment, floor"),
    "zip": N_("ZIP or postal code"),
    "city": N_("City"),
}
_NAMES: Final = ("first_name", "last_name")
_IN_NO_NAME: Final = re.compile(r"[\d,@\n]|.{61}")


def address_fields(
    form: DraftForm,
    name: str,
    *,
    country: str,
    state: str,
    required: Collection[str],
    reach: Callable[[DeltaGenerator, DeltaGenerator], dict[str, str]] | None = None,
) -> dict[str, str]:
    """Draw the address `name`, and give what was entered; empty fields are left out.

    `country` and `state` are the codes of those that the form begins with. Fields that are not `required` say that they
    are optional. Where `reach` draws and gives e-mail and phone, in two places, what an order needs is one row with the
    first of these, and the rest is folded.
    """
    entered: dict[str, str] = {}
    zipped = partial(_zip_typed, form, name, (country, state))
    if reach:
        with st.container(key="customer-row"):
            first, row, region = st.columns([3, 6, 4])
        more = st.expander(_("More"), key="customer-more")
        (last, other), (where, code, city), (street, flat) = (more.columns(shares) for shares in (2, [2, 1, 2], [2, 1]))
    else:
        (first, last), (street, flat), (code, city) = (st.columns(shares) for shares in (2, [2, 1], [1, 2]))
        where, region = st.columns(2)
    for field, place in zip(_LABELS, (first, last, street, flat, code, city), strict=True):
        label = _(_LABELS[field])
        if field not in required and not reach:
            label = _("{field} (optional)", field=label)
        with place:
            options: dict[str, Any] = {"on_change": zipped} if field == "zip" else {}
            typed = entered[field] = form.text(f"{name}.{field}", label, alone=True, autocomplete="off", **options)
            if field in _NAMES and _IN_NO_NAME.search(typed):
                form.confirm(f"{name}.{field}", typed, _("Check the name: only a first or last name belongs here."))
    if reach:
        entered |= reach(row, other)
    with where:
        others = {code: known.other_names for code, known in countries().items()}
        chosen = form.choice(f"{name}.country", _("Country"), shown_countries(), country, other_names=others)
    with region:
        label, field = label_of_state(chosen), f"{name}.state.{chosen}"
        if known := states(chosen):
            words = {code: f"{state.name} ({code})" for code, state in known.items()}
            others = {code: state.other_names for code, state in known.items()}
            begins = state if state in known and chosen == country else ""
            entered["state"] = form.choice(
                field, label, words, begins, other_names=others, fault=f"{name}.state", placeholder=_("Type or choose")
            )
        else:  # the interface wants a state in every country
            country_name = countries()[chosen].name
            entered["state"] = form.text(field, label, default=country_name, alone=True, autocomplete="off")
            st.caption(_("The service needs one in every country."))
    if why := _zip_doubt(chosen, entered["zip"], entered["state"]):
        with code:
            form.confirm(f"{name}.zip", entered["zip"], why)
    entered |= {"country": countries()[chosen].name, "country_code": chosen}
    return {field: value for field, value in entered.items() if value}


def _zip_typed(form: DraftForm, name: str, begins: tuple[str, str], field: str, key: str) -> None:
    """Choose the state of a ZIP, over the shop's or that of the ZIP before it, never over one that a person chose."""
    form.typed(field, key)
    country, state_of_shop = begins
    code = form.content.get(f"{name}.country", country)
    state, by_zip = f"{name}.state.{code}", f"{name}.state-by-zip"
    found = state_of_zip(code, form.content.get(field, ""))
    if found and form.content.get(state, "") in {"", state_of_shop, form.content.get(by_zip)}:
        form.put({state: found}, **{by_zip: found})
        form.try_to_store()


def _zip_doubt(country: str, typed: str, state: str) -> str:
    """Why a ZIP of the United States may be another, or its state; else ""."""
    found = state_of_zip(country, typed)
    if country != "US" or not typed or (found and state in {"", found}):
        return ""
    if not found:
        return _("Check the ZIP: the United States have no such ZIP.")
    return _("Check ZIP and state: this ZIP is in {state}.", state=states(country)[found].name)


def label_of_state(country_code: str) -> str:
    """What a form calls a state of this country: State, Province, County, …"""
    kind = kind_of_state(country_code)
    return _(kind) if kind in _KINDS_OF_STATE else _("Region")
