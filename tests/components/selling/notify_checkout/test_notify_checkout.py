"""Checkout, as a person meets it: all fields, offers picked or pasted, and never repeated by itself."""

import re
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from components.words.attempts import amount_of
from tests.builders import LAMP, TV, TV_OF_THE_SAME_BAND
from tests.components.stage import Stage, StageWith, date_field, pick, pick_lists, press, says, shown, words, write
from warranty.desk.journal import AttemptFilter, AttemptState

OFFER = "123e4567-e89b-12d3-a456-426614174000"
CUSTOMER = {
    "E-mail": "ada.byron@example.com", "First name": "Ada", "Last name": "Byron",
    "Street and number": "1 Mint Street", "ZIP or postal code": "11201", "City": "Brooklyn",
}  # fmt: skip


@pytest.fixture
def stage(stage_with: StageWith) -> Stage:
    return stage_with(aftermarket="true", merchants="m-1=Main Street,m-2=Harbour")


class Form:
    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.screen = stage.screen("notify_checkout")
        self.scans = 0

    @property
    def words(self) -> str:
        return words(self.screen)

    def write(self, values: dict[str, str], place: int = 0) -> "Form":
        write(self.screen, values, place)
        return self

    def pick(self, label: str, value: str, place: int = 0) -> "Form":
        pick(self.screen, label, value, place)
        return self

    def press(self, label: str) -> "Form":
        press(self.screen, label)
        return self

    def ship(self, to: str) -> None:
        next(one for one in self.screen.segmented_control if one.label == "Shipped to").set_value(to)
        shown(self.screen.run())

    def scan(self, *codes: str) -> "Form":
        _, draft, _ = str(self.screen.text_input[0].key).split(":", 2)
        numbered = [[self.scans + number, code] for number, code in enumerate(codes, start=1)]
        self.scans += len(codes)
        self.screen.session_state[f"notify_checkout:{draft}:scan"] = {"scans": {"mount": "page", "codes": numbered}}
        shown(self.screen.run())
        return self

    def choose(self, term: str, place: int = 0) -> "Form":
        [one for one in self.screen.segmented_control if one.label == "Term"][place].set_value(term)
        shown(self.screen.run())
        return self

    def terms(self) -> list[Any]:
        return [one.value for one in self.screen.segmented_control if one.label == "Term"]

    def values(self) -> dict[str, str]:
        return {field.label: str(field.value) for field in self.screen.text_input}

    def labels(self) -> list[str]:
        return [button.label for button in self.screen.button]

    def filled(self, order_id: str) -> "Form":
        self.write({"Order number": order_id, "Offer id": OFFER, **CUSTOMER})
        return self.pick("State", "NY")


def shown_by_scan(form: Form) -> str:
    return "".join(part.proto.json for part in form.screen.get("bidi_component") if '"said"' in part.proto.json)


def body_of(stage: Stage) -> dict[str, object]:
    unknown = AttemptFilter(states=frozenset({AttemptState.UNKNOWN}))
    (attempt,) = stage.runtime.desk.journal.attempts("sandbox", unknown)
    body = stage.runtime.desk.journal.body_of(attempt.attempt_id)
    assert body is not None
    return body


def test_the_service_is_told_and_the_customer_gets_the_e_mail_that_was_announced(stage: Stage) -> None:
    form = Form(stage).filled("o-checkout-1")
    says(form.words, "the customer gets the welcome e-mail", "active subscription")
    assert "Record a sale on this order" not in form.labels()
    assert "Welcome e-mail to ada.byron@example.com" in form.words
    form.press("Send checkout")
    says(form.words, "The checkout went through", "Order o-checkout-1, ada.byron@example.com")
    assert [mail["order_id"] for mail in stage.sandbox.outbox() if mail["kind"] == "welcome"][-1:] == ["o-checkout-1"]
    emptied = form.press("Next checkout").words
    assert "No plan yet." in emptied
    assert "welcome e-mail" not in emptied


