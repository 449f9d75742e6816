"""The training accounts of the sandbox, and the box on the sign-in screen that names them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import streamlit as st

from components.words.roles import role_words
from warranty.access import Role
from warranty.language import _
from warranty.people.accounts import Account, account


@dataclass(frozen=True, slots=True)
class TrainingAccount:
    """An account whose password everybody may know, since nothing behind it is real."""

    username: str
    password: str
    name: str
    role: Role

    def account(self) -> Account:
        """The same with its hash, made cheaply: the password is no secret."""
        return account(self.username, name=self.name, role=self.role, password=self.password, rounds=4)


TRAINING_ACCOUNTS: Final = (
    TrainingAccount("staff", "counter-training", "Sam Counter", Role.STAFF),
    TrainingAccount("manager", "office-training", "Maya Office", Role.MANAGER),
    TrainingAccount("administrator", "people-training", "Alex Admin", Role.ADMINISTRATOR),
)


def training_box(accounts: Sequence[TrainingAccount]) -> TrainingAccount | None:
    """Offer the training accounts, each signed in by one press: gives the one that was pressed."""
    if not accounts:
        return None
    st.caption(_("Training accounts, in the sandbox only:"))
    pressed = None
    for entry in accounts:
        role, name = role_words(entry.role).capitalize(), entry.username
        label = _("{role}: {name}, password {password}", role=role, name=name, password=entry.password)
        if st.button(label, key=f"training-{name}", width="stretch"):
            pressed = entry
    st.caption(_("New here? Then take the tour: it is in the menu behind your name."))
    return pressed
