"""Who may sign in as a desk starts, what a try is answered and what is written of it, and that it tells no name."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import bcrypt
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from components.people.sign_in.guarded_login import ByProvider, GuardedLogin
from components.people.sign_in.training import TRAINING_ACCOUNTS, TrainingAccount
from components.platform import session
from components.wiring import check, usable_settings
from tests.components.people.sign_in.people import OneTill, sign_in_of, till_with
from tests.components.stage import shown
from tests.journals import empty_journal, journal_in
from warranty.access import Role
from warranty.commands.housekeeping.opening import open_journal
from warranty.database.database import Database
from warranty.desk.journal import Journal
from warranty.errors import SettingsProblem
from warranty.people.accounts import LONGEST_PASSWORD, Account, Accounts, KnownAccounts, account
from warranty.people.accounts.passwords import NO_PASSWORD
from warranty.people.accounts.people import People
from warranty.people.accounts.provided import ProvidedAccounts
from warranty.people.accounts.sign_in_tries import SignInTries
from warranty.people.audit import AuditFilter, AuditTrail, By
from warranty.settings import load_settings

NOW = datetime.now(UTC)
SAM = account("sam", name="Sam", role=Role.STAFF, password="counter-training", rounds=4)


@pytest.fixture
def journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Journal]:
    monkeypatch.setattr(st, "session_state", {})
    browser = {"cookies": {"warranty_desk_till": "its-key"}, "headers": {"Origin": "http://till"}}
    monkeypatch.setattr(st, "context", SimpleNamespace(**browser, ip_address="192.0.2.1"))
    with closing(open_journal(empty_journal(tmp_path / "journal.sqlite3"))) as opened:
        yield opened


class LetIn(Exception):
    """The run that begins once somebody is let in."""


class Door:
    def __init__(self, journal: Journal, monkeypatch: pytest.MonkeyPatch, known: Account = SAM) -> None:
        def begins() -> None:
            raise LetIn

        monkeypatch.setattr(st, "rerun", begins)
        self.journal, self.tills = journal, OneTill(till_with())
        people = KnownAccounts(journal.database, audit=AuditTrail(journal.database, "sandbox"))
        self._parts = sign_in_of(people, tries=SignInTries(journal.database), tills=self.tills)
        self._accounts = Accounts({known.username: known}, cookie_key="k" * 32)

    def answers(self, password: str, name: str = "sam") -> str:
        """What the form says; "" for who is let in."""
        guard = GuardedLogin(self._accounts, self._parts, begins_anew=lambda: None)
        try:
            guard.login(name, password, lambda _name, secret: secret == "counter-training")
        except LetIn:
            return ""
        return guard.problem


WRONG = "Name or password is not right. Check both and try again."
TOO_OLD = "This one-time password is too old. Ask an administrator for another one."
RIGHT = "counter-training"


@pytest.mark.parametrize(("known", "password", "answer"), [
    (SAM, RIGHT, ""), (SAM, f" {RIGHT} ", ""), (SAM, "guess", WRONG), (SAM, "", "Enter your name and your password."),
    (replace(SAM, one_time_until=NOW + timedelta(days=1)), RIGHT, ""),
    (replace(SAM, one_time_until=NOW), RIGHT, TOO_OLD), (replace(SAM, one_time_until=NOW), "guess", WRONG),
    (replace(SAM, locked=True), RIGHT, "This account is locked. Ask an administrator."),
    (replace(SAM, locked=True), "guess", WRONG),
])  # fmt: skip
def test_only_who_knows_the_password_is_told_why_an_account_is_closed(
    journal: Journal, monkeypatch: pytest.MonkeyPatch, known: Account, password: str, answer: str
) -> None:
    assert Door(journal, monkeypatch, known).answers(password) == answer


def test_a_name_without_end_is_nobodys_and_counted_nowhere(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    """docs/security.md: L12."""
    door = Door(journal, monkeypatch)
    assert [door.answers(RIGHT, name="n" * 3_000) for _ in range(9)] == [WRONG] * 9


def test_a_right_try_forgets_the_wrong_and_each_is_on_record(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    door = Door(journal, monkeypatch)
    guesses = [door.answers("guess") for _ in range(4)]
    assert door.tills.done == []
    assert [*guesses, door.answers(RIGHT)] == [WRONG] * 4 + [""]
    assert door.tills.done == ["sam came with a password"]
    device = session.recall("device", "")
    session.forget("device")  # another browser: the tries of one that knows its person are counted apart
    assert [door.answers("guess") for _ in range(4)] == [WRONG] * 4, "counted anew"
    door.answers("guess")
    assert "Too many wrong tries. Try again in " in door.answers(RIGHT)
    session.remember("device", device)
    assert door.answers(RIGHT) == "", "a stranger's guesses hold up nobody on a device of theirs"
    rows = AuditTrail(journal.database, "sandbox").rows(AuditFilter())[::-1]
    assert [row.kind for row in rows] == ["wrong try"] * 4 + ["sign-in"] + ["wrong try"] * 5 + ["sign-in"]
    assert {row.store for row in rows} == {"harbour"}


@pytest.mark.parametrize("length", [0, 1, LONGEST_PASSWORD, LONGEST_PASSWORD + 1, 3_000])
def test_a_wrong_password_costs_all_the_same(journal: Journal, monkeypatch: pytest.MonkeyPatch, length: int) -> None:
    """docs/security.md: L1."""
    spent: list[str] = []

    def check(_: bytes, hashed: bytes) -> bool:
        spent.append(f"a hash of 2^{hashed.split(b'$')[2].decode()} rounds")
        return False

    write = Database.write

    def counted(self: Database, **how: Any) -> Any:
        spent.append("a write")
        return write(self, **how)

    known = Account("known", "Kim", Role.STAFF, NO_PASSWORD)
    People(journal.database).put(known)
    People(journal.database).put(replace(known, username="locked", locked=True))
    people = KnownAccounts(journal.database, audit=AuditTrail(journal.database, "sandbox"))
    parts = sign_in_of(people, tries=SignInTries(journal.database))
    accounts = people()
    library_check = parts._library(accounts)._inside.authentication_controller.login
    people.refused("somebody", "192.0.2.1")  # the journal has its secrets by then
    monkeypatch.setattr(bcrypt, "checkpw", check)
    monkeypatch.setattr(Database, "write", counted)
    costs = {}
    for name in ("known", "locked", "nobodys"):
        assert not GuardedLogin(accounts, parts, begins_anew=lambda: None).login(name, "x" * length, library_check)
        costs[name], spent = spent.copy(), []
    assert costs["known"] == costs["locked"] == costs["nobodys"]
    assert [each for each in costs["known"] if "hash" in each] == ["a hash of 2^12 rounds"] * bool(length)


SCREEN = """
import streamlit as st
from tests.components.people.sign_in.test_guarded_login import signs_in

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