def test_every_field_of_the_document_can_be_sent(stage: Stage) -> None:
    form = Form(stage).filled("o-checkout-2")
    form.write({"Phone (optional)": "(212) 555-0100", "Apartment, floor (optional)": "3F"})
    form.write({"Quantity": "2", "Manufacturer warranty in months (optional)": "12"})
    form.pick("Merchant (only if you were told to name one)", "m-2")
    form.ship("other")
    form.write({"First name": "Charles"})
    form.write({field: value for field, value in CUSTOMER.items() if field != "E-mail"}, place=1)
    form.pick("State", "NY", 1)
    date_field(form.screen, "Manufacturer warranty starts").set_value(date(2026, 11, 21))
    shown(form.screen.run())
    stage.sandbox.add_fault(operation="notify_checkout", kind="status", status=500)
    form.press("Send checkout")
    home = {"last_name": "Byron", "address1": "1 Mint Street", "city": "Brooklyn", "zip": "11201"}
    home |= {"country": "United States", "country_code": "US"}
    plan = {"quantity": 2, "mfw_duration_months": 12, "mfw_start_date": "2026-11-21"}
    assert body_of(stage) == {
        "id": "o-checkout-2", "email": "ada.byron@example.com", "phone": "+12125550100",
        "line_items": [{"warranty_offer_id": OFFER, **plan}],
        "billing_address": {**home, "first_name": "Charles", "address2": "3F", "state": "NY"},
        "shipping_address": {**home, "first_name": "Ada", "state": "NY"}, "merchant_id": "m-2",
    }  # fmt: skip


@pytest.mark.parametrize("shipped", ["same", "none"])
def test_shipping_is_the_billing_address_or_none_where_nothing_is_shipped(stage: Stage, shipped: str) -> None:
    form = Form(stage).filled("o-checkout-3")
    form.ship(shipped)
    stage.sandbox.add_fault(operation="notify_checkout", kind="status", status=500)
    form.press("Send checkout")
    body = body_of(stage)
    assert body.get("shipping_address") == (body["billing_address"] if shipped == "same" else None)


def test_a_retailer_without_merchants_and_aftermarket_programs_does_not_see_their_fields(stage_with: StageWith) -> None:
    form = Form(stage_with())
    assert not [field for field in form.screen.text_input if "Manufacturer" in field.label]
    assert not [box for box in pick_lists(form.screen) if "Merchant" in box.label]


def sold_last(stage: Stage) -> list[tuple[str, int | None]]:
    attempts = stage.runtime.desk.journal.attempts("sandbox", AttemptFilter(operation="notify_checkout"))
    return [(item.title, item.term_months) for item in attempts[0].items]


def test_plans_of_an_order_that_the_service_knows_are_chosen_one_for_an_item(stage: Stage) -> None:
    form = Form(stage).write({"Order number": stage.order(TV, LAMP).order_id})
    assert "This order was sold without a plan." in form.words
    assert "Record a sale on this order" in form.labels()
    form.choose("36").choose("60", place=1).choose("24")
    assert "24 months, Extended warranty on 55in OLED television" in form.words
    assert "36 months, " not in form.words, "another term takes the place of the one before"
    calls = len(stage.calls("notify_checkout"))
    form.write({"Quantity": "2", **CUSTOMER}).pick("State", "NY").press("Send checkout")
    assert "Enter 1 at most: the order holds no more of this item" in form.words
    assert len(stage.calls("notify_checkout")) == calls
    assert form.press("Remove").terms() == [None, "60"]
    form.press("Send checkout")
    assert sold_last(stage) == [("Arc floor lamp", 60)]


def test_a_product_that_is_scanned_shows_its_plans_and_each_that_is_chosen_stays_over_a_reload(stage: Stage) -> None:
    form = Form(stage).scan("LAMP-ARC")
    assert "Arc floor lamp :gray[SKU LAMP-ARC] 89.50 USD" in form.words
    assert not {"SKU", "Title", "Product price"} & form.values().keys()
    form.choose("60").scan("tv-55-oled").choose("36").choose("24")
    form.write({"Order number": "o-5", **CUSTOMER}).pick("State", "NY")
    again = Form(stage)
    assert again.terms() == ["24"]
    again.press("Send checkout")
    assert sold_last(stage) == [("Arc floor lamp", 60), ('55" OLED television', 24)]


