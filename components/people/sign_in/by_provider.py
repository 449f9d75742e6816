"""Sign-in by the shop's identity provider: the button, and what comes of it, by the platform's own `st.login`.

The platform leads the browser to the provider and back, verifies the token, and keeps what it says in a cookie of its
own for 30 days. That cookie is worth no session here: what it says is taken once, right after it was made
(warranty.people.accounts.provided), for our own cookie, which has all limits of ours.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import streamlit as st

from components.people.sign_in.at_till import Place
from components.platform import session
from components.platform.markup import plain
from warranty.language import N_, _
from warranty.people.accounts.provided import NotLetIn, ProvidedAccounts, WhyNot
from warranty.people.audit import By

_REFUSED: Final = "refused-by-provider"
_WORDS: Final[Mapping[WhyNot, str]] = {
    WhyNot.NO_GROUP: N_("By {provider} you are {name}, and in no group that may work here. Ask IT support."),
    WhyNot.TAKEN: N_(
        "By {provider} you are {name}, and somebody else has this login name here. If it is an older account of "
        "yours, an administrator can remove it."
    ),
    WhyNot.LOCKED: N_("By {provider} you are {name}, and your account here is locked. Ask an administrator."),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ByProvider:
    """The provider of a shop; `is_only` where nobody signs in with a password."""

    accounts: ProvidedAccounts
    name: str
    is_only: bool

    def enter(self, place: Place, address: str) -> str | None:
        """The login name of whom the provider has just sent back to this tab; None for nobody.

        Who may not come in is told why where the form is drawn.
        """
        if was_refused() or not st.user.get("is_logged_in"):
            return None
        at = place.station()
        by = By(address=address, till=at.till_id if at else "", store=at.store_id if at else "")
        try:
            username = self.accounts.enter(st.user.to_dict(), by)
        except NotLetIn as refused:
            session.remember(_REFUSED, (refused.why, refused.username, refused.reference))
            return None
        till = place.till()
        if username and till:
            place.tills.signed_in_with_password(till, username)
        return username

    def offer(self) -> None:
        """Draw the button, and why the last one who came by it may not come in."""
        refused: tuple[WhyNot, str, str] | None = session.recall(_REFUSED, None)
        called = plain(self.name or _("your work account"))
        if refused is not None:
            why, name, reference = refused
            words = _(_WORDS[why], provider=called, name=plain(name or "?"))
            st.error(f"{words} " + _("Reference: {reference}", reference=reference))
        come = _("Sign in with {provider}", provider=called)
        st.button(come, key="by-provider", on_click=st.login, type="primary", width="stretch")
        if refused is not None:  # else the next person at this computer is taken for them over there
            leave = _("Sign out of {provider}", provider=called)
            st.button(leave, key="out-of-provider", on_click=st.logout, width="stretch")


def was_refused() -> bool:
    """Whether the provider's word let somebody not in, in this tab."""
    return session.recall(_REFUSED, None) is not None


def sign_out_there() -> None:
    """Have the browser end the person's session at the provider, by way of which it comes back to the form."""
    st.logout()
