"""Nobody is locked out by a new version without being told how to get in."""

from contextlib import closing
from pathlib import Path

import pytest

from components.wiring import check
from warranty.access import Role
from warranty.accounts import KnownAccounts, account
from warranty.errors import SettingsProblem
from warranty.journal import open_journal
from warranty.settings import load_settings


def test_accounts_that_only_the_file_of_an_earlier_version_has_stop_the_start_with_the_command(
    tmp_path: Path,
) -> None:
    settings = load_settings({"data_dir": str(tmp_path)})
    ada = account("ada", name="Ada", role=Role.MANAGER, password="0123456789", rounds=4)
    with closing(open_journal(settings.journal_url)) as journal:
        with pytest.raises(
            SettingsProblem, match=r"python -m warranty accounts add NAME --role administrator"
        ):
            check(settings, KnownAccounts(journal.people))
        entry = f"{{password: {ada.password_hash}, roles: [manager]}}"
        settings.accounts.write_text(
            f"cookie: {{key: {'f' * 64}}}\ncredentials: {{usernames: {{ada: {entry}}}}}\n"
        )
        with pytest.raises(SettingsProblem, match=r"`python -m warranty accounts import`"):
            check(settings, KnownAccounts(journal.people))
        journal.people.put(ada)
        check(settings, KnownAccounts(journal.people))
        check(settings, KnownAccounts(journal.people, [ada]))


def test_where_an_identity_provider_is_set_the_first_account_comes_from_there(tmp_path: Path) -> None:
    settings = load_settings({"data_dir": str(tmp_path)}).model_copy(update={"sso": "only"})
    with closing(open_journal(settings.journal_url)) as journal:
        check(settings, KnownAccounts(journal.people))
