"""New order, as the script draws it: what is entered, and what is refused beside its field."""

import uuid
from datetime import UTC
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from components.selling.submit_order.basket import called
from components.ui.forms.draft_form import _new_id
from tests.builders import MANAGER, STAFF
from tests.components.selling.submit_order.form import CUSTOMER, ITEM, ORDER_ID, filled, letters
from tests.components.stage import Stage, StageWith, held, pick, pick_lists, press, says, shown, words, write
from warranty.access import Operator
from warranty.client.resources import Order
from warranty.desk import Desk
from warranty.desk.journal import Attempt


def test_an_empty_form_and_what_the_service_would_refuse_are_told_until_right_and_not_sent(stage: Stage) -> None:
    text = words(press(press(stage.screen("submit_order"), "Type an order number"), "Send order"))
    for sentence in ("Add at least one item", "Enter a first name", "Enter an order number", "Choose a state"):
        assert sentence in text
    assert stage.sandbox.calls() == []
    faults = {
        "Price": ("12.345", "more than two decimals"), "Quantity": ("0", "whole number of 1 or more"),
        "Title": ("", "Enter the product's title"), "E-mail or phone": ("a@b", "complete e-mail address"),
        "Phone": ("1-800-FLOWERS", "Enter the phone number in digits"),
    }  # fmt: skip
    screen = filled(stage)
    right = {label: held(screen, label) for label in faults}
    text = words(press(write(screen, {label: wrong for label, (wrong, _) in faults.items()}), "Send order"))
    assert [sentence in text for _, sentence in faults.values()] == [True] * len(faults)
    text = words(write(screen, right))
    assert [sentence in text for _, sentence in faults.values()] == [False] * len(faults)
    assert stage.sandbox.calls() == []


@pytest.fixture
def reached(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str | None, str | None]]:
    sent: list[tuple[str | None, str | None]] = []
    send = Desk.send

    def noted(desk: Desk, operator: Operator, resource: Order, **more: Any) -> Attempt:
        sent.append((resource.billing_address.email, resource.billing_address.phone))
        return send(desk, operator, resource, **more)

    monkeypatch.setattr(Desk, "send", noted)
    return sent


MAIL, NUMBER, AS_SENT = "zoe@example.com", "(212) 555-0100", "+12125550100"


@pytest.mark.parametrize(("row", "other", "sent"), [
    (MAIL, {}, (MAIL, None)), (NUMBER, {}, (None, AS_SENT)), (MAIL, {"Phone": NUMBER}, (MAIL, AS_SENT)),
    (NUMBER, {"E-mail": MAIL}, (MAIL, AS_SENT)),
])  # fmt: skip
def test_one_field_takes_e_mail_or_phone_the_other_stands_under_more_and_a_letter_is_offered_to_each(
    stage: Stage, reached: list[Any], row: str, other: dict[str, str], sent: tuple[str | None, str | None]
) -> None:
    screen = write(write(filled(stage), {"E-mail or phone": row}), other)
    assert len({"Phone", "E-mail"} & {field.label for field in screen.text_input}) == 1
    assert f"For Zoë, {sent[0] or sent[1]}" in words(shown(press(screen, "Send order").run()))
    assert reached == [sent]
    ways = [f"{kind}:{to}" for kind, to in zip(("mailto", "sms"), sent, strict=True) if to]
    assert [letter.partition("?")[0] for letter in letters(screen)] == ways


OTHER_MAIL, OTHER_NUMBER = "kim@example.com", "(212) 555-0199"


