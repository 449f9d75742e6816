"""What is known of a customer is kept only until the attempt is settled, and is in no error and no log."""

import logging
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from sqlalchemy import make_url, select, text

from tests.builders import checkout_of, order_of, sale_of
from tests.warranty.client.prepared_service import Service, client
from tests.warranty.desk.shop import Shop
from warranty.access import Operator
from warranty.database.tables import METADATA
from warranty.desk import Desk
from warranty.desk.journal import AttemptState, Drafts, Journal
from warranty.desk.scrubbing import without_customer
from warranty.errors import Failure, JournalUnavailable

PLANTED = {
    "first_name": "Zebediah", "last_name": "Quillfeather", "email": "zeb.quill@example.com",
    "phone": "+1 617 555 0199", "address1": "77 Plantation Row", "address2": "Flat 9C", "city": "Zanesville",
    "zip": "02139-7755",
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


def test_a_refusal_that_quotes_the_customer_is_kept_without_the_customer(
    journal: Journal, clerk: Operator, kept: Kept, caplog: pytest.LogCaptureFixture
) -> None:
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
    sale = shop.send(sale_of("o-1"))
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
    error = raised.value
    assert (error.__cause__, error.__context__) == (None, None)
    assert found_in("".join(traceback.format_exception(error)) + caplog.text) == []


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
