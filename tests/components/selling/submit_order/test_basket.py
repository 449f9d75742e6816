"""The basket of a new order: products found and scanned, prices that are meant, bundles."""

from decimal import Decimal

import pytest
from streamlit.testing.v1 import AppTest

from components.selling.orders.product_scan import NOT_IN_THE_CATALOGUE, NOTHING_CALLED, QUESTIONS, WHICH_ONE
from components.selling.submit_order import basket
from components.ui.forms.draft_form import _new_id
from sandbox import CATALOGUE
from tests.builders import STAFF
from tests.components.selling.submit_order.form import CUSTOMER, ORDER_ID, filled
from tests.components.stage import Stage, held, pick, press, shown, words, write
from warranty.client.resources import LineItem
from warranty.files.catalogue import EMPTY, Catalogue, read_catalogue


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return read_catalogue(CATALOGUE.read_bytes())


def test_the_sku_of_a_known_product_fills_its_line_but_not_what_a_person_clears(stage: Stage) -> None:
    screen = write(stage.screen("submit_order"), {"SKU": "TV-55-OLED"})
    assert (held(screen, "Title"), held(screen, "Price")) == ('55" OLED television', "899.99")
    screen = press(write(screen, {"Title": ""}), "Send order")
    assert held(screen, "Title") == ""
    assert "Enter the product's title" in words(screen)


def test_a_product_of_the_catalogue_is_a_line_counted_and_opened_by_a_press(stage: Stage, catalogue: Catalogue) -> None:
    lines = basket.scanned(basket.scanned([], "TV-55-OLED", catalogue)[0], "LAMP-ARC", catalogue)[0]
    texts = {basket.field_of(line, field): line.get(field, "") for line in lines for field in basket.FIELDS}
    draft = _new_id(STAFF)
    stage.runtime.desk.drafts(STAFF, "submit_order").save(draft, {**texts, "line_items": lines})
    screen = stage.screen("submit_order", query={"draft": draft})

    def shown_as() -> tuple[list[str], list[str]]:
        fields = [field.label for field in screen.text_input if field.label in {"SKU", "Title", "Price", "Quantity"}]
        return fields, [button.label for button in screen.button if button.label.startswith("Send order")]

    assert shown_as() == ([], ["Send order, 989.49 USD"])
    assert [(units.value, units.proto.has_min) for units in screen.number_input] == [(1, False), (1, False)]
    screen.number_input[0].increment().increment().run()
    assert shown_as() == ([], ["Send order, 2,789.47 USD"])
    screen.number_input[0].set_value(0).run()
    assert "Enter 1 or more, or remove the item" in words(screen)
    assert shown_as() == ([], ["Send order"])
    screen.number_input[0].set_value(1).run()
    press(screen, '55" OLED television')
    assert shown_as() == (["SKU", "Title", "Price", "Quantity"], ["Send order, 989.49 USD"])
    screen = press(write(screen, {"Price": ""}), "Send order")
    assert "Enter a price" in words(screen)


def test_a_line_that_was_removed_is_put_back_where_it_stood(stage: Stage) -> None:
    screen = write(press(stage.screen("submit_order"), "Add item"), {"SKU": "TV-55-OLED", "SKU of item 2": "LAMP-ARC"})
    screen = press(screen, "Remove")
    assert held(screen, "SKU") == "LAMP-ARC"
    screen = press(screen, 'Undo: put back 55" OLED television')
    assert (held(screen, "SKU"), held(screen, "SKU of item 2")) == ("TV-55-OLED", "LAMP-ARC")


@pytest.mark.parametrize(("sku", "typed", "why"), [
    *(
        ("TV-55-OLED", typed, "the catalogue says 899.99")
        for typed in ("99,999,999,999.00", "4,499.95", "179.99", "0.00")
    ),
    ("LAMP-ARC", "0.00", "the catalogue says 89.50"), ("OF-NO-CATALOGUE", "0.00", "at 0.00 the service offers no plan"),
])  # fmt: skip
def test_an_odd_price_is_sent_only_when_it_is_said_to_be_meant(stage: Stage, sku: str, typed: str, why: str) -> None:
    screen = write(filled(stage), {"SKU": sku, "Title": "A product", "Price": typed})
    assert f"Check the price: {why}." in words(screen)
    assert "Confirm this price" in words(press(screen, "Send order"))
    assert stage.sandbox.calls() == []
    next(box for box in screen.checkbox if box.label == f"{typed} each is correct").check()
    press(shown(screen.run()), "Send order")
    assert [call["operation"] for call in stage.sandbox.calls()].count("submit_order") == 1


