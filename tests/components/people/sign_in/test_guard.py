"""Who may sign in as a desk starts: somebody, and nobody with what everybody knows where something is real."""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from components.people.sign_in.training import TRAINING_ACCOUNTS, TrainingAccount
from components.wiring import check, usable_settings
from tests.journals import journal_in
from warranty.access import Role
from warranty.commands.housekeeping.opening import open_journal
from warranty.errors import SettingsProblem
from warranty.people.accounts import KnownAccounts, account
from warranty.people.accounts.people import People
from warranty.settings import load_settings

TOKENS = {"private_token": "private-token-1234567890", "public_token": "public-token-1234567890"}
REAL = {"base_url": "https://service.example", **TOKENS}


@pytest.mark.parametrize("environment", ["staging", "production"])
def test_training_passwords_and_a_weak_key_stop_the_start_by_name(environment: str, tmp_path: Path) -> None:
    settings = load_settings({"data_dir": str(tmp_path), "environment": environment, **REAL})
    people = [
        account(one.username, name=one.name, role=one.role, password=one.password, rounds=4)
        for one in TRAINING_ACCOUNTS
    ]
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


def test_faults_of_settings_and_accounts_are_told_in_one_round(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WARRANTY_ENVIRONMENT", "staging")
    monkeypatch.setenv("WARRANTY_DATA_DIR", str(tmp_path))
    trainee = TRAINING_ACCOUNTS[0]
    with journal_in(tmp_path) as journal:
        known = account(trainee.username, name="", role=trainee.role, password=trainee.password, rounds=4)
        People(journal.database).take_over([known], cookie_key="k" * 64)
    with pytest.raises(SettingsProblem) as refused:
        usable_settings()
    for told in (
        "Set WARRANTY_BASE_URL, WARRANTY_PRIVATE_TOKEN and WARRANTY_PUBLIC_TOKEN",
        f"accounts add {trainee.username} --role",
        "accounts new-key",
    ):
        assert told in str(refused.value)


def test_faults_of_settings_make_no_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WARRANTY_ENVIRONMENT", "staging")
    with pytest.raises(SettingsProblem, match="Set WARRANTY_BASE_URL"):
        usable_settings()
    assert list(tmp_path.iterdir()) == []


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
