"""New order, sent: what goes out, what comes back, and an order on which nobody knows what became of it."""

from concurrent.futures import Future
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import streamlit as st

from components.platform.markup import plain
from components.selling.submit_order import link_kit
from components.selling.submit_order.link_kit import address_warning
from components.words import attempts
from tests.builders import MANAGER, STAFF, TV, order_of
from tests.components.selling.submit_order.form import ORDER_ID, OTHER_ID, filled, letters
from tests.components.stage import (
    Stage,
    StageWith,
    held,
    pick,
    pick_lists,
    press,
    press_row,
    rows,
    says,
    says_not,
    shown,
    words,
    write,
)
from warranty.desk.activity import Activity
from warranty.desk.journal import AttemptFilter, Result
from warranty.files.printing.slip import Slip
from warranty.settings import load_settings


def test_an_order_goes_out_once_and_its_link_comes_back_in_the_customers_language(stage: Stage) -> None:
    screen = shown(press(filled(stage), "Send order").run())
    text = words(screen)
    says(text, "The order is stored.", "1 item, 89.50 USD\nFor Zoë, zoe@example.com\n1 of 1 item can be protected")
    assert "not the one that we expected" not in text
    (call,) = stage.calls("submit_order")
    assert (call["order_id"], call["written"]) == (ORDER_ID, True)
    assert any(ORDER_ID in text.value for text in screen.text)
    assert all("hank you for shopping" in letter for letter in letters(screen))
    (choice,) = [each for each in screen.segmented_control if each.label == "Customer's language"]
    choice.set_value("es")
    screen = shown(screen.run())
    assert ["Vea los planes" in letter for letter in letters(screen)] == [True]
    assert "shopping" not in "".join(letters(screen))
    assert "The order is stored." in words(screen), "who is at the counter reads what they read"
    assert held(press(screen, "Next order"), "First name") == ""


def test_an_order_is_found_as_kept_without_customer(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempts, "here", lambda: ZoneInfo("Pacific/Kiritimati"))
    screen = shown(press(write(filled(stage), {"Quantity": "21"}), "Send order").run())
    assert "20 × Arc floor lamp" in words(screen)
    press(screen, "Next order")
    screen.session_state["recent-orders"] = True
    (order,) = stage.runtime.desk.activity.attempts(STAFF, AttemptFilter())
    there = order.started_at.astimezone(ZoneInfo("Pacific/Kiritimati"))
    told = [ORDER_ID, "Arc floor lamp · Zoë", f"{there:%H:%M}", "1,790.00", "Not yet"]
    assert rows(shown(screen.run())) == [told], "this tab knows the customer"
    screen = stage.screen("submit_order")
    screen.session_state["recent-orders"] = True
    assert rows(shown(screen.run())) == [[ORDER_ID, "Arc floor lamp", *told[2:]]]
    press_row(screen, "Arc floor lamp")
    assert [title.value for title in screen.title] == [f"Order {ORDER_ID[:8]}…"], "not that of a new order"
    assert "we don't keep it after sending" in words(screen)
    assert len(letters(screen)) == 2, "the clerk enters the customer there"


def test_who_declines_is_told_by_slip_recent_orders_and_story(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Slip] = []

    def slip(**given: Any) -> Slip:
        made.append(Slip(**given))
        return made[-1]

    def signed() -> bool:
        return made[-1].declined

    monkeypatch.setattr(link_kit, "Slip", slip)
    orders = [stage.order(TV), stage.order(TV)]
    mine, other = (order.order_id for order in orders)
    screen = stage.screen("submit_order", query={"order": mine})
    assert not signed()
    assert "a line to sign" in words(press(screen, "Declined"))
    assert signed()

    def plans() -> dict[str, str]:
        listed = stage.screen("submit_order")
        listed.session_state["recent-orders"] = True
        return {row[0]: row[-1] for row in rows(shown(listed.run()))}

    assert plans() == {mine: "Declined", other: "Not yet"}
    theirs = stage.screen("submit_order", MANAGER, query={"order": other})
    assert not signed(), "that of another order"
    press(theirs, "Declined")
    said = words(stage.screen("activity", query={"find": mine}))
    assert said.index("Link shown") < said.index("Declined") < said.index("Sam Counter", said.index("Declined"))
    press(stage.screen("submit_order", MANAGER, query={"order": mine}), "Undo declined")
    assert not signed()
    assert plans() == {mine: "Not yet", other: "Declined"}
    stage.sell(orders[1])
    sold = stage.screen("submit_order", query={"order": other})
    assert not [button for button in sold.button if "eclined" in button.label]
    assert (signed(), plans()[other]) == (False, "Sold")
    assert {call["operation"] for call in stage.sandbox.calls() if call["written"]} == {"submit_order", "record_sale"}


