"""What a refused sign-in costs tells nobody whether its name is known (docs/security.md: L1)."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import bcrypt
import pytest
import streamlit as st

from components.cookies.tickets import Tickets
from components.sign_in.guarded_login import GuardedLogin
from components.sign_in.limits import Limits
from components.sign_in.sign_in import SignIn
from tests.components.sign_in.people import NoTills
from warranty.access import Role
from warranty.accounts import LONGEST_PASSWORD, KnownAccounts, account
from warranty.journal import open_journal
from warranty.journal.database import Database

NAMES = ("known", "locked", "nobodys")


@pytest.mark.parametrize("length", [0, 1, LONGEST_PASSWORD, LONGEST_PASSWORD + 1, 3_000])
def test_a_wrong_password_costs_the_same_for_a_known_a_locked_and_an_unknown_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, length: int
) -> None:
    spent: list[str] = []

    def check(_: bytes, hashed: bytes) -> bool:
        spent.append(f"a hash of 2^{hashed.split(b'$')[2].decode()} rounds")
        return False

    write = Database.write

    def counted(self: Database, **how: Any) -> Any:
        spent.append("a write")
        return write(self, **how)

    known = account("known", name="Kim", role=Role.STAFF, password="counter-training")
    with closing(open_journal(f"sqlite:///{tmp_path / 'journal.sqlite3'}")) as journal:
        journal.people.put(known)
        journal.people.put(replace(known, username="locked", locked=True))
        parts = SignIn(
            people=KnownAccounts(journal.people, audit=journal.audit("sandbox")),
            cookie_name="desk",
            tickets=Tickets(journal.cookie_tickets),
            tries=journal.sign_in_tries,
            tills=NoTills(),
            limits=Limits(),
            owes=lambda *_: False,
        )
        monkeypatch.setattr(st, "session_state", {})
        monkeypatch.setattr(st, "context", SimpleNamespace(cookies={}, headers={}, ip_address="192.0.2.1"))
        accounts = parts.people()
        controller = parts._authenticator(accounts).authentication_controller
        parts.people.refused("somebody", "192.0.2.1")  # the journal has its secrets by then
        monkeypatch.setattr(bcrypt, "checkpw", check)
        monkeypatch.setattr(Database, "write", counted)
        costs = {}
        for name in NAMES:
            guard = GuardedLogin(controller, accounts, parts, begins_anew=lambda: None)
            assert not guard.login(name, "x" * length)
            costs[name], spent = spent.copy(), []
    assert costs["known"] == costs["locked"] == costs["nobodys"]
    assert [each for each in costs["known"] if "hash" in each] == ["a hash of 2^12 rounds"] * bool(length)
