"""The menu behind the person's name in the bar: how they have the desk, what they can open from anywhere, the way out.

Laid into the bar by desk.css.
"""

from collections.abc import Callable

import streamlit as st

from components.forms.faults import plain
from components.frame.choices import choice_fields
from components.words.roles import role_words
from warranty.access import Operator, Permission
from warranty.journal import Preference
from warranty.language import _


def person_menu(
    operator: Operator,
    *,
    display: Preference,
    customer_screen: Callable[[], None],
    change_password: Callable[[], None],
    tour: Callable[[], None] | None,
    choose_pin: Callable[[], None],
    sign_out: Callable[[], None],
    closed: bool = False,
) -> None:
    """Lay the person into the bar, with the menu behind the name; `display` keeps what they choose in it,
    and `tour` begins one, where there is a sandbox to take it in.

    The menu stays open over a dialog that one of its buttons opened, unless it is another one then: `closed`.
    """
    with (
        st.container(key="who", width="content"),
        st.popover(
            plain(operator.name), icon=":material/account_circle:", type="tertiary", key=f"menu-{closed}"
        ),
    ):
        st.text(f"{operator.name} ({role_words(operator.role)})")
        # The page itself opens these two (page_keys.html).
        _entry(_("Find"), "search", "open-find")
        _entry(_("Keys"), "keyboard", "open-keys")
        _entry(_("Customer's screen"), "connected_tv", "customer-screen", customer_screen)
        if tour:
            _entry(_("Take the tour"), "tour", "take-the-tour", tour)
        choice_fields(display)
        if not (operator.at.switched_by or operator.by_provider):
            _entry(_("Change my password"), "key", "change-password", change_password)
        if operator.may(Permission.SET_OWN_PIN):
            _entry(_("My PIN"), "dialpad", "own-pin", choose_pin)
        if operator.at.till_id:  # the page itself locks (page_till.html)
            _entry(_("Switch person"), "lock", "switch-person")
        _entry(_("Sign out"), "logout", "sign-out", sign_out)


def _entry(label: str, icon: str, key: str, on_click: Callable[[], None] | None = None) -> None:
    """A line of the menu."""
    st.button(label, on_click=on_click, icon=f":material/{icon}:", key=key, width="stretch")
