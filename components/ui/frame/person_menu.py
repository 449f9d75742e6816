"""The menu behind the person's name in the bar: how they have the desk, what they can do from anywhere, the way out.

Laid into the bar by desk.css.
"""

from collections.abc import Iterable

import streamlit as st

from components.platform.markup import plain
from components.ui.frame.actions import Action
from components.ui.frame.choices import choice_fields
from components.words.roles import role_words
from warranty.access import Operator
from warranty.database.preferences import Preference


def person_menu(operator: Operator, actions: Iterable[Action], *, display: Preference) -> None:
    """Lay the person into the bar, with the menu behind the name; `display` keeps what they choose in it.

    The platform would leave the menu open over what one of its actions opens: page_keys.html closes it.
    """
    with (
        st.container(key="who", width="content"),
        st.popover(plain(operator.name), icon=":material/account_circle:", type="tertiary"),
    ):
        st.text(f"{operator.name} ({role_words(operator.role)})")
        choice_fields(display)
        with st.container(key="own-actions"):
            for action in actions:
                st.button(
                    action.words,
                    on_click=action.act,
                    icon=f":material/{action.icon}:",
                    key=action.name,
                    width="stretch",
                )
