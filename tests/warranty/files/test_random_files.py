"""A random walk over files in the shapes that shops make: what reaches the service is what was meant, or it is told."""

import csv
import io
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import pytest

from tests.warranty.files.conftest import Counter, workbook
from tests.warranty.files.test_kinds_of_files import imported
from warranty.files.order_files.source import Layout, mapped, recognise
from warranty.files.tables import Table

FIELDS: Final = (
    "order_id", "sku", "title", "price", "quantity", "first_name", "last_name", "email", "phone", "city", "zip",
    "state", "country",
)  # fmt: skip
NAMED: Final = {
    "en": (
        "Order ID", "SKU", "Title", "Price", "Quantity", "First name", "Last name", "E-mail", "Phone", "City", "ZIP",
        "State", "Country",
    ),
    "es": (
        "Pedido", "Referencia", "Producto", "Precio", "Cantidad", "Nombre", "Apellidos", "Correo", "Teléfono", "Ciudad",
        "Código postal", "Provincia", "País",
    ),
    "de": (
        "Bestellnummer", "Artikel", "Bezeichnung", "Preis", "Menge", "Vorname", "Nachname", "E-Mail-Adresse", "Telefon",
        "Ort", "PLZ", "Bundesland", "Land",
    ),
}  # fmt: skip
"""The names of these fields in a language."""
PEOPLE: Final = (
    ("Mara", "Lindqvist"), ("Björk", "Guðmundsdóttir"), ("José", "Muñoz"), ("Jürgen", "Müller"), ("Zoë", "O'Neill"),
    ("Inés", "Delgado"), ("François", "Lefèvre"), ("Kofi", "Brandt"),
)  # fmt: skip
PRODUCTS: Final = (
    ("0012345", "Arc floor lamp", "89.50"), ("TV-55", '55" television, black', "1299.00"),
    ("SOFA-2", "Sofá; gris", "899.99"), ("CAFE-1", "Café table", "249.00"), ("KEY|1", "Keyboard", "39.95"),
)  # fmt: skip
PLACES: Final = (
    ("Albany", "12207", "NY", "US"), ("Boston", "02108", "MA", "US"), ("Málaga", "29001", "MA", "ES"),
    ("Köln", "50667", "NW", "DE"),
)  # fmt: skip


@dataclass
class Made:
    """A file, what it means by order id (of orders that are not damaged), and the words that must tell the damage."""

    content: bytes
    meant: dict[str, dict[str, str]]
    damaged: dict[str, str] = field(default_factory=dict)
    story: str = ""
    encoding: str = ""


def orders(chance: random.Random) -> list[dict[str, str]]:
    made = []
    for number in range(chance.randint(1, 6)):
        sku, title, price = chance.choice(PRODUCTS)
        first, last = chance.choice(PEOPLE)
        city, code, state, country = chance.choice(PLACES)
        phone = "+12125550188" if chance.random() < 0.3 else ""
        cells = (
            f"{chance.getrandbits(64):016x}-{number}", sku, title, price, str(chance.randint(1, 9)), first, last,
            f"customer{number}@example.com", phone, city, code, state, country,
        )  # fmt: skip
        made.append(dict(zip(FIELDS, cells, strict=True)))
    return made


def price_of(chance: random.Random) -> Callable[[str], str]:
    """A program's way to write amounts, always in one way that cannot be read otherwise."""
    ways: list[Callable[[str], str]] = [
        str, lambda price: f"${price}", lambda price: f"{price} USD", lambda price: price.replace(".", ","),
        lambda price: f"{float(price):,.2f}", lambda price: f"{float(price):,.2f}".translate(str.maketrans(".,", ",.")),
        lambda price: f"{price}00",
    ]  # fmt: skip
    return chance.choice(ways)


def damage(chance: random.Random, rows: list[list[str]], names: list[str]) -> tuple[str, int]:
    """Damage one row in a way that is to be told; gives what is told and the row. No damage in half of the files."""
    place = chance.randrange(len(rows))
    row = rows[place]
    cells = {
        "is no content": ("sku", chance.choice(["#N/A", "#REF!", "#¡VALOR!", "#NV"])),
        "has lost digits": ("order_id", "6.59914E+12"), "has letters that were lost": ("title", "So\ufffda"),
        "is no state of": ("state", "Nowhere"),
    }  # fmt: skip
    told = chance.choice([*[""] * 6, "more cells", "has the number of an order above it", *cells])
    if told == "more cells":
        row.append("extra")
    elif told == "has the number of an order above it":
        rows.append([*row])
        rows[-1][names.index("email")] = "someone@example.com"
    elif told:
        name, text = cells[told]
        row[names.index(name)] = text
    return told, place


