"""An order on which something is open or done says so wherever it is opened, and asks before it is done again."""

import uuid
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.builders import MANAGER, TV, may_sign_in, order_of, sale_of
from tests.components.counter import Counter, counter_at
from tests.components.selling.notify_checkout.test_notify_checkout import CUSTOMER, OFFER, Form
from tests.components.selling.submit_order.form import ITEM
from tests.components.stage import Stage, StageWith, pick, press, rows, says, shown, words, write
from warranty.access import Operator
from warranty.database.preferences import Preference
from warranty.desk.journal import AttemptFilter, AttemptState

COLLEAGUE = Operator("eli", "Eli Brook", MANAGER.role)


@pytest.fixture(params=["stage", "stage_without_reads"])
def any_stage(request: pytest.FixtureRequest) -> Stage:
    staged: Stage = request.getfixturevalue(request.param)
    return staged


def unknown_sale(stage: Stage, units: int = 2, kind: str = "drop_before_write") -> tuple[Counter, str]:
    counter, order = counter_at(stage, {**TV, "quantity": units})
    stage.sandbox.add_fault(operation="record_sale", kind=kind)
    counter.charge("74.99").press("Record sale")
    assert "We don't know yet if this sale went through" in counter.words
    counter.press("Put aside")
    assert counter.value("Order") == ""
    return counter, order.order_id


def at_another_till(stage: Stage, order_id: str) -> Counter:
    counter = Counter(stage)
    counter.screen = stage.screen("record_sale", COLLEAGUE)
    return counter.write("Order", order_id)


@pytest.mark.parametrize(
    ("any_stage", "by"), [("stage", "a colleague"), ("stage_without_reads", "the same person")], indirect=["any_stage"]
)
def test_an_unknown_sale_is_told_on_its_order_and_a_second_asks_first(any_stage: Stage, by: str) -> None:
    counter, order_id = unknown_sale(any_stage)
    colleague = by == "a colleague"
    assert rows(counter.screen)[0][-1] == "To check", "in the list of recent orders"
    counter = at_another_till(any_stage, order_id) if colleague else counter.write("Order", order_id)
    told = "55in OLED television: 74.99 USD. Not confirmed yet. Sam Counter, "
    assert told in counter.words
    before = counter.sales
    counter.charge("74.99").press("Record sale")
    assert counter.sales == before
    assert counter.words.count(told) == 2, "on the screen and in the question"
    assert "This adds a second plan to the order" in counter.words
    counter.press("Back").press("Record sale").press("Record a second sale")
    assert counter.sales == before + 1
    _order, first, second = any_stage.runtime.desk.activity.order_timeline(MANAGER, order_id)
    assert second.acknowledged == (first.attempt_id,)
    assert "was told of the sale of" in words(any_stage.screen("activity", MANAGER, {"find": order_id}))


def test_a_sale_that_the_order_shows_is_in_doubt_no_more(stage: Stage) -> None:
    counter, order_id = unknown_sale(stage, kind="drop_after_write")
    for till in (at_another_till(stage, order_id), counter.write("Order", order_id)):
        assert "Already covered: 24 months" in till.words
        assert "Not confirmed yet" not in till.words
    timeline = words(stage.screen("activity", MANAGER, {"find": order_id}))
    assert "found out by Eli Brook" in timeline
    assert "(Found when the order was read)" in timeline


def test_a_yes_to_one_earlier_sale_is_none_to_one_that_came_while_it_was_asked(stage: Stage) -> None:
    counter, order_id = unknown_sale(stage, units=3)
    counter.write("Order", order_id).charge("74.99").press("Record sale")
    sales = AttemptFilter(order_id=order_id, operation="record_sale")
    (first,) = stage.runtime.desk.activity.attempts(COLLEAGUE, sales)
    stage.sandbox.add_fault(operation="record_sale", kind="drop_before_write")
    sale, draft_id = sale_of(order_id, ("TV-55", 36, "88.00")), uuid.uuid4().hex
    stage.runtime.desk.send(COLLEAGUE, sale, draft_id=draft_id, screen="record_sale", acknowledged=[first.attempt_id])
    before = counter.sales
    counter.press("Record a second sale")
    assert counter.sales == before
    for told in ("74.99 USD. Not confirmed yet", "88.00 USD. Not confirmed yet"):
        assert counter.words.count(told) == 2, "on the screen and in the question"
    assert counter.press("Record a second sale").sales == before + 1


