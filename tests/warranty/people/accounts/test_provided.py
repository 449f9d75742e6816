"""Who comes from the identity provider: with which role and store, who does not, and nobody by another's account."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.warranty.conftest import Clock
from tests.warranty.people.accounts.test_accounts import ALEX, refused
from warranty.access import Permission, Role
from warranty.desk.journal import Journal
from warranty.people.accounts import Administration, KnownAccounts, Refusal, account
from warranty.people.accounts.passwords import is_password_of
from warranty.people.accounts.people import Account, People
from warranty.people.accounts.provided import GOOD_FOR, NotLetIn, ProvidedAccounts, WhyNot
from warranty.people.accounts.second_factor import SecondFactors
from warranty.people.audit import AuditFilter, AuditTrail, By

ROLES = (("desk-managers", Role.MANAGER), ("desk-staff", Role.STAFF), ("desk-admins", Role.ADMINISTRATOR))
SECOND = timedelta(seconds=1)
STORES = (("shop-north", "north"), ("shop-south", "south"))


class Shop:
    """Two desks of a shop with an identity provider, and a clock that a test moves."""

    def __init__(self, journal: Journal, clock: Clock) -> None:
        self.journal, self.clock = journal, clock
        self.audit = AuditTrail(journal.database, "production", None)
        trainee = account("trainee", name="", role=Role.STAFF, password="counter-training", rounds=4)
        self.known = KnownAccounts(journal.database, [trainee], audit=self.audit)
        self.here, self.there = (
            ProvidedAccounts(journal.database, known, roles=ROLES, stores=STORES)
            for known in (self.known, KnownAccounts(journal.database, audit=self.audit))
        )
        local = account("alex", name="Alex", role=Role.ADMINISTRATOR, password="three odd teapots", rounds=4)
        People(journal.database).put(local)
        self.administration = Administration(journal.database, self.known, rounds=4)

    def later(self, by: timedelta = timedelta(seconds=5)) -> datetime:
        self.clock.advance(by)
        return self.clock.now

    def says(self, *groups: str, **claims: Any) -> dict[str, object]:
        return {
            "is_logged_in": True, "iss": "https://id.example", "sub": "s-1", "iat": int(self.later().timestamp()),
            "preferred_username": "Ada@shop.example", "name": "Ada Byron", "groups": list(groups),
        } | claims  # fmt: skip

    def enters(self, *groups: str, **claims: Any) -> str | None:
        return self.here.enter(self.says(*groups, **claims), By(address="10.0.0.1"))

    def kept(self, username: str = "ada") -> Account:
        return People(self.journal.database).accounts().by_username[username]

    def refused(self, why: WhyNot, *groups: str, **claims: Any) -> None:
        with pytest.raises(NotLetIn) as caught:
            self.enters(*groups, **claims)
        newest = self.audit.rows(AuditFilter(limit=1))[0]
        assert caught.value.why is why
        assert (newest.kind, newest.details["reference"]) == ("wrong try", caught.value.reference)


@pytest.fixture
def shop(journal: Journal, clock: Clock) -> Shop:
    return Shop(journal, clock)


@pytest.mark.parametrize(("groups", "role", "store"), [
    (["desk-staff"], Role.STAFF, ""), (["desk-staff", "shop-south", "everybody"], Role.STAFF, "south"),
    (["shop-south", "shop-north", "desk-staff", "desk-managers"], Role.MANAGER, "north"),
    (["desk-admins"], Role.ADMINISTRATOR, ""),
])  # fmt: skip
def test_groups_give_a_role_and_a_home_store(shop: Shop, groups: list[str], role: Role, store: str) -> None:
    assert shop.enters(*groups) == "ada"
    ada = shop.kept()
    assert (ada.name, ada.role, ada.home_store) == ("Ada Byron", role, store)
    assert ada.operator.by_provider
    newest, before = shop.audit.rows(AuditFilter())
    assert (newest.kind, newest.username, before.kind) == ("sign-in", "ada", "account")


def test_a_group_may_be_one_word_of_another_claim(shop: Shop) -> None:
    claim = "https://shop.example/team"
    other = ProvidedAccounts(shop.journal.database, shop.known, roles=ROLES, groups_claim=claim)
    assert other.enter(shop.says(**{claim: "desk-staff"}), By()) == "ada"


def test_who_is_in_no_group_that_has_a_role_does_not_come_in_and_is_out_elsewhere(shop: Shop) -> None:
    shop.refused(WhyNot.NO_GROUP, "everybody")
    assert "ada" not in People(shop.journal.database).accounts().by_username
    shop.enters("desk-staff")
    since = datetime.now(UTC)
    shop.refused(WhyNot.NO_GROUP, "everybody")
    assert People(shop.journal.database).accounts().left("ada", since)


def test_another_role_at_the_provider_holds_from_the_next_sign_in_and_ends_those_before(shop: Shop) -> None:
    shop.enters("desk-admins")
    People(shop.journal.database).remove("alex")  # the provider's word counts, also where nobody else administers
    since = (shop.kept().changed_at or shop.clock.now) + timedelta(microseconds=1)
    assert shop.enters("desk-admins") == "ada"
    assert not People(shop.journal.database).accounts().left("ada", since)
    assert shop.enters("desk-staff", "shop-north", name="Ada King") == "ada"
    assert (shop.kept().role, shop.kept().home_store, shop.kept().name) == (Role.STAFF, "north", "Ada King")
    assert People(shop.journal.database).accounts().left("ada", since)
    assert shop.audit.rows(AuditFilter(kind="account", limit=1))[0].details["former_role"] == "administrator"


def test_a_store_and_a_lock_stay_as_an_administrator_has_set_them(shop: Shop) -> None:
    shop.enters("desk-staff")
    shop.administration.set_home_store(ALEX, "ada", "harbour")
    shop.enters("desk-staff")
    assert shop.kept().home_store == "harbour", "where no group names one"
    shop.administration.lock(ALEX, "ada")
    shop.refused(WhyNot.LOCKED, "desk-managers")
    assert (shop.kept().locked, shop.kept().role) == (True, Role.STAFF)


@pytest.mark.parametrize("name", ["alex", "ALEX@elsewhere.example", "trainee"])
def test_nobody_takes_over_an_account_by_its_name(shop: Shop, name: str) -> None:
    before = shop.known.fresh()
    shop.refused(WhyNot.TAKEN, "desk-admins", preferred_username=name)
    assert shop.known.fresh().by_username == before.by_username


def test_nor_that_of_another_person_and_one_who_is_called_otherwise_is_the_same(shop: Shop) -> None:
    shop.enters("desk-staff")
    for another in ({"sub": "s-2"}, {"iss": "https://other.example"}):
        shop.refused(WhyNot.TAKEN, "desk-managers", **another)
    assert shop.kept().role is Role.STAFF
    assert shop.enters("desk-staff", preferred_username="alex") == "ada"


def test_after_an_administrator_has_removed_the_old_account_its_name_is_the_providers(shop: Shop) -> None:
    People(shop.journal.database).put(account("ada", name="", role=Role.STAFF, password="three odd teapots", rounds=4))
    shop.refused(WhyNot.TAKEN, "desk-staff")
    shop.administration.remove(ALEX, "ada")
    assert shop.enters("desk-staff") == "ada"


def test_a_proof_is_good_once_at_all_desks_and_an_older_word_counts_no_more(shop: Shop) -> None:
    proof = shop.says("desk-staff")
    assert shop.here.enter(proof, By()) == "ada"
    assert not People(shop.journal.database).take_proof(shop.kept()), "also where another desk reads it at that moment"
    shop.known.sign_out("ada")
    assert shop.here.enter(proof, By()) is None
    assert shop.there.enter(proof, By()) is None
    assert shop.there.enter(shop.says("desk-staff"), By()) == "ada"
    older = shop.says("everybody")
    shop.enters("desk-staff")
    since = datetime.now(UTC)
    assert shop.here.enter(older, By()) is None
    assert not People(shop.journal.database).accounts().left("ada", since)


@pytest.mark.parametrize("off", [GOOD_FOR + SECOND, -GOOD_FOR - SECOND])
def test_a_proof_is_good_for_minutes(shop: Shop, off: timedelta) -> None:
    proof = shop.says("desk-staff")
    shop.later(off)
    assert shop.here.enter(proof, By()) is None
    assert "ada" not in People(shop.journal.database).accounts().by_username


@pytest.mark.parametrize(
    "claims", [{"iss": ""}, {"sub": None}, {"sub": 7}, {"iat": None}, {"iat": True}, {"iat": "now"}]
)
def test_claims_without_who_says_it_of_whom_and_when_prove_nobody(shop: Shop, claims: dict[str, Any]) -> None:
    assert shop.enters("desk-staff", **claims) is None


@pytest.mark.parametrize(("claims", "username"), [
    ({"preferred_username": "  Ada Byron "}, "ada-byron"),
    ({"preferred_username": None, "email": "a.byron@shop.example"}, "a.byron"),
    ({"preferred_username": "@", "email": ""}, "s-1"), ({"preferred_username": "x" * 300}, "x" * 60),
])  # fmt: skip
def test_a_login_name_is_made_of_the_providers(shop: Shop, claims: dict[str, Any], username: str) -> None:
    assert shop.enters("desk-staff", **claims) == username


def test_the_password_the_role_and_the_second_factor_of_such_a_person_are_the_providers(shop: Shop) -> None:
    shop.enters("desk-staff")
    do, new = shop.administration, "purple kayak sunrise"
    assert not is_password_of("", shop.kept().password_hash)
    for act in (
        lambda: do.reset_password(ALEX, "ada"), lambda: do.set_role(ALEX, "ada", Role.MANAGER),
        lambda: do.add(ALEX, "ada", name="", role=Role.MANAGER, password=new),
        lambda: do.change_own_password(shop.kept().operator, "", new),
    ):  # fmt: skip
        refused(Refusal.PROVIDED, act)
    do.end_sessions(ALEX, "ada")
    assert shop.kept().role is Role.STAFF
    shop.enters("desk-managers")
    ada, people = shop.kept().operator, People(shop.journal.database)
    step = SecondFactors(shop.journal.database, shop.known, [Role.MANAGER])
    assert not step.is_owed(people.accounts(), ada, shop.clock.now)
    assert step.is_owed(people.accounts(), replace(ada, by_provider=False), shop.clock.now)
    assert ada.may(Permission.EXPORT_CLAIMS)
