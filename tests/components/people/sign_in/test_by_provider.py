"""What the sign-in screen offers where the shop has an identity provider."""

import pytest
from streamlit.testing.v1 import AppTest

from components.people.sign_in.by_provider import ByProvider
from tests.components.people.sign_in.people import sign_in_of
from tests.components.stage import shown
from warranty.people.accounts.provided import ProvidedAccounts
from warranty.people.audit import By

SCREEN = """
import streamlit as st
from tests.components.people.sign_in.test_by_provider import signs_in

signs_in(provider=st.session_state["provider"], is_only=st.session_state["is_only"])
"""


class Nobody(ProvidedAccounts):
    def __init__(self) -> None:
        pass

    def enter(self, claims: object, by: By) -> str | None:
        raise AssertionError("nobody came")


def signs_in(*, provider: bool, is_only: bool) -> None:
    by = ByProvider(accounts=Nobody(), name="Example ID", is_only=is_only) if provider else None
    sign_in_of(provider=by).operator(beside_form=lambda: None)


@pytest.mark.parametrize(
    ("provider", "is_only", "buttons", "fields"),
    [
        (False, False, ["Sign in"], ["Name", "Password"]),
        (True, False, ["Sign in with Example ID", "Sign in"], ["Name", "Password"]),
        (True, True, ["Sign in with Example ID"], []),  # what is not drawn is judged by nobody
    ],
)
def test_the_button_stands_beside_the_form_or_in_its_place(
    provider: bool, is_only: bool, buttons: list[str], fields: list[str]
) -> None:
    screen = AppTest.from_string(SCREEN)
    screen.session_state["provider"] = provider
    screen.session_state["is_only"] = is_only
    screen = shown(screen.run(timeout=30))
    assert [one.label for one in screen.button] == buttons
    assert [one.label for one in screen.text_input] == fields
