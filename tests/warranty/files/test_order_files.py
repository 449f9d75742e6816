"""Orders out of files: the export of a shop platform, our template, and files of other layouts."""

import json
from decimal import Decimal
from typing import Any

import pytest

import warranty.files.order_files.source as reading
from sandbox import CATALOGUE
from tests.warranty.files.conftest import EXPORT, FRENCH_IN_PARIS, judged, orders_of
from warranty.files.catalogue import read_catalogue
from warranty.files.order_files.assessment import Assessed, Judge
from warranty.files.order_files.decisions import Choices
from warranty.files.order_files.source import TEMPLATE, Layout, SentBefore, SourceOrder, mapped, read_orders, recognise
from warranty.files.table_files import read_table

OWN = "9f3c77d1-0000-4000-8000-000000000000"


@pytest.fixture(scope="module")
def export() -> tuple[list[SourceOrder], Layout]:
    return orders_of(EXPORT.read_bytes())


def by_name(assessed: list[Assessed]) -> dict[str, Assessed]:
    return {found.name: found for found in assessed}


def test_the_export_gives_sixty_orders_which_survive_the_journal(export: tuple[list[SourceOrder], Layout]) -> None:
    sources, layout = export
    assert len(sources) == 60
    assert sum(len(source.lines) for source in sources) == 93
    assert [layout.names[place] for place in layout.columns["order_id"]] == ["Id", "Name"]
    fourth = sources[3]
    assert (fourth.name, fourth.row, [line.row for line in fourth.lines]) == ("#1004", 6, [6, 7, 8])
    sources, layout = export
    assert [SourceOrder.model_validate(json.loads(json.dumps(source.model_dump()))) for source in sources] == sources
    assert Layout.model_validate(json.loads(json.dumps(layout.model_dump()))) == layout
    assert Choices.model_validate(json.loads(json.dumps(FRENCH_IN_PARIS.model_dump()))) == FRENCH_IN_PARIS


def test_the_export_is_recognised_however_its_columns_are_spelled() -> None:
    head, rest = EXPORT.read_text().split("\n", 1)
    sources, layout = orders_of(f"{head.upper().replace(' ', '_')}\n{rest}".encode())
    assert (layout.kind, len(sources)) == ("recognised as the order export of a shop platform", 60)
    assert sources[0].values["zip"] == "11231"


def test_what_an_order_of_the_export_becomes(export: tuple[list[SourceOrder], Layout]) -> None:
    found = by_name(judged(*export, Choices(id_column="Id")))["#1002"]
    assert found.order is not None
    assert json.loads(found.order.body()) == {
        "order_id": "6599143211097",
        "line_items": [
            {"product_id": "BIKE-E", "product_title": 'E-bike "City", 28 in', "product_price": "2190.00", "quantity": 1}
        ],
        "billing_address": {
            "state": "MA", "country": "United States", "first_name": "Nuño", "last_name": "Álvarez",
            "email": "customer1@example.com", "address1": "12 Elm Ave", "city": "Boston", "zip": "02108",
            "country_code": "US", "province_code": "MA",
        },
    }  # fmt: skip


def test_what_must_be_decided_is_told_by_row_and_column_not_passed_by(export: tuple[list[SourceOrder], Layout]) -> None:
    found = by_name(judged(*export, Choices(id_column="Id")))
    assert {name for name, each in found.items() if each.left_out == "cancelled"} == {"#1012", "#1029", "#1046"}
    assert found["#1015"].left_out == "none of its lines is sent"
    assert all(("guessable", each.order_id) in each.raised for each in found.values())
    assert "row 8 is left out: it has no SKU" in found["#1004"].remarks
    assert "row 7: the service stores 20 of 25 units" in found["#1004"].remarks
    french = [each for each in found.values() if each.faults and each.country == "FR"]
    assert len(french) == 15
    assert all((fault.column, fault.field) == ("Billing Province", "state") for f in french for fault in f.faults)
    (unreachable,) = (each for each in found.values() if each.faults and each.country != "FR")
    (fault,) = unreachable.faults
    assert (unreachable.name, fault.row, fault.column, fault.field) == ("#1023", 34, "Email", "email")


