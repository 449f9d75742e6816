"""Whoever is not signed in any more gets nothing from what runs without the shell: no fragment, no dialog, no file."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

import pytest
import streamlit as st

from components import session
from components.cookies.tickets import Tickets
from components.gate import guarded
from components.sign_in.limits import Limits
from components.sign_in.sign_in import SignIn
from tests.components.sign_in.people import AnyNumber, NoTills, People, TicketsHere
from warranty.access import Operator, Permission, Role
from warranty.accounts import Account
from warranty.claims.readings import KeptClaims
from warranty.errors import PermissionDenied, SignedOut
from warranty.export import claims_file


@dataclass
class Desk:
    """A sign-in as the program has it, with one tab in which somebody is signed in."""

    people: People
    watch: Callable[[], Operator | None]


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Desk:
    tab: dict[str, object] = {"authentication_status": True, "username": "manager"}
    monkeypatch.setattr(st, "session_state", tab)
    session.remember("signed-in-at", datetime.now(UTC))
    people = People({"manager": account(Role.MANAGER)})
    sign_in = SignIn(
        people=people,
        cookie_name="desk",
        tickets=Tickets(TicketsHere(), patience=0),
        tries=AnyNumber(),
        tills=NoTills(),
        limits=Limits(),
        owes=lambda *_: False,
    )
    watch = sign_in.watch()
    session.set_operator(watch(), still=watch)
    return Desk(people, watch)


def account(role: Role) -> Account:
    return Account(username="manager", name="Maya Office", role=role, password_hash="$2b$12$" + "x" * 53)


def test_a_sign_out_in_any_tab_is_seen_at_once_and_a_later_sign_in_is_another(desk: Desk) -> None:
    assert desk.watch() is not None
    desk.people.sign_out("manager", datetime.now(UTC) - timedelta(hours=1))
    assert desk.watch() is not None
    desk.people.sign_out("manager", datetime.now(UTC))
    assert desk.watch() is None


def test_a_person_who_was_removed_is_out(desk: Desk) -> None:
    del desk.people.accounts["manager"]
    assert desk.watch() is None


def test_a_file_is_built_for_who_may_have_it_when_the_button_is_pressed(desk: Desk, kept: KeptClaims) -> None:
    build = guarded(lambda: claims_file(kept.claims).content, Permission.EXPORT_CLAIMS)
    assert build()
    desk.people.accounts["manager"] = replace(account(Role.MANAGER), role=Role.STAFF)
    with pytest.raises(PermissionDenied):
        build()
    desk.people.accounts["manager"] = account(Role.MANAGER)
    assert build()
    desk.people.sign_out("manager", datetime.now(UTC))
    with pytest.raises(SignedOut):
        build()
