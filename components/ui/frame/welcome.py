"""Above the sign-in form: whose desk this is, and for what."""

import streamlit as st

from components.platform.markup import plain
from components.platform.page import SIGN
from components.ui.frame.header import environment_words


def welcome(shop_name: str, environment: str) -> None:
    """Draw the product's sign and name, the shop, and the environment in words."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="welcome"):
        st.image(SIGN, width=56, alt="")
        st.title("Warranty Desk", anchor=False, width="content")
    st.header(plain(shop_name), anchor=False)
    st.markdown(environment_words(environment))