def test_decisions_send_what_they_say(export: tuple[list[SourceOrder], Layout]) -> None:
    assert sum(found.sendable for found in judged(*export, FRENCH_IN_PARIS)) == 55
    assert not any(found.sendable for found in judged(*export, Choices(id_column="Id", guessable="leave out")))
    every: dict[str, Any] = {"cancelled": "send", "without_sku": "title as SKU", "zero_price": "send"}
    everything = Choices(id_column="Name", states={"FR": "IDF"}, **every)
    found = by_name(judged(*export, everything))
    assert sum(each.sendable for each in found.values()) == 59
    fourth, french = found["#1004"].order, found["#1005"].order
    assert fourth is not None
    assert french is not None
    assert (fourth.order_id, fourth.line_items[2].product_id) == ("#1004", "Gift wrapping")
    assert (french.billing_address.state, french.billing_address.province_code) == ("IDF", "IDF")


def test_a_corrected_order_is_ready_and_an_e_mail_may_be_a_phone(export: tuple[list[SourceOrder], Layout]) -> None:
    sources, layout = export
    source = next(source for source in sources if source.name == "#1023")
    corrected = source.with_value(None, "email", "ada@example.com")
    assert Judge(layout, FRENCH_IN_PARIS).assess(corrected).sendable
    broken = corrected.with_value(0, "price", "abc")
    (fault,) = Judge(layout, FRENCH_IN_PARIS).assess(broken).faults
    assert (fault.column, fault.line, fault.text) == ("Lineitem price", 0, "abc")
    (wrong,), layout = small(email="pat@")
    assert Judge(layout, Choices()).assess(wrong.with_value(None, "email", "212 555 0144")).sendable


def test_the_template_is_read_and_another_layout_with_the_columns_that_were_chosen() -> None:
    sources, layout = orders_of(TEMPLATE.read_bytes())
    assert layout.kind == "recognised as our template"
    first, second = judged(sources, layout, Choices())
    assert first.order is not None
    assert second.order is not None
    assert second.order.billing_address.phone == "+33612345678"
    head, row = (
        "Beleg;Artikel;Bezeichnung;Preis;Kunde;Mail;Land;Region", "A-9f3c77d1;L1;Lampe;89,50;Zoë;z@example.com;DE;BE",
    )  # fmt: skip
    table = read_table(f"{head}\n{row}\n".encode())
    assert recognise(table) is None
    fields = ("order_id", "sku", "title", "price", "full_name", "email", "country", "state")
    layout = mapped(table, {name: place for place, name in enumerate(fields)})
    (found,) = judged(read_orders(table, layout), layout, Choices())
    assert found.order is not None
    assert found.order.line_items[0].product_price == Decimal("89.50")
    assert found.order.billing_address.country == "Germany"


def small(**changed: str) -> tuple[list[SourceOrder], Layout]:
    cells = {
        "order_id": OWN, "sku": "L1", "title": "Lamp", "price": "89.50",
        "quantity": "3", "discount": "", "first_name": "Ada", "email": "ada@example.com", "phone": "",
        "zip": "'02108", "state": "MA", "country": "US", "delivery_date": "",
    } | changed  # fmt: skip
    return orders_of("\n".join([";".join(cells), ";".join(cells.values())]).encode())


