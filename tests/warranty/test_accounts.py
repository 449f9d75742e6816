import stat
from pathlib import Path

import bcrypt
import pytest

from warranty.access import Permission, Role
from warranty.accounts import AccountsFile, account
from warranty.errors import PermissionDenied, SettingsProblem


def test_only_a_bcrypt_hash_reaches_the_file_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    file = AccountsFile(tmp_path / "accounts.yaml")
    file.put(account("Ada", name="Ada Byron", role=Role.MANAGER, password="correct horse battery", rounds=4))
    text = file.path.read_text()
    assert "correct horse" not in text
    assert stat.S_IMODE(file.path.stat().st_mode) == 0o600
    kept = file.load().by_username["ada"]
    assert bcrypt.checkpw(b"correct horse battery", kept.password_hash.encode())
    assert "$2b$" not in repr(kept)
    assert file.load().cookie_key not in repr(file.load())


def test_a_new_person_leaves_the_cookie_key_and_the_others_as_they_were(tmp_path: Path) -> None:
    file = AccountsFile(tmp_path / "accounts.yaml")
    file.put(account("ada", name="Ada", role=Role.MANAGER, password="0123456789", rounds=4))
    key = file.load().cookie_key
    file.put(account("bob", name="Bob", role=Role.STAFF, password="0123456789", rounds=4))
    assert file.load().cookie_key == key
    assert set(file.load().by_username) == {"ada", "bob"}
    assert file.remove("ada")
    assert not file.remove("ada")
    assert set(file.load().by_username) == {"bob"}


@pytest.mark.parametrize(
    ("password", "words"),
    [("short", "at least 10"), ("x" * 73, "at most 72 bytes"), (" leading space", "space")],
)
def test_a_password_that_bcrypt_or_the_sign_in_would_misread_is_refused(password: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        account("ada", name="Ada", role=Role.STAFF, password=password)


def test_a_plain_password_in_the_file_is_named_as_the_problem_and_not_shown(tmp_path: Path) -> None:
    path = tmp_path / "accounts.yaml"
    path.write_text(
        "cookie: {key: 0123456789abcdef0123456789abcdef}\n"
        "credentials: {usernames: {ada: {name: Ada, password: plain-secret, roles: [staff]}}}\n"
    )
    with pytest.raises(SettingsProblem, match="not a bcrypt hash") as caught:
        AccountsFile(path).load()
    assert "plain-secret" not in str(caught.value)


def test_staff_may_not_take_claims_away_and_managers_may() -> None:
    staff = account("sam", name="Sam", role=Role.STAFF, password="0123456789", rounds=4).operator
    with pytest.raises(PermissionDenied, match="staff may not export claims"):
        staff.require(Permission.EXPORT_CLAIMS)
    account("maya", name="Maya", role=Role.MANAGER, password="0123456789", rounds=4).operator.require(
        Permission.EXPORT_CLAIMS
    )
