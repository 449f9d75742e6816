"""The second factor: a code of an app after the password, good once, and counted when it is tried."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pyotp
import pytest
from sqlalchemy import select

from tests.warranty.people.accounts.test_accounts import ALEX, refused
from warranty.access import Operator, Permission, Role
from warranty.clock import utc_now
from warranty.desk.journal import Journal
from warranty.errors import PermissionDenied
from warranty.people.accounts import Administration, KnownAccounts, Refusal, account
from warranty.people.accounts.people import People
from warranty.people.accounts.second_factor import CODES_AT_ONCE, SecondFactors
from warranty.people.accounts.sign_in_tries import SignInTries
from warranty.people.accounts.tables import RECOVERY_CODES
from warranty.people.audit import AuditFilter, AuditTrail

MAYA = Operator("maya", "Maya", Role.MANAGER)
ROLES = (Role.MANAGER, Role.ADMINISTRATOR)


class Shop:
    """Two desks of a journal, whose clock a test moves, and the sign-in of a manager."""

    def __init__(self, journal: Journal) -> None:
        given: dict[str, Any] = {"name": "", "password": "three odd teapots", "rounds": 4}
        for each in (ALEX, MAYA):
            People(journal.database).put(account(each.username, role=each.role, **given))
        self.journal, self.moment = journal, datetime.now(UTC)
        journal.database.clock = lambda: self.moment
        self.since, self.audit = self.moment, AuditTrail(journal.database, "sandbox", None)
        training = account("trainee", role=Role.MANAGER, **given)
        desks = [KnownAccounts(journal.database, [training], audit=self.audit) for _ in range(2)]
        self.here, self.there = (SecondFactors(journal.database, each, ROLES) for each in desks)
        self.administration = Administration(journal.database, desks[0])

    def owes(self, step: SecondFactors, since: datetime | None = None, who: Operator = MAYA) -> bool:
        return step.is_owed(People(self.journal.database).accounts(), who, since or self.since)


@pytest.fixture
def shop(journal: Journal) -> Shop:
    return Shop(journal)


def test_codes_go_by_the_real_day_where_the_sandbox_is_a_day_ahead(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    shop.journal.database.clock = utc_now
    monkeypatch.setattr(utc_now, "ahead", timedelta(days=1))
    secret = shop.here.begin()
    assert shop.here.set_up(MAYA, shop.since, secret, pyotp.TOTP(secret).at(datetime.now(UTC)))


def test_a_code_is_owed_by_the_named_roles_and_good_once_at_all_desks(shop: Shop) -> None:
    assert shop.owes(shop.here)
    assert not shop.owes(shop.here, who=replace(MAYA, role=Role.STAFF))
    assert not shop.owes(shop.here, who=replace(MAYA, username="trainee"))
    assert [right for right in Permission if replace(MAYA, owes_second_factor=True).may(right)] == []

    app = pyotp.TOTP(secret := shop.here.begin())
    refused(Refusal.CODE, lambda: shop.here.set_up(MAYA, shop.since, secret, "12345"))
    typed = app.at(shop.moment)
    codes = shop.here.set_up(MAYA, shop.since, secret, f" {typed[:3]} {typed[3:]}")
    assert len(set(codes)) == CODES_AT_ONCE
    assert not shop.owes(shop.there)  # the sign-in is whole at every desk
    refused(Refusal.CHANGED, lambda: shop.there.set_up(MAYA, shop.since, secret, app.at(shop.moment)))

    other = shop.since + timedelta(seconds=1)
    assert shop.owes(shop.there, other)  # and no other one is
    refused(Refusal.CODE, lambda: shop.there.give(MAYA, other, app.at(shop.moment)))  # used at the set-up
    shop.moment += timedelta(minutes=5)
    refused(Refusal.CODE, lambda: shop.there.give(MAYA, other, app.at(shop.moment - timedelta(minutes=2))))
    shop.there.give(MAYA, other, app.at(shop.moment))
    refused(Refusal.CODE, lambda: shop.here.give(MAYA, other, app.at(shop.moment)))
    assert not shop.owes(shop.here, other)

    lost = other + timedelta(seconds=1)
    shop.here.give(MAYA, lost, f"  {codes[0].upper()} ")
    refused(Refusal.CODE, lambda: shop.there.give(MAYA, lost, codes[0]))

    set_up, *tries = rows = shop.audit.rows(AuditFilter())[::-1]
    assert (set_up.kind, *set_up.details.values()) == ("account", "maya", "second factor set up")
    assert [row.kind for row in tries] == ["wrong try", "wrong try", "sign-in", "wrong try", "sign-in", "wrong try"]
    assert not any(said in str(rows) for said in (secret, *codes))


def test_guesses_are_held_off_whatever_the_password_does_and_a_new_set_up_is_allowed(shop: Shop) -> None:
    secret = shop.here.begin()
    shop.here.set_up(MAYA, shop.since, secret, pyotp.TOTP(secret).at(shop.moment))
    shop.moment += timedelta(minutes=5)
    for _ in range(5):
        refused(Refusal.CODE, lambda: shop.here.give(MAYA, shop.since, "000000x"))
        SignInTries(shop.journal.database).succeeded("maya", "10.0.0.1")  # the password, right each time
    refused(Refusal.TOO_MANY, lambda: shop.there.give(MAYA, shop.since, pyotp.TOTP(secret).at(shop.moment)))

    with pytest.raises(PermissionDenied):
        shop.administration.reset_second_factor(MAYA, "alex")
    refused(Refusal.YOURSELF, lambda: shop.administration.reset_second_factor(ALEX, "alex"))
    shop.administration.reset_second_factor(ALEX, "maya")
    assert People(shop.journal.database).accounts().left("maya", shop.since)
    assert not shop.there.is_set_up("maya")
    refused(Refusal.NO_SECOND_FACTOR, lambda: shop.administration.reset_second_factor(ALEX, "maya"))
    with shop.journal.database.read() as connection:
        assert connection.execute(select(RECOVERY_CODES)).all() == []
