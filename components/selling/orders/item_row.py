"""The row of an item, a plan or a line: what it is, what it costs, and the button that takes it out."""

from collections.abc import Callable

import streamlit as st

from components.ui.forms.draft_form import DraftForm
from warranty.language import _


def item_head(
    form: DraftForm, name: str, title: str, *, amount: str = "", remove: Callable[[], None] | None = None
) -> None:
    """Draw what it is, in markup, and at the other side the amount and the button, where it can be removed."""
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.markdown(title, width="content")
        with st.container(horizontal=True, vertical_alignment="center", width="content"):
            if amount:
                st.text(amount, width="content")
            if remove:
                remove_button(form, name, remove)


def remove_button(form: DraftForm, name: str, remove: Callable[[], None]) -> None:
    """Draw the button that takes out what the form calls `name`, by a callback."""
    st.button(_("Remove"), key=f"remove-{name}", icon=":material/close:", disabled=form.is_locked, on_click=remove)
