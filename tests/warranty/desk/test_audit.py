"""What the use cases write into the audit trail: each with its person, and never a customer."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import select

from tests.builders import order_of
from tests.warranty.desk.shop import Shop
from warranty.access import AWAY, FIRST_STORE, Operator, Permission, Role, Station
from warranty.claims.analysis import Selection
from warranty.client.resources import ClaimQuery
from warranty.desk import Desk
from warranty.desk.journal import AttemptFilter, Journal
from warranty.desk.journal.tables import ATTEMPTS, DRAFTS, ORDER_BATCHES
from warranty.desk.taking_away import TakenAway, describe_claims, note_look_up, take_away
from warranty.errors import JournalUnavailable, PermissionDenied
from warranty.files.shop_files import ShopFiles
from warranty.people.accounts import Administration, KnownAccounts, account
from warranty.people.accounts.people import People
from warranty.people.audit import AuditFilter, AuditKind, AuditRow, AuditTrail
from warranty.people.audit.tables import AUDIT
from warranty.settings import load_settings

ALEX = Operator("alex", "Alex", Role.ADMINISTRATOR)
EMAIL = "zeb.quill@example.com"


def rows(journal: Journal, kind: AuditKind) -> Sequence[AuditRow]:
    found = AuditTrail(journal.database, "sandbox")
    assert found.verify().holds
    return found.rows(AuditFilter(kind=kind))


def known_accounts(journal: Journal) -> KnownAccounts:
    return KnownAccounts(journal.database, audit=AuditTrail(journal.database, "sandbox"))


def _away(*_: object, **__: object) -> None:
    raise JournalUnavailable("away")


@pytest.mark.both_databases
def test_a_settlement_and_its_row_are_one_writing(shop: Shop, journal: Journal, manager: Operator) -> None:
    unknown = shop.unanswered(order_of(order_id="o-1"))

    def settle(who: Operator) -> object:
        return shop.desk.settle(who, unknown.attempt_id, recorded=True, note=f"{EMAIL} rang")

    with ThreadPoolExecutor(2) as both:
        list(both.map(settle, (shop.clerk, manager)))
    (row,) = rows(journal, AuditKind.SETTLEMENT)
    settled = shop.now(unknown).settled
    assert row.username == (settled and settled.username)
    what = {"attempt": unknown.attempt_id, "operation": "submit_order", "order": "o-1", "of": "dana"}
    assert dict(row.details) == {**what, "settled_as": "recorded"}


def test_a_settlement_is_told_as_what_was_found_out(shop: Shop, journal: Journal) -> None:
    for recorded in (True, False):
        unknown = shop.unanswered(order_of())
        shop.desk.settle(shop.clerk, unknown.attempt_id, recorded=recorded, note="")
    shop.desk.settle(shop.clerk, unknown.attempt_id, recorded=False, drops=True, note="")
    told = [row.details["settled_as"] for row in rows(journal, AuditKind.SETTLEMENT)]
    assert told[::-1] == ["recorded", "not recorded", "not needed"]


def test_all_that_is_written_says_who_at_which_till(shop: Shop, desk: Desk, journal: Journal, clerk: Operator) -> None:
    for at in (Station("north", "till-7", "pin"), AWAY):
        there = replace(clerk, at=at)
        unknown = shop.unanswered(order_of(), by=there)
        desk.settle(there, unknown.attempt_id, recorded=True, note="")
        desk.drafts(there, "record_sale").save(f"draft {at.till_id}", {"first_name": "Ada"})
        sources = [{"number": 1, "name": "#1", "row": 2}]
        desk.imports(there).begin(file_name="orders.csv", layout={}, choices={}, sources=sources)
    tables = [(table, table.c.store_id, table.c.till_id) for table in (ATTEMPTS, DRAFTS, ORDER_BATCHES)]
    for table, store, till in (*tables, (AUDIT, AUDIT.c.store, AUDIT.c.till)):
        with journal.database.read() as connection:
            kept = connection.execute(select(table.c.username, store, till).order_by(till)).all()
        people = [tuple(row) for row in kept]
        assert people == [("dana", FIRST_STORE, ""), ("dana", "north", "till-7")], table.name


def test_an_export_says_what_of_what_and_how_much(shop: Shop, journal: Journal, manager: Operator) -> None:
    for order in ("o-1", "o-2"):
        shop.order(order)
    shop.desk.activity.attempts_to_export(manager, AttemptFilter(username="dana", text=EMAIL))
    shop.desk.activity.attempts_to_export(manager, AttemptFilter(username="dana"))
    subset = describe_claims(ClaimQuery(customer_email=EMAIL), Selection(statuses=("OPEN",), text="617 555 0199"))
    take_away(shop.desk.audit, manager, TakenAway.CLAIMS_XLSX, count=12, subset=subset)
    found = rows(journal, AuditKind.EXPORT)
    assert [(row.details["what"], row.details["count"], row.details["filter"]) for row in found] == [
        ("claims xlsx", 12, "one customer, status OPEN, a text"), ("activity csv", 2, "person dana"),
        ("activity csv", 0, "person dana, a text"),
    ]  # fmt: skip
    assert (found[0].username, found[0].role) == ("mo", "manager")


def test_a_look_at_a_customers_claims_has_a_keyed_hash_and_who_may_not_takes_no_file_nor_anybody_unwritten(
    desk: Desk, journal: Journal, clerk: Operator, manager: Operator, monkeypatch: pytest.MonkeyPatch
) -> None:
    for email in (EMAIL, EMAIL.title(), "ann@example.com"):
        note_look_up(desk.audit, clerk, email)
    other, same, first = (row.details["customer"] for row in rows(journal, AuditKind.LOOKED_UP))
    assert first == same == AuditTrail(journal.database, "sandbox").subject(EMAIL)
    assert other != first
    assert "zeb" not in str(first)
    with pytest.raises(PermissionDenied):
        take_away(desk.audit, clerk, TakenAway.CLAIMS_CSV, count=1)
    with monkeypatch.context() as broken:
        broken.setattr(journal.database, "write", _away)
        with pytest.raises(JournalUnavailable):
            take_away(desk.audit, manager, TakenAway.CLAIMS_CSV, count=1)
    assert rows(journal, AuditKind.EXPORT) == []


def test_who_came_guessed_went_or_might_not_is_written(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    People(journal.database).put(account("sam", name="Sam", role=Role.STAFF, password="three odd teapots", rounds=4))
    known = known_accounts(journal)
    known.fresh()
    known.came("sam", "203.0.113.9")
    for name in ("sam", "hunter2-typed-into-the-name"):
        known.refused(name, "203.0.113.9")
    known.went("sam", "203.0.113.9")
    came, wrong, went = (rows(journal, kind) for kind in (AuditKind.SIGN_IN, AuditKind.WRONG_TRY, AuditKind.SIGN_OUT))
    assert [(row.username, row.role) for row in (*came, *went)] == [("sam", "staff")] * 2
    assert [row.username for row in wrong] == ["", "sam"]
    assert len({row.address for row in (*came, *wrong, *went)}) == 1
    assert [secret for secret in ("hunter2", "203.0.113.9") if secret in str([came, wrong, went])] == []
    sam = Operator("sam", "Sam", Role.STAFF, on_refusal=known_accounts(journal).denied, address="203.0.113.9")
    demoted = replace(sam, username="maya", role=Role.MANAGER, as_of_now=lambda: replace(sam, username="maya"))
    sam.require(Permission.READ_CLAIMS)
    for ask in (sam.require, demoted.acts):
        with pytest.raises(PermissionDenied):
            ask(Permission.EXPORT_CLAIMS)
    found = rows(journal, AuditKind.REFUSED)
    assert {(row.role, row.details["may_not"]) for row in found} == {("staff", "export claims")}
    assert [row.username for row in found] == ["maya", "sam"]
    assert found[0].address == found[1].address != ""
    monkeypatch.setattr(journal.database, "write", _away)
    with pytest.raises(PermissionDenied):
        sam.require(Permission.EXPORT_CLAIMS)


def test_every_change_of_an_account_is_written_down_by_screen_and_command_alike(journal: Journal) -> None:
    alex = account("alex", name="Alex", role=Role.ADMINISTRATOR, password="three odd teapots", rounds=4)
    People(journal.database).put(alex)
    shop = Administration(journal.database, known_accounts(journal), rounds=4)
    password = shop.invite(ALEX, "rio", name="Rio", role=Role.STAFF)
    shop.set_role(ALEX, "rio", Role.MANAGER)
    shop.set_home_store(ALEX, "rio", "north")
    for act in (shop.lock, shop.unlock, shop.reset_password, shop.end_sessions):
        act(ALEX, "rio")
    shop.remove(Operator("", "the command line", Role.ADMINISTRATOR), "rio")
    found = rows(journal, AuditKind.ACCOUNT)[::-1]
    assert [row.details["what"] for row in found] == [
        "invited", "role", "home store", "locked", "unlocked", "password reset", "sessions ended", "removed",
    ]  # fmt: skip
    assert {row.details["account"] for row in found} == {"rio"}
    assert [row.role for row in found] == ["administrator"] * 7 + ["command"]
    assert password not in str(found)


def test_a_shop_file_and_the_name_of_a_setting_are_written(journal: Journal, manager: Operator, tmp_path: Path) -> None:
    settings = load_settings({"data_dir": str(tmp_path)})
    files = ShopFiles(journal.database, settings, AuditTrail(journal.database, "sandbox"))
    files.catalogue.replace(manager, b"sku,title\nA,Lamp\n", file_name="spring.csv")
    files.price_list.remove(manager)
    removed, put_in = rows(journal, AuditKind.SHOP_FILE)
    assert (put_in.details["what"], put_in.details["file"]) == ("catalogue", "spring.csv")
    assert removed.details == {"what": "price list removed"}
    trail = AuditTrail(journal.database, "sandbox")
    for token in ("planted-token", "planted-token", "another-token"):
        trail.settings({"private_token": token, "shop_name": "Ours"})
    changed, first = rows(journal, AuditKind.SETTINGS)
    assert (first.details, changed.details) == ({"changed": "the first start"}, {"changed": "private_token"})