@pytest.mark.parametrize(("row", "other", "label"), [
    ((MAIL, NUMBER), OTHER_NUMBER, "Phone"), ((MAIL, "", NUMBER), OTHER_NUMBER, "Phone"),
    ((NUMBER, OTHER_MAIL), MAIL, "E-mail"),
])  # fmt: skip
def test_two_phones_or_two_e_mails_are_asked_about_and_nothing_is_dropped_or_comes_back(
    stage: Stage, reached: list[Any], row: tuple[str, ...], other: str, label: str
) -> None:
    screen = write(write(filled(stage), {"E-mail or phone": row[0]}), {label: other})
    for typed in row[1:]:
        write(screen, {"E-mail or phone": typed})
    assert held(screen, label) == other
    says(screen, f"Another {label.lower()} stands under More", "Link goes to: enter")
    assert "There is a problem" in words(press(screen, "Send order"))
    assert reached == []
    write(screen, {label: ""})
    assert "Another" not in words(screen)
    shown(press(screen, "Send order").run())
    assert reached == [(row[-1], None) if "@" in row[-1] else (None, AS_SENT)]


def test_a_desk_of_before_finds_what_was_typed_by_its_name_and_this_one_what_was_typed_there(stage: Stage) -> None:
    screen = filled(stage)
    for typed, kept in ((MAIL, (MAIL, "")), (NUMBER, ("", NUMBER)), ("", ("", ""))):
        write(screen, {"E-mail or phone": typed})
        (draft,) = stage.runtime.desk.drafts(STAFF, "submit_order").all()
        assert tuple(draft.content.get(f"billing_address.{name}", "") for name in ("email", "phone")) == kept
    draft_id, content = filled(stage).session_state["desk.draft.submit_order"]
    drafts = stage.runtime.desk.drafts(STAFF, "submit_order")
    drafts.save(draft_id, {**content, "billing_address.reach": "", "billing_address.email": MAIL})
    assert held(stage.screen("submit_order", query={"draft": draft_id}), "E-mail or phone") == MAIL


def test_what_is_under_more_is_kept_and_counts_while_the_row_changes(stage: Stage, reached: list[Any]) -> None:
    screen = write(write(filled(stage), {"E-mail or phone": MAIL}), {"Phone": NUMBER})
    write(screen, {"E-mail or phone": ""})
    assert held(screen, "Phone") == NUMBER
    assert f"Link goes to {AS_SENT}" in words(screen)
    write(screen, {"E-mail or phone": OTHER_MAIL})
    press(screen, "Send order")
    assert reached == [(OTHER_MAIL, AS_SENT)]


@pytest.mark.parametrize(("typed", "said"), [
    ("kim", "Enter an e-mail address, or a phone number in digits"), ("kim@", "Enter a complete e-mail address"),
    ("212555", "Enter a phone number such as"), ("kim2example.com", "The @ is missing"),
])  # fmt: skip
def test_what_reaches_nobody_is_said_and_not_sent(stage: Stage, reached: list[Any], typed: str, said: str) -> None:
    screen = write(filled(stage), {"E-mail or phone": typed})
    says(screen, said, "Link goes to: enter an e-mail or a phone")
    assert "There is a problem" in words(press(screen, "Send order"))
    assert reached == []


@pytest.mark.parametrize(("label", "typed"), [
    ("E-mail or phone", "+10000000000"), ("Phone", "+10000000000"), ("E-mail or phone", "ada@gmial.com"),
    ("First name", "Muller, Ada"), ("First name", "Ada 1 Mint Street Brooklyn"), ("Last name", "ada@example.com"),
    ("Last name", "x" * 61), ("ZIP or postal code", "2110"),
])  # fmt: skip
def test_what_is_in_doubt_is_asked_about_once(stage: Stage, label: str, typed: str) -> None:
    screen = press(write(filled(stage), {label: typed}), "Send order")
    assert words(screen).count(f"Confirm “{typed}”, or correct it") == 2, "on top, and at the field"
    assert ("Link goes to: enter" in words(screen)) == ("hone" in label)
    assert stage.calls("submit_order") == []
    (box,) = screen.checkbox
    press(shown(box.check().run()), "Send order")
    assert len(stage.calls("submit_order")) == 1


