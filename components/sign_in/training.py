"""The training accounts of the sandbox, and the box on the sign-in screen that names them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import streamlit as st

from warranty.access import Role
from warranty.accounts import Account, account


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
)


def training_box(accounts: Sequence[TrainingAccount]) -> None:
    """Show the training accounts; draws nothing where there are none (outside the sandbox)."""
    if not accounts:
        return
    with st.container(border=True):
        st.markdown("**Training accounts** (sandbox only: nothing here is real)")
        for entry in accounts:
            st.text(f"{entry.role.value.capitalize()}: name {entry.username}, password {entry.password}")
