"""New order, sent: what goes out and comes back, what nobody knows the end of, what waits while the service is away."""

from concurrent.futures import Future
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import streamlit as st

from components.platform.markup import plain
from components.selling.sending import own_drafts
from components.selling.submit_order import link_kit
from components.selling.submit_order.link_kit import address_warning
from components.words import attempts
from tests.builders import GIFT_CARD, LAMP, MANAGER, STAFF, TV, order_of
from tests.components.selling.submit_order.form import ORDER_ID, OTHER_ID, disabled, filled, letters
from tests.components.stage import Stage, StageWith, held, pick, press, press_row, rows, says, shown, words, write
from warranty.desk.activity import Activity
from warranty.desk.journal import AttemptFilter, AttemptState, Outcome, Result
from warranty.errors import Failure
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
    assert disabled(screen) == {True}, "it stands as it is sent"
    press(screen, "Put aside")
    assert held(screen, "First name") == ""
    assert stage.runtime.jobs.running(draft_id)


def test_an_order_known_after_a_silence_gives_its_link_when_a_person_says_whose_it_is(stage_with: StageWith) -> None:
    """The service may have had the id before the sending that it did not answer: the document tells no difference."""
    stage = stage_with(retailer_uuid=None)
    stage.sandbox.reset()
    stage.sandbox.add_fault(operation="submit_order", kind="drop_after_write", times=3)
    screen = shown(press(shown(press(filled(stage), "Send order").run()), "Try again").run())
    text = words(screen)
    assert "The service has an order with this number" in text
    assert not any(part in text for part in (f"/checkout/{ORDER_ID}", "not sent from this desk"))
    text = words(press(screen, "It is this customer's order: show the link"))
    says(text, f"/checkout/{ORDER_ID}", "1 × Arc floor lamp")
    stage.runtime.process.close()


def test_after_a_refusal_another_order_id_is_another_entry_with_the_same_basket(stage: Stage) -> None:
    screen = press(pick(filled(stage), "Merchant (optional)", "closed"), "Send order")
    assert "merchant_external_id matches no merchant of the account" in words(screen)
    screen = write(screen, {"Order number": OTHER_ID})
    assert "matches no merchant" not in words(screen)
    assert held(screen, "First name") == "Zoë"
    assert "The order is stored." in words(press(pick(screen, "Merchant (optional)", "harbour-outlet"), "Send order"))
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


