"""Each symptom that a figure shows, brought about: exactly its alerts fire at what the desk tells then."""

import sqlite3
import ssl
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import timedelta
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import psycopg
import pytest
from sqlalchemy import event

from components.sign_in.guarded_login import GuardedLogin
from sandbox import SandboxServer
from tests.builders import order_of, sale_of
from tests.components.sign_in.people import AnyNumber, People
from tests.dashboard import free_port
from tests.warranty.conftest import Clock
from tests.warranty.history.test_nights import kept, reading, records
from tests.warranty.metrics.test_rules import ALERTS
from tests.warranty.metrics.told import Told
from warranty.access import Operator
from warranty.client import Pacing, WarrantyClient
from warranty.desk import Desk
from warranty.errors import CredentialRefused, JournalUnavailable, NotSent, WarrantyError
from warranty.journal import Journal, open_journal
from warranty.landing import landing_page_url
from warranty.resources import ClaimQuery

Call = Callable[[WarrantyClient], object]
VERIFY: Call = WarrantyClient.verify_credentials


def claims(client: WarrantyClient) -> object:
    """Read the first page of claims."""
    return client.claims(ClaimQuery())


def client_of(
    sandbox: SandboxServer,
    trust: ssl.SSLContext | None,
    *,
    url: str = "",
    private: str = "",
    public: str = "",
) -> WarrantyClient:
    """A client with something wrong."""
    return WarrantyClient(
        url or sandbox.base_url,
        private_token=private or sandbox.private_token,
        public_token=public or sandbox.public_token,
        pacing=Pacing(sleep=lambda _seconds: None),
        verify=trust or ssl.create_default_context(),
    )


def in_vain(call: Call, client: WarrantyClient, error: type[WarrantyError], *, times: int = 1) -> None:
    with client:
        for _ in range(times):
            with pytest.raises(error):
                call(client)


def test_it_does_not_start(told: Told) -> None:
    told.stop()
    assert told.now() is None
    told.fires("WarrantyDeskDown")


def test_the_service_cannot_be_reached(told: Told, sandbox: SandboxServer, trust: ssl.SSLContext) -> None:
    nobody = client_of(sandbox, trust, url=f"https://127.0.0.1:{free_port()}")
    in_vain(VERIFY, nobody, NotSent, times=2)
    told.fires("WarrantyServiceUnreachable")


def test_the_certificate_of_the_service_is_not_accepted(told: Told, sandbox: SandboxServer) -> None:
    in_vain(VERIFY, client_of(sandbox, None), NotSent, times=2)
    told.fires("WarrantyServiceUnreachable")


def test_the_private_token_is_refused(told: Told, sandbox: SandboxServer, trust: ssl.SSLContext) -> None:
    in_vain(VERIFY, client_of(sandbox, trust, private="another-token"), CredentialRefused)
    told.fires("WarrantyAccessRefused")


def test_claims_alone_are_refused(told: Told, sandbox: SandboxServer, trust: ssl.SSLContext) -> None:
    wrong = client_of(sandbox, trust, public="another-token")
    VERIFY(wrong)
    in_vain(claims, wrong, CredentialRefused)
    told.fires("WarrantyClaimsRefused")


@pytest.mark.parametrize("kind", ["status", "drop_before_write"])
def test_the_service_fails(
    *, told: Told, desk: Desk, clerk: Operator, sandbox: SandboxServer, kind: str
) -> None:
    sandbox.add_fault("submit_order", kind, times=9)
    for number in range(3):
        desk.send(clerk, order_of(order_id=f"o-{number}"), draft_id=f"d-{number}", screen="s")
    told.fires("WarrantyServiceFails")


@pytest.mark.parametrize("status", [429, 503])
def test_claims_are_hindered(told: Told, client: WarrantyClient, sandbox: SandboxServer, status: int) -> None:
    sandbox.add_fault("claims", "status", status=status, times=9)
    for _ in range(10):
        with suppress(WarrantyError):
            claims(client)
    told.fires("WarrantyClaimsHindered")


def test_an_entry_stays_unknown(
    *, told: Told, desk: Desk, clerk: Operator, sandbox: SandboxServer, clock: Clock
) -> None:
    desk.send(clerk, order_of(order_id="o-1"), draft_id="d", screen="s")
    sandbox.add_fault("record_sale", "drop_after_write")
    desk.send(clerk, sale_of("o-1"), draft_id="e", screen="s")
    told.fires()
    clock.advance(timedelta(minutes=31))
    told.fires("WarrantyUnknownOpen")


