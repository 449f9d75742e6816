"""What is known of a customer: in no error and no log, kept until it is settled, found and erased wherever it is."""

import json
import logging
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path

import httpx
import pytest
from sqlalchemy import make_url, select, text

from tests.builders import checkout_of, order_of, sale_of
from tests.warranty.client.prepared_service import Service, client
from tests.warranty.desk.shop import Shop
from warranty.__main__ import main
from warranty.access import Operator, Role
from warranty.commands.housekeeping.privacy import Privacy, Sought
from warranty.database.preferences import Preference
from warranty.database.tables import METADATA
from warranty.desk import Desk
from warranty.desk.journal import AttemptState, Batches, Drafts, Journal
from warranty.desk.scrubbing import without_customer
from warranty.desk.taking_away import note_look_up
from warranty.errors import Failure, JournalUnavailable, PermissionDenied
from warranty.insight.history.time_notes import NoteKind, TimeNote, TimeNotes
from warranty.people.audit import AuditFilter, AuditTrail

PLANTED = {
    "first_name": "Zebediah", "last_name": "Quillfeather", "email": "zeb.quill@example.com", "phone": "+1 617 555 0199",
    "address1": "77 Plantation Row", "address2": "Flat 9C", "city": "Zanesville", "zip": "02139-7755",
}  # fmt: skip


Kept = Callable[..., str]


@pytest.fixture
def kept(journal: Journal, journal_url: str) -> Kept:
    """What these tables hold as text; without any, every byte of the database's files."""

    def read(*tables: str) -> str:
        if tables:
            with journal.database.read() as connection:
                return str([connection.execute(select(METADATA.tables[name])).all() for name in tables])
        path = Path(make_url(journal_url).database or "")
        return "".join(file.read_bytes().decode("latin-1") for file in path.parent.glob(f"{path.name}*"))

    return read


def found_in(content: str) -> list[str]:
    digits = "".join(letter for letter in content if letter.isdigit())
    named = [name for name, value in PLANTED.items() if value in content]
    return named + ["phone"] * ("6175550199" in digits)


def quoting() -> Service:
    """A service that says everything that it was sent."""
    quoted = {**PLANTED, "last_name": PLANTED["last_name"].upper()}
    said = [f"{name}: {value} is refused" for name, value in quoted.items()]
    said.append("zeb.quill@example.com and 617-555-0199 and (617) 555 0199 are known to us")
    return Service(httpx.Response(400, json={"message": {"validation_errors": said}}))