@pytest.mark.parametrize(("changed", "decided", "what", "sent", "remark"), [
    ({"zip": "2108"}, {}, "zip", "02108", "its postal code 2108 lacks a zero and is sent as 02108"),
    ({"zip": "2108"}, {"short_zip": "as it is"}, "zip", "2108", ""),
    ({"zip": "2108", "country": "AT", "state": "9"}, {}, "zip", "2108", ""),
    ({"country": "Deutschland", "state": "BE"}, {}, "country", "Germany", ""),
    ({"email": "", "phone": "ada@example.com"}, {}, "email", "ada@example.com", ""),
    ({"email": "(212) 555-0144"}, {}, "phone", "+12125550144", ""),
    ({"discount": "10"}, {}, "product_price", "89.50", "row 2 has a discount of 10, which is ignored"),
    ({"discount": "10"}, {"discount": "subtract"}, "product_price", "86.17",
     "row 2: its discount of 10.00 is taken off"),
    ({"price": "1,299"}, {"decimal_mark": ",", "rounded": "round"}, "product_price", "1.30",
     "row 2: 1,299 is read as 1.30"),
    ({"price": "0.00"}, {"zero_price": "send"}, "product_price", "0.00", ""),
])  # fmt: skip
def test_an_order_is_sent_as_it_is_meant_or_was_decided_and_says_so(
    changed: dict[str, str], decided: dict[str, str], what: str, sent: str, remark: str
) -> None:
    (found,) = judged(*small(**changed), Choices(**decided))
    assert found.order is not None
    body = found.order.model_dump(mode="json")
    assert (body["billing_address"] | body["line_items"][0])[what] == sent
    assert found.remarks == ((remark,) if remark else ())


@pytest.mark.parametrize(("changed", "column"), [
    ({"price": "12.345"}, "price"), ({"price": ""}, "price"), ({"quantity": "0"}, "quantity"),
    ({"quantity": "two"}, "quantity"), ({"title": ""}, "title"), ({"state": ""}, "state"), ({"country": ""}, "country"),
    ({"country": "Atlantis"}, "country"), ({"email": "ada@"}, "email"), ({"email": ""}, "email"),
    ({"phone": "12"}, "phone"), ({"first_name": ""}, "first_name"), ({"delivery_date": "28.11.2026"}, "delivery_date"),
    ({"order_id": ".."}, "order_id"),
])  # fmt: skip
def test_each_fault_names_its_row_and_column(changed: dict[str, str], column: str) -> None:
    (found,) = judged(*small(**changed), Choices(zero_price="send", returned="correct"))
    assert found.order is None
    assert {(fault.row, fault.column) for fault in found.faults} == {(2, column)}


@pytest.mark.parametrize("is_sent", [False, True])
def test_two_orders_of_one_id_are_a_fault_of_the_second_also_where_the_first_was_sent(*, is_sent: bool) -> None:
    (source,), layout = small()
    another = SourceOrder.model_validate({**source.model_dump(), "name": "another", "number": 2})
    known = {source.name: SentBefore(frozenset({source.name}), frozenset({"L1"}))} if is_sent else {}
    first, second = judged([source, another], layout, Choices(), sent_before=known)
    assert (first.left_out, second.left_out) == ("sent before" if is_sent else None, None)
    assert [fault.message.partition(" of ")[0] for fault in second.faults] == ["The order number is the same as that"]


@pytest.mark.parametrize(("names", "products", "is_this_one"), [
    (OWN, "", True), (OWN, "L2", True), ("another", "L1", False), ("", "L1", True), ("", "L2", False),
])  # fmt: skip
def test_an_order_that_the_service_has_is_known_and_left_out(names: str, products: str, is_this_one: bool) -> None:
    (source,), layout = small()
    known = {OWN: SentBefore(frozenset(names.split()), frozenset(products.split()))}
    found = Judge(layout, Choices()).assess(source, known)
    assert found.left_out == ("sent before" if is_this_one else None)
    assert [fault.field for fault in found.faults] == ([] if is_this_one else ["order_id"])
    assert Judge(layout, Choices(sent_before="send")).assess(source, known).sendable == is_this_one


