"""The training accounts of the sandbox, and the box on the sign-in screen that names them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import streamlit as st

from components.platform.browser_part import BrowserPart
from components.words.roles import role_words
from warranty.access import Role
from warranty.language import _
from warranty.people.accounts import Account, account

_JS: Final = """
export default function ({ parentElement, data }) {
  parentElement.querySelector("section").replaceChildren(...data.map(({ label, name, password }) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = label;
    button.onclick = () => deskPage.fillInAndSend([name, password]);
    return button;
  }));
}
"""
_CSS: Final = """
section { display: grid; gap: 0.5rem; }
button {
  min-height: 2.75rem; padding: 0.25rem 1rem; cursor: pointer; text-align: left;
  font: inherit; font-family: var(--st-font);
  color: var(--st-text-color); background: var(--st-secondary-background-color);
  border: 1px solid var(--st-border-color); border-radius: var(--st-base-radius);
}
button:is(:hover, :focus-visible) { outline: 2px solid var(--st-primary-color); }
"""
_ACCOUNTS: Final = BrowserPart("training_accounts", _JS, "<section></section>", _CSS)


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


def training_box(accounts: Sequence[TrainingAccount]) -> None:
    """Offer the training accounts, each signed in by one press; draws nothing where there are none."""
    if not accounts:
        return
    st.caption(_("Training accounts, in the sandbox only:"))
    each = [
        {
            "label": _(
                "{role}: {name}, password {password}",
                role=role_words(entry.role).capitalize(),
                name=entry.username,
                password=entry.password,
            ),
            "name": entry.username,
            "password": entry.password,
        }
        for entry in accounts
    ]
    _ACCOUNTS.draw(key="training-accounts", data=each)
    st.caption(_("New here? Then take the tour: it is in the menu behind your name."))
