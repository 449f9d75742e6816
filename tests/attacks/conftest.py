"""The running product, as an attacker on the shop's network has it."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from components.platform.cookies.names import TILL_COOKIE, name_in_browser
from tests.builders import may_sign_in
from tests.chain.ordeal import cookie_of
from tests.dashboard import Dashboard
from tests.journals import journal_in
from warranty.access import Role
from warranty.people.accounts.people import People
from warranty.people.tills.switching import pin_of
from warranty.people.tills.tills import Tills

PIN = "8250"


@pytest.fixture(scope="session")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("attacked")


@pytest.fixture(scope="session")
def dashboard(data_dir: Path) -> Iterator[Dashboard]:
    people = dict.fromkeys(("ada", "bob", "cleo", "eve"), Role.STAFF) | {"olga": Role.ADMINISTRATOR}
    for name, role in people.items():
        may_sign_in(data_dir, name, role, name=name.title(), password="a-password-of-theirs", ago=timedelta(hours=1))
    with Dashboard(data_dir, environment={"WARRANTY_SECOND_FACTOR_ROLES": "administrator"}) as running:
        yield running


def key_of(data_dir: Path) -> str:
    """The key that the cookies of this journal's people are signed with."""
    with journal_in(data_dir) as journal:
        return People(journal.database).accounts().cookie_key


@pytest.fixture
def cookie_key(dashboard: Dashboard, data_dir: Path) -> str:
    return key_of(data_dir)


@pytest.fixture
def ada(dashboard: Dashboard, cookie_key: str) -> str:
    return cookie_of("ada", cookie_key, dashboard.url)


@pytest.fixture
def till(dashboard: Dashboard, data_dir: Path) -> str:
    with journal_in(data_dir) as journal:
        tills = Tills(journal.database, "sandbox")
        tills.set_pin("ada", pin_of(PIN))
        _, key = tills.register("Front", "mo")
    return f"{name_in_browser(TILL_COOKIE, dashboard.url)}={key}"