def test_the_price_of_a_plan_stands_in_the_checkout_on_its_result_and_in_the_journal(stage: Stage) -> None:
    form = Form(stage).scan("LAMP-ARC").choose("60")
    (term,) = [one for one in form.screen.segmented_control if one.label == "Term"]
    usual = next(option.content for option in term.proto.options if option.content.startswith("60")).split()[-1]
    form.write({"Order number": "o-7", "Quantity": "2", **CUSTOMER}).pick("State", "NY")
    told = f"on Arc floor lamp: {usual} USD, for each of 2 units"
    assert told in form.words
    assert told in form.press("Send checkout").words
    (sent, *_) = stage.runtime.desk.journal.attempts("sandbox", AttemptFilter(operation="notify_checkout"))
    assert amount_of(sent) == 2 * Decimal(usual)


def test_a_product_outside_the_catalogue_is_described_and_a_known_one_may_be_changed(stage: Stage) -> None:
    form = Form(stage).scan("*X-1*").press("Find plans")
    assert "X-1 isn't in the catalogue. Type its title and price." in shown_by_scan(form)
    says(form.words, "Enter the title", "Enter the product price")
    form.write({"Title": "Camera", "Product price": "$400", "Category (optional)": "Electronics > Cameras"})
    assert "Enter the title" not in form.words
    form.press("Find plans").choose("24")
    assert "24 months, Extended warranty on Camera" in form.words
    values = form.scan("LAMP-ARC").press("Change").values()
    assert (values["Title"], values["Product price"]) == ("Arc floor lamp", "89.50")
    assert form.write({"Title": "Lamp, dented"}).values()["Title"] == "Lamp, dented", "what is typed stays"
    assert form.scan("X-2").values()["Title"] == ""


def test_a_part_of_a_name_offers_those_that_bear_it_and_of_two_scanned_at_once_none_is_left_out(stage: Stage) -> None:
    form = Form(stage).scan("oled tele")
    assert "Which oled tele is it?" in shown_by_scan(form)
    assert ("SKU" in form.values(), form.terms()) == (False, [])
    assert "One product at a time. Scan again: LAMP-ARC, TV-55-OLED" in shown_by_scan(
        form.scan("LAMP-ARC", "TV-55-OLED")
    )
    assert form.terms() == []
    assert len(form.scan("LAMP-ARC", "LAMP-ARC").terms()) == 1, "one box, read twice"
    without = "No plan was chosen for Arc floor lamp: scan it again if one is sold."
    assert without in shown_by_scan(form.scan("TV-55-OLED"))
    assert "No plan" not in shown_by_scan(form.choose("24").scan("LAMP-ARC"))


def test_what_is_missing_or_wrong_is_told_in_the_order_of_the_form_and_nothing_is_sent(stage: Stage) -> None:
    before = len(stage.calls("notify_checkout"))
    form = Form(stage).write({"Phone (optional)": "12"}).press("Send checkout")
    (summary,) = form.screen.error
    told = [line for line in summary.value.replace("\\", "").splitlines() if line.startswith("-")]
    parts = (
        "warranty", "order number", "e-mail", "phone", "first name",
        "last name", "street", "postal code", "city", "state",
    )  # fmt: skip
    assert len(told) == len(parts)
    assert [part in line.partition("](")[0] for part, line in zip(parts, told, strict=True)] == [True] * 10
    for sentence in ("Add at least one warranty", "Enter an order number", "Enter a phone number", "Choose a state"):
        assert form.words.count(sentence) == 2, "on top, and at the field"
    form.filled("o-4").write({"Offer id": "no-uuid", "Quantity": "0"}).press("Send checkout")
    for sentence in ("36 characters", "whole number of 1 or more"):
        assert sentence in form.words
    assert len(stage.calls("notify_checkout")) == before


