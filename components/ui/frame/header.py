"""The bar above every screen: the product's sign and which environment this is; the person's menu is laid into it, too.

The platform draws the bar itself, with the menu in it; what is ours is laid into it by desk.css.
"""

from typing import Final

import streamlit as st

from components.platform.page import SIGN
from components.ui.frame.choices import density
from components.words.environments import ENVIRONMENTS
from warranty.language import _, language

_ICONS: Final = {
    "sandbox": ":material/school:",
    "staging": ":material/construction:",
    "production": ":material/storefront:",
}


def environment_words(environment: str) -> str:
    """The environment in words, with its icon."""
    name, meaning = ENVIRONMENTS[environment]
    return f"{_ICONS[environment]} {_(name)}: {_(meaning)}"


def name_tab(environment: str) -> None:
    """Name the browser's tab. One where nothing is for customers says so first, and its sign is brown: a tab that lies
    beside that of production is told from it.
    """
    name, icon = "Warranty Desk", SIGN
    if environment != "production":
        name, icon = f"{_(ENVIRONMENTS[environment][0])} · {name}", SIGN.replace("0B5FA5", "8A4B00")
    st.set_page_config(page_title=name, page_icon=icon, layout="wide", initial_sidebar_state="collapsed")


def colour_bar(environment: str) -> None:
    """Colour the bar, and name the environment in it; also for who is not signed in yet.

    The page learns from it how it is read: in which language and how closely set (page_head.html).
    """
    with st.container(key="environment", width="content"):
        name, meaning = ENVIRONMENTS[environment]
        with st.container(key=f"read-{language()}-{density()}", width="content"):
            st.markdown(f"{_ICONS[environment]} **{_(name)}**")
        st.caption(_(meaning))