def made(chance: random.Random) -> Made:
    meant = orders(chance)
    language = chance.choice(list(NAMED))
    names = list(FIELDS)
    chance.shuffle(names)
    write = price_of(chance)
    rows = [[write(order[name]) if name == "price" else order[name] for name in names] for order in meant]
    told, place = damage(chance, rows, names)
    words = dict(zip(FIELDS, NAMED[language], strict=True))
    table = [[words[name] for name in names], *rows]
    if chance.random() < 0.2:
        table = [["Orders report"], ["November 2026"], *table]
    if chance.random() < 0.2:
        table.append(["Total", *[""] * (len(names) - 2), "1"][: len(names)])
    bad = {meant[place]["order_id"]: told} if told else {}
    good = {order["order_id"]: order for order in meant if order["order_id"] not in bad}
    if chance.random() < 0.25:
        return Made(workbook(table, notes=chance.random() < 0.3), good, bad, f"workbook {language} {told}")
    separator = chance.choice(",;\t|")
    text = io.StringIO()
    quoting: Any = chance.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
    ends = chance.choice(["\n", "\r\n"])
    csv.writer(text, delimiter=separator, quoting=quoting, lineterminator=ends).writerows(table)
    written = text.getvalue()
    encoding = chance.choice(["utf-8", "utf-8", "utf-8-sig", "utf-16", "cp1252", "mac-roman", "cp850"])
    try:
        content = written.encode(encoding)
    except UnicodeEncodeError:
        encoding, content = "utf-8", written.encode()
    if chance.random() < 0.1 and encoding == "utf-8":
        # At least one cell is gone: a last cell that is cut may be another one that is whole.
        content = written[: written.rstrip().rindex(separator) - chance.randint(0, 20)].encode()
        every = {order["order_id"]: "within this row" for order in meant}
        return Made(content, good, {**every, **bad}, f"{language} cut {told}")
    return Made(content, good, bad, f"{language} {encoding} {separator!r} {told}", encoding)


def by_their_names(table: Table) -> Layout | None:
    """The columns as a person chooses them who knows the language: none where letters are wrong."""
    for words in NAMED.values():
        if set(words) <= set(table.columns):
            return mapped(table, {name: table.columns.index(word) for name, word in zip(FIELDS, words, strict=True)})
    return None


def sent_as_meant(body: dict[str, Any], order: dict[str, str]) -> bool:
    (item,), address = body["line_items"], body["billing_address"]
    in_address = ("first_name", "last_name", "email", "phone", "city", "zip", "state")
    got = {
        **{name: address.get(name, "") for name in in_address},
        "country": address["country_code"], "sku": item["product_id"], "title": item["product_title"],
        "price": item["product_price"], "quantity": str(item["quantity"]),
    }  # fmt: skip
    return got == {name: text for name, text in order.items() if name != "order_id"}


def walked(counter: Counter, seeds: Iterator[int]) -> int:
    """Import a file of each seed; gives how many orders were sent."""
    sent = 0
    for seed in seeds:
        file = made(random.Random(seed))
        outcome = imported(  # read as a person chooses who sees which letters are right
            counter, file.content, reading=file.encoding,
            laid_out=lambda table: recognise(table) or by_their_names(table),
        )  # fmt: skip
        sent += len(outcome.sent)
        for order_id, body in outcome.sent.items():
            assert order_id in file.meant, (seed, file.story, order_id, outcome.told)
            assert sent_as_meant(body, file.meant[order_id]), (seed, file.story, body)
        for order_id in file.meant.keys() - outcome.sent.keys():
            reasons = ("whole file", "within this row", "letters that were lost")
            is_told = any(reason in outcome.told for reason in reasons) or "cut" in file.story
            assert is_told, (seed, file.story, order_id, outcome.told)
        for order_id, told in file.damaged.items():
            is_told = told in outcome.told or "whole file" in outcome.told or "cut" in file.story
            assert is_told or order_id in outcome.sent, (seed, file.story, told, outcome.told)
    return sent


def test_files_in_random_shapes_send_what_was_meant_or_tell_their_damage(counter: Counter) -> None:
    assert walked(counter, iter(range(8))) > 8


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("start", range(0, 500, 100))
def test_five_hundred_such_files(counter: Counter, start: int) -> None:
    assert walked(counter, iter(range(start, start + 100))) > 100
