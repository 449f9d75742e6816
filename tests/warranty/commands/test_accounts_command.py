"""Who may sign in, as `python -m warranty accounts` adds, lists and removes them."""

import sys
from collections.abc import Callable, Mapping
from contextlib import closing
from io import StringIO
from pathlib import Path

import bcrypt
import pytest

from warranty.__main__ import main
from warranty.access import Role
from warranty.accounts import Account
from warranty.journal import open_journal

PASSWORD = "correct horse battery"
Kept = Callable[[], Mapping[str, Account]]


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kept:
    """Who may sign in, by what the database has."""
    monkeypatch.chdir(tmp_path)
    fast = bcrypt.gensalt(4)
    monkeypatch.setattr(bcrypt, "gensalt", lambda _rounds: fast)

    def read() -> Mapping[str, Account]:
        with closing(open_journal(f"sqlite:///{tmp_path}/data/journal.sqlite3")) as journal:
            return journal.people.accounts().by_username

    return read


def add(monkeypatch: pytest.MonkeyPatch, *words: str, password: str = PASSWORD) -> int:
    monkeypatch.setattr(sys, "stdin", StringIO(f"{password}\n"))
    return main(["accounts", "add", *words])


def test_a_person_who_was_added_may_sign_in_with_the_password_and_the_role(
    kept: Kept, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert add(monkeypatch, "Ada", "--role", "manager", "--display-name", "Ada Byron") == 0
    assert capsys.readouterr().out.startswith("ada may sign in as manager.")
    ada = kept()["ada"]
    assert (ada.name, ada.role) == ("Ada Byron", Role.MANAGER)
    assert bcrypt.checkpw(PASSWORD.encode(), ada.password_hash.encode())


def test_a_person_who_is_added_again_has_the_new_password(
    kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(monkeypatch, "ada", "--role", "staff")
    assert add(monkeypatch, "ada", "--role", "staff", password="another long password") == 0
    (ada,) = kept().values()
    assert bcrypt.checkpw(b"another long password", ada.password_hash.encode())


def test_the_list_names_everybody_and_shows_no_hash(
    kept: Kept, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    add(monkeypatch, "ada", "--role", "manager", "--display-name", "Ada Byron")
    add(monkeypatch, "bo", "--role", "staff")
    capsys.readouterr()
    assert main(["accounts", "list"]) == 0
    assert capsys.readouterr().out == "ada\tmanager\tAda Byron\t\tactive\nbo\tstaff\tbo\t\tactive\n"


def test_who_was_removed_can_no_longer_sign_in_and_who_never_could_is_told_of(
    kept: Kept, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    add(monkeypatch, "ada", "--role", "staff")
    assert main(["accounts", "remove", "Ada"]) == 0
    assert "ada can no longer sign in." in capsys.readouterr().out
    assert kept() == {}
    assert main(["accounts", "remove", "Ada"]) == 1
    assert capsys.readouterr().err == "There is no such account any more.\n"


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        (("ada", "short"), "A password has at least 10 characters.\n"),
        (
            ("a da", PASSWORD),
            "A login name has 1 to 60 letters, digits, dots, dashes and underscores only.\n",
        ),
    ],
)
def test_a_name_or_a_password_that_cannot_be_is_refused_in_a_sentence(
    kept: Kept,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    entry: tuple[str, str],
    said: str,
) -> None:
    name, password = entry
    assert add(monkeypatch, name, "--role", "staff", password=password) == 2
    assert capsys.readouterr().err == said
    assert kept() == {}


def test_two_passwords_that_differ_at_a_terminal_change_nothing(
    kept: Kept, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = iter([PASSWORD, "another long password"])
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    monkeypatch.setattr("getpass.getpass", lambda _prompt: next(typed))
    with pytest.raises(SystemExit):
        main(["accounts", "add", "ada", "--role", "staff"])
    assert "The two were not the same; nothing was changed." in capsys.readouterr().err
    assert kept() == {}


def a_file_of_earlier_versions(folder: Path, *entries: str) -> Path:
    path = folder / "data" / "accounts.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"cookie: {{key: {'f' * 64}}}\ncredentials: {{usernames: {{{', '.join(entries)}}}}}\n")
    return path


ADA = f"Ada: {{name: Ada Byron, password: {'$2b$12$' + 'x' * 53}, roles: [manager]}}"


def test_the_people_of_an_accounts_file_are_taken_over_once_and_who_is_there_stays_as_they_are(
    kept: Kept, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    a_file_of_earlier_versions(tmp_path, ADA)
    assert main(["accounts", "import"]) == 0
    assert capsys.readouterr().out.startswith("Taken over: 1 of the 1 accounts in ")
    assert (kept()["ada"].name, kept()["ada"].role) == ("Ada Byron", Role.MANAGER)
    add(monkeypatch, "ada", "--role", "staff")
    path = a_file_of_earlier_versions(tmp_path, ADA, ADA.replace("Ada:", "bo:"))
    capsys.readouterr()
    assert main(["accounts", "import", str(path)]) == 0
    assert "1 of the 2 accounts" in capsys.readouterr().out
    assert [(person.username, person.role) for person in kept().values()] == [
        ("ada", Role.STAFF),
        ("bo", Role.MANAGER),
    ]


def test_a_file_that_is_not_there_is_told(kept: Kept, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["accounts", "import"]) == 2
    assert capsys.readouterr().err.startswith("There are no accounts in ")
    assert kept() == {}


def test_a_wrong_entry_of_the_file_is_named_with_what_to_do(
    kept: Kept, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    a_file_of_earlier_versions(tmp_path, "ada: {password: plain, roles: [staff]}")
    assert main(["accounts", "import"]) == 2
    told = capsys.readouterr().err
    assert "not a bcrypt hash" in told
    assert "accounts add ada --role staff" in told
    assert "plain" not in told
    assert kept() == {}


def test_the_command_line_does_what_the_screen_does(
    kept: Kept, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    add(monkeypatch, "alex", "--role", "administrator")
    assert main(["accounts", "invite", "Bo", "--role", "staff", "--store", "north"]) == 0
    password = capsys.readouterr().out.partition("one-time password of bo: ")[2].splitlines()[0]
    assert bcrypt.checkpw(password.encode(), kept()["bo"].password_hash.encode())
    assert kept()["bo"].one_time_until
    for words in (
        ["role", "bo", "manager"],
        ["store", "bo", "south"],
        ["lock", "bo"],
        ["end-sessions", "bo"],
    ):
        assert main(["accounts", *words]) == 0
    bo = kept()["bo"]
    assert (bo.role, bo.home_store, bo.locked) == (Role.MANAGER, "south", True)
    main(["accounts", "list"])
    assert "bo\tmanager\tbo\tsouth\tlocked\n" in capsys.readouterr().out
    assert main(["accounts", "unlock", "bo"]) == 0
    assert main(["accounts", "reset", "bo"]) == 0
    assert not kept()["bo"].locked
    assert not bcrypt.checkpw(password.encode(), kept()["bo"].password_hash.encode())


def test_the_command_line_keeps_the_last_administrator_and_refuses_a_common_password(
    kept: Kept, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    add(monkeypatch, "alex", "--role", "administrator")
    for words in (["lock", "alex"], ["role", "alex", "staff"], ["remove", "alex"]):
        assert main(["accounts", *words]) == 2
        assert "last administrator" in capsys.readouterr().err
    assert add(monkeypatch, "bo", "--role", "manager", password="1234567890") == 2
    assert "too easy to guess" in capsys.readouterr().err
    assert list(kept()) == ["alex"]
