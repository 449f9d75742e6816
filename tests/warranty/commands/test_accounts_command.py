"""Who may sign in, as `python -m warranty accounts` adds, lists and removes them."""

import sys
from io import StringIO
from pathlib import Path

import bcrypt
import pytest

from warranty.__main__ import main
from warranty.access import Role
from warranty.accounts import AccountsFile

PASSWORD = "correct horse battery"


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AccountsFile:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WARRANTY_ACCOUNTS", str(tmp_path / "accounts.yaml"))
    fast = bcrypt.gensalt(4)
    monkeypatch.setattr(bcrypt, "gensalt", lambda _rounds: fast)
    return AccountsFile(tmp_path / "accounts.yaml")


def add(monkeypatch: pytest.MonkeyPatch, *words: str, password: str = PASSWORD) -> int:
    monkeypatch.setattr(sys, "stdin", StringIO(f"{password}\n"))
    return main(["accounts", "add", *words])


def test_a_person_who_was_added_may_sign_in_with_the_password_and_the_role(
    file: AccountsFile, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert add(monkeypatch, "Ada", "--role", "manager", "--display-name", "Ada Byron") == 0
    assert capsys.readouterr().out.startswith("ada may sign in as manager.")
    ada = file.load().by_username["ada"]
    assert (ada.name, ada.role) == ("Ada Byron", Role.MANAGER)
    assert bcrypt.checkpw(PASSWORD.encode(), ada.password_hash.encode())


def test_a_person_who_is_added_again_has_the_new_password(
    file: AccountsFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(monkeypatch, "ada", "--role", "staff")
    assert add(monkeypatch, "ada", "--role", "staff", password="another long password") == 0
    (ada,) = file.load().by_username.values()
    assert bcrypt.checkpw(b"another long password", ada.password_hash.encode())


def test_the_list_names_everybody_and_shows_no_hash(
    file: AccountsFile, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    add(monkeypatch, "ada", "--role", "manager", "--display-name", "Ada Byron")
    add(monkeypatch, "bo", "--role", "staff")
    capsys.readouterr()
    assert main(["accounts", "list"]) == 0
    assert capsys.readouterr().out == "ada\tmanager\tAda Byron\nbo\tstaff\tbo\n"
    assert "$2b$" in file.path.read_text()


def test_who_was_removed_can_no_longer_sign_in_and_who_never_could_is_told_of(
    file: AccountsFile, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    add(monkeypatch, "ada", "--role", "staff")
    assert main(["accounts", "remove", "Ada"]) == 0
    assert "ada can no longer sign in." in capsys.readouterr().out
    assert file.load().by_username == {}
    assert main(["accounts", "remove", "Ada"]) == 1
    assert capsys.readouterr().err == f"There is no account Ada in {file.path}.\n"


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        (("ada", "short"), "A password has at least 10 characters.\n"),
        (("a da", PASSWORD), "A login name has letters, digits, dots, dashes and underscores only.\n"),
    ],
)
def test_a_name_or_a_password_that_cannot_be_is_refused_in_a_sentence(
    file: AccountsFile,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    entry: tuple[str, str],
    said: str,
) -> None:
    name, password = entry
    assert add(monkeypatch, name, "--role", "staff", password=password) == 2
    assert capsys.readouterr().err == said
    assert not file.exists()


def test_two_passwords_that_differ_at_a_terminal_change_nothing(
    file: AccountsFile, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = iter([PASSWORD, "another long password"])
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    monkeypatch.setattr("getpass.getpass", lambda _prompt: next(typed))
    with pytest.raises(SystemExit):
        main(["accounts", "add", "ada", "--role", "staff"])
    assert "The two were not the same; nothing was changed." in capsys.readouterr().err
    assert not file.exists()


def test_a_wrong_entry_of_the_file_is_named_with_what_to_do(
    file: AccountsFile, capsys: pytest.CaptureFixture[str]
) -> None:
    file.path.write_text(
        f"cookie: {{key: {'f' * 64}}}\ncredentials: {{usernames: {{ada: {{password: plain, roles: [staff]}}}}}}\n"
    )
    assert main(["accounts", "list"]) == 2
    told = capsys.readouterr().err
    assert "not a bcrypt hash" in told
    assert "accounts add ada --role staff" in told
    assert "plain" not in told