def test_a_link_not_built_here_is_flagged_and_one_too_long_says_so(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    monkeypatch.setattr(st, "warning", told.append)
    settings = load_settings({"landing_url": "https://pages.example", "retailer_uuid": "r-1"})
    expected = "https://pages.example/carts/r-1/checkout/o-1"
    for url in (expected, expected.replace("o-1", "o-2")):
        address_warning(url, order_id="o-1", settings=settings)
    (warning,) = told
    assert f"This link is not the expected one, {plain(expected)}." in warning
    url = f"https://pages.example.com/carts/r/checkout/{'a' * 2400}"
    attempt = replace(stage.send(order_of()), result=Result(landing_url=url))
    monkeypatch.setattr(Activity, "order", lambda *_: attempt)
    text = words(stage.screen("submit_order", query={"order": attempt.order_id}))
    says(text, "This address is too long for a QR code.", url)


LATER = "The link will work as soon as"


@pytest.fixture
def away(stage: Stage) -> Stage:
    stage.sandbox.add_fault(operation="submit_order", kind="status", status=503, times=1000)
    return stage


def test_the_link_is_there_at_once_with_its_time_and_the_order_once_stored(away: Stage) -> None:
    screen = press(filled(away), "Send order")
    assert LATER in words(screen)
    assert any(ORDER_ID in each.value for each in screen.text)
    assert not any(button.label == "Record a sale for this order" for button in screen.button)
    ways = letters(screen)
    assert [letter.partition(":")[0] for letter in ways] == ["mailto"]
    assert all(letter.endswith(f"{LATER} our service is back.") for letter in ways)
    activity = words(away.screen("activity"))
    assert "1 order is waiting for the service (since" in activity
    assert "It will be sent automatically" in activity
    assert "to check" not in activity
    away.screen("shift_report", MANAGER)
    away.sandbox.clear_faults()
    away.runtime.process.outbox.step()
    text = words(shown(screen.run()))
    assert "The order is stored." in text
    assert LATER not in text + "".join(letters(screen))


def test_an_order_that_the_service_had_stored_in_silence_keeps_its_link_on_the_screen(away: Stage) -> None:
    away.sandbox.clear_faults()
    away.sandbox.add_fault(operation="submit_order", kind="drop_after_write")
    screen = press(filled(away), "Send order")
    assert LATER in words(screen)
    away.runtime.process.outbox.step()
    for seen in (shown(screen.run()), away.screen("submit_order", query={"order": ORDER_ID})):
        text = words(seen)
        assert "The order is stored." in text
        assert "The service has an order with this number" not in text
        assert any(f"/checkout/{ORDER_ID}" in block.value for block in seen.text)


def test_who_waits_has_the_link_after_three_seconds(away: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a service that hangs, and of a desk that was killed over the call, nothing is written down."""
    journal = away.runtime.desk.journal
    with monkeypatch.context() as silent:
        silent.setattr(journal, "conclude", lambda attempt_id, _: journal.attempt("sandbox", attempt_id))
        screen = press(filled(away), "Send order")
    assert LATER not in words(screen)
    assert "Without an answer in" in words(screen)
    monkeypatch.setattr(own_drafts, "PATIENCE", timedelta(0))
    screen = shown(screen.run())
    assert LATER in words(screen)
    (sent,) = away.runtime.desk.activity.attempts(STAFF, AttemptFilter())
    assert (sent.state, sent.waits) == (AttemptState.SENDING, True)
    screen = press(screen, "Next order")
    refused = Failure(
        kind="RequestRefused", operation="submit_order", attempt_id=sent.attempt_id, status=400, nothing_written=True
    )
    journal.conclude(
        sent.attempt_id, Outcome(state=AttemptState.REFUSED, recorded_at=away.runtime.desk.now(), failure=refused)
    )
    assert held(press(shown(screen.run()), "Correct this order"), "First name") == "Zoë"


def test_all_orders_refused_later_are_counted_and_a_link_that_offers_nothing_is_told(away: Stage) -> None:
    def orders(number: int, item: dict[str, Any]) -> None:
        for _ in range(number):
            order = order_of(item)
            away.runtime.desk.send(STAFF, order, draft_id=order.order_id, screen="submit_order")

    orders(7, LAMP)
    away.sandbox.clear_faults()
    away.sandbox.add_fault(operation="submit_order", kind="status", status=400, times=7)
    while away.runtime.process.outbox.step():
        pass
    screen = away.screen("activity")
    assert words(screen).count("An order that waited was refused") == 5
    assert "and 2 more: settle these first" in words(screen)
    for order in away.runtime.desk.activity.attempts(STAFF, AttemptFilter()):
        away.runtime.desk.settle(STAFF, order.attempt_id, recorded=False, drops=True, note="")
    away.sandbox.add_fault(operation="submit_order", kind="status", status=503, times=1)
    orders(2, GIFT_CARD)
    while away.runtime.process.outbox.step():
        pass
    screen = away.screen("activity")
    assert words(screen).count("Its customer's link offers nothing") == 2
    assert "Its customer's link offers nothing" not in words(press(press(screen, "Seen to"), "Seen to"))


def test_an_order_refused_later_comes_back_with_its_content_until_corrected(away: Stage) -> None:
    screen = press(press(filled(away), "Send order"), "Next order")
    assert held(screen, "First name") == "", "the next customer can come at once"
    assert not any("Begun and not finished" in box.label for box in screen.expander)
    assert LATER not in words(away.screen("submit_order"))
    away.sandbox.clear_faults()
    away.sandbox.add_fault(operation="submit_order", kind="status", status=400)
    away.runtime.process.outbox.step()
    assert "An order that waited was refused" in words(away.screen("activity"))
    with_its_story = away.screen("activity", MANAGER, query={"find": ORDER_ID})
    assert "An order that waited was refused" in words(with_its_story)
    assert [button.label for button in with_its_story.button].count("No longer needed") == 2
    assert "A plan on" not in words(press(with_its_story, "No longer needed"))
    assert away.screen("overview", MANAGER).metric[-1].delta == "0 unknown, 0 waiting, 1 refused"
    screen = shown(screen.run())
    assert "An order that waited was refused" in words(screen)
    screen = press(screen, "Correct this order")
    assert held(screen, "First name") == "Zoë"
    assert "The order is stored." in words(press(screen, "Send order"))
    assert "An order that waited" not in words(away.screen("activity"))