def test_production_asks_with_the_open_sale_and_the_items_sku(stage_with: StageWith, tmp_path: Path) -> None:
    may_sign_in(tmp_path, "clerk", name="Sam Counter", password="counter-training")
    stage = stage_with(environment="production", purchase_warranties_path=None)
    counter, order = counter_at(stage, {**TV, "quantity": 2})
    stage.sandbox.add_fault(operation="record_sale", kind="drop_after_write")
    before = counter.sales
    counter.charge("74.99").press("Record sale")
    assert counter.words.count("24 months on 55in OLED television (SKU TV-55)") == 2
    assert "Production" in counter.words
    assert counter.sales == before
    assert not counter.press("Back").has_button("Yes, record it")
    counter.press("Record sale").press("Yes, record it").press("Put aside")
    assert counter.sales == before + 1
    counter.write("Order", order.order_id).charge("74.99")
    before = counter.sales
    counter.press("Record sale")
    told = "55in OLED television: 74.99 USD. Not confirmed yet. Sam Counter, "
    assert counter.words.count(told) == 2, "on the screen and in the question"
    assert not counter.has_button("Yes, record it")
    assert counter.sales == before
    assert counter.press("Record a second sale").sales == before + 1


@pytest.mark.parametrize("fault", [None, "drop_after_write"])
def test_a_second_checkout_mails_after_the_question(stage_without_reads: Stage, fault: str | None) -> None:
    stage, order_id = stage_without_reads, str(uuid.uuid4())
    form = Form(stage)
    assert "Look first" not in form.filled(order_id).words
    if fault:
        stage.sandbox.add_fault(operation="notify_checkout", kind=fault)
    form.press("Send checkout").press("Put aside" if fault else "Next checkout")
    form.write({"Order number": order_id, "Offer id": OFFER, **CUSTOMER}).pick("State", "NY")
    assert (
        "Checkout: A plan on Offer 123e4567…. " + ("Not confirmed yet" if fault else "Done. Sam Counter") in form.words
    )
    before = len(stage.calls("notify_checkout"))
    form.press("Send checkout")
    assert len(stage.calls("notify_checkout")) == before
    assert "and the customer mailed again" in form.words
    form.press("Send this checkout too")
    assert len(stage.calls("notify_checkout")) == before + 1
    assert "Checkout: A plan on Offer 123e4567…." in Counter(stage, order_id).words, "Record sale tells of it too"


def test_a_sale_that_is_done_is_told_and_the_unit_left_is_sold_without_a_question(stage: Stage) -> None:
    counter, order = counter_at(stage, {**TV, "quantity": 2})
    counter.charge("74.99").press("Record sale")
    second = Counter(stage, order=order.order_id)
    assert "by this desk's record. Recorded. Sam Counter" in second.words
    second.charge("74.99").press("Record sale")
    assert "Recorded. Warranty order" in second.words


def test_items_entered_by_hand_are_told_apart_by_what_was_typed(stage_without_reads: Stage) -> None:
    counter = Counter(stage_without_reads, "sent-from-elsewhere")
    assert "This order was not sent from this desk." in counter.words
    counter.press("Add a custom item")
    for place, sku in enumerate(("TV-55", "LAMP-ARC")):
        counter.write("SKU", sku, place).choose("24 months", place=place)
        counter.write("Price charged", "74.99", place)
    assert "74.99 USD for 24 months on Custom item (SKU TV-55)" in counter.words
    assert "74.99 USD for 24 months on Arc floor lamp (SKU LAMP-ARC)" in counter.words, "as the catalogue has it"


def new_order(stage: Stage, order_id: str, title: str = "Arc floor lamp") -> AppTest:
    texts = {**ITEM, "Title": title, "First name": "Bo", "E-mail or phone": "bo@example.com", "Order number": order_id}
    return pick(write(stage.screen("submit_order"), texts), "State", "NY")


def send(screen: AppTest) -> AppTest:
    return shown(press(screen, "Send order").run())


