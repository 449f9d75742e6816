"""New order, as the script draws it: what is entered, and what is refused beside its field."""

import uuid

import pytest

from components.forms.draft_form import _new_id
from tests.builders import STAFF
from tests.components.stage import Stage, pick_lists, shown, words
from tests.components.submit_order.form import CUSTOMER, ITEM, filled, held, pick, press, write


def test_an_empty_form_names_every_fault_on_top_and_beside_its_field_and_sends_nothing(stage: Stage) -> None:
    screen = press(press(stage.screen("submit_order"), "Use our own number"), "Send order")
    text = words(screen)
    for sentence in ("Add at least one item", "Enter a first name", "Enter an order id", "Enter a state"):
        assert sentence in text
    assert stage.sandbox.calls() == []


FAULTS = (
    ("Price", "abc", "not a price"),
    ("Price", "12.345", "more than two decimals"),
    ("Quantity", "0", "whole number of 1 or more"),
    ("Title", "", "Enter the product's title"),
    ("E-mail", "zoe@", "complete e-mail address"),
    ("E-mail", "a@b", "complete e-mail address"),
    ("E-mail", f"{'a' * 65}@example.com", "complete e-mail address"),
    ("Phone", "12", "Enter a phone number such as"),
    ("Phone", "1-800-FLOWERS", "Enter the phone number in digits"),
)


def test_what_the_service_would_refuse_is_told_until_it_is_right_and_not_sent(stage: Stage) -> None:
    screen = filled(stage)
    for label, typed, sentence in FAULTS:
        right = held(screen, label)
        assert sentence not in words(screen), label
        assert sentence in words(press(write(screen, {label: typed}), "Send order")), typed
        write(screen, {label: right})
    assert stage.sandbox.calls() == []


def test_an_order_begins_with_an_id_of_its_own_that_stays_until_the_next_order(stage: Stage) -> None:
    screen = stage.screen("submit_order")
    draft_id, _ = screen.session_state["desk.draft.submit_order"]
    made = held(screen, "Order id")
    assert str(uuid.UUID(made)) == made
    elsewhere = stage.screen("submit_order", query={"draft": draft_id})  # nothing of it is stored yet
    write(elsewhere, ITEM | CUSTOMER)
    reloaded = stage.screen("submit_order", query={"draft": draft_id})
    assert held(elsewhere, "Order id") == held(reloaded, "Order id") == made
    shown(press(pick(reloaded, "State", "NY"), "Send order").run())
    assert [call["order_id"] for call in stage.calls("submit_order")] == [made]
    assert held(press(reloaded, "Next order"), "Order id") not in {made, ""}


def test_the_shops_own_number_takes_the_place_of_the_made_one_and_a_made_one_its(stage: Stage) -> None:
    screen = press(stage.screen("submit_order"), "Use our own number")
    assert held(screen, "Order id") == ""
    write(screen, {"Order id": "W-2026-abcdefgh"})
    made = held(press(screen, "Make a new id"), "Order id")
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


def test_two_changes_that_reach_the_desk_at_once_are_both_kept(stage: Stage) -> None:
    screen = write(stage.screen("submit_order"), ITEM | CUSTOMER)
    next(box for box in pick_lists(screen) if box.label == "State").set_value("NY")
    next(field for field in screen.text_input if field.label == "Title").set_value("Reading lamp")
    press(screen, "Use our own number")
    values = {field.label: field.value for field in screen.text_input}
    assert values["Order id"] == ""
    assert values["Title"] == "Reading lamp"
    assert next(box for box in pick_lists(screen) if box.label == "State").value == "NY"


def test_a_country_without_states_takes_the_state_as_text(stage: Stage) -> None:
    screen = pick(stage.screen("submit_order"), "Country", "HK")
    assert held(screen, "Region") == "Hong Kong"
    screen = pick(screen, "Country", "NZ")
    assert "Region" in [box.label for box in pick_lists(screen)]
