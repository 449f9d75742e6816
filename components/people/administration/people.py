"""The screen People: the list, what can be done about the one whose row was pressed, and an invitation."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

import pandas as pd
import streamlit as st

from components.people.till.registered import badge_of
from components.platform import session
from components.platform.markup import plain
from components.ui.frame.ask_first import ask_first
from components.ui.frame.failure_notice import reporting_outage
from components.ui.frame.table_view import pressed_row
from warranty.access import Operator, Role
from warranty.language import N_, _
from warranty.people.accounts import Account, AccountRefused, Administration
from warranty.people.accounts.administration import ONE_TIME_LASTS
from warranty.people.accounts.passwords import LONGEST_NAME, LONGEST_USERNAME
from warranty.people.tills import TillDesk

_SAID: Final = "people-said"
_DONE: Final = "people-done"
_ONE_TIME: Final = "people-one-time"


def doing(deed: Callable[[], object], done: str = "") -> Callable[[], None]:
    """The callback of a press: does it, and notes what is to be said; `done` is a sentence in the reader's language."""
    return reporting_outage(partial(_do, deed, done))


def giving_out(deed: Callable[[], tuple[str, str]]) -> Callable[[], None]:
    """The callback of a press that makes a one-time password: of whom, and which."""
    return doing(lambda: session.remember(_ONE_TIME, deed()))


def _do(deed: Callable[[], object], done: str) -> None:
    session.forget(_SAID)
    try:
        deed()
    except AccountRefused as refused:
        session.remember(_SAID, refused.reason)
        return
    if done:
        session.remember(_DONE, done)


def last_outcome() -> None:
    """Draw what the last press was told, and the one-time password until it was passed on."""
    if done := session.recall(_DONE, ""):
        session.forget(_DONE)
        st.toast(done, icon=":material/check:")
    if message := session.recall(_SAID, ""):
        st.error(_(message))
    one_time: tuple[str, str] | None = session.recall(_ONE_TIME, None)
    if one_time is None:
        return
    with st.container(border=True):
        st.text(_("One-time password of {name}", name=one_time[0]))
        st.code(one_time[1], language=None)
        st.caption(
            _(
                "It is shown only once: write it down or read it out. It works for {days} days, and the person "
                "then chooses a password of their own.",
                days=ONE_TIME_LASTS.days,
            )
        )
        st.button(_("I have passed it on"), key="one-time-done", on_click=session.forget, args=(_ONE_TIME,))


ROLES: Final[Mapping[Role, str]] = {
    Role.STAFF: N_("Staff: sells"),
    Role.MANAGER: N_("Manager: runs the shop"),
    Role.ADMINISTRATOR: N_("Administrator: looks after accounts"),
}


def role_words(role: Role) -> str:
    """The role and what it is for."""
    return _(ROLES[role])


def state_words(account: Account, *, is_trainee: bool) -> str:
    """How an account stands."""
    if is_trainee:
        return _("For training")
    if account.locked:
        return _("Locked")
    if account.issuer:
        return _("Active, by the provider")
    if account.one_time_until is not None:
        return _("Invited, not here yet")
    return _("Active")


LONGEST_STORE: Final = 60
_SENT: Final = "invitations-sent"


def invitation(accounts: Administration, operator: Operator) -> None:
    """Draw them, folded away; empty again after each one that was sent."""
    sent = session.recall(_SENT, 0)
    keys = name, username, role, store = [f"invite-{field}-{sent}" for field in ("name", "username", "role", "store")]
    with (
        st.expander(_("Invite a person"), icon=":material/person_add:", key="invite"),
        st.form(f"invitation-{sent}", border=False, enter_to_submit=False),
    ):
        left, right = st.columns(2)
        left.text_input(_("Name that colleagues read"), key=name, max_chars=LONGEST_NAME, autocomplete="off")
        right.text_input(
            _("Login name"),
            key=username,
            max_chars=LONGEST_USERNAME,
            autocomplete="off",
            help=_("Letters, digits, dots, dashes and underscores."),
        )
        left.selectbox(_("Role"), list(Role), key=role, format_func=role_words, filter_mode="contains")
        right.text_input(_("Home store (optional)"), key=store, max_chars=LONGEST_STORE, autocomplete="off")
        invite = giving_out(partial(_invite, accounts, operator, keys))
        st.form_submit_button(_("Invite"), type="primary", on_click=invite)


def _invite(accounts: Administration, operator: Operator, keys: Sequence[str]) -> tuple[str, str]:
    name, username, role, store = keys
    whom = session.value_of(username, "").strip().lower()
    password = accounts.invite(
        operator,
        whom,
        name=session.value_of(name, ""),
        role=session.value_of(role, Role.STAFF),
        home_store=session.value_of(store, ""),
    )
    session.remember(_SENT, session.recall(_SENT, 0) + 1)
    return whom, password


