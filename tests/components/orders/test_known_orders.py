"""An order on which something is open or done says so wherever it is opened, and asks before it is done again."""

import uuid
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from sandbox import SandboxServer
from tests.builders import LAMP, MANAGER, TV, may_sign_in, order_of
from tests.components.counter import Counter, counter_at, order_on
from tests.components.notify_checkout.test_notify_checkout import CUSTOMER, OFFER, Form
from tests.components.stage import Stage, pick_lists, shown, words
from warranty.access import Operator
from warranty.journal import AttemptState

COLLEAGUE = Operator("eli", "Eli Brook", MANAGER.role)


@pytest.fixture(params=["with the reads", "without the reads"])
def any_stage(request: pytest.FixtureRequest) -> Stage:
    name = "stage" if request.param == "with the reads" else "stage_without_reads"
    staged: Stage = request.getfixturevalue(name)
    return staged


def unknown_sale(stage: Stage) -> tuple[Counter, str]:
    """An order of two televisions, one sold by the staff with an answer that was lost; the till is at the next sale."""
    counter, order = counter_at(stage, {**TV, "quantity": 2})
    stage.sandbox.add_fault(operation="record_sale", kind="drop_after_write")
    counter.choose("24 months").write("Price charged", "74.99").press("Record sale")
    assert "We don't know whether this sale was recorded" in counter.words
    counter.press("Set this sale aside")
    return counter, order.order_id


def at_another_till(stage: Stage, order_id: str) -> Counter:
    counter = Counter(stage)
    counter.screen = stage.screen("record_sale", COLLEAGUE)
    return counter.write("Order", order_id)


@pytest.mark.parametrize("by", ["the same person", "a colleague"])
def test_an_unknown_sale_is_told_on_its_order_and_a_second_one_recorded_only_after_the_question(
    any_stage: Stage, by: str
) -> None:
    counter, order_id = unknown_sale(any_stage)
    counter = (
        at_another_till(any_stage, order_id) if by == "a colleague" else counter.write("Order", order_id)
    )
    told = "55in OLED television: 74.99 USD. Nobody knows yet whether it went through. Sam Counter, "
    assert told in counter.words
    before = counter.sales
    counter.choose("24 months").write("Price charged", "74.99").press("Record sale")
    assert counter.sales == before
    assert counter.words.count(told) == 2, "on the screen and in the question"
    assert "this one sells a second plan" in counter.words
    counter.press("Back").press("Record sale").press("Record a second sale")
    assert counter.sales == before + 1
    first, second = [
        one
        for one in any_stage.runtime.desk.order_timeline(MANAGER, order_id)
        if one.operation == "record_sale"
    ]
    assert second.acknowledged == (first.attempt_id,)
    activity = any_stage.screen("activity", MANAGER, {"find": order_id})
    assert "was told of the sale of" in words(activity)


def test_a_sale_that_came_in_between_is_told_and_asked_about_at_the_next_press(stage: Stage) -> None:
    counter, order = counter_at(stage, {**TV, "quantity": 2})
    counter.choose("24 months").write("Price charged", "74.99")
    stage.runtime.desk.sent_before = lambda *_, **__: []  # type: ignore[method-assign]
    stage.sandbox.add_fault(operation="record_sale", kind="drop_after_write")
    other = at_another_till(stage, order.order_id)
    other.choose("24 months").write("Price charged", "74.99").press("Record sale")
    before = counter.sales
    counter.press("Record sale")
    assert counter.sales == before
    assert "Nothing was sent." in counter.words
    del stage.runtime.desk.sent_before
    assert counter.press("Record sale").has_button("Record a second sale")


