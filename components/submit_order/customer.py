"""The customer of an order: name, e-mail or phone, billing address with its state (interface: Billing address)."""

from typing import Any

import streamlit as st

from components.forms.address import email_field, name_fields, place_fields, sendable_phone
from components.forms.draft_form import DraftForm
from components.forms.faults import problem_at
from components.submit_order.link_kit import Addressee
from warranty.places.contact import read_phone
from warranty.places.countries import states

_REQUIRED = ("first_name",)


def customer_fields(form: DraftForm, *, country: str) -> dict[str, Any]:
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
    names = name_fields(form, "billing_address", required=_REQUIRED)
    mail, telephone = st.columns(2)
    with mail:
        email = email_field(form, "billing_address.email")
    place = place_fields(form, "billing_address", country=country, required=_REQUIRED)
    with telephone:
        phone = _phone(form, place["country_code"])
    province = place.get("state", "")
    more = {
        "email": email,
        "phone": phone,
        "province_code": province if province in states(place["country_code"]) else "",
    }
    return {**names, **place, **{field: value for field, value in more.items() if value}}


def phone_problem(address: dict[str, Any]) -> str:
    """Why the phone number of an entered address cannot be sent; "" where it can, or where none was entered."""
    return sendable_phone(address.get("phone", ""), address.get("country_code", "US"))[1]


def _phone(form: DraftForm, country: str) -> str:
    typed = form.text("billing_address.phone", "Phone", autocomplete="off")
    number, problem = sendable_phone(typed, country)
    if problem and "billing_address.phone" not in form.problems:
        problem_at({"phone": problem}, "phone")
    if number and not problem:
        if doubt := read_phone(typed, country).doubt:
            st.caption(doubt)
        st.caption(f"Sent as {number}")
    return number


def addressee_of(form: DraftForm) -> Addressee:
    """The customer as this tab remembers; after a reload nothing is left, since the journal keeps no customers."""
    kept = {
        field: str(form.kept(f"billing_address.{field}", "")).strip()
        for field in ("first_name", "email", "phone", "country")
    }
    phone, problem = sendable_phone(kept["phone"], kept["country"] or "US")
    return Addressee(first_name=kept["first_name"], email=kept["email"], phone="" if problem else phone)