def test_a_refusal_is_scrubbed(journal: Journal, clerk: Operator, kept: Kept, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with client(quoting()) as asking:
        desk = Desk(client=asking, journal=journal, environment="sandbox")
        order = desk.send(clerk, order_of(order_id="o-1", **PLANTED), draft_id="a", screen="s")
        checkout = desk.send(clerk, checkout_of("o-1", **PLANTED), draft_id="b", screen="s")
    for attempt in (order, checkout):
        words = attempt.failure.service_words if attempt.failure else ()
        assert attempt.state is AttemptState.REFUSED
        assert found_in(" ".join(words)) == []
        assert (words[0], words[2]) == ("first_name: [first name] is refused", "email: [e-mail] is refused")
    assert found_in(kept() + caplog.text) == []


def test_what_is_settled_is_erased(shop: Shop, journal: Journal, kept: Kept, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    Drafts(journal.database, "sandbox", "dana", "s").save("a", PLANTED)
    order = shop.unanswered(order_of(order_id="o-1", **PLANTED), "drop_after_write", draft="a", screen="s")
    checkout = shop.unanswered(checkout_of("o-1", **PLANTED), "drop_after_write")
    sale = shop.send(sale_of("o-1"), knowing=[checkout])
    assert [] not in (found_in(kept("unsettled")), found_in(kept("drafts")))
    assert found_in(kept("attempts", "outcomes", "preferences")) == []
    shop.desk.send_order_again(shop.clerk, order.attempt_id)
    note = "zeb.quill@example.com rang from +1 617 555 0199"
    shop.desk.settle(shop.clerk, checkout.attempt_id, recorded=True, note=note)
    assert found_in(kept() + caplog.text) == []
    assert found_in(repr([order, checkout, sale, journal, shop.desk])) == []


@contextmanager
def broken(journal: Journal) -> Iterator[None]:
    """What is unsettled cannot be written; PostgreSQL quotes the whole row when it says so."""
    breaks, mends = {
        "sqlite": ("CREATE TRIGGER breaks BEFORE INSERT ON unsettled BEGIN SELECT RAISE(ABORT, 'broken'); END",
                   "DROP TRIGGER breaks"),
        "postgresql": ("ALTER TABLE unsettled ADD CONSTRAINT breaks CHECK (false)",
                       "ALTER TABLE unsettled DROP CONSTRAINT breaks"),
    }[journal.database.engine.dialect.name]  # fmt: skip
    with journal.database.write() as connection:
        connection.execute(text(breaks))
    try:
        yield
    finally:
        with journal.database.write() as connection:
            connection.execute(text(mends))


@pytest.mark.both_databases
def test_a_journal_that_fails_quotes_nothing(shop: Shop, journal: Journal, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with broken(journal), pytest.raises(JournalUnavailable) as raised:
        shop.send(order_of(order_id="o-1", **PLANTED))
    assert (raised.value.__cause__, raised.value.__context__) == (None, None)
    assert found_in("".join(traceback.format_exception(raised.value)) + caplog.text) == []


@pytest.mark.parametrize(("said", "kept_words"), [
    ("May we ask? mayor May", "[first name] we ask? mayor [first name]"),
    ("order 16175550199 of product 02134 has no offer", "order 16175550199 of product 02134 has no offer"),
    ("call 1-617-555-0123 or +44 20 7946 0958", "call [phone] or [phone]"),
    ("someone.else@shop.example is no customer", "[e-mail] is no customer"),
    ("5 May Street is not known", "[address] is not known"),
])  # fmt: skip
def test_only_what_is_the_customers_is_taken_out_of_the_services_words(said: str, kept_words: str) -> None:
    failure = Failure("RequestRefused", "submit_order", "a", 400, True, (said,))
    named = {"first_name": "May", "phone": "16175550123", "last_name": "", "zip": None}
    body = {"billing_address": {**named, "address1": "5 May Street"}}
    assert without_customer(failure, body).service_words == (kept_words,)


ALEX = Operator("alex", "Alex", Role.ADMINISTRATOR)
EMAIL = "Zeb.Quill@Example.com"
PHONE = "+16175550199"
VIEWS = "claims-views.sandbox"


@pytest.fixture
def privacy(journal: Journal) -> Privacy:
    return Privacy(journal.database, AuditTrail(journal.database, "sandbox"))


def drafts_of(journal: Journal) -> Drafts:
    return Drafts(journal.database, "sandbox", "dana", "submit_order")


@pytest.fixture
def held(shop: Shop, desk: Desk, journal: Journal, clerk: Operator) -> str:
    """One customer in every place that can hold one, and another whom nobody asked about; the unknown entry's id."""
    for email, name in ((EMAIL, "a"), ("lazeb.quill@example.com", "b")):
        drafts_of(journal).save(f"draft-{name}", {"email": email, "phone": "617 555-0199"})
    unknown = shop.unanswered(order_of(order_id="o-1", **PLANTED), screen="import_orders")
    journal.links.note(unknown.attempt_id, username="dana", operator_name="Dana")
    sources = [{"number": 1, "name": "#1", "row": 2, "email": EMAIL}, {"number": 2, "name": "#2", "row": 3}]
    Batches(journal.database, "sandbox", "dana").begin(file_name="a.csv", layout={}, choices={}, sources=sources)
    settled = shop.unanswered(order_of(order_id="o-2"), screen="import_orders")
    desk.settle(clerk, settled.attempt_id, recorded=True, note="(617) 555-0199 rang")
    Preference(journal.database, "dana", VIEWS).save({"hers": {"words": "zeb.quill@example.com", "period": "all"}})
    Preference(journal.database, "dana", VIEWS + "-phone").save({"his": {"words": "617 555 0199"}})
    note_look_up(desk.audit, clerk, EMAIL)
    return unknown.attempt_id


def test_what_is_held_of_an_email_is_given_out_alone(privacy: Privacy, journal: Journal, held: str) -> None:
    given = privacy.export(ALEX, Sought("zeb.quill@example.com"))
    once = dict.fromkeys(("drafts", "entries", "links", "imported orders", "saved choices", "audit trail"), 1)
    none = dict.fromkeys(("notes of settlements", "notes on days"), 0)
    assert {what: len(each) for what, each in given.parts.items()} == once | none
    told = json.loads(given.json)
    assert (told["entries"][0]["order_id"], told["drafts"][0]["draft_id"]) == ("o-1", "draft-a")
    assert "lazeb.quill@example.com" not in given.json.decode()


@pytest.mark.parametrize("typed", [
    "jose\u0301@example.com", "JOS\u00c9@EXAMPLE.COM", " jos\u00e9 @example.com", "jos\u00e9@\uff45xample.com\u200b",
])  # fmt: skip
def test_an_email_has_many_forms(privacy: Privacy, journal: Journal, desk: Desk, clerk: Operator, typed: str) -> None:
    for draft_id, email in (("hers", typed), ("anothers", f"maria.{typed.strip()}")):
        drafts_of(journal).save(draft_id, {"email": email})
    note_look_up(desk.audit, clerk, typed)
    for sought in (Sought.read("Jos\u00e9@example.com", "US"), Sought.read(typed, "US")):
        assert sought is not None
        parts = privacy.export(ALEX, sought).parts
        assert [draft["draft_id"] for draft in parts["drafts"]] == ["hers"]
        assert len(parts["audit trail"]) == 1


def test_what_was_erased_is_gone(privacy: Privacy, journal: Journal, held: str, desk: Desk, manager: Operator) -> None:
    sought = Sought(EMAIL)
    done = privacy.erase(ALEX, sought)
    assert (done.retained, sum(done.erased.values())) == ((), 5)
    assert privacy.export(ALEX, sought).count == 0
    entry = desk.activity.attempt(manager, held)
    assert (entry and entry.order_id, entry and len(entry.items)) == ("o-1", 2), "money stays"
    assert journal.body_of(held) is None
    assert [draft.draft_id for draft in drafts_of(journal).all()] == ["draft-b"]
    assert Preference(journal.database, "dana", VIEWS).load() == {"hers": {"period": "all"}}
    trail = AuditTrail(journal.database, "sandbox")
    assert trail.verify().holds
    erased, *_ = [row for row in trail.rows(AuditFilter(kind="privacy")) if row.details["what"] == "erased"]
    assert "zeb" not in str(erased).casefold()


def test_a_phone_is_in_notes_too(privacy: Privacy, journal: Journal, held: str, desk: Desk, manager: Operator) -> None:
    day = date(2026, 11, 1)
    note = TimeNote(first=day, last=day, kind=next(iter(NoteKind)), words="ask 617-555-0199")
    TimeNotes(journal.database, "sandbox").write(note, username="dana", operator_name="Dana")
    sought = Sought(PHONE)
    given = privacy.export(ALEX, sought)
    assert (len(given.parts["notes of settlements"]), len(given.parts["notes on days"])) == (1, 1)
    privacy.erase(ALEX, sought)
    assert privacy.export(ALEX, sought).count == 0


def test_an_order_promised_is_kept_until_it_is_sent(privacy: Privacy, journal: Journal, shop: Shop) -> None:
    shop.desk.sender._landing_page = "https://x.example/{}".format
    shop.fails("submit_order", status=503)
    queued = shop.send(order_of(order_id="o-3", **PLANTED))
    assert queued.waits
    assert privacy.erase(ALEX, Sought(EMAIL)).retained == (("sandbox", "o-3"),)
    assert journal.body_of(queued.attempt_id) is not None


def test_only_administrators_may(privacy: Privacy, manager: Operator, clerk: Operator) -> None:
    for act in (privacy.export, privacy.look, privacy.erase):
        for operator in (manager, clerk):
            with pytest.raises(PermissionDenied):
                act(operator, Sought(EMAIL))


def test_the_command_gives_out_and_erases(
    *, held: str, journal_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("WARRANTY_JOURNAL_URL", journal_url)
    monkeypatch.chdir(tmp_path)
    assert main(["privacy", "export", "--email", EMAIL]) == 0
    assert json.loads(capsys.readouterr().out)["entries"][0]["order_id"] == "o-1"
    assert main(["privacy", "erase", "--email", EMAIL]) == 0
    printed = capsys.readouterr()
    assert "     1  drafts" in printed.out
    assert "zeb" not in printed.err.casefold()
    assert main(["privacy", "erase", "--email", "nobody@example.com"]) == 0
    assert capsys.readouterr().out.endswith("Nothing was held about this customer.\n")
    assert main(["privacy", "erase", "--phone", "12"]) == 2
    assert "or a phone number with its area code" in capsys.readouterr().err
