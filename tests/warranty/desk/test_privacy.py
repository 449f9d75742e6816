"""What is known of a customer is kept only until the attempt is settled, and is in no error and no log."""

import logging
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from sqlalchemy import Engine, MetaData, create_engine, make_url, select, text

from sandbox import SandboxServer
from tests.builders import checkout_of, order_of, sale_of
from warranty.access import Operator
from warranty.client import WarrantyClient
from warranty.desk import Desk
from warranty.desk.scrubbing import without_customer
from warranty.errors import Failure, JournalUnavailable
from warranty.journal import AttemptState, Journal

PLANTED = {
    "first_name": "Zebediah",
    "last_name": "Quillfeather",
    "email": "zeb.quill@example.com",
    "phone": "+1 617 555 0199",
    "address1": "77 Plantation Row",
    "address2": "Flat 9C",
    "city": "Zanesville",
    "zip": "02139-7755",
}


@pytest.fixture
def engine(journal_url: str) -> Iterator[Engine]:
    """A look into the database that is not the journal's own."""
    url = make_url(journal_url)
    if url.get_backend_name() == "postgresql":
        url = url.set(drivername="postgresql+psycopg")
    made = create_engine(url)
    yield made
    made.dispose()


@pytest.fixture
def kept(engine: Engine, journal_url: str) -> Callable[..., str]:
    """Everything that the database holds as text; of SQLite, every byte of its files."""

    def read(*, tables: tuple[str, ...] = ()) -> str:
        path = make_url(journal_url).database
        if engine.dialect.name == "sqlite" and path and not tables:
            return "".join(
                file.read_bytes().decode("latin-1") for file in Path(path).parent.glob(f"{Path(path).name}*")
            )
        with engine.connect() as connection:
            reflected = MetaData()
            reflected.reflect(connection, only=tables or None)
            rows = [
                str(tuple(row))
                for table in reflected.sorted_tables
                for row in connection.execute(select(table))
            ]
        return "\n".join(rows)

    return read


def found_in(content: str) -> list[str]:
    digits = "".join(letter for letter in content if letter.isdigit())
    return [name for name, value in PLANTED.items() if value in content] + ["phone"] * (
        "6175550199" in digits
    )


def quoting_service(request: httpx.Request) -> httpx.Response:
    """A service that says everything that it was sent."""
    return httpx.Response(
        400,
        json={
            "message": {
                "validation_errors": [
                    f"{name}: {value.upper() if name == 'last_name' else value} is refused"
                    for name, value in PLANTED.items()
                ]
                + ["zeb.quill@example.com and 617-555-0199 and (617) 555 0199 are known to us"]
            }
        },
    )


def test_a_refusal_that_quotes_the_customer_is_kept_without_the_customer(
    *,
    journal: Journal,
    clerk: Operator,
    kept: Callable[..., str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    with WarrantyClient(
        "https://service.example",
        private_token="private",
        public_token="public",
        transport=httpx.MockTransport(quoting_service),
    ) as client:
        desk = Desk(client=client, journal=journal, environment="sandbox")
        order = desk.send(clerk, order_of(order_id="o-1", **PLANTED), draft_id="a", screen="s")
        checkout = desk.send(clerk, checkout_of("o-1", **PLANTED), draft_id="b", screen="s")
    for attempt in (order, checkout):
        assert attempt.state is AttemptState.REFUSED
        assert attempt.failure is not None
        assert found_in(" ".join(attempt.failure.service_words)) == []
        assert attempt.failure.service_words[0] == "first_name: [first name] is refused"
        assert attempt.failure.service_words[2] == "email: [e-mail] is refused"
    assert found_in(kept()) == []
    assert found_in(caplog.text) == []


def test_what_was_sent_is_kept_while_unknown_and_erased_when_settled(
    *,
    journal: Journal,
    desk: Desk,
    clerk: Operator,
    sandbox: SandboxServer,
    kept: Callable[..., str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    journal.drafts("sandbox", "dana", "s").save("a", PLANTED)
    sandbox.add_fault("submit_order", "drop_after_write", times=3)
    sandbox.add_fault("notify_checkout", "drop_after_write")
    order = desk.send(clerk, order_of(order_id="o-1", **PLANTED), draft_id="a", screen="s")
    checkout = desk.send(clerk, checkout_of("o-1", **PLANTED), draft_id="b", screen="s")
    sale = desk.send(clerk, sale_of("o-1"), draft_id="c", screen="s")
    assert found_in(kept(tables=("unsettled",))) != []
    assert found_in(kept(tables=("drafts",))) != []
    assert found_in(kept(tables=("attempts", "outcomes", "preferences"))) == []
    desk.send_order_again(clerk, order.attempt_id)
    desk.settle(
        clerk, checkout.attempt_id, recorded=True, note="zeb.quill@example.com rang from +1 617 555 0199"
    )
    assert found_in(kept()) == []
    assert found_in(caplog.text) == []
    assert found_in(repr([order, checkout, sale, journal, desk])) == []


def test_a_journal_that_fails_quotes_nothing(
    *,
    desk: Desk,
    clerk: Operator,
    engine: Engine,
    journal_url: str,
    caplog: pytest.LogCaptureFixture,
    request: pytest.FixtureRequest,
) -> None:
    if engine.dialect.name == "sqlite":
        breaks = "CREATE TRIGGER breaks BEFORE INSERT ON unsettled BEGIN SELECT RAISE(ABORT, 'broken'); END"
        mends = "DROP TRIGGER breaks"
    else:
        breaks = "ALTER TABLE unsettled ADD CONSTRAINT breaks CHECK (false)"  # it quotes the failing row
        mends = "ALTER TABLE unsettled DROP CONSTRAINT breaks"
    with engine.begin() as connection:
        connection.execute(text(breaks))
    caplog.set_level(logging.DEBUG)
    try:
        with pytest.raises(JournalUnavailable) as raised:
            desk.send(clerk, order_of(order_id="o-1", **PLANTED), draft_id="a", screen="s")
    finally:
        with engine.begin() as connection:
            connection.execute(text(mends))
    error = raised.value
    assert error.__cause__ is None
    assert error.__context__ is None
    assert found_in("".join(traceback.format_exception(error))) == []
    assert found_in(caplog.text) == []


@pytest.mark.parametrize(
    ("said", "kept_words"),
    [
        ("May we ask? mayor May", "[first name] we ask? mayor [first name]"),
        (
            "order 16175550199 of product 02134 has no offer",
            "order 16175550199 of product 02134 has no offer",
        ),
        ("call 1-617-555-0123 or +44 20 7946 0958", "call [phone] or [phone]"),
        ("someone.else@shop.example is no customer", "[e-mail] is no customer"),
        ("Nothing personal", "Nothing personal"),
    ],
)
def test_only_what_is_the_customers_is_taken_out_of_the_services_words(said: str, kept_words: str) -> None:
    failure = Failure("RequestRefused", "submit_order", "a", 400, True, (said,))
    body = {"billing_address": {"first_name": "May", "phone": "16175550123", "last_name": "", "zip": None}}
    assert without_customer(failure, body).service_words == (kept_words,)
