"""Whose words are said, and how numbers are written with them."""

from decimal import Decimal
from threading import Thread

import pytest
from pydantic import BaseModel, ValidationError

from warranty.client.resources import Order, PriceProblem, Sale, order_id_warning, parse_price
from warranty.client.resources.problems import problems
from warranty.desk import DataErased
from warranty.desk.guidance import guidance
from warranty.errors import Failure
from warranty.files.catalogue import read_catalogue
from warranty.files.tables import FileProblem
from warranty.language import _, isolated, language, locale, ngettext, speaking
from warranty.language.written import number, percent, price
from warranty.places.contact import PhoneProblem, read_phone


@pytest.mark.parametrize(("asked", "spoken", "written"), [
    ("es-MX", "es", "es_MX"), ("es", "es", "es_US"), ("en-GB", "en", "en_GB"), ("de-DE", "en", "en_US"),
    ("", "en", "en_US"),
])  # fmt: skip
def test_a_browser_is_spoken_to_in_its_language_or_in_english(asked: str, spoken: str, written: str) -> None:
    with speaking(asked):
        assert (language(), str(locale())) == (spoken, written)


def test_one_and_a_half_hours_are_several_and_halves_are_rounded_away_from_zero() -> None:
    hours = [ngettext("{n} hour", "{n} hours", n, n=n) for n in (1, 1.5, 2, 0)]
    assert hours == ["1 hour", "1.5 hours", "2 hours", "0 hours"]
    assert [number(figure) for figure in (134.5, 153.5, -2.5)] == ["135", "154", "-3"]
    assert [percent(share) for share in (0.125, 0.135)] == ["13 %", "14 %"]
    assert price(Decimal("0.125")) == "0.13"


def test_what_is_said_in_one_thread_is_not_said_in_another() -> None:
    said: list[str] = []
    with speaking("es"):
        other = Thread(target=lambda: said.append(language()))
        other.start()
        other.join()
        assert language() == "es"
    assert said == ["en"]


@pytest.mark.parametrize(("typed", "shown"), [
    ("Lámpara 5:00", "Lámpara 5:00"),
    ("מנורה", "\u2068מנורה\u2069"),
    ("a\u202eb", "\u2068a\u202eb\u2069"),
    ("a\u2069\u202eb", "\u2068a\u202eb\u2069"),  # an end too many would end ours
    ("a\u2067b", "\u2068a\u2067b\u2069\u2069"),
    ("a\u202e\nb\u202ec", "\u2068a\u202e\u2069\n\u2068b\u202ec\u2069"),
])  # fmt: skip
def test_what_is_written_from_the_right_turns_nothing_around_it(typed: str, shown: str) -> None:
    assert isolated(typed) == shown
    assert _("{product}: 5", product=typed) == f"{shown}: 5"


def faults(kind: type[BaseModel], body: object) -> dict[tuple[str | int, ...], str]:
    with pytest.raises(ValidationError) as refused:
        kind.model_validate(body)
    return {fault.path: fault.message for fault in problems(refused.value)}


def test_a_failure_is_put_into_words_where_it_is_read_not_where_it_happened() -> None:
    failure = Failure("NotSent", "record_sale", "attempt-1", None, nothing_written=True)
    with speaking("es"):
        words = guidance(failure)
    assert words.happened.startswith("No se pudo llegar al servicio: ")
    assert words.happened.endswith("el cliente todavía no está cubierto.")
    assert words.next_step.endswith("lo escrito queda aquí como borrador.")
    assert guidance(failure).happened.startswith("The service could not be reached: ")


def test_faults_of_an_order_and_of_a_sale_and_doubts_are_told_in_spanish() -> None:
    item = {"product_id": "A", "product_title": "x" * 2_001, "product_price": "1,299", "quantity": 0}
    address = {"first_name": "Ada", "country": "US"}
    with speaking("es"):
        found = faults(Order, {"order_id": "..", "line_items": [item], "billing_address": address})
    assert found["order_id",].startswith("Escriba un número de pedido")
    assert found["billing_address", "state"].startswith("Elija un estado")
    assert found["line_items", 0, "product_title"] == (
        "Nombre del producto: Acórtelo: se envían 2,000 caracteres como máximo"
    )
    assert found["line_items", 0, "quantity"] == "Cantidad: Escriba un número entero de 1 o más"
    assert "se puede leer como 1299.00" in found["line_items", 0, "product_price"]
    item = {"product_id": "A", "line_item_id": 3, "warranty": {"warranty_duration": 12, "warranty_price": "9.00"}}
    with speaking("es"):
        twice = faults(Sale, {"id": "order-1", "line_items": [item, item]})
        assert twice["line_items", 1, "line_item_id"].startswith("El artículo 3 del pedido está dos veces")
        found = faults(Sale, {"id": 7, "line_items": [{"product_id": "A", "warranty": 4}]})
    assert found["id",] == "Indique este dato como texto, no como número: número"
    assert found["line_items", 0, "warranty"] == "Este dato no se puede leer: garantía. Revíselo"
    with speaking("es"):
        with pytest.raises(PriceProblem, match="no usa ',' antes de los centavos"):
            parse_price("12.99", decimal_mark=",")
        with pytest.raises(PhoneProblem, match="Escriba un teléfono como"):
            read_phone("12", "US")
        assert (order_id_warning("1001") or "").startswith("Este número es fácil de adivinar")


def test_a_file_that_all_tabs_share_and_its_problem_are_told_in_the_language_of_each_reader() -> None:
    catalogue = read_catalogue(b"sku,title,price\nA,Kettle,9.00\nA,Kettle,9.00\n,Lamp,5.00\n")
    with speaking("es"):
        spanish = [str(remark) for remark in catalogue.remarks]
    assert spanish == ["La fila 3 repite el SKU A: vale la primera", "La fila 4 no tiene SKU: se dejó fuera"]
    assert str(catalogue.remarks[1]) == "Row 4 has no SKU: left out"
    with pytest.raises(FileProblem) as refused:
        read_catalogue(b"a,b\n1,2\n")
    with speaking("es"):
        assert str(refused.value).endswith("; a este archivo le falta sku, title.")
        assert str(DataErased()).startswith("Lo que se envió ya no se guarda")
    assert str(refused.value).endswith("; this file lacks sku, title.")
    assert str(DataErased()).startswith("What was sent is no longer kept")
