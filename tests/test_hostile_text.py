"""Whatever is typed, pasted, uploaded, linked or answered is read in a time that grows with its length, no faster.

Measured by growth, never by seconds: each longer text may cost a few times what its length says, and no more.
"""

import csv
import gc
import io
import json
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, Final

import pyarrow as pa
import pytest
from pydantic import TypeAdapter, ValidationError

import sandbox.endpoints.claims.request
import sandbox.service.landing_address
import sandbox.store.plans
import sandbox.wire.bodies
import sandbox.wire.fields
from components.claims.screen.claims_filter import PARAMETERS, ClaimsFilter
from sandbox.service.ledger import Ledger
from sandbox.wire.answers import Refused
from tests.warranty.files.conftest import judged
from warranty.claims.retrieval.answers import read_answer
from warranty.claims.retrieval.timestamps import odd_places
from warranty.client.answers import Unreadable, read_purchase_warranties, service_words
from warranty.client.plans import read_plans
from warranty.client.resources import order_id_warning, words
from warranty.client.resources.landing import landing_page_url, read_landing_page_url
from warranty.client.resources.money import PriceProblem, parse_price
from warranty.desk.journal import ItemLine
from warranty.desk.sales.sale_refusals import concerned
from warranty.desk.scrubbing import without_customer
from warranty.errors import Failure
from warranty.files.catalogue import read_catalogue
from warranty.files.export.cells import guarded_text
from warranty.files.order_files.decisions import Choices
from warranty.files.order_files.source import FIELDS, guess, mapped, read_orders, recognise
from warranty.files.price_list import read_price_list
from warranty.files.table_files import read_table
from warranty.files.tables import BETWEEN, FileProblem, Table, TableRow
from warranty.places.contact import PhoneProblem, email_hint, read_phone
from warranty.places.countries import country_of, state_of
from warranty.places.people_in_text import without_addresses

SIZES: Final = (12, 16, 20, 24, 100, 1_000, 10_000, 100_000)
MOST_GROWTH: Final = 4
"""How many times more than its share a longer text may cost: 40 for ten times the length, where a square is 100."""
NOTHING: Final = 0.002
"""Seconds below which a difference is the machine's."""

PIECES: Final = (
    "x", "1", " ", "0", "a ", "1 ", "a1", "-", "1,", "1.", ",", ".", "@", "a@", "a.", "a@b.", "+1", "(", "1(", '"',
    "'", '"a', "\n", "\t", "é", "a\u0315\u0300", "\u0315\u0300", "ﷺ", "\u00a0", "%40", "/", "a>", "&a=", "[", "months ",
    "24 months ", "24 months (", "available ", "type ", "line_items[1", "line_item_id 1", "/carts/a",
    "/carts/a/checkout/b", "<", "²",
)  # fmt: skip
FRAMES: Final = (("", ""), ("", "!"), ("1 @", "@"), ("available plans: 24 months (", "1"))
"""What stands before and behind the pieces."""
DEAREST: Final = 16


Parser = Callable[[str], object]


def typed(kind: Any) -> Parser:
    return TypeAdapter(kind).validate_python


def cells(text: str) -> bytes:
    out = io.StringIO()
    csv.writer(out).writerows([["sku", "title", "price", "months"], [text] * 4, ["a", text, text, "12"]])
    return out.getvalue().encode("utf-8", "replace")


def order_file(text: str) -> object:
    """A table whose every cell is the text, each field read from a column of its own."""
    cell = text.strip().replace(BETWEEN, "")
    table = Table(tuple(FIELDS), (TableRow(2, BETWEEN.join([cell] * len(FIELDS))),), "")
    orders = list(read_orders(table, mapped(table, {name: place for place, name in enumerate(FIELDS)})))
    columns = mapped(table, dict(zip(FIELDS, range(99), strict=False)))
    return [judged(orders, columns, Choices(discount=how)) for how in ("ignore", "subtract")]


def refusal(text: str) -> object:
    body = {"billing_address": {"first_name": "May", "phone": "16175550123", "city": "a 1", "zip": "1 1"}}
    return without_customer(Failure("RequestRefused", "submit_order", "a", 400, True, (text,)), body)


def phone_sent(text: str) -> object:
    failure = Failure("RequestRefused", "submit_order", "a", 400, True, ("1 1 1 call 16175550123",))
    return without_customer(failure, {"phone": text[:1_000], "first_name": text[:1_000]})


def claims_answer(text: str) -> object:
    record = {"claim_date": text, "description": text}
    return read_answer(json.dumps({"data": [record], "total_count": 1}).encode(), number=1).moments


