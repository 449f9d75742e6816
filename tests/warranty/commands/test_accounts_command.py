"""Who may sign in, as `python -m warranty accounts` adds, lists and removes them."""

from collections.abc import Callable, Mapping
from contextlib import closing
from io import StringIO
from pathlib import Path

import bcrypt
import pytest

from tests.warranty.commands.conftest import Ended, Run
from warranty.access import Role
from warranty.commands.housekeeping.opening import open_journal
from warranty.people.accounts import Account
from warranty.people.accounts.people import People
from warranty.settings import Settings

PASSWORD = "correct horse battery"
OTHER_PASSWORD = "another long password"
Known = Callable[[], Mapping[str, Account]]
Accounts = Callable[..., Ended]


@pytest.fixture
def people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Known:
    monkeypatch.chdir(tmp_path)
    fast = bcrypt.gensalt(4)
    monkeypatch.setattr(bcrypt, "gensalt", lambda _rounds: fast)

    def read() -> Mapping[str, Account]:
        with closing(open_journal(f"sqlite:///{tmp_path}/data/journal.sqlite3")) as journal:
            return People(journal.database).accounts().by_username

    return read


@pytest.fixture
def accounts(run: Run) -> Accounts:
    return lambda *words, password=PASSWORD: run("accounts", *words, typed=f"{password}\n")


def opens(person: Account, password: str) -> bool:
    return bcrypt.checkpw(password.encode(), person.password_hash.encode())


def test_a_person_added_may_sign_in_with_newest_password_and_role(people: Known, accounts: Accounts) -> None:
    added = accounts("add", "Ada", "--role", "manager", "--display-name", "Ada Byron")
    assert (added.status, added.out.partition(".")[0]) == (0, "ada may sign in as manager")
    ada = people()["ada"]
    assert (ada.name, ada.role, opens(ada, PASSWORD)) == ("Ada Byron", Role.MANAGER, True)
    assert accounts("add", "ada", "--role", "staff", password=OTHER_PASSWORD).status == 0
    (ada,) = people().values()
    assert [opens(ada, password) for password in (OTHER_PASSWORD, PASSWORD)] == [True, False]


def test_the_list_names_all_without_a_hash(people: Known, accounts: Accounts, monkeypatch: pytest.MonkeyPatch) -> None:
    accounts("add", "ada", "--role", "manager", "--display-name", "Ada Byron")
    accounts("add", "bo", "--role", "staff")
    training = "The training accounts of the sign-in screen may sign in as well.\n"
    assert accounts("list") == (0, "ada\tmanager\tAda Byron\t\tactive\nbo\tstaff\tbo\t\tactive\n", training)
    for name in ("ada", "bo"):
        accounts("remove", name)
    monkeypatch.setattr(Settings, "is_for_training", False)
    assert accounts("list") == (0, "", "There is no account yet.\n")


def test_who_was_removed_signs_in_no_more_and_what_cannot_be_is_refused(people: Known, accounts: Accounts) -> None:
    accounts("add", "ada", "--role", "staff")
    removed = accounts("remove", "Ada")
    assert (removed.status, "ada can no longer sign in." in removed.out, people()) == (0, True, {})
    assert accounts("remove", "Ada") == (1, "", "This account no longer exists.\n")
    refused = accounts("add", "ada", "--role", "staff", password="short")
    assert (refused.status, people()) == (2, {})
    assert "A password has at least 10 characters." in refused.err
    accounts("add", "alex", "--role", "administrator")
    refused = accounts("lock", "alex")
    assert (refused.status, "last administrator" in refused.err) == (2, True)


def test_two_passwords_that_differ_change_nothing(people: Known, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(StringIO):
        def isatty(self) -> bool:
            return True

    entered = iter([PASSWORD, OTHER_PASSWORD])
    monkeypatch.setattr("getpass.getpass", lambda _prompt: next(entered))
    refused = run("accounts", "add", "ada", "--role", "staff", typed=Terminal())
    assert (refused.status, people()) == (2, {})
    assert "The two were not the same; nothing was changed." in refused.err


def a_file_of_earlier_versions(folder: Path, *entries: str) -> Path:
    path = folder / "data" / "accounts.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"cookie: {{key: {'f' * 64}}}\ncredentials: {{usernames: {{{', '.join(entries)}}}}}\n")
    return path


ADA = f"Ada: {{name: Ada Byron, password: {'$2b$12$' + 'x' * 53}, roles: [manager]}}"


def test_people_of_an_accounts_file_are_taken_over_once(people: Known, accounts: Accounts, tmp_path: Path) -> None:
    missing = accounts("import")
    assert (missing.status, missing.err.partition(" in ")[0], people()) == (2, "There are no accounts", {})
    a_file_of_earlier_versions(tmp_path, ADA)
    imported = accounts("import")
    assert (imported.status, imported.out.partition(" in ")[0]) == (0, "Taken over: 1 of the 1 accounts")
    assert (people()["ada"].name, people()["ada"].role) == ("Ada Byron", Role.MANAGER)
    accounts("add", "ada", "--role", "staff")
    again = accounts("import", a_file_of_earlier_versions(tmp_path, ADA, ADA.replace("Ada:", "bo:")))
    assert (again.status, "1 of the 2 accounts" in again.out) == (0, True)
    roles = [(person.username, person.role) for person in people().values()]
    assert roles == [("ada", Role.STAFF), ("bo", Role.MANAGER)]


def test_the_command_line_does_what_the_screen_does(people: Known, accounts: Accounts) -> None:
    accounts("add", "alex", "--role", "administrator")
    invited = accounts("invite", "Bo", "--role", "staff", "--store", "north")
    password = invited.out.partition("one-time password of bo: ")[2].splitlines()[0]
    assert (invited.status, opens(people()["bo"], password), bool(people()["bo"].one_time_until)) == (0, True, True)
    for words in (["role", "bo", "manager"], ["store", "bo", "south"], ["lock", "bo"], ["end-sessions", "bo"]):
        assert accounts(*words).status == 0
    bo = people()["bo"]
    assert (bo.role, bo.home_store, bo.locked) == (Role.MANAGER, "south", True)
    assert "bo\tmanager\tbo\tsouth\tlocked\n" in accounts("list").out
    assert [accounts(act, "bo").status for act in ("unlock", "reset")] == [0, 0]
    assert (people()["bo"].locked, opens(people()["bo"], password)) == (False, False)