def test_what_is_in_doubt_is_asked_about_once(stage: Stage) -> None:
    doubts = {"Last name": "B,A", "ZIP or postal code": "2", "E-mail": "a@gmx.con", "Phone (optional)": "+10000000000"}
    form = Form(stage).filled("o-doubt").write(doubts).press("Send checkout")
    assert [form.words.count(f"Confirm “{asked}”, or correct it") for asked in doubts.values()] == [2] * 4
    for box in form.screen.checkbox:
        box.check()
    assert "The checkout went through" in form.press("Send checkout").words


def test_of_two_addresses_a_fault_says_which_and_leads_to_its_own_field(stage: Stage) -> None:
    form = Form(stage).write({"Order number": "o-1", "Offer id": OFFER, "E-mail": "ada@example.com"})
    form.ship("other")
    (summary,) = form.press("Send checkout").screen.error
    for which in ("billing", "shipping"):
        line = rf"{which.title()} address\\: Enter a city\]\(#[\w-]{{1,90}}{which}_address-city\)"
        assert re.search(line, summary.value)


def test_after_a_refusal_another_order_id_begins_an_empty_checkout_the_refused_waits(stage: Stage) -> None:
    form = Form(stage).filled("o-refused")
    stage.sandbox.add_fault(operation="notify_checkout", kind="status", status=400)
    form.press("Send checkout")
    says(form.words, "the customer gets no e-mail", "The sandbox was asked to answer 400.")
    form.write({"Order number": "o-next"})
    assert "asked to answer 400" not in form.words
    values = form.values()
    assert (values["Order number"], values["E-mail"], values["City"]) == ("o-next", "", "")
    form.press(next(label for label in form.labels() if label.startswith("Order o-refused")))
    assert "asked to answer 400" in form.words
    assert "The checkout went through" in form.press("Send checkout").words


def test_an_offer_id_that_is_pasted_is_told_by_its_plan_where_that_is_listed(stage: Stage) -> None:
    order = stage.order(TV, TV_OF_THE_SAME_BAND, LAMP)
    tv, _, lamp = stage.runtime.service.client.purchase_warranties(order.order_id).line_items
    of_the_lamp, of_both = lamp.offers[0].warranty_offer_id, tv.offers[1].warranty_offer_id
    form = Form(stage).filled(order.order_id).write({"Offer id": of_the_lamp})
    assert "24 months, Furniture protection on Arc floor lamp" in form.words
    assert "Plan 1" not in form.words
    form.write({"Offer id": of_both}).press("Send checkout")
    assert sold_last(stage) == [("", 24)], "it does not say which item"


def test_an_offer_that_was_typed_over_is_not_told_as_the_one_that_stood_there(stage: Stage) -> None:
    order = stage.order(TV)
    (tv,) = stage.held(order.order_id).line_items
    form = Form(stage).filled(order.order_id).write({"Offer id": tv.offers[0].warranty_offer_id})
    assert "months, Extended warranty on 55in OLED television" in form.words
    form.write({"Offer id": OFFER})
    assert "months, Extended warranty on 55in OLED television" not in form.words
    form.press("Send checkout")
    assert sold_last(stage) == [("", None)]


def test_an_unknown_checkout_is_never_sent_again_by_itself(stage: Stage) -> None:
    form = Form(stage).filled("o-6")
    stage.sandbox.add_fault(operation="notify_checkout", kind="drop_after_write")
    form.press("Send checkout")
    assert "We don't know yet if this checkout went through" in form.words
    assert "the customer could get the welcome e-mail twice" in form.words
    assert "Send checkout" not in form.labels()
    fields = [*form.screen.text_input, *pick_lists(form.screen), *form.screen.segmented_control]
    assert {field.disabled for field in fields} == {True}, "it stands as it was sent"
    form.press("The e-mail came: it went through").press("Yes, the e-mail came: it went through")
    assert "The checkout went through, as it was settled." in form.words
    assert len([mail for mail in stage.sandbox.outbox() if mail["order_id"] == "o-6"]) == 1
