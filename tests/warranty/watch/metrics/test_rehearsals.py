"""Each symptom that a figure shows, brought about: exactly its alerts fire at what the desk tells then."""

import inspect
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from datetime import timedelta
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final, cast
from unittest.mock import AsyncMock, Mock

import anyio
import psycopg
import pytest
from sqlalchemy import event

from components.people.sign_in.guarded_login import GuardedLogin
from components.platform.serving.door import Door
from deploy.up.machine import free_port
from sandbox import SandboxServer
from tests.builders import client_at, order_of, sale_of
from tests.components.people.sign_in.people import AnyNumber
from tests.components.people.sign_in.people import People as Remembered
from tests.warranty.conftest import Clock
from tests.warranty.desk.shop import Shop
from tests.warranty.insight.history.test_nights import kept, reading, records
from tests.warranty.watch.metrics.test_rules import ALERTS
from tests.warranty.watch.metrics.told import Told
from warranty.__main__ import main
from warranty.access import Role
from warranty.client import WarrantyClient
from warranty.client.resources import ClaimQuery
from warranty.client.resources.landing import landing_page_url
from warranty.commands.housekeeping.opening import open_journal
from warranty.database.preferences import Preference
from warranty.database.tables import BACKED_UP_AT
from warranty.desk.journal import Batches, Journal
from warranty.errors import CredentialRefused, JournalUnavailable, NotSent, WarrantyError
from warranty.people.accounts import KnownAccounts
from warranty.people.accounts.provided import NotLetIn, ProvidedAccounts
from warranty.people.audit import By
from warranty.watch.observed.observations import Observations, Oddity, Sighting

Call = Callable[[WarrantyClient], object]
VERIFY: Call = WarrantyClient.verify_credentials


REHEARSED: Final[list[tuple[str, Sequence[str]]]] = []