def test_the_question_of_production_names_the_open_sale_and_the_item_by_its_sku(
    sandbox: SandboxServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_sign_in(tmp_path, "clerk", name="Sam Counter", password="counter-training")
    stage = Stage(sandbox, tmp_path, monkeypatch, environment="production", purchase_warranties_path=None)
    counter, order = counter_at(stage, {**TV, "quantity": 2})
    stage.sandbox.add_fault(operation="record_sale", kind="drop_after_write")
    counter.choose("24 months").write("Price charged", "74.99").press("Record sale")
    assert counter.words.count("24 months on 55in OLED television (SKU TV-55)") == 2, (
        "beside the form, and asked"
    )
    counter.press("Yes, record it").press("Set this sale aside")
    counter.write("Order", order.order_id).choose("24 months").write("Price charged", "74.99")
    before = counter.sales
    counter.press("Record sale")
    told = "55in OLED television: 74.99 USD. Nobody knows yet whether it went through. Sam Counter, "
    assert counter.words.count(told) == 2, "on the screen and in the question"
    assert not counter.has_button("Yes, record it")
    assert counter.sales == before
    assert counter.press("Record a second sale").sales == before + 1
    stage.runtime.close()


@pytest.mark.parametrize("fault", [None, "drop_after_write"])
def test_a_second_checkout_of_an_order_mails_only_after_the_question(
    stage_without_reads: Stage, fault: str | None
) -> None:
    stage, order_id = stage_without_reads, str(uuid.uuid4())
    form = Form(stage)
    assert "Look first" not in form.filled(order_id).words
    if fault:
        stage.sandbox.add_fault(operation="notify_checkout", kind=fault)
    form.press("Send checkout").press("Set this checkout aside" if fault else "Next checkout")
    form.write({"Order id": order_id, "Offer id": OFFER, **CUSTOMER}).pick("State", "NY")
    assert "Checkout: 1 × a plan. " + ("Nobody knows yet" if fault else "Done. Sam Counter") in form.words
    before = len(stage.calls("notify_checkout"))
    form.press("Send checkout")
    assert len(stage.calls("notify_checkout")) == before
    assert "the customer gets a second welcome e-mail" in form.words
    form.press("Send a second checkout")
    assert len(stage.calls("notify_checkout")) == before + 1
    assert "Checkout: 1 × a plan." in Counter(stage, order_id).words, "Record sale tells of it too"


def test_a_sale_that_is_done_is_told_and_the_unit_that_is_left_is_sold_without_a_question(
    any_stage: Stage,
) -> None:
    counter, order = counter_at(any_stage, {**TV, "quantity": 2})
    counter.choose("24 months").write("Price charged", "74.99").press("Record sale")
    second = Counter(any_stage, order=order.order_id)
    assert "74.99 USD. Recorded. Sam Counter" in second.words
    second.choose("24 months").write("Price charged", "74.99").press("Record sale")
    assert "Recorded. Warranty order" in second.words


def test_without_the_reads_an_order_from_elsewhere_is_said_to_be_unknown_here(
    stage_without_reads: Stage,
) -> None:
    counter = Counter(stage_without_reads, "mistyped-by-somebody")
    assert "This order was not sent from this desk, so it is not known here." in counter.words


def test_items_entered_by_hand_are_told_apart_by_what_was_typed(stage_without_reads: Stage) -> None:
    counter = Counter(stage_without_reads, "sent-from-elsewhere").press("Add a custom item")
    for place, sku in enumerate(("TV-55", "LAMP")):
        counter.write("SKU", sku, place).choose("24 months", place=place)
        counter.write("Price charged", "74.99", place)
    assert "74.99 USD for 24 months on Custom item (SKU TV-55)" in counter.words
    assert "74.99 USD for 24 months on Custom item 2 (SKU LAMP)" in counter.words


def new_order(stage: Stage, order_id: str, *, item: dict[str, Any], email: str) -> AppTest:
    screen = stage.screen("submit_order")
    values = {
        "SKU": item["product_id"], "Title": item["product_title"], "Price": item["product_price"], "Quantity": "1",
        "Category": "Furniture > Lamps", "First name": "Bo", "E-mail": email, "Order id": order_id,
    }  # fmt: skip
    for label, value in values.items():
        next(field for field in screen.text_input if field.label == label).set_value(value)
        shown(screen.run())
    next(box for box in pick_lists(screen) if box.label == "State").set_value("NY")
    shown(screen.run())
    return screen


def send(screen: AppTest) -> AppTest:
    next(button for button in screen.button if button.label == "Send order").click()
    shown(screen.run())
    return shown(screen.run())


@pytest.mark.parametrize("email", ["bo@example.com", "ada.byron@example.com"])
def test_an_order_id_of_another_order_is_told_and_hands_out_no_link(any_stage: Stage, email: str) -> None:
    first = order_on(any_stage, {**TV, "quantity": 3})
    screen = new_order(any_stage, first.order_id, item=LAMP, email=email)
    assert "New order: 3 × 55in OLED television. Stored. Sam Counter, " in words(screen)
    before = len(any_stage.calls("submit_order"))
    next(button for button in screen.button if button.label == "Send order").click()
    text = words(shown(screen.run()))
    assert "This order id belongs to another order, which Sam Counter sent on" in text
    assert "3 × 55in OLED television" in text
    assert "On the landing page the customer" not in text
    assert len(any_stage.calls("submit_order")) == before


def test_an_order_id_that_only_the_service_knows_may_be_another_customers_and_gives_no_link_unasked(
    any_stage: Stage,
) -> None:
    elsewhere = order_of({**TV, "quantity": 3})
    any_stage.runtime.client.submit_order(elsewhere)
    screen = send(new_order(any_stage, elsewhere.order_id, item=LAMP, email="bo@example.com"))
    text = words(screen)
    assert "it may be another customer's order" in text
    assert "Arc floor lamp" not in text
    reads = any_stage.runtime.client.has("purchase_warranties")
    assert ("3 × 55in OLED television" if reads else "Its items are not known at this desk.") in text
    assert "On the landing page the customer" not in text
    next(button for button in screen.button if button.label.startswith("It is this customer")).click()
    text = words(shown(screen.run()))
    assert "On the landing page the customer" in text
    assert "Arc floor lamp" not in text


def test_an_order_that_this_desk_sent_is_sent_again_with_the_items_of_the_first_time(stage: Stage) -> None:
    order_id = str(uuid.uuid4())
    send(new_order(stage, order_id, item=LAMP, email="bo@example.com"))
    (first,) = stage.runtime.desk.order_timeline(MANAGER, order_id)
    stage.runtime.journal.preference("staff", "last-sent.sandbox.submit_order").save(None)
    screen = send(
        new_order(stage, order_id, item={**LAMP, "product_title": "Reading lamp"}, email="bo@example.com")
    )
    text = words(screen)
    assert first.state is AttemptState.DONE
    assert "The service already had this order, sent from this desk by Sam Counter" in text
    assert "1 × Arc floor lamp" in text
    assert "Reading lamp" not in text
    assert "On the landing page the customer" in text
