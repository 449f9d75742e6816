"""Filters that stand in the screen's address, so that they survive a reload and can be handed on.

Here the script alone writes the address, and reads it when a widget is new; why the platform's own binding of widgets
does not: docs/platform-notes/query-parameters.md. No e-mail and no phone that somebody searched for stands in it:
proxies keep addresses.
"""

from collections.abc import Collection, Mapping

import streamlit as st

from components import session
from warranty.desk.scrubbing import without_addresses


def addressed(key: str, options: Collection[str] | None, default: str | None) -> str:
    """The widget key of a filter, its value taken from the address where the widget is new.

    What the address says beside the `options` counts as nothing said; None takes any text.
    """
    if not session.is_filled(key):
        said = st.query_params.get(key)
        session.fill(key, said if said is not None and (options is None or said in options) else default)
    return key


def put_in_address(values: Mapping[str, str | None], *, defaults: Mapping[str, str]) -> None:
    """Write the filters into the address; left out are those that stand as at the start, and customers' addresses."""
    wanted = {
        name: value
        for name, value in values.items()
        if value and value != defaults.get(name) and value == without_addresses(value)
    }
    if st.query_params.to_dict() != wanted:
        st.query_params.from_dict(wanted)