def test_orders_wait_for_the_service(
    *,
    told: Told,
    client: WarrantyClient,
    journal: Journal,
    clerk: Operator,
    sandbox: SandboxServer,
    clock: Clock,
) -> None:
    landing_page = partial(landing_page_url, sandbox.landing_url, sandbox.retailer_uuid)
    desk = Desk(client=client, journal=journal, environment="sandbox", landing_page=landing_page)
    sandbox.add_fault("submit_order", "status", status=503, times=3)
    for number in range(2):
        order = order_of(order_id=f"o-{number}")
        desk.send(clerk, order, draft_id=f"d-{number}", screen="submit_order")
    figures = told.now()
    assert figures is not None
    assert figures["warranty_queued_orders"] == 2
    told.fires()
    clock.advance(timedelta(minutes=16))
    told.fires("WarrantyOrdersWait")


def test_a_desk_that_was_asked_to_end_goes_on(told: Told) -> None:
    told.draining = True
    told.fires("WarrantyDoesNotEnd")


def test_the_history_has_no_complete_night_for_two_nights(told: Told, clock: Clock) -> None:
    kept(told.nights, reading(records(3), as_of=clock()))
    clock.advance(timedelta(days=1))
    kept(told.nights, reading(records(3), as_of=clock(), whole=False), after=1)
    clock.advance(timedelta(hours=23))
    told.fires()
    kept(told.nights, reading(records(3), as_of=clock(), whole=False), after=2)
    clock.advance(timedelta(hours=4))
    told.fires("WarrantyNightsMissed")


def test_a_night_is_not_what_was_sealed(told: Told, clock: Clock) -> None:
    night = kept(told.nights, reading(records(3), as_of=clock()))
    manifest = night.path / "manifest.json"
    manifest.write_bytes(manifest.read_bytes() + b" ")
    told.fires("WarrantyNightUnreadable")


def test_another_program_holds_the_journal(told: Told, journal_url: str) -> None:
    with closing(sqlite3.connect(journal_url.removeprefix("sqlite:///"), isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        told.fires("WarrantyJournalAway")


def test_the_journals_file_is_damaged(told: Told, journal: Journal, journal_url: str) -> None:
    journal.close()  # its connections; the next transaction opens the file anew
    file = Path(journal_url.removeprefix("sqlite:///"))
    file.write_bytes(b"no database" * 1000)
    told.fires("WarrantyJournalAway", "WarrantyJournalFails")


def test_the_disk_of_the_journal_is_full(told: Told, journal: Journal) -> None:
    """Only a write shows it: the journal answers."""
    journal.close()

    event.listen(
        journal._database.engine, "connect", lambda file, _: file.execute("PRAGMA max_page_count = 1")
    )
    with pytest.raises(JournalUnavailable):
        journal.preference("dana", "filters").save("more than fits into the last page " * 1000)
    figures = told.now()
    assert figures is not None
    assert figures["warranty_journal_up"] == 1
    told.fires("WarrantyJournalFails")


@pytest.mark.postgres
@pytest.mark.parametrize(
    ("trouble", "alerts"),
    [
        ("ALLOW_CONNECTIONS false", {"WarrantyJournalAway", "WarrantyJournalFails"}),
        (
            "SET default_transaction_read_only = on",
            {"WarrantyJournalAway"},
        ),  # found before anything is written
    ],
)
def test_the_journals_postgresql_does_not_answer_or_is_a_standby(
    *, new_postgres: Callable[[], str], tmp_path: Path, trouble: str, alerts: set[str]
) -> None:
    url = new_postgres()
    name = url.partition("?")[0].rpartition("/")[2]
    with closing(open_journal(url)) as journal:
        told = Told(journal, free_port(), tmp_path)
        try:
            with psycopg.connect(url.replace(f"/{name}", "/postgres"), autocommit=True) as administrator:
                administrator.execute(f'ALTER DATABASE "{name}" {trouble}'.encode())
                administrator.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name]
                )
            told.fires(*alerts)
        finally:
            told.stop()


def test_somebody_guesses_passwords(told: Told) -> None:
    nowhere = SimpleNamespace(at=lambda _key, **_more: None)
    parts = SimpleNamespace(tries=AnyNumber(), cookie_name="of-the-desk", people=People(), tills=nowhere)
    accounts = SimpleNamespace(by_username={"sam": None}, cookie_key="0" * 64)
    library = SimpleNamespace(login=lambda *_args, **_more: False)
    for number in range(31):
        door = GuardedLogin(library, cast(Any, accounts), cast(Any, parts), begins_anew=lambda: None)
        door.login("sam", f"guess-{number}")
        assert door.problem
    told.fires("WarrantySignInsRefused")


def test_every_alert_has_its_rehearsal() -> None:
    rehearsed = Path(__file__).read_text()
    assert [alert["alert"] for alert in ALERTS if f'"{alert["alert"]}"' not in rehearsed] == []
