"""The bar above every screen: the product's sign and which environment this is; the person's menu is laid into it, too.

The platform draws the bar itself, with the menu in it; what is ours is laid into it by desk.css.
"""

from collections.abc import Iterable
from typing import Final

import streamlit as st

from components.platform.markup import plain
from components.platform.page import SIGN
from components.ui.frame.actions import Action
from components.ui.frame.choices import choice_fields, density
from components.words.environments import ENVIRONMENTS
from components.words.roles import role_words
from warranty.access import Operator
from warranty.database.preferences import Preference
from warranty.language import _, language

_ICONS: Final = {"sandbox": "school", "staging": "construction", "production": "storefront"}


def environment_words(environment: str) -> str:
    """The environment in words, with its icon."""
    name, meaning = ENVIRONMENTS[environment]
    return f":material/{_ICONS[environment]}: {_(name)}: {_(meaning)}"


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

    The page learns from it how it is read: in which language and how closely set (page_head.js).
    """
    with st.container(key="environment", width="content"):
        name, meaning = ENVIRONMENTS[environment]
        with st.container(key=f"read-{language()}-{density()}", width="content"):
            st.markdown(f":material/{_ICONS[environment]}: **{_(name)}**")
        st.caption(_(meaning))


def welcome(shop_name: str, environment: str) -> None:
    """Draw whose desk this is, and for what, above the sign-in form."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="welcome"):
        st.image(SIGN, width=56, alt="")
        st.title("Warranty Desk", anchor=False, width="content")
    st.header(plain(shop_name), anchor=False)
    st.markdown(environment_words(environment))


def person_menu(operator: Operator, actions: Iterable[Action], *, display: Preference) -> None:
    """Lay the person into the bar, with the menu behind the name; `display` keeps what they choose in it.

    The platform would leave the menu open over what one of its actions opens: page_keys.js closes it.
    """
    with (
        st.container(key="who", width="content"),
        st.popover(plain(operator.name), icon=":material/account_circle:", type="tertiary"),
    ):
        st.text(f"{operator.name} ({role_words(operator.role)})")
        choice_fields(display)
        with st.container(key="own-actions"):
            for action in actions:
                sign = f":material/{action.icon}:"
                about = action.about or None
                st.button(action.words, on_click=action.act, icon=sign, key=action.name, width="stretch", help=about)
