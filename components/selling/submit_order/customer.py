"""The customer of a new order: name, e-mail or phone, billing address with its state (interface: Billing address)."""

import streamlit as st

from components.ui.forms.address import address_fields
from components.ui.forms.draft_form import DraftForm
from components.ui.forms.reach import reach_fields
from warranty.language import _
from warranty.places.countries import states


def customer_fields(form: DraftForm, *, country: str) -> dict[str, str]:
    """Draw the fields and give what was entered under the interface's names; empty ones are left out.

    `country` is the code of the country that the form begins with.
    """
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.header(_("Customer"), anchor=False, width="content")
        st.caption(_("The link goes to the e-mail or the phone. A state is needed in every country."), width="content")
    reach: dict[str, str] = {}

    def draw_reach() -> None:
        numbers_of = form.kept("billing_address.country", country)
        reach.update(reach_fields(form, "billing_address.", phone_label=_("Phone"), country=numbers_of))

    address = address_fields(form, "billing_address", country=country, required=("first_name",), after_names=draw_reach)
    province = address.get("state", "")
    if province in states(address["country_code"]):
        address["province_code"] = province
    return address | reach
