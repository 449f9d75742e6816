"""The customer's e-mail that a view had: an address does not hold it, so it is asked for again."""

from dataclasses import replace

import streamlit as st

from components.charts.pick import NO_PICK
from components.claims import filter_of_tab


def email_wanted() -> None:
    """Say that the e-mail is missing, and offer to do without it: everybody's claims are not the customer's."""
    st.info(
        "This view had an e-mail filter; enter it again. It is personal, so neither the address of a screen nor a "
        "saved view holds it. Until then no claims are shown."
    )
    st.button(
        "Show the claims of every customer",
        on_click=_do_without,
        key="claims-every-customer",
        type="tertiary",
        icon=":material/filter_alt_off:",
    )


def _do_without() -> None:
    filter_of_tab.show(replace(filter_of_tab.open_filter(), email_missing=False, pick=NO_PICK))
