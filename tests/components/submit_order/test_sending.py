"""New order, sent: what goes out, what comes back, and an order on which nobody knows what became of it."""

import re
from concurrent.futures import Future
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from components.submit_order.link_kit import NOBODY, Addressee, message
from components.words import attempts
from sandbox import SandboxServer
from tests.builders import STAFF, order_of
from tests.components.stage import Stage, copied, pick_lists, shown, words
from tests.components.submit_order.form import (
    CUSTOMER,
    ITEM,
    ORDER_ID,
    OTHER_ID,
    filled,
    held,
    pick,
    press,
    write,
)
from warranty.desk import Desk
from warranty.journal import AttemptFilter, Intent


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
    assert held(screen, "First name") == ""


def test_a_silent_service_holds_nobody_up_the_order_on_its_way_can_be_left(stage: Stage) -> None:
    screen = filled(stage)
    draft_id, _ = screen.session_state["desk.draft.submit_order"]
    stage.runtime.jobs._jobs[draft_id] = (Future(), datetime.now(UTC) - timedelta(seconds=9))
    assert "This takes unusually long: the service is slow to answer." in words(shown(screen.run()))
    assert {field.disabled for field in (*screen.text_input, *pick_lists(screen))} == {True}, (
        "it stands as it is sent"
    )
    press(screen, "Set this order aside")
    assert held(screen, "First name") == ""
    assert stage.runtime.jobs.running(draft_id)


def test_an_order_of_earlier_says_that_its_customer_is_not_kept(stage: Stage) -> None:
    shown(press(filled(stage), "Send order").run())
    screen = stage.screen("submit_order", query={"order": ORDER_ID})
    assert [title.value for title in screen.title] == [f"Order {ORDER_ID[:8]}…"], "not that of a new order"
    assert "the customer's details were erased when the order was stored" in words(screen)


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
    assert "The service has an order with this id" in text
    assert f"/checkout/{ORDER_ID}" not in text
    assert "not sent from this desk" not in text
    text = words(press(screen, "It is this customer's order: show the link"))
    assert f"/checkout/{ORDER_ID}" in text
    assert "1 × Arc floor lamp" in text
    stage.runtime.close()


def test_while_the_service_is_silent_the_next_customer_is_served_and_the_order_waits_in_the_activity(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage.has_no_landing_page(monkeypatch)
    stage.sandbox.add_fault(operation="submit_order", kind="status", status=403)
    screen = shown(press(filled(stage), "Send order").run())
    assert "We don't know whether this order was stored" in words(screen)
    press(screen, "Set this order aside")
    assert held(screen, "First name") == ""
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
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It promised a link to an address that was typed after the sending, and the mail went there."""
    first = filled(stage)
    stage.has_no_landing_page(monkeypatch)
    stage.sandbox.add_fault(operation="submit_order", kind="status", status=403)
    second = write(
        stage.screen("submit_order"), {"E-mail": "other@example.com"}
    )  # the same draft in a second tab
    write(first, {"E-mail": "zoe@example.com", "Price": "89.00"})
    press(first, "Send order")
    for screen in (first, shown(second.run())):
        assert "Link goes to zoe@example.com" in words(screen)
        assert {field.disabled for field in screen.text_input} == {True}
        assert {box.disabled for box in pick_lists(screen)} == {True}
    screen = press(first, "Send this order again (harmless)")
    assert "The order is stored." in words(screen)
    for tab in (screen, shown(second.run())):
        (mail,) = [link.proto.url for link in tab.get("link_button") if "mailto" in link.proto.url]
        assert mail.startswith("mailto:zoe@example.com?")


def test_after_a_refusal_another_order_id_is_another_entry_with_the_same_basket(stage: Stage) -> None:
    screen = press(pick(filled(stage), "Merchant (optional)", "closed"), "Send order")
    assert "merchant_external_id matches no merchant of the account" in words(screen)
    screen = write(screen, {"Order id": OTHER_ID})
    assert "matches no merchant" not in words(screen)
    assert held(screen, "First name") == "Zoë"
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
    assert held(screen, "First name") == ""
    assert [button for button in screen.button if button.label == "Send order"]


def test_a_link_that_is_not_the_one_built_from_retailer_and_order_is_flagged(
    sandbox: SandboxServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sandbox.reset()
    stage = Stage(sandbox, tmp_path, monkeypatch, landing_url="https://elsewhere.example")
    screen = press(filled(stage), "Send order")
    text = words(shown(screen.run()))
    expected = f"https://elsewhere.example/carts/{sandbox.retailer_uuid}/checkout/{ORDER_ID}"
    assert f"This link is not the expected one, {expected}." in text
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
