"""New order, as the script draws it: what is entered, what is refused beside its field, what goes out."""

import re
import uuid
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from streamlit.testing.v1 import AppTest

from components.forms.draft_form import _new_id
from components.submit_order.basket import (
    Bundle,
    Line,
    line_items_of,
    new_line,
    scanned,
    told_of,
    total_of,
    units_of,
)
from components.submit_order.link_kit import NOBODY, Addressee, message
from components.words import attempts
from sandbox import CATALOGUE, SandboxServer
from tests.builders import STAFF, order_of
from tests.components.stage import Stage, copied, shown, words
from warranty.desk import Desk
from warranty.files.catalogue import Catalogue, read_catalogue
from warranty.journal import AttemptFilter, Intent
from warranty.resources import LineItem

ORDER_ID = "7689dde5-c0f6-4fff-a7ad-217f6f73aaaa"
OTHER_ID = "0b0f4a86-6a7b-4f0c-9a3f-3d2f6a11bbbb"
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
    return read_catalogue(CATALOGUE.read_bytes())


@pytest.fixture(scope="module")
def sandbox() -> Iterator[SandboxServer]:
    with SandboxServer() as running:
        yield running


@pytest.fixture
def stage(sandbox: SandboxServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    sandbox.reset()
    staged = Stage(sandbox, tmp_path, monkeypatch, merchants="harbour-outlet=Harbour,closed=Closed")
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
    screen = press(press(stage.screen("submit_order"), "Use our own number"), "Send order")
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
        ("E-mail", "a@b", "complete e-mail address"),
        ("E-mail", f"{'a' * 65}@example.com", "complete e-mail address"),
        ("Phone", "12", "Enter a phone number such as"),
        ("Phone", "1-800-FLOWERS", "Enter the phone number in digits"),
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
    assert "not the one that we expected" not in text
    assert "1 item, 89.50 USD\nFor Zoë, zoe@example.com\n1 of 1 item can be protected" in text
    (call,) = stage.calls("submit_order")
    assert (call["order_id"], call["written"]) == (ORDER_ID, True)
    assert any(ORDER_ID in text.value for text in screen.text)
    press(screen, "Next order")
    assert next(field for field in screen.text_input if field.label == "First name").value == ""


def order_id_in(screen: AppTest) -> str:
    return str(next(field.value for field in screen.text_input if field.label == "Order id"))


def test_an_order_begins_with_an_id_of_its_own_that_stays_until_the_next_order(stage: Stage) -> None:
    screen = stage.screen("submit_order")
    draft_id, _ = screen.session_state["desk.draft.submit_order"]
    made = order_id_in(screen)
    assert str(uuid.UUID(made)) == made
    elsewhere = stage.screen("submit_order", query={"draft": draft_id})  # nothing of it is stored yet
    write(elsewhere, ITEM | CUSTOMER)
    reloaded = stage.screen("submit_order", query={"draft": draft_id})
    assert order_id_in(elsewhere) == order_id_in(reloaded) == made
    shown(press(pick(reloaded, "State", "NY"), "Send order").run())
    assert [call["order_id"] for call in stage.calls("submit_order")] == [made]
    assert order_id_in(press(reloaded, "Next order")) not in {made, ""}


def test_the_shops_own_number_takes_the_place_of_the_made_one_and_a_made_one_its(stage: Stage) -> None:
    screen = press(stage.screen("submit_order"), "Use our own number")
    assert order_id_in(screen) == ""
    write(screen, {"Order id": "W-2026-abcdefgh"})
    made = order_id_in(press(screen, "Make one"))
    assert str(uuid.UUID(made)) == made


@pytest.mark.parametrize(
    ("typed", "called"),
    [({}, None), (CUSTOMER, "Zoë"), (ITEM, "Arc floor lamp"), (ITEM | CUSTOMER, "Arc floor lamp · Zoë")],
    ids=str,
)
def test_an_order_that_holds_nothing_but_its_made_id_is_no_work_that_is_left(
    stage: Stage, typed: dict[str, str], called: str | None
) -> None:
    screen = write(stage.screen("submit_order"), typed)
    if not typed:  # and neither is one whose person thought better of it
        write(write(screen, {"Title": "Lamp"}), {"Title": ""})
    discards = [button for button in screen.button if button.label == "Yes, discard"]
    assert bool(discards) == bool(called)
    other = stage.screen("submit_order", query={"draft": _new_id(STAFF)})
    left = [button.label for button in other.button if (button.key or "").startswith("waiting-")]
    assert [label.rpartition(" · ")[0] for label in left] == ([called] if called else [])


def test_a_name_offers_the_products_that_bear_it_and_the_chosen_one_is_in_the_basket(stage: Stage) -> None:
    screen = write(stage.screen("submit_order"), {"SKU": "oled tele"})
    press(screen, '55" OLED television · 899.99')
    values = {field.label: field.value for field in screen.text_input}
    assert (values["SKU"], values["Title"]) == ("TV-55-OLED", '55" OLED television')
    assert "1 item, 899.99 USD" in words(screen)
    screen = write(screen, {"SKU": "UNKNOWN-1", "Title": ""})
    assert not [button for button in screen.button if (button.key or "").startswith("choose-")]


def test_a_price_far_from_the_catalogue_is_sent_only_when_it_is_said_to_be_meant(stage: Stage) -> None:
    screen = write(filled(stage), {"SKU": "TV-55-OLED", "Price": "99,999,999,999.00"})
    assert "Please look again: the catalogue says 899.99." in words(screen)
    assert "Say that this price is meant" in words(press(screen, "Send order"))
    assert stage.sandbox.calls() == []
    next(box for box in screen.checkbox if box.label == "Yes, one unit costs 99,999,999,999.00").check()
    press(shown(screen.run()), "Send order")
    assert len(stage.sandbox.calls()) == 1


def test_a_silent_service_holds_nobody_up_the_order_on_its_way_can_be_left(stage: Stage) -> None:
    screen = filled(stage)
    draft_id, _ = screen.session_state["desk.draft.submit_order"]
    stage.runtime.jobs._jobs[draft_id] = (Future(), datetime.now(UTC) - timedelta(seconds=9))
    assert "This takes unusually long: the service is slow to answer." in words(shown(screen.run()))
    assert {field.disabled for field in (*screen.text_input, *screen.selectbox)} == {True}, (
        "it stands as it is sent"
    )
    press(screen, "Set this order aside")
    assert next(field for field in screen.text_input if field.label == "First name").value == ""
    assert stage.runtime.jobs.running(draft_id)


def test_an_order_of_earlier_says_that_its_customer_is_not_kept(stage: Stage) -> None:
    shown(press(filled(stage), "Send order").run())
    screen = stage.screen("submit_order", query={"order": ORDER_ID})
    assert "Who the customer is was erased when the order was stored" in words(screen)


def test_a_recent_order_is_told_with_its_one_unit_in_the_clock_of_who_looks(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attempts, "here", lambda: ZoneInfo("Pacific/Kiritimati"))
    screen = press(shown(press(filled(stage), "Send order").run()), "Next order")
    screen.session_state["recent-orders"] = True
    (order,) = stage.runtime.desk.attempts(STAFF, AttemptFilter())
    there = order.started_at.astimezone(ZoneInfo("Pacific/Kiritimati"))
    assert f"{there.day} {there:%b %Y, %H:%M} · 1 unit" in words(shown(screen.run()))
    assert order.landing_url
    offered = copied(screen)
    assert offered["Copy link: Arc floor lamp"] == order.landing_url
    assert ORDER_ID in offered.values(), "the whole id, of which the beginning is shown"


def test_a_message_begins_with_a_capital_with_and_without_a_name() -> None:
    assert message("u", shop="Our shop", addressee=NOBODY).startswith("Thank you for shopping at Our shop.")
    to_ada = message("u", shop="Our shop", addressee=Addressee(first_name="Ada"))
    assert to_ada.startswith("Hello Ada, thank you for shopping")


def test_a_stored_order_shows_the_units_that_the_service_keeps(stage: Stage) -> None:
    screen = press(write(filled(stage), {"Quantity": "21"}), "Send order")
    text = words(shown(screen.run()))
    assert "20 × Arc floor lamp" in text
    assert "21 ×" not in text


def test_an_order_that_the_service_has_is_told_apart_from_a_new_one(stage: Stage) -> None:
    for _ in range(2):
        screen = press(filled(stage), "Send order")
        shown(screen.run())
        if "already had this order" not in words(screen):
            press(screen, "Next order")
    assert "already had this order" in words(screen)


@pytest.mark.parametrize("reads", ["/api/purchase-warranties", None])
def test_an_order_known_after_a_silence_gives_its_link_when_a_person_says_whose_it_is(
    sandbox: SandboxServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reads: str | None
) -> None:
    """The service may have had the id before the sending that it did not answer: the document tells no difference."""
    sandbox.reset()
    stage = Stage(sandbox, tmp_path, monkeypatch, purchase_warranties_path=reads, retailer_uuid=None)
    stage.sandbox.add_fault(operation="submit_order", kind="drop_after_write", times=3)
    screen = shown(press(filled(stage), "Send order").run())
    screen = shown(press(screen, "Send this order again (harmless)").run())
    text = words(screen)
    assert "The service has an order with this id." in text
    assert f"/checkout/{ORDER_ID}" not in text
    assert "not sent from this desk" not in text
    text = words(press(screen, "It is this customer's order: show the link"))
    assert f"/checkout/{ORDER_ID}" in text
    assert "1 × Arc floor lamp" in text
    stage.runtime.close()


def test_while_the_service_is_silent_the_next_customer_is_served_and_the_order_waits_in_the_activity(
    stage: Stage,
) -> None:
    stage.sandbox.add_fault(operation="submit_order", kind="status", status=403)
    screen = shown(press(filled(stage), "Send order").run())
    assert "We don't know whether this order was stored" in words(screen)
    press(screen, "Set this order aside")
    assert next(field for field in screen.text_input if field.label == "First name").value == ""
    write(screen, ITEM | CUSTOMER | {"Order id": OTHER_ID})
    screen = shown(press(pick(screen, "State", "NY"), "Send order").run())
    assert "The order is stored." in words(screen)
    assert [call["order_id"] for call in stage.calls("submit_order") if call["written"]] == [OTHER_ID]
    activity = stage.screen("activity")
    assert "1 to check" in words(activity)
    press(activity, "Send again")
    assert {call["order_id"] for call in stage.calls("submit_order") if call["written"]} == {
        ORDER_ID,
        OTHER_ID,
    }


def test_while_nobody_knows_whether_an_order_was_stored_its_form_is_locked_and_stands_as_sent(
    stage: Stage,
) -> None:
    """It promised a link to an address that was typed after the sending, and the mail went there."""
    first = filled(stage)
    stage.sandbox.add_fault(operation="submit_order", kind="status", status=403)
    second = write(
        stage.screen("submit_order"), {"E-mail": "other@example.com"}
    )  # the same draft in a second tab
    write(first, {"E-mail": "zoe@example.com", "Price": "89.00"})
    press(first, "Send order")
    for screen in (first, shown(second.run())):
        assert "Link goes to zoe@example.com" in words(screen)
        assert {field.disabled for field in screen.text_input} == {True}
        assert {box.disabled for box in screen.selectbox} == {True}
    screen = press(first, "Send this order again (harmless)")
    assert "The order is stored." in words(screen)
    for tab in (screen, shown(second.run())):
        (mail,) = [link.proto.url for link in tab.get("link_button") if "mailto" in link.proto.url]
        assert mail.startswith("mailto:zoe@example.com?")


def test_after_a_refusal_another_order_id_is_another_entry_with_the_same_basket(stage: Stage) -> None:
    screen = press(pick(filled(stage), "Merchant (optional)", "closed"), "Send order")
    assert "matches no merchant" in words(screen)
    screen = write(screen, {"Order id": OTHER_ID})
    assert "matches no merchant" not in words(screen)
    assert next(field.value for field in screen.text_input if field.label == "First name") == "Zoë"
    screen = press(pick(screen, "Merchant (optional)", "harbour-outlet"), "Send order")
    assert "The order is stored." in words(screen)
    (refused,) = stage.runtime.desk.attempts(STAFF, AttemptFilter(order_id=ORDER_ID))
    assert stage.runtime.journal.corrected("sandbox", [refused]) == frozenset()


def test_an_order_that_another_window_sends_can_be_left_to_it(stage: Stage) -> None:
    screen = filled(stage)
    journal, (draft_id, _) = stage.runtime.journal, screen.session_state["desk.draft.submit_order"]
    under_way = Intent(
        attempt_id="a" * 32,
        draft_id=draft_id,
        operation="submit_order",
        username="staff",
        operator_name="Sam Counter",
        screen="submit_order",
        environment="sandbox",
        order_id=ORDER_ID,
        started_at=journal.now(),
        deadline=journal.now() + timedelta(minutes=5),
        items=(),
        body={},
    )
    assert journal.begin(under_way).may_send
    text = words(shown(screen.run()))
    assert re.search(r"Sending the order: begun at \d\d:\d\d by Sam Counter, and not answered yet", text)
    assert re.search(r"Without an answer in (29\d|300) seconds it counts as unknown", text)
    assert "another window" not in text, (
        "nobody knows whether there is one: the program may have been stopped"
    )
    assert not [button for button in screen.button if button.label == "Send order"]
    press(screen, "Set this order aside")
    assert next(field for field in screen.text_input if field.label == "First name").value == ""
    assert [button for button in screen.button if button.label == "Send order"]


def test_a_link_that_is_not_the_one_built_from_retailer_and_order_is_flagged(
    sandbox: SandboxServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sandbox.reset()
    stage = Stage(sandbox, tmp_path, monkeypatch, landing_url="https://elsewhere.example")
    screen = press(filled(stage), "Send order")
    text = words(shown(screen.run()))
    assert "This link is not the one that we expected." in text
    expected = f"https://elsewhere.example/carts/{sandbox.retailer_uuid}/checkout/{ORDER_ID}"
    assert f"Expected: {expected}" in text
    stage.runtime.close()


def test_a_link_too_long_for_a_code_stays_and_says_that_there_is_none(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"https://pages.example.com/carts/r/checkout/{'a' * 2400}"
    attempt = replace(stage.send(order_of()), landing_url=url)
    monkeypatch.setattr(Desk, "order", lambda *_: attempt)
    text = words(stage.screen("submit_order", query={"order": attempt.order_id}))
    assert "This address is too long for a QR code." in text
    assert url in text


def test_the_merchant_that_was_chosen_goes_out_with_the_order(stage: Stage) -> None:
    screen = press(pick(filled(stage), "Merchant (optional)", "closed"), "Send order")
    assert "merchant_external_id matches no merchant of the account" in words(screen)
    screen = press(pick(screen, "Merchant (optional)", "harbour-outlet"), "Send order")
    assert "The order is stored." in words(shown(screen.run()))


def test_the_sku_of_a_known_product_fills_its_line(stage: Stage) -> None:
    screen = write(stage.screen("submit_order"), {"SKU": "TV-55-OLED"})
    values = {field.label: field.value for field in screen.text_input}
    assert (values["Title"], values["Price"]) == ('55" OLED television', "899.99")


def test_a_title_that_a_person_clears_stays_empty_and_is_asked_for(stage: Stage) -> None:
    screen = write(stage.screen("submit_order"), {"SKU": "TV-55-OLED"})
    screen = press(write(screen, {"Title": ""}), "Send order")
    assert next(field.value for field in screen.text_input if field.label == "Title") == ""
    assert "Enter the product's title" in words(screen)


def test_two_changes_that_reach_the_desk_at_once_are_both_kept(stage: Stage) -> None:
    screen = write(stage.screen("submit_order"), ITEM | CUSTOMER)
    next(box for box in screen.selectbox if box.label == "State").set_value("NY")
    next(field for field in screen.text_input if field.label == "Title").set_value("Reading lamp")
    press(screen, "Use our own number")
    values = {field.label: field.value for field in screen.text_input}
    assert values["Order id"] == ""
    assert values["Title"] == "Reading lamp"
    assert next(box for box in screen.selectbox if box.label == "State").value == "NY"


def test_a_country_without_states_takes_the_state_as_text(stage: Stage) -> None:
    screen = pick(stage.screen("submit_order"), "Country", "HK")
    assert "State" in [field.label for field in screen.text_input]
    screen = pick(screen, "Country", "NZ")
    assert "State" in [box.label for box in screen.selectbox]


def test_a_scan_adds_a_line_or_raises_its_quantity(catalogue: Catalogue) -> None:
    lines: list[Line] = [new_line()]
    for code in ("TV-55-OLED", "tv-55-oled", "HEAD-NC", "NEW-1"):
        lines, said = scanned(lines, code, catalogue)
    assert [(line["product_id"], line["quantity"]) for line in lines] == [
        ("TV-55-OLED", "2"), ("HEAD-NC", "1"), ("NEW-1", "1"),
    ]  # fmt: skip
    text, values = said
    assert text.format(**values) == "NEW-1 is not in the catalogue: type its title and price"
    assert total_of(lines[:2]) is not None
    assert total_of(lines) is None
    assert units_of({"quantity": "25"}) == 25
    assert units_of({"quantity": "1.5"}) is None


def test_a_line_is_known_by_its_sku_and_by_the_barcode_that_it_was_scanned_by() -> None:
    catalogue = read_catalogue(b"sku,title,price,barcode\nTV-1,A television,900.00,4006381333931\n")
    lines, _said = scanned([new_line()], "4006381333931", catalogue)
    assert [told[1:] for told in told_of(lines)] == [["TV-1", "1", "4006381333931", "tv-1"]]
    in_a_bundle = [{**line, "bundle": "b1"} for line in lines]  # there a scan makes a line of its own
    assert [told[1:] for told in told_of(in_a_bundle)] == [["TV-1", "1"]]
    changed = [{**line, "product_id": "TV-2"} for line in lines]
    assert [told[1:] for told in told_of(changed)] == [["TV-2", "1", "tv-2"]]


def two_lines(stage: Stage, price: str, quantity: str = "1") -> AppTest:
    """A television of the catalogue and a lamp of ours, ready to be grouped."""
    screen = write(stage.screen("submit_order"), {"SKU": "TV-55-OLED"})
    screen = press(screen, "Add item")
    own = {"SKU": "OWN-1", "Title": "Arc floor lamp", "Price": price, "Quantity": quantity}
    return write(screen, {f"{label} of item 2": value for label, value in own.items()})


def chosen_for_a_bundle(screen: AppTest) -> AppTest:
    members = next(box for box in screen.multiselect if box.label == "Items of the bundle")
    _, draft = screen.session_state["desk.draft.submit_order"]
    members.set_value([line["id"] for line in draft["line_items"]])
    return shown(screen.run())


def test_a_line_without_a_readable_price_cannot_be_grouped(stage: Stage) -> None:
    screen = chosen_for_a_bundle(two_lines(stage, price="about 90"))
    assert "Arc floor lamp has no readable price, so the bundle has no total" in words(screen)
    assert next(button for button in screen.button if button.label == "Make the bundle").disabled
    screen = write(screen, {"Price of item 2": "89.50"})
    assert not next(button for button in screen.button if button.label == "Make the bundle").disabled


def test_a_fault_in_a_bundle_stands_at_its_member_alone_said_once_and_goes_when_it_is_corrected(
    stage: Stage,
) -> None:
    screen = press(chosen_for_a_bundle(two_lines(stage, price="89.50")), "Make the bundle")
    press(write(screen, {"Price of item 2": "abc"}), "Send order")
    text = words(screen)
    assert "Enter a price" not in text  # the bundle's total is no fault of its own
    assert "Price: Price:" not in text
    assert text.count("is not a price") == 2, "on top with the item's name, and at its field"
    write(screen, {"Price of item 2": "12.00"})
    assert "is not a price" not in words(screen)


def test_what_reads_no_markdown_gets_none(stage: Stage) -> None:
    screen = write(two_lines(stage, price="89.50"), {"Title": "Soundbar 5.1"})
    (members,) = (box for box in screen.multiselect if box.label == "Items of the bundle")
    assert "Soundbar 5.1" in members.options


def test_a_bundle_is_one_thing_of_one_total_with_every_unit_counted(stage: Stage) -> None:
    screen = press(chosen_for_a_bundle(two_lines(stage, price="89.50", quantity="3")), "Make the bundle")
    assert "Bundle · 4 units, 1,168.49 USD · one plan covers all of it" in words(screen)
    screen = pick(write(screen, CUSTOMER | {"Order id": ORDER_ID}), "State", "NY")
    shown(press(screen, "Send order").run())
    assert '1 × 55" OLED television + 3 × Arc floor lamp' in words(screen)


def test_the_total_of_a_bundle_is_the_same_whether_quantities_of_its_members_count_or_not() -> None:
    lines: list[Line] = [
        new_line(product_id="A", product_title="A", product_price="10.10", quantity="1", bundle="b"),
        new_line(product_id="B", product_title="B", product_price="5.05", quantity="25", bundle="b"),
    ]
    ((content, rows),) = line_items_of(lines)
    item = LineItem.model_validate(content)
    assert item.products is not None
    assert item.product_price == sum(product.product_price for product in item.products)
    assert (
        item.product_price == Bundle("", lines).total == Decimal("111.10")
    )  # the service stores 20 of a line
    assert rows == (lines[0]["id"], *[lines[1]["id"]] * 20)