def test_an_order_id_of_another_order_is_told_and_hands_out_no_link(stage: Stage) -> None:
    first = stage.order({**TV, "quantity": 3})
    screen = new_order(stage, first.order_id)
    assert "New order: 3 × 55in OLED television. Stored. Sam Counter, " in words(screen)
    before = len(stage.calls("submit_order"))
    text = words(press(screen, "Send order"))
    says(text, "This number is taken: Sam Counter used it on", "3 × 55in OLED television")
    assert "At this link the customer" not in text
    assert len(stage.calls("submit_order")) == before


def test_an_order_id_known_to_the_service_alone_gives_no_link_unasked(any_stage: Stage) -> None:
    elsewhere = order_of({**TV, "quantity": 3})
    any_stage.runtime.service.client.submit_order(elsewhere)
    screen = send(new_order(any_stage, elsewhere.order_id))
    text = words(screen)
    assert "Nothing was stored: the service already had an order with this number" in text
    assert "Arc floor lamp" not in text
    reads = any_stage.runtime.service.client.has("purchase_warranties")
    assert ("3 × 55in OLED television" if reads else "Its items are not known at this desk.") in text
    assert "At this link the customer" not in text
    text = words(press(screen, "It is this customer's order: show the link"))
    assert "At this link the customer" in text
    assert "Arc floor lamp" not in text


def test_an_order_that_this_desk_sent_is_sent_again_with_the_items_of_the_first_time(stage: Stage) -> None:
    order_id = str(uuid.uuid4())
    send(new_order(stage, order_id))
    (first,) = stage.runtime.desk.activity.order_timeline(MANAGER, order_id)
    Preference(stage.runtime.desk.journal.database, "staff", "last-sent.sandbox.submit_order").save(None)
    text = words(send(new_order(stage, order_id, title="Reading lamp")))
    assert first.state is AttemptState.DONE
    says(text, "The service already had this order, sent from this desk by Sam Counter", "1 × Arc floor lamp")
    assert "At this link the customer" in text
    assert "Reading lamp" not in text


def test_the_shops_own_price_list_comes_before_what_the_service_names(stage: Stage) -> None:
    prices = b"sku,months,price,note\nTV-55,24,88.88,a\nTV-55,abc,1.00,b\n"
    stage.runtime.shop_files.price_list.replace(MANAGER, prices, file_name="prices.csv")
    counter, _ = counter_at(stage, TV)
    assert counter.choose("24 months").value("Price charged") == "88.88"
    assert "1 row of the price list was left out. Row 3 has no term" in counter.words


def test_a_manager_sees_what_the_price_list_holds_and_may_go_back_to_the_settings(stage: Stage) -> None:
    files = stage.runtime.shop_files
    files.price_list.replace(MANAGER, b"months,price\n24,88.88\nabc,1.00\n", file_name="prices.csv")
    screen = stage.screen("submit_order", MANAGER)
    for box in ("catalogue", "price-list"):
        screen.session_state[box] = True
    screen.run()
    says(screen, "Products: 40", "Prices: 1\nRow 3 has no term", "This erases what is in use now (rows: 1).")
    (yes,) = [button for button in screen.button if button.label == "Yes, remove it"]
    assert "Prices: 0" in words(yes.click().run())
    assert not files.price_list.is_put_in
    assert "Prices:" not in words(stage.screen("submit_order"))


def test_a_catalogue_takes_the_place_of_the_one_in_use_when_a_manager_says_so(stage: Stage) -> None:
    screen = stage.screen("submit_order", MANAGER)
    screen.session_state["catalogue"] = True
    (field,) = shown(screen.run()).file_uploader
    field.upload("ours.csv", b"sku;title;price\nOURS-1;Our own lamp;12,50\n;Without a SKU;1\n", "text/csv")
    before = words(shown(screen.run()))
    for told in ("Products: 1\nRow 3 has no SKU: left out", "Products: 40", "at every counter (rows: 40)."):
        assert told in before
    after = words(press(screen, "Yes, use the new one"))
    assert "Products: 1\nRow 3 has no SKU: left out" in after
    assert "Products: 40" not in after
    assert stage.runtime.shop_files.catalogue.in_use().find("OURS-1")