@pytest.mark.parametrize(("provider", "is_only", "buttons", "fields"), [
    (False, False, ["Sign in"], ["Name", "Password"]),
    (True, False, ["Sign in with Example ID", "Sign in"], ["Name", "Password"]),
    (True, True, ["Sign in with Example ID"], []),  # what is not drawn is judged by nobody
])  # fmt: skip
def test_a_button_beside_or_for_the_form(provider: bool, is_only: bool, buttons: list[str], fields: list[str]) -> None:
    screen = AppTest.from_string(SCREEN)
    screen.session_state["provider"] = provider
    screen.session_state["is_only"] = is_only
    screen = shown(screen.run(timeout=30))
    assert [one.label for one in screen.button] == buttons
    assert [one.label for one in screen.text_input] == fields


TOKENS = {"private_token": "private-token-1234567890", "public_token": "public-token-1234567890"}
REAL = {"base_url": "https://service.example", **TOKENS}


@pytest.mark.parametrize("environment", ["staging", "production"])
def test_training_passwords_and_a_weak_key_stop_the_start_by_name(environment: str, tmp_path: Path) -> None:
    settings = load_settings({"data_dir": str(tmp_path), "environment": environment, **REAL})
    people = [account(x.username, name="", role=x.role, password=x.password, rounds=4) for x in TRAINING_ACCOUNTS]
    own = account("own", name="Own", role=Role.STAFF, password="an own password", rounds=4)
    with closing(open_journal(settings.journal_url)) as journal:
        People(journal.database).take_over(people, cookie_key="k" * 64)
        with pytest.raises(SettingsProblem) as refused:
            check(settings, KnownAccounts(journal.database))
        of_a_key = "can be guessed: make another with"
        for told in ("account staff has", "account manager has", of_a_key, "accounts add staff"):
            assert told in str(refused.value)
        assert "training" not in str(refused.value).replace("training account", "")
        People(journal.database).renew_key()
        for one in people:
            People(journal.database).put(replace(one, password_hash=own.password_hash))
        check(settings, KnownAccounts(journal.database))


def test_faults_of_settings_make_no_journal_and_are_told_in_one_round_with_those_of_accounts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WARRANTY_ENVIRONMENT", "staging")
    with pytest.raises(SettingsProblem, match="Set WARRANTY_BASE_URL"):
        usable_settings()
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setenv("WARRANTY_DATA_DIR", str(tmp_path))
    trainee = TRAINING_ACCOUNTS[0]
    with journal_in(tmp_path) as journal:
        known = account(trainee.username, name="", role=trainee.role, password=trainee.password, rounds=4)
        People(journal.database).take_over([known], cookie_key="k" * 64)
    with pytest.raises(SettingsProblem) as refused:
        usable_settings()
    names = "Set WARRANTY_BASE_URL, WARRANTY_PRIVATE_TOKEN and WARRANTY_PUBLIC_TOKEN"
    for told in (names, f"accounts add {trainee.username} --role", "accounts new-key"):
        assert told in str(refused.value)


def test_accounts_of_an_earlier_versions_file_alone_stop_the_start_with_the_command(tmp_path: Path) -> None:
    settings = load_settings({"data_dir": str(tmp_path)})
    ada = account("ada", name="Ada", role=Role.MANAGER, password="0123456789", rounds=4)
    with closing(open_journal(settings.journal_url)) as journal:
        add = "python -m warranty accounts add NAME --role administrator"
        with pytest.raises(SettingsProblem, match=add):
            check(settings, KnownAccounts(journal.database))
        entry = f"{{password: {ada.password_hash}, roles: [manager]}}"
        settings.accounts.write_text(f"cookie: {{key: {'f' * 64}}}\ncredentials: {{usernames: {{ada: {entry}}}}}\n")
        with pytest.raises(SettingsProblem, match=r"`python -m warranty accounts import`"):
            check(settings, KnownAccounts(journal.database))
        People(journal.database).put(ada)
        check(settings, KnownAccounts(journal.database))
        check(settings, KnownAccounts(journal.database, [ada]))


@pytest.mark.parametrize(("sso", "training"), [("off", TRAINING_ACCOUNTS), ("only", ())])
def test_a_sandbox_trains_or_asks_a_provider(tmp_path: Path, sso: str, training: Sequence[TrainingAccount]) -> None:
    settings = load_settings({"data_dir": str(tmp_path)}).model_copy(update={"sso": sso})
    with closing(open_journal(settings.journal_url)) as journal:
        check(settings, KnownAccounts(journal.database, [one.account() for one in training]))
