"""Whoever is not signed in any more gets nothing from what runs without the shell: no fragment, no dialog, no file."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

import pytest
import streamlit as st

from components import session
from components.gate import SignedOut, guarded
from components.sign_in.sign_in import SignIn
from components.sign_in.throttle import Throttle
from warranty.access import Operator, Permission, Role
from warranty.accounts import Account, Accounts
from warranty.claims.readings import KeptClaims
from warranty.errors import PermissionDenied
from warranty.export import claims_file


@dataclass
class SignOuts:
    noted: dict[str, datetime] = field(default_factory=dict)

    def last(self, username: str) -> datetime | None:
        return self.noted.get(username)

    def note(self, username: str, moment: datetime) -> None:
        self.noted[username] = moment


@dataclass
class Desk:
    """A sign-in as the program has it, with one tab in which somebody is signed in."""

    outs: SignOuts
    people: dict[str, Account]
    watch: Callable[[], Operator | None]


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Desk:
    tab: dict[str, object] = {"authentication_status": True, "username": "manager"}
    monkeypatch.setattr(st, "session_state", tab)
    session.remember("signed-in-at", datetime.now(UTC))
    outs, people = SignOuts(), {"manager": account(Role.MANAGER)}
    sign_in = SignIn(
        accounts=lambda: Accounts(by_username=people, cookie_key="k" * 32),
        cookie_name="desk",
        sign_outs=outs,
        by_name=Throttle(free_tries=5),
        by_address=Throttle(free_tries=5),
    )
    watch = sign_in.watch()
    session.set_operator(watch(), still=watch)
    return Desk(outs, people, watch)


def account(role: Role) -> Account:
    return Account(username="manager", name="Maya Office", role=role, password_hash="$2b$12$" + "x" * 53)


def test_a_sign_out_in_any_tab_is_seen_at_once_and_a_later_sign_in_is_another(desk: Desk) -> None:
    assert desk.watch() is not None
    desk.outs.note("manager", datetime.now(UTC) - timedelta(hours=1))
    assert desk.watch() is not None
    desk.outs.note("manager", datetime.now(UTC))
    assert desk.watch() is None


def test_a_person_who_was_removed_is_out(desk: Desk) -> None:
    del desk.people["manager"]
    assert desk.watch() is None


def test_a_file_is_built_for_who_may_have_it_when_the_button_is_pressed(desk: Desk, kept: KeptClaims) -> None:
    build = guarded(lambda: claims_file(kept.claims).content, Permission.EXPORT_CLAIMS)
    assert build()
    desk.people["manager"] = replace(account(Role.MANAGER), role=Role.STAFF)
    with pytest.raises(PermissionDenied):
        build()
    desk.people["manager"] = account(Role.MANAGER)
    assert build()
    desk.outs.note("manager", datetime.now(UTC))
    with pytest.raises(SignedOut):
        build()