def test_a_silent_service_holds_nobody_up_the_order_on_its_way_can_be_left(stage: Stage) -> None:
    screen = filled(stage)
    draft_id, _ = screen.session_state["desk.draft.submit_order"]
    stage.runtime.jobs._jobs[draft_id] = (Future(), datetime.now(UTC) - timedelta(seconds=9))
    assert "This takes unusually long: the service is slow to answer." in words(shown(screen.run()))
    assert {field.disabled for field in (*screen.text_input, *pick_lists(screen))} == {True}, "it stands as it is sent"
    press(screen, "Put aside")
    assert held(screen, "First name") == ""
    assert stage.runtime.jobs.running(draft_id)


def test_an_order_known_after_a_silence_gives_its_link_when_a_person_says_whose_it_is(stage_with: StageWith) -> None:
    """The service may have had the id before the sending that it did not answer: the document tells no difference."""
    stage = stage_with(retailer_uuid=None)
    stage.sandbox.reset()
    stage.sandbox.add_fault(operation="submit_order", kind="drop_after_write", times=3)
    screen = shown(press(filled(stage), "Send order").run())
    screen = shown(press(screen, "Try again").run())
    text = words(screen)
    assert "The service has an order with this number" in text
    says_not(text, f"/checkout/{ORDER_ID}", "not sent from this desk")
    text = words(press(screen, "It is this customer's order: show the link"))
    says(text, f"/checkout/{ORDER_ID}", "1 × Arc floor lamp")
    stage.runtime.process.close()


def test_after_a_refusal_another_order_id_is_another_entry_with_the_same_basket(stage: Stage) -> None:
    screen = press(pick(filled(stage), "Merchant (optional)", "closed"), "Send order")
    assert "merchant_external_id matches no merchant of the account" in words(screen)
    screen = write(screen, {"Order number": OTHER_ID})
    assert "matches no merchant" not in words(screen)
    assert held(screen, "First name") == "Zoë"
    screen = press(pick(screen, "Merchant (optional)", "harbour-outlet"), "Send order")
    assert "The order is stored." in words(screen)
    (refused,) = stage.runtime.desk.activity.attempts(STAFF, AttemptFilter(order_id=ORDER_ID))
    assert stage.runtime.desk.activity.corrected(STAFF, [refused]) == frozenset()


def test_who_sends_where_another_window_was_quicker_reads_that_their_change_was_not_sent(stage: Stage) -> None:
    first = filled(stage)
    draft_id, _content = first.session_state["desk.draft.submit_order"]
    second = stage.screen("submit_order", query={"draft": draft_id})
    write(second, {"Quantity": "2"})
    shown(press(first, "Send order").run())
    screen = shown(press(second, "Send order").run())
    said = "Another window has sent this already, as it stands here. What you changed in this one was not sent."
    assert said in words(screen)
    assert said not in words(shown(first.run()))
    assert "1 item, 89.50 USD" in words(screen)
    assert len(stage.calls("submit_order")) == 1
    assert said not in words(press(screen, "Next order"))


def test_a_link_other_than_the_one_built_from_the_order_is_flagged(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr(st, "warning", told.append)
    settings = load_settings({"landing_url": "https://pages.example", "retailer_uuid": "r-1"})
    expected = "https://pages.example/carts/r-1/checkout/o-1"
    for url in (expected, expected.replace("o-1", "o-2")):
        address_warning(url, order_id="o-1", settings=settings)
    (warning,) = told
    assert f"This link is not the expected one, {plain(expected)}." in warning


def test_a_link_too_long_for_a_code_says_so(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    url = f"https://pages.example.com/carts/r/checkout/{'a' * 2400}"
    attempt = replace(stage.send(order_of()), result=Result(landing_url=url))
    monkeypatch.setattr(Activity, "order", lambda *_: attempt)
    text = words(stage.screen("submit_order", query={"order": attempt.order_id}))
    says(text, "This address is too long for a QR code.", url)