def test_the_catalogue_gives_category_and_image_and_a_price_far_from_its_own_is_corrected_or_decided() -> None:
    (source,), layout = small(sku="TV-55-OLED", price="899.99")
    order = Judge(layout, Choices(), read_catalogue(CATALOGUE.read_bytes())).assess(source).order
    assert order is not None
    item = order.model_dump(mode="json")["line_items"][0]
    assert item["meta"]["breadcrumbs"][-1] == {"category": "Televisions"}
    assert item["detail"]["images"][0]["src"].startswith("https://")
    catalogue = read_catalogue(CATALOGUE.read_bytes())
    sources, layout = small(sku="TV-55-OLED", price="99999999999.00")
    found = Judge(layout, Choices(), catalogue).assess(sources[0])
    (fault,) = found.faults
    assert (fault.row, fault.field, found.sendable) == (2, "price", False)
    assert found.raised == (("far_price", "99999999999.00"),)
    assert fault.message.startswith("It costs 99,999,999,999.00, but 899.99 in the catalogue: correct the price")
    decided = Judge(layout, Choices(far_price="send"), catalogue).assess(sources[0])
    assert decided.sendable
    assert "row 2 costs 99,999,999,999.00, but 899.99 in the catalogue" in decided.remarks
    corrected = sources[0].with_value(0, "price", "949.00")
    assert Judge(layout, Choices(), catalogue).assess(corrected).sendable


def test_an_amount_that_one_decision_leaves_open_asks_for_the_next() -> None:
    (found,) = judged(*small(price="1,299"), Choices(decimal_mark=","))
    assert [fault.choice for fault in found.faults] == ["rounded"]
    assert found.raised == (("decimal_mark", "1,299"), ("rounded", "1,299"))


def test_a_long_order_whose_rows_repeat_its_customer_but_not_its_number_is_one_order() -> None:
    """Each row was compared with all above it: 3,000 rows took minutes."""
    first = "9f3c77d1-0000-4000-8000-000000000000;L1;Lamp;1.00;Ada;a@example.com;MA;US"
    rest = [f";L{place};Lamp;1.00;Ada;a@example.com;MA;US" for place in range(3_000)]
    head = "order_id;sku;title;price;first_name;email;state;country"
    (source,), _layout = orders_of("\n".join([head, first, *rest]).encode())
    assert (len(source.lines), source.damage) == (3_001, ())


def test_a_file_says_which_of_its_columns_are_not_read_and_that_it_has_no_quantity() -> None:
    head = "order_id,sku,title,price,first_name,email,state,country"
    row = f"9f3c77d1{'0' * 20},L1,Lamp,1,Ada,a@x.org,MA,US"
    _sources, layout = orders_of(f"{head},Colli,Notes,,Rest\n{row},2,,,\n{row},3,call first,x,\n".encode())
    assert layout.remarks == (
        "Columns that are not read: Colli, Notes, Column 11",
        "No column is the quantity: each row is sent as one unit.",
    )


@pytest.mark.parametrize("head", [
    "Bestellnr;Artikelnummer;Bezeichnung;Preis;Anzahl;Kunde;Mail;Tel;PLZ;Ort;Bundesland;Land",
    "Commande;Référence;Désignation;Prix;Quantité;Client;E-mail;Téléphone;Code postal;Ville;Région;Pays",
    "Pedido;Referencia;Descripción;Precio;Cantidad;Cliente;Correo;Teléfono;Código postal;Ciudad;Provincia;País",
    "Ordine;Codice articolo;Descrizione;Prezzo;Quantità;Cliente;Email;Telefono;CAP;Città;Provincia;Paese",
    "Bestelnummer;Artikelnummer;Omschrijving;Prijs;Aantal;Klant;E-mail;Telefoon;Postcode;Plaats;Provincie;Land",
    "Encomenda;Referência;Descrição;Preço;Quantidade;Cliente;E-mail;Telemóvel;Código postal;Cidade;Estado;País",
])  # fmt: skip
def test_the_usual_columns_are_known_in_the_languages_of_the_neighbours(head: str) -> None:
    fields = [
        "order_id", "sku", "title", "price", "quantity", "full_name", "email", "phone", "zip", "city", "state",
        "country",
    ]  # fmt: skip
    found = reading.guess(head.split(";"))
    assert {field: found.get(field) for field in fields} == {field: (place,) for place, field in enumerate(fields)}
