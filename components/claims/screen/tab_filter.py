"""The filter of this tab: shared by Claims and Trends, kept in the address, so that a link opens the same view."""

from dataclasses import replace
from typing import Any, Final

import streamlit as st

from components.claims.screen.claims_filter import PARAMETERS, ClaimsFilter, names_customer
from components.platform import session

_FILTER: Final = "claims.filter"
_ADDRESS: Final = "claims.address"
_FILLED: Final = "claims.fields-filled"
_WIDGETS: Final = "claims-filter:"


def current() -> ClaimsFilter:
    """Give the filter as it stood after the last run, or as the address asks for it: the first one, or by Back.

    Any other address is one of before what was chosen last, of which the browser has not heard yet. By Back the e-mail
    of this tab stays where it had one as well.
    """
    remembered: ClaimsFilter | None = session.recall(_FILTER, None)
    parameters = _parameters()
    if remembered is None or (parameters and session.is_back() and parameters != session.recall(_ADDRESS, {})):
        email = remembered.email if remembered and names_customer(parameters) else ""
        remembered = ClaimsFilter.from_address(parameters, email=email)
        fill_fields(remembered)
    return remembered


def fill_fields(wanted: ClaimsFilter) -> None:
    """Make this the filter, and let the fields take it over; for callbacks, and before fields are drawn."""
    session.clear_prefixed(_WIDGETS)
    session.remember(_FILTER, wanted)
    session.remember(_FILLED, session.recall(_FILLED, 0) + 1)


def field_key(name: str) -> str:
    """Give the key of a field as it is drawn now.

    Code that fills the fields brings new ones: where a run is cut off, those of before still send their old values.
    """
    return f"{_WIDGETS}{session.recall(_FILLED, 0)}:{name}"


def keep(chosen: ClaimsFilter) -> None:
    """Note the filter as the fields have it now, and write it into the address."""
    session.remember(_FILTER, chosen)
    address, parameters = chosen.address(), _parameters()
    before: dict[str, str] = session.recall(_ADDRESS, {})
    session.remember(_ADDRESS, address)
    if parameters != address and (address != before or not parameters):  # else the browser is about to hear of it
        others = {name: value for name, value in st.query_params.to_dict().items() if name not in PARAMETERS}
        st.query_params.from_dict({**others, **address})


def change(**values: Any) -> None:
    """Keep the filter with these values of it changed."""
    keep(replace(current(), **values))


def _parameters() -> dict[str, str]:
    return {name: value for name, value in st.query_params.to_dict().items() if name in PARAMETERS}
