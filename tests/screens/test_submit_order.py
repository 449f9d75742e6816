"""New order, as the script draws it: what is entered, what is refused beside its field, what goes out."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from components.order_basket import Line, new_line, scanned, total_of, units_of
from sandbox import SandboxServer
from tests.selling.stage import Stage, shown, words
from warranty.catalogue import Catalogue, load_catalogue

ORDER_ID = "7689dde5-c0f6-4fff-a7ad-217f6f73aaaa"
ITEM = {
    "SKU": "OWN-1",
    "Title": "Arc floor lamp",
    "Price": "89.50",
    "Quantity": "1",
    "Category": "Furniture > Lamps",
}
CUSTOMER = {"First name": "Zoë", "E-mail": "zoe@example.com", "ZIP or postal code (optional)": "01231"}


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue(Path(__file__).parents[2] / "sandbox" / "catalogue.csv")


@pytest.fixture(scope="module")
def sandbox() -> Iterator[SandboxServer]:
    with SandboxServer() as running:
        yield running


@pytest.fixture
def stage(sandbox: SandboxServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    sandbox.reset()
    staged = Stage(sandbox, tmp_path, monkeypatch, merchants="acme=Acme,harbour=Harbour")
    yield staged
    staged.runtime.close()


def write(screen: AppTest, values: dict[str, str]) -> AppTest:
    for label, value in values.items():
        next(field for field in screen.text_input if field.label == label).set_value(value)
        shown(screen.run())
    return screen


def pick(screen: AppTest, label: str, value: str) -> AppTest:
    next(box for box in screen.selectbox if box.label == label).set_value(value)
    return shown(screen.run())


def press(screen: AppTest, label: str) -> AppTest:
    next(button for button in screen.button if button.label == label).click()
    return shown(screen.run())


def filled(stage: Stage) -> AppTest:
    screen = write(stage.screen("submit_order"), ITEM | CUSTOMER | {"Order id": ORDER_ID})
    return pick(screen, "State", "NY")


def test_an_empty_form_names_every_fault_on_top_and_beside_its_field_and_sends_nothing(stage: Stage) -> None:
    screen = press(stage.screen("submit_order"), "Send order")
    text = words(screen)
    for sentence in ("Add at least one item", "Enter a first name", "Enter an order id", "Enter a state"):
        assert sentence in text
    assert stage.sandbox.calls() == []


@pytest.mark.parametrize(
    ("label", "typed", "sentence"),
    [
        ("Price", "abc", "not a price"),
        ("Price", "12.345", "more than two decimals"),
        ("Quantity", "0", "whole number of 1 or more"),
        ("Title", "", "Enter the product's title"),
        ("E-mail", "zoe@", "complete e-mail address"),
        ("Phone", "12", "Enter a phone number such as"),
    ],
)
def test_what_the_service_would_refuse_is_told_and_not_sent(
    stage: Stage, label: str, typed: str, sentence: str
) -> None:
    screen = press(write(filled(stage), {label: typed}), "Send order")
    assert sentence in words(screen)
    assert stage.sandbox.calls() == []


def test_an_order_goes_out_once_and_its_link_comes_back(stage: Stage) -> None:
    screen = press(filled(stage), "Send order")
    shown(screen.run())
    text = words(screen)
    assert "The order is stored." in text
    (call,) = stage.sandbox.calls()
    assert (call["order_id"], call["written"]) == (ORDER_ID, True)
    assert any(ORDER_ID in code.value for code in screen.code)
    press(screen, "Next order")
    assert next(field for field in screen.text_input if field.label == "First name").value == ""


def test_an_order_that_the_service_has_is_told_apart_from_a_new_one(stage: Stage) -> None:
    for _ in range(2):
        screen = press(filled(stage), "Send order")
        shown(screen.run())
        if "already had this order" not in words(screen):
            press(screen, "Next order")
    assert "already had this order" in words(screen)


def test_the_sku_of_a_known_product_fills_its_line(stage: Stage) -> None:
    screen = write(stage.screen("submit_order"), {"SKU": "TV-55-OLED"})
    values = {field.label: field.value for field in screen.text_input}
    assert (values["Title"], values["Price"]) == ('55" OLED television', "899.99")


def test_a_title_that_a_person_clears_stays_empty_and_is_asked_for(stage: Stage) -> None:
    screen = write(stage.screen("submit_order"), {"SKU": "TV-55-OLED"})
    screen = press(write(screen, {"Title": ""}), "Send order")
    assert next(field.value for field in screen.text_input if field.label == "Title") == ""
    assert "Enter the product's title" in words(screen)


def test_a_country_without_states_takes_the_state_as_text(stage: Stage) -> None:
    screen = pick(stage.screen("submit_order"), "Country", "HK")
    assert "State" in [field.label for field in screen.text_input]
    screen = pick(screen, "Country", "NZ")
    assert "State" in [box.label for box in screen.selectbox]


def test_a_scan_adds_a_line_or_raises_its_quantity(catalogue: Catalogue) -> None:
    lines: list[Line] = [new_line()]
    for code in ("TV-55-OLED", "tv-55-oled", "HEAD-NC", "NEW-1"):
        lines, added = scanned(lines, code, catalogue)
    assert [(line["product_id"], line["quantity"]) for line in lines] == [
        ("TV-55-OLED", "2"), ("HEAD-NC", "1"), ("NEW-1", "1"),
    ]  # fmt: skip
    assert not added.is_known
    assert total_of(lines[:2]) is not None
    assert total_of(lines) is None
    assert units_of({"quantity": "25"}) == 25
    assert units_of({"quantity": "1.5"}) is None