def rehearses(*rows: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """These rows of docs/on-call.md are brought about here, or the nearest to them that a test can do."""

    def noted(rehearsal: Callable[..., None]) -> Callable[..., None]:
        REHEARSED.append((inspect.getsource(rehearsal), rows))
        return rehearsal

    return noted


def claims(client: WarrantyClient) -> object:
    return client.claims(ClaimQuery())


def in_vain(call: Call, client: WarrantyClient, error: type[WarrantyError], *, times: int = 1) -> None:
    with client:
        for _ in range(times):
            with pytest.raises(error):
                call(client)


@rehearses("It does not start", "It does not start after an update")
def test_it_does_not_start(told: Told) -> None:
    told.stop()
    assert told.now() is None
    told.fires("WarrantyDeskDown")


@rehearses('"The service could not be reached"', "The same, at a new place or after a change of the network")
def test_the_service_cannot_be_reached(told: Told, sandbox: SandboxServer) -> None:
    in_vain(VERIFY, client_at(sandbox, f"https://127.0.0.1:{free_port()}"), NotSent, times=2)
    told.fires("WarrantyServiceUnreachable")


@rehearses('The same, and `check` says "certificate has expired"')
def test_the_certificate_of_the_service_is_not_accepted(told: Told, sandbox: SandboxServer) -> None:
    in_vain(VERIFY, client_at(sandbox, verify=None), NotSent, times=2)
    told.fires("WarrantyServiceUnreachable")


@rehearses(
    '"The service does not accept this shop\'s access"',
    'access refused: "no longer accepts',
    'access refused: "… was refused with 401"',
)
def test_the_private_token_is_refused(told: Told, sandbox: SandboxServer) -> None:
    in_vain(VERIFY, client_at(sandbox, private_token="another-token"), CredentialRefused)
    told.fires("WarrantyAccessRefused")


@rehearses("Claims alone are refused", 'access refused: "no longer accepts')
def test_claims_alone_are_refused(told: Told, sandbox: SandboxServer) -> None:
    wrong = client_at(sandbox, public_token="another-token")
    VERIFY(wrong)
    in_vain(claims, wrong, CredentialRefused)
    told.fires("WarrantyClaimsRefused")


@rehearses("Many `OutcomeUnknown` or `ServiceFailed`")
@pytest.mark.parametrize("kind", ["status", "drop_before_write"])
def test_the_service_fails(told: Told, shop: Shop, kind: str) -> None:
    for number in range(3):
        shop.unanswered(order_of(order_id=f"o-{number}"), kind)
    told.fires("WarrantyServiceFails")


@rehearses('"Claims: N of M" does not go away')
@pytest.mark.parametrize("status", [429, 503])
def test_claims_are_hindered(told: Told, client: WarrantyClient, sandbox: SandboxServer, status: int) -> None:
    sandbox.add_fault("claims", "status", status=status, times=9)
    for _ in range(10):
        with suppress(WarrantyError):
            claims(client)
    told.fires("WarrantyClaimsHindered")


@rehearses("outcome unknown")
def test_an_entry_stays_unknown(told: Told, shop: Shop) -> None:
    shop.unanswered(sale_of("o-1"))
    told.fires()
    shop.clock.advance(timedelta(minutes=31))
    told.fires("WarrantyUnknownOpen")


@rehearses("Orders wait", 'orders wait: "waited for the service')
def test_orders_wait_for_the_service(told: Told, shop: Shop, sandbox: SandboxServer) -> None:
    shop.desk.sender._landing_page = partial(landing_page_url, sandbox.landing_url, sandbox.retailer_uuid)
    for order in ("o-1", "o-2"):
        shop.unanswered(order_of(order_id=order), "status")
        shop.clock.advance(timedelta(minutes=2))
    waiting = "warranty_queued_orders", "warranty_oldest_queued_seconds"
    assert [told.figures()[name] for name in waiting] == [2, 4 * 60 + 1]
    told.fires()
    shop.clock.advance(timedelta(minutes=12))
    told.fires("WarrantyOrdersWait")


@rehearses("A desk was asked to end")
def test_a_desk_that_was_asked_to_end_goes_on(told: Told) -> None:
    told.draining = True
    told.fires("WarrantyDoesNotEnd")


@rehearses(
    "History incomplete for two nights",
    "`history take` exits with 1",
    'claims incomplete: "do not have every claim"',
    'claims incomplete: "no night since"',
)
def test_the_history_has_no_complete_night_for_two_nights(told: Told, clock: Clock) -> None:
    Preference(told.journal.database, **BACKED_UP_AT).save("2027-01-01T00:00:00+00:00")  # of copies another one tells
    kept(told.nights, reading(records(3), as_of=clock()))
    clock.advance(timedelta(days=1))
    kept(told.nights, reading(records(3), as_of=clock(), whole=False), after=1)
    clock.advance(timedelta(hours=23))
    told.fires()
    kept(told.nights, reading(records(3), as_of=clock(), whole=False), after=2)
    clock.advance(timedelta(hours=4))
    told.fires("WarrantyNightsMissed")


@rehearses('claims incomplete: "has no night yet"')
def test_a_history_that_is_set_up_never_has_a_night(told: Told, clock: Clock) -> None:
    Preference(told.journal.database, **BACKED_UP_AT).save("2027-01-01T00:00:00+00:00")  # of copies another one tells
    clock.advance(timedelta(days=9))
    told.fires()  # nobody has asked for a history
    told.nights.folder.mkdir(parents=True)
    told.fires()  # the first night is not due
    clock.advance(timedelta(hours=49))
    told.fires()
    clock.advance(timedelta(hours=2))
    told.fires("WarrantyNightsMissed")
    kept(told.nights, reading(records(3), as_of=clock()))
    told.fires()


@rehearses("The nightly copy of the journal does not come")
def test_a_copy_does_not_come(told: Told, clock: Clock, journal_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the first, counted from the first scrape, nor the second after one that was missed."""
    for name, value in {"JOURNAL_URL": journal_url, "DATA_DIR": str(told.folder)}.items():
        monkeypatch.setenv(f"WARRANTY_{name}", value)
    clock.advance(timedelta(hours=51))
    told.fires("WarrantyCopyMissed")
    monkeypatch.setattr("warranty.commands.journal.utc_now", clock)
    assert main(["journal", "backup"]) == 0
    assert told.figures()["warranty_backup_age_seconds"] == 0
    clock.advance(timedelta(hours=49))
    told.fires()
    clock.advance(timedelta(hours=2))
    told.fires("WarrantyCopyMissed")


@rehearses("`history list` names a folder")
def test_a_night_is_not_what_was_sealed(told: Told, clock: Clock) -> None:
    manifest = kept(told.nights, reading(records(3), as_of=clock())).path / "manifest.json"
    manifest.write_bytes(manifest.read_bytes() + b" ")
    told.fires("WarrantyNightUnreadable")


@rehearses("`/healthz` is 503", "`SQLITE_BUSY`")
def test_another_program_holds_the_journal(told: Told, journal_url: str) -> None:
    with closing(sqlite3.connect(journal_url.removeprefix("sqlite:///"), isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        told.fires("WarrantyJournalAway")


@rehearses("`/healthz` is 503", "`DatabaseError`, `SQLITE_CORRUPT`")
def test_the_journals_file_is_damaged(told: Told, journal: Journal, journal_url: str) -> None:
    journal.close()  # its connections; the next transaction opens the file anew
    Path(journal_url.removeprefix("sqlite:///")).write_bytes(b"no database" * 1000)
    told.fires("WarrantyJournalAway", "WarrantyJournalFails")


def at_opening(journal: Journal, pragma: str) -> None:
    event.listen(journal.database.engine, "connect", lambda file, _: file.execute(pragma))


@rehearses("`SQLITE_READONLY`, `SQLITE_CANTOPEN`")
@pytest.mark.parametrize("problem", ["SQLITE_CANTOPEN", "SQLITE_READONLY"])
def test_the_journals_file_may_not_be_used(told: Told, journal: Journal, journal_url: str, problem: str) -> None:
    """Whoever tests as root has every right, so they are taken in another way."""
    journal.close()
    if problem == "SQLITE_CANTOPEN":
        file = Path(journal_url.removeprefix("sqlite:///"))
        file.unlink()
        file.mkdir()
    else:
        at_opening(journal, "PRAGMA query_only=ON")
    with pytest.raises(JournalUnavailable, match=problem):
        Preference(journal.database, "dana", "filters").save("x")
    told.fires("WarrantyJournalAway", "WarrantyJournalFails")


@rehearses("`SQLITE_FULL`")
def test_the_disk_of_the_journal_is_full(told: Told, journal: Journal) -> None:
    """Only a write shows it: the journal answers."""
    journal.close()
    at_opening(journal, "PRAGMA max_page_count = 1")
    with pytest.raises(JournalUnavailable):
        Preference(journal.database, "dana", "filters").save("more than fits into the last page " * 1000)
    assert told.figures()["warranty_journal_up"] == 1
    told.fires("WarrantyJournalFails")


@contextmanager
def figures_of(url: str, folder: Path) -> Iterator[Told]:
    with closing(open_journal(url)) as journal:
        told = Told(journal, free_port(), folder)
        try:
            yield told
        finally:
            told.stop()


def altered(url: str, trouble: str) -> None:
    """Change the database of this address, and end whoever is connected."""
    name = url.partition("?")[0].rpartition("/")[2]
    with psycopg.connect(url.replace(f"/{name}", "/postgres"), autocommit=True) as administrator:
        administrator.execute(f'ALTER DATABASE "{name}" {trouble}'.encode())
        administrator.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name])


@rehearses("`OperationalError` alone")
@pytest.mark.postgres
def test_the_journals_postgresql_does_not_answer(new_postgres: Callable[[], str], tmp_path: Path) -> None:
    with figures_of(url := new_postgres(), tmp_path) as told:
        altered(url, "ALLOW_CONNECTIONS false")
        told.fires("WarrantyJournalAway", "WarrantyJournalFails")


@rehearses("a code such as `53100`")
@pytest.mark.postgres
def test_the_journals_postgresql_only_reads(new_postgres: Callable[[], str], tmp_path: Path) -> None:
    """Code 25006, which the desk finds before it writes anything."""
    with figures_of(url := new_postgres(), tmp_path) as told:
        altered(url, "SET default_transaction_read_only = on")
        told.fires("WarrantyJournalAway")


@rehearses("`OperationalError` at a failover")
@pytest.mark.postgres
def test_the_first_postgresql_is_gone_for_good(new_postgres: Callable[[], str], tmp_path: Path) -> None:
    url = new_postgres()
    both = f"{url.replace('host=', 'host=/nowhere,')}&target_session_attrs=read-write"
    assert both.count("/nowhere,/") == 1
    with figures_of(both, tmp_path) as told:
        altered(url, "SET default_transaction_read_only = on")
        told.fires("WarrantyJournalAway", "WarrantyJournalFails")


@rehearses("a code such as `53100`")
@pytest.mark.postgres
@pytest.mark.parametrize("code", ["53100", "57014"])
def test_the_journals_postgresql_refuses_a_write(new_postgres: Callable[[], str], tmp_path: Path, code: str) -> None:
    """A trigger says what a full disk and a slow one say."""
    with figures_of(url := new_postgres(), tmp_path) as told:
        with psycopg.connect(url) as administrator:
            body = f"AS $$ BEGIN RAISE EXCEPTION USING ERRCODE = '{code}'; END $$"
            administrator.execute(f"CREATE FUNCTION trouble() RETURNS trigger LANGUAGE plpgsql {body}".encode())
            trigger = "CREATE TRIGGER trouble BEFORE INSERT ON preferences EXECUTE FUNCTION trouble()"
            administrator.execute(trigger.encode())
        with pytest.raises(JournalUnavailable, match=code):
            Preference(told.journal.database, "dana", "filters").save("x")
        told.fires("WarrantyJournalFails")


@rehearses("Many sign-ins are refused", "Everybody of a shop has to wait to sign in")
def test_somebody_guesses_passwords(told: Told) -> None:
    nowhere = SimpleNamespace(at=lambda _key, **_more: None)
    parts = SimpleNamespace(tries=AnyNumber(), cookie_name="of-the-desk", people=Remembered(), tills=nowhere)
    accounts = SimpleNamespace(by_username={"sam": None}, cookie_key="0" * 64)
    for number in range(31):
        door = GuardedLogin(cast(Any, accounts), cast(Any, parts), begins_anew=lambda: None)
        door.login("sam", f"guess-{number}", lambda _name, _secret: False)
        assert door.problem
    told.fires("WarrantySignInsRefused")


@rehearses("Somebody is refused by the identity provider's word")
def test_the_provider_of_sign_ins_sends_people_who_are_in_no_group(told: Told, journal: Journal) -> None:
    people = KnownAccounts(journal.database)
    roles = [("desk-staff", Role.STAFF)]
    provided = ProvidedAccounts(journal.database, people, roles=roles, stores=[], groups_claim="groups")
    for number in range(5):
        word = {"iss": "https://id.example", "sub": f"{number}", "iat": journal.database.clock().timestamp()}
        with pytest.raises(NotLetIn):
            provided.enter(word, By("", "", "192.0.2.7"))
    told.fires("WarrantyProviderRefuses")


@rehearses('"This page can\'t connect"')
def test_the_name_that_staff_type_is_not_allowed_or_a_page_elsewhere_tries(told: Told) -> None:
    nothing: Any = Mock(side_effect=AssertionError("the door asks nobody for what it refuses"))
    heard, gone = AsyncMock(), AsyncMock(return_value={"type": "websocket.disconnect"})

    async def ask() -> None:
        door = Door(nothing, sign_in=nothing, guests=nothing, only_https=False)
        headers = [(b"host", b"desk.example"), (b"origin", b"https://another.example")]
        answers: dict[str, Any] = {"websocket.http.response": {}}
        asked = {"type": "websocket", "path": "/_stcore/stream", "scheme": "wss", "extensions": answers}
        await door({**asked, "headers": headers, "client": ("192.0.2.7", 1)}, gone, heard)

    with ThreadPoolExecutor(1) as thread:  # in this one the loop of a browser's test may run
        for _ in range(11):
            thread.submit(anyio.run, ask).result()
    told.fires("WarrantyPagesRefused")


@rehearses('"Sending these orders was interrupted"')
def test_a_desk_is_gone_in_the_middle_of_an_import(told: Told, journal: Journal) -> None:
    batches = Batches(journal.database, "sandbox", "dana")
    orders = [{"number": 1, "name": "o-1", "row": 2}]
    batch_id = batches.begin(file_name="orders.csv", layout={}, choices={}, sources=orders)
    batches.start(batch_id, [])
    with batches.sending(batch_id):
        told.fires()
    told.fires("WarrantyImportLeft")


@rehearses('Connection: "What the service does beyond')
def test_the_service_says_what_no_document_holds(told: Told, journal: Journal) -> None:
    seen = Sighting(Oddity("claims", "status", "PARKED"), journal.database.clock(), journal.database.clock(), 1)
    Observations(journal.database, "sandbox").add([seen])
    told.fires("WarrantyServiceDrifts")


def test_every_symptom_that_a_rule_names_is_rehearsed_with_that_rule() -> None:
    rehearsed = {
        (alert["alert"], row)
        for source, rows in REHEARSED for alert in ALERTS for row in rows if f'"{alert["alert"]}"' in source
    }  # fmt: skip
    named = {(alert["alert"], row) for alert in ALERTS for row in alert["annotations"]["rows"].splitlines()}
    assert named - rehearsed == set()
    assert {row for _, rows in REHEARSED for row in rows} == {row for _, row in named}