@pytest.mark.parametrize(("former", "row", "other"), [
    ({"email": MAIL}, MAIL, ("Phone", "")), ({"phone": NUMBER}, NUMBER, ("E-mail", "")),
    ({"email": MAIL, "phone": NUMBER}, MAIL, ("Phone", NUMBER)),
])  # fmt: skip
def test_a_draft_of_a_former_version_keeps_its_e_mail_and_its_phone(
    stage: Stage, reached: list[Any], former: dict[str, str], row: str, other: tuple[str, str]
) -> None:
    draft_id = uuid.uuid4().hex
    content = {f"billing_address.{field}": text for field, text in ({"first_name": "Zoë"} | former).items()}
    stage.runtime.desk.drafts(STAFF, "submit_order").save(draft_id, content)
    screen = stage.screen("submit_order", query={"draft": draft_id})
    assert (held(screen, "E-mail or phone"), held(screen, other[0])) == (row, other[1])
    press(pick(write(screen, ITEM), "State", "NY"), "Send order")
    assert reached == [(former.get("email"), AS_SENT if "phone" in former else None)]


def test_an_order_has_an_id_of_its_own_until_the_next_order_or_the_shops_own_number_in_its_place(stage: Stage) -> None:
    screen = stage.screen("submit_order")
    draft_id, _ = screen.session_state["desk.draft.submit_order"]
    made = held(screen, "Order number")
    assert str(uuid.UUID(made)) == made
    elsewhere = stage.screen("submit_order", query={"draft": draft_id})  # nothing of it is stored yet
    write(elsewhere, ITEM | CUSTOMER)
    reloaded = stage.screen("submit_order", query={"draft": draft_id})
    assert held(elsewhere, "Order number") == held(reloaded, "Order number") == made
    shown(press(pick(reloaded, "State", "NY"), "Send order").run())
    assert [call["order_id"] for call in stage.calls("submit_order")] == [made]
    assert held(press(reloaded, "Next order"), "Order number") not in {made, ""}
    screen = press(stage.screen("submit_order"), "Type an order number")
    assert held(screen, "Order number") == ""
    write(screen, {"Order number": "W-2026-abcdefgh"})
    made = held(press(screen, "Make a new number"), "Order number")
    assert str(uuid.UUID(made)) == made


def test_an_order_is_sold_by_me_or_by_a_colleague_of_the_store_and_the_next_one_by_me(stage: Stage) -> None:
    screen = pick(write(stage.screen("submit_order"), ITEM | CUSTOMER), "State", "NY")
    (sellers,) = [box for box in pick_lists(screen) if box.label == "Sold by"]
    assert [sellers.value, set(sellers.options)] == ["staff", {"Sam Counter", "Maya Office", "Alex Admin"}]
    shown(press(pick(screen, "Sold by", "manager"), "Send order").run())
    shown(press(pick(write(press(screen, "Next order"), ITEM | CUSTOMER), "State", "NY"), "Send order").run())
    (listed,) = stage.screen("activity", operator=MANAGER).dataframe
    assert list(listed.value["Person"]) == ["Sam Counter", "Maya Office, entered by Sam Counter"]
    report = stage.runtime.desk.activity.shift_report(MANAGER, None, None, zone=UTC)
    assert report is not None
    assert [(person.name, person.orders) for person in report.people] == [("Maya Office", 1), ("Sam Counter", 1)]


LAMP = {"line_items": [{"id": "a"}], "line_items.a.product_title": "Arc floor lamp"}
ZOE = {"billing_address.first_name": "Zoë", "billing_address.email": "zoe@example.com"}


@pytest.mark.parametrize(("content", "name"), [
    ({"order_id": ORDER_ID, "billing_address.country": "US"}, ""),
    ({"order_id": "W-2026-abcdefgh"}, "Order W-2026-abcde"), (ZOE, "Zoë"), (LAMP, "Arc floor lamp"),
    (LAMP | ZOE, "Arc floor lamp · Zoë"),
    (
        {"line_items": [{"id": "a"}, {"id": "b"}], "line_items.a.product_id": "TV", "line_items.b.image": "i"},
        "TV and 1 more",
    ),
])  # fmt: skip
def test_a_draft_is_called_by_its_first_item_and_its_customer(content: dict[str, Any], name: str) -> None:
    assert called(content) == name