def test_a_price_of_a_sale_is_not_asked_about(stage: Stage) -> None:
    assert "Check the price" not in words(write(filled(stage), {"SKU": "TV-55-OLED", "Price": "449.00"}))


@pytest.mark.parametrize(("typed", "why"), [
    ("1,299", "can be read as 1299.00 or as 1.299"), ("$1,299", "can be read as 1299.00 or as 1.299"),
    ("about 90", "is not a price"), ("€ 90", "is in another currency than USD"),
])  # fmt: skip
def test_why_a_price_cannot_be_read_is_said_once_it_was_left(stage: Stage, typed: str, why: str) -> None:
    screen = filled(stage)
    assert "Price: " not in words(write(screen, {"Price": ""}))
    text = words(write(screen, {"Price": typed}))
    assert text.count(f"Price: “{typed}” {why}") == 1
    assert "There is a problem" not in text
    assert words(press(screen, "Send order")).count(f"Price: “{typed}” {why}") == 2, "on top, and at the field"


@pytest.mark.parametrize("typed", ["$1,299.00", "USD 1299", "1.299,00 $"])
def test_a_price_with_the_sign_of_the_desks_currency_is_read(stage: Stage, typed: str) -> None:
    screen = write(filled(stage), {"Price": typed})
    assert held(screen, "Price") == "1299.00"
    assert "Send order, 1,299.00 USD" in [button.label for button in screen.button]


def test_a_scan_adds_a_line_or_raises_its_quantity(catalogue: Catalogue) -> None:
    lines: list[basket.Line] = [basket.new_line()]
    other = ("4006381333931", "04006381333931", "]C10100012345678905", "012345678905", "]C1010012345678905", "*NEW-1*")
    for code in ("TV-55-OLED", "tv-55-oled", "HEAD-NC", *other):
        lines, said = basket.scanned(lines, code, catalogue)
    assert [f"{line['product_id']}: {line['quantity']}" for line in lines] == [
        "TV-55-OLED: 2", "HEAD-NC: 1", "4006381333931: 2", "00012345678905: 2", "010012345678905: 1", "NEW-1: 1",
    ]  # fmt: skip
    text, values = said
    assert text.format(**values) == "NEW-1 isn't in the catalogue. Type its title and price."
    assert basket.total_of(lines[:2]) is not None
    assert basket.total_of(lines) is None
    assert basket.units_of({"quantity": "25"}) == 25
    assert basket.units_of({"quantity": "1.5"}) is None


@pytest.mark.parametrize("code", ["oled tele", "TV", "lamp"])
def test_a_part_of_a_name_or_sku_is_a_question_and_leaves_the_basket_as_it_is(catalogue: Catalogue, code: str) -> None:
    lines, _said = basket.scanned([basket.new_line()], "TV-55-OLED", catalogue)
    assert basket.scanned(lines, code, catalogue) == (lines, (WHICH_ONE, {"code": code}))
    assert basket.scanned(lines, "QZß55ßX", catalogue)[1][0].startswith("The scanner is set to another keyboard")
    same = read_catalogue(b"sku,title,barcode\nA,Kettle,4006381333931\nB,Television,4006381333931\n")
    assert basket.scanned(lines, "*4006381333931*", same) == (lines, (WHICH_ONE, {"code": "4006381333931"}))


def test_a_word_that_finds_nothing_is_a_line_only_when_a_person_adds_it(catalogue: Catalogue) -> None:
    lines: list[basket.Line] = []
    for code in ("zzz", "s", "zzz"):
        lines, (text, values) = basket.scanned(lines, code, catalogue)
        assert lines == []
        assert text.format(**values) == f"Nothing in the catalogue is called {code}"
    lines, (text, _) = basket.scanned(lines, "zzz", catalogue, as_new=True)
    (named,), _said = basket.scanned([], "Phone case blue", catalogue, as_new=True)
    assert (named.get("product_id", ""), named["product_title"]) == ("", "Phone case blue")
    assert [line["product_id"] for line in lines] == ["zzz"]
    assert text == NOT_IN_THE_CATALOGUE
    assert [line["product_id"] for line in basket.scanned([], "zzz", EMPTY)[0]] == ["zzz"], (
        "where there is no catalogue"
    )


