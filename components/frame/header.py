"""The bar above every screen: the product's sign, which environment this is, who is signed in, and the way out.

The platform draws the bar itself, with the menu in it; what is ours is laid into it by desk.css.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Final
from urllib.parse import quote

import streamlit as st

from warranty.access import Operator
from warranty.language import _

SIGN: Final = "data:image/svg+xml," + quote(
    Path(__file__).with_name("sign.svg").read_text(encoding="utf-8").strip()
)
"""The product's sign as an address. As the page's icon it keeps the platform from asking the makers of the menu's icons
for one of theirs.
"""
_ENVIRONMENTS: Final = {
    "sandbox": (":material/school:", "Sandbox", "for training, nothing is real"),
    "staging": (":material/construction:", "Staging", "for tests, not for customers"),
    "production": (":material/storefront:", "Production", "for customers"),
}


def environment_words(environment: str) -> str:
    """The environment in words, with its icon."""
    icon, name, meaning = _ENVIRONMENTS[environment]
    return f"{icon} {name}: {meaning}"


def colour_bar(environment: str) -> None:
    """Colour the bar, and name the environment in it; also for who is not signed in yet."""
    with st.container(key=f"environment-{environment}", width="content"):
        icon, name, meaning = _ENVIRONMENTS[environment]
        st.markdown(f"{icon} **{name}**")
        st.caption(meaning)


def header(
    operator: Operator,
    *,
    sign_out: Callable[[], None],
    customer_screen: Callable[[], None],
    change_password: Callable[[], None],
    menu_closed: bool = False,
) -> None:
    """Lay the person into the bar, with the menu behind the name; its buttons call the first three.

    The menu stays open over a dialog that one of them opened, unless it is another one then: `menu_closed`.
    """
    menu = f"menu-{menu_closed}"
    with (
        st.container(key="who", width="content"),
        st.popover(operator.name, icon=":material/account_circle:", type="tertiary", key=menu),
    ):
        st.text(f"{operator.name} ({operator.role.value})")
        # The page itself opens these two (page_keys.html).
        st.button("Find", icon=":material/search:", key="open-find", width="stretch")
        st.button("Keys", icon=":material/keyboard:", key="open-keys", width="stretch")
        st.button(
            "Customer's screen",
            on_click=customer_screen,
            icon=":material/connected_tv:",
            key="customer-screen",
            width="stretch",
        )
        st.button(
            _("Change my password"),
            on_click=change_password,
            icon=":material/key:",
            key="change-password",
            width="stretch",
        )
        st.button("Sign out", on_click=sign_out, icon=":material/logout:", key="sign-out", width="stretch")
