"""The gate of every screen: nobody signed in, or a role without the permission, sees nothing of it."""

import streamlit as st

from components import session
from warranty.access import Operator, Permission


def require(permission: Permission) -> Operator:
    """Give the signed-in person, or end the screen here with a sentence.

    Every screen calls this first: the menu only hides, it does not guard.
    """
    operator = session.current_operator()
    if operator is None:
        st.error("Sign in to open this screen.")
        st.stop()
    if not operator.may(permission):
        st.error(
            f"This screen is not open to your role ({operator.role.value}): it may not "
            f"{permission.value}. Ask a manager."
        )
        st.stop()
    return operator