ITEMS: Final = [ItemLine("a 1", "a1-", 1, line_item_id=1), ItemLine("1 1 1", "x", 1)]
PARSERS: Final[dict[str, Parser]] = {
    "an order id's warning": order_id_warning, "an order id": typed(words.OrderId),
    "an offer id": typed(words.RequiredOfferId), "an e-mail address": typed(words.RequiredEmail),
    "an e-mail address with a name": lambda text: typed(words.Email)(f"{text}@example.com"),
    "an e-mail's hint": email_hint, "a phone": lambda text: read_phone(text, "US"), "a country": country_of,
    "a state": lambda text: state_of("US", text),
    "a price": lambda text: parse_price(text, decimal_mark=",", drop_zeros=True), "a date": typed(words.CalendarDate),
    "a quantity": words.whole_number(1, 20), "a landing link": read_landing_page_url,
    "a landing link's end": lambda text: read_landing_page_url(f"https://p.example/carts/{text}"),
    "a landing link to build": lambda text: landing_page_url("https://p.example", "r", text or "a"),
    "plans": lambda text: read_plans([text]),
    "the lines of a refusal": lambda text: concerned([text], ITEMS, order_id="a1"), "a refusal to keep": refusal,
    "a refusal of a long phone": phone_sent, "a note": without_addresses,
    "an answer's words": lambda text: service_words(text.encode()),
    "an answer's sentences": lambda text: service_words(json.dumps({"error": text}).encode()),
    "an answer with prices": lambda text: read_purchase_warranties(json.dumps({"order_id": text}).encode()),
    "claims": claims_answer, "claims' times": lambda text: odd_places(pa.array([text, text]), pa.timestamp("us")),
    "a cell of an export": guarded_text, "a CSV file": lambda text: read_table(text.encode()),
    "cells of a CSV file": lambda text: read_table(cells(text)),
    "a catalogue": lambda text: read_catalogue(cells(text)), "a price list": lambda text: read_price_list(cells(text)),
    "a guess of columns": lambda text: guess([text, text]),
    "a layout": lambda text: recognise(Table((text, text), (), "")), "an order of a file": order_file,
    "an address of Claims": lambda text: ClaimsFilter.from_address(dict.fromkeys(PARAMETERS, text)),
    "the sandbox's amount": sandbox.wire.fields.amount, "the sandbox's quantity": sandbox.wire.fields.positive_whole,
    "the sandbox's e-mail's domain": lambda text: sandbox.endpoints.claims.request.is_email(f"a@{text}"),
    "the sandbox's timestamp": sandbox.endpoints.claims.request.read_timestamp,
    "the sandbox's body": lambda text: sandbox.wire.bodies.read_object(b'{"a": %s}' % text.encode()),
    "the sandbox's path": lambda text: sandbox.service.landing_address.segments(text.encode()),
    "the sandbox's categories": lambda text: sandbox.store.plans.family_of([text]),
    "the sandbox's ledger": lambda text: Ledger(secrets=("token-1",))._scrubbed(text),
}  # fmt: skip
REFUSED: Final = (ValidationError, PhoneProblem, PriceProblem, ValueError, Unreadable, FileProblem, Refused)
"""What a parser may say to such a text."""


@pytest.mark.parametrize("name", PARSERS)
@pytest.mark.parametrize("sizes", [SIZES[:-2], pytest.param(SIZES, marks=pytest.mark.long)], ids=max)
def test_a_hostile_text_costs_what_its_length_says(name: str, sizes: Sequence[int]) -> None:
    """Each size only after the one before it has been cheap enough; the longest only of the texts that cost most."""
    parser = PARSERS[name]
    took = {(piece, *frame): NOTHING for piece in PIECES for frame in FRAMES}
    for shorter, size in pairwise((1, *sizes)):
        before = dict(took)
        dearest = sorted(took, key=lambda text: -took[text])
        for text in dearest[: None if size < sizes[-1] else DEAREST]:
            piece, beginning, end = text
            written = beginning + (piece * size)[:size] + end
            most = MOST_GROWTH * size / shorter * max(took[text], NOTHING)
            for _ in range(5):  # something else may have had the machine
                took[text] = seconds(parser, written)
                if took[text] <= most:
                    break
            assert took[text] <= most, f"{text} of {size}: {took[text]:.4f} s, at most {most:.4f}"
    growth, slowest = max((took[text] / max(before[text], NOTHING), took[text]) for text in dearest[:DEAREST])
    words = f"{name}, from {shorter:,} to {size:,} characters"
    print(f"growth {growth:.1f}, {slowest:.4f} s: {words}")  # noqa: T201 - shown by -rP


def seconds(parser: Parser, text: str) -> float:
    gc.disable()
    began = time.thread_time()
    try:
        parser(text)
    except REFUSED:
        pass
    finally:
        took = time.thread_time() - began
        gc.enable()
    return took