def test_an_order_whose_person_thought_better_of_it_is_no_work_that_is_left(stage: Stage) -> None:
    def waiting(screen: AppTest) -> list[str]:
        return [button.label for button in screen.button if (button.key or "").startswith("waiting-")]

    screen = write(stage.screen("submit_order"), {"Title": "Lamp"})
    other = stage.screen("submit_order", query={"draft": _new_id(STAFF)})
    assert [label.rpartition(" · ")[0] for label in waiting(other)] == ["Lamp"]
    assert [button for button in screen.button if button.label == "Yes, discard"]
    write(screen, {"Title": ""})
    assert waiting(shown(other.run())) == []
    assert not [button for button in screen.button if button.label == "Yes, discard"]


def test_two_changes_that_reach_the_desk_at_once_are_both_kept(stage: Stage) -> None:
    screen = write(stage.screen("submit_order"), ITEM | CUSTOMER)
    next(box for box in pick_lists(screen) if box.label == "State").set_value("NY")
    next(field for field in screen.text_input if field.label == "Title").set_value("Reading lamp")
    press(screen, "Type an order number")
    values = {field.label: field.value for field in screen.text_input}
    assert values["Order number"] == ""
    assert values["Title"] == "Reading lamp"
    assert next(box for box in pick_lists(screen) if box.label == "State").value == "NY"


def test_a_country_without_states_takes_the_state_as_text(stage: Stage) -> None:
    screen = pick(stage.screen("submit_order"), "Country", "HK")
    assert held(screen, "Region") == "Hong Kong"
    assert "Region" in [box.label for box in pick_lists(pick(screen, "Country", "NZ"))]


@pytest.mark.parametrize(("label", "typed", "meant"), [
    ("Country", "Cnada", "US"), ("Country", "", "US"), ("State", "New Yrok", "NY"),
    ("Sold by", "Luzy", "manager"), ("Merchant (optional)", "Nroth", "m-1"),
])  # fmt: skip
def test_a_text_of_no_list_is_a_fault_and_never_sent(stage_with: StageWith, label: str, typed: str, meant: str) -> None:
    shop = stage_with(state="ny", merchants="m-1=North,m-2=South")
    shop.sandbox.reset()
    screen = write(shop.screen("submit_order"), ITEM | CUSTOMER | {"Order number": ORDER_ID})
    screen = press(pick(screen, label, typed), "Send order")
    assert f"{label}: choose one from the list" in words(screen)
    assert not shop.calls("submit_order")
    assert "choose one from the list" not in words(press(pick(screen, label, meant), "Send order"))
    assert len(shop.calls("submit_order")) == 1


def test_a_zip_chooses_its_state_but_none_over_one_that_a_person_chose(stage: Stage, stage_with: StageWith) -> None:
    def state(screen: AppTest) -> str:
        return str(next(box.value for box in pick_lists(screen) if box.label == "State"))

    zip_code = "ZIP or postal code"
    screen = write(stage.screen("submit_order"), ITEM | CUSTOMER | {zip_code: "0123"})
    assert state(screen) == ""
    assert [state(write(screen, {zip_code: typed})) for typed in ("01231", "10001-1234", "1000")] == ["MA", "NY", "NY"]
    pick(screen, "State", "VT")
    assert state(write(screen, {zip_code: "90210"})) == "VT"
    assert "this ZIP is in California" in words(screen)
    screen = stage_with(state="ny").screen("submit_order")
    assert state(screen) == "NY"
    assert not [button for button in screen.button if button.label == "Yes, discard"], "nothing was entered"
    assert [state(write(screen, ITEM | {zip_code: typed})) for typed in ("01231", "90210")] == ["MA", "CA"]
    pick(screen, "Country", "CA")
    assert "Choose a state" in words(press(screen, "Send order"))