def test_a_word_that_found_nothing_is_added_by_a_press(stage: Stage) -> None:
    draft = _new_id(STAFF)
    stage.runtime.desk.drafts(STAFF, "submit_order").save(draft, {"scan_said": (NOTHING_CALLED, {"code": "zzz"})})
    screen = stage.screen("submit_order", query={"draft": draft})
    assert held(screen, "SKU") == ""
    press(screen, "Add zzz as a new item")
    assert held(screen, "SKU") == "zzz"
    assert "Add zzz as a new item" not in [button.label for button in screen.button]


@pytest.mark.parametrize("question", sorted(QUESTIONS))
def test_an_order_waits_until_it_is_known_what_was_meant_by_a_text(stage: Stage, question: str) -> None:
    screen = filled(stage)
    form = stage.runtime.desk.drafts(STAFF, "submit_order")
    (draft,) = form.all()
    form.save(draft.draft_id, {**draft.content, "scan_said": (question, {"code": "sofa"})})
    screen = press(stage.screen("submit_order", query={"draft": draft.draft_id}), "Send order")
    assert words(screen).count("sofa is not in yet: choose what it is, or leave it out") == 2, (
        "on top, and at the field"
    )
    assert "The order is stored." not in words(screen)
    assert "The order is stored." in words(press(press(screen, "Leave it out"), "Send order"))


def two_lines(stage: Stage, price: str, quantity: str = "1") -> AppTest:
    screen = press(write(stage.screen("submit_order"), {"SKU": "TV-55-OLED"}), "Add item")
    own = {"SKU": "OWN-1", "Title": "Arc floor lamp", "Price": price, "Quantity": quantity}
    return write(screen, {f"{label} of item 2": value for label, value in own.items()})


def chosen_for_a_bundle(screen: AppTest) -> AppTest:
    members = next(box for box in screen.multiselect if box.label == "Items of the bundle")
    _, draft = screen.session_state["desk.draft.submit_order"]
    members.set_value([line["id"] for line in draft["line_items"]])
    return shown(screen.run())


def test_a_bundle_is_one_thing_of_one_total_and_its_faults_stand_at_its_members_alone(stage: Stage) -> None:
    screen = write(two_lines(stage, price="about 90", quantity="3"), {"Title": "Soundbar 5.1"})
    assert "Soundbar 5.1" in screen.multiselect[0].options, "what reads no Markdown gets none"
    screen = chosen_for_a_bundle(screen)
    assert "Arc floor lamp has no readable price, so the bundle has no total" in words(screen)
    (group,) = [button for button in screen.button if button.label == "Create bundle"]
    assert group.disabled
    screen = press(write(screen, {"Price of item 2": "89.50"}), "Create bundle")
    assert "Bundle · 4 units, 1,168.49 USD · one plan covers all of it" in words(screen)
    text = words(press(write(screen, {"Price of item 2": "abc"}), "Send order"))
    assert "Enter a price" not in text  # the bundle's total is no fault of its own
    assert "Price: Price:" not in text
    assert text.count("is not a price") == 2, "on top with the item's name, and at its field"
    assert "is not a price" not in words(write(screen, {"Price of item 2": "89.50"}))
    pick(write(screen, CUSTOMER | {"Order number": ORDER_ID}), "State", "NY")
    assert "1 × Soundbar 5.1 + 3 × Arc floor lamp" in words(shown(press(screen, "Send order").run()))


def test_the_total_of_a_bundle_is_the_same_whether_quantities_of_its_members_count_or_not() -> None:
    lines: list[basket.Line] = [
        basket.new_line(product_id="A", product_title="A", product_price="10.10", quantity="1", bundle="b"),
        basket.new_line(product_id="B", product_title="B", product_price="5.05", quantity="25", bundle="b"),
    ]
    ((content, rows),) = basket.line_items_of(lines)
    item = LineItem.model_validate(content)
    assert item.products is not None
    assert item.product_price == sum(product.product_price for product in item.products)
    assert item.product_price == basket.Bundle("", lines).total == Decimal("111.10")  # the service stores 20 of a line
    assert rows == (lines[0]["id"], *[lines[1]["id"]] * 20)