def people_listed(listed: Sequence[Account], accounts: Administration) -> Account | None:
    """Draw the list and give the one whose row was pressed."""
    columns = {
        _("Name"): [each.name for each in listed],
        _("State"): [state_words(each, is_trainee=accounts.is_trainee(each.username)) for each in listed],
        _("Role"): [role_words(each.role) for each in listed],
        _("Login name"): [each.username for each in listed],
        _("Home store"): [each.home_store for each in listed],
    }
    return pressed_row(pd.DataFrame(columns, dtype="str"), _("Who may sign in, by login name"), listed, key="people")


def one_person(account: Account, accounts: Administration, tills: TillDesk, operator: Operator) -> None:
    """Draw it; of one's own account only what one may."""
    with st.container(border=True, key="one-person"):
        st.subheader(plain(account.name), anchor=False)
        if accounts.is_trainee(account.username):
            st.caption(_("This is a training account, which stays as it is."))
        else:
            is_own = account.username == operator.username
            _role_and_store(account, accounts, operator, is_own=is_own)
            _sign_ins(account, accounts, operator, is_own=is_own)
        badge_of(tills, operator, account)


def _role_and_store(account: Account, accounts: Administration, operator: Operator, *, is_own: bool) -> None:
    # Named after what stands in the account: where that changes, the fields begin anew with it.
    about = f"{account.username}-{account.role}-{account.home_store}"
    role, store = f"person-role-{about}", f"person-store-{about}"
    with st.form(f"person-{about}", border=False, enter_to_submit=False):
        left, right = st.columns(2)
        left.selectbox(
            _("Role"),
            list(Role),
            index=list(Role).index(account.role),
            key=role,
            format_func=role_words,
            disabled=is_own or bool(account.issuer),
            filter_mode="contains",
        )
        right.text_input(
            _("Home store (optional)"), account.home_store, key=store, max_chars=LONGEST_STORE, autocomplete="off"
        )
        done = _("{name} is saved.", name=plain(account.name))
        st.form_submit_button(_("Save"), on_click=doing(partial(_save, account, accounts, operator, role, store), done))
    st.caption(_rule(account, is_own=is_own))


def _rule(account: Account, *, is_own: bool) -> str:
    if account.issuer:
        return _(
            "This person signs in by the identity provider, which says their role, and their "
            "home store where the settings name one. There is no password here: to keep them "
            "out, lock the account."
        )
    if is_own:
        return _("Your own role, lock and password of this screen are another administrator's to change.")
    return _("Another role signs the person out everywhere; they sign in again with the password they have.")


def _save(account: Account, accounts: Administration, operator: Operator, role: str, store: str) -> None:
    home_store = session.value_of(store, account.home_store).strip()
    if home_store != account.home_store:
        accounts.set_home_store(operator, account.username, home_store)
    wanted = session.value_of(role, account.role)
    if wanted is not account.role:
        accounts.set_role(operator, account.username, wanted)


def _sign_ins(account: Account, accounts: Administration, operator: Operator, *, is_own: bool) -> None:
    name, username, shown = account.name, account.username, plain(account.name)
    with st.container(horizontal=True):
        lost = _("{name} is signed out at every desk and device, and may sign in again.", name=name)
        done = _("{name} is signed out everywhere.", name=shown)
        end = doing(partial(accounts.end_sessions, operator, username), done)
        ask_first(_("Sign out everywhere"), _("Yes, sign out"), lost=lost, key=f"end-{username}", on_click=end)
        if is_own:
            return
        if not account.issuer:
            lost = _(
                "The password of {name} ends now, and they are signed out everywhere. You get a one-time password "
                "to pass on.",
                name=name,
            )
            reset = giving_out(lambda: (username, accounts.reset_password(operator, username)))
            key = f"reset-{username}"
            ask_first(_("New one-time password"), _("Yes, make one"), lost=lost, key=key, on_click=reset)
        if accounts.has_second_factor(username):
            lost = _(
                "The codes of {name}'s app stop working, and they are signed out everywhere. They set up a "
                "new one at their next sign-in.",
                name=name,
            )
            done = _("{name} sets up another app at the next sign-in.", name=shown)
            anew = doing(partial(accounts.reset_second_factor, operator, username), done)
            key = f"second-factor-{username}"
            ask_first(_("New app for codes"), _("Yes, another app"), lost=lost, key=key, on_click=anew)
        if account.locked:
            unlock = doing(partial(accounts.unlock, operator, username), _("{name} may sign in again.", name=shown))
            st.button(_("Unlock"), key=f"unlock-{username}", on_click=unlock)
            return
        lost = _("{name} is signed out everywhere and cannot sign in until you unlock.", name=name)
        lock = doing(partial(accounts.lock, operator, username), _("{name} is locked.", name=shown))
        ask_first(_("Lock"), _("Yes, lock"), lost=lost, key=f"lock-{username}", on_click=lock)
