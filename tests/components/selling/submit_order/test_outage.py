"""New order while the service is away: the link at once, the next customer at once, and what comes back."""

from datetime import timedelta
from typing import Any

import pytest

from components.selling.sending import own_drafts
from tests.builders import GIFT_CARD, LAMP, MANAGER, STAFF, order_of
from tests.components.selling.submit_order.form import ORDER_ID, filled, letters
from tests.components.stage import Stage, held, press, shown, words
from warranty.desk.journal import AttemptFilter, AttemptState, Outcome
from warranty.errors import Failure

LATER = "The link will work as soon as"


@pytest.fixture
def stage(stage: Stage) -> Stage:
    stage.sandbox.add_fault(operation="submit_order", kind="status", status=503, times=1000)
    return stage


def test_the_link_is_there_at_once_with_its_time_and_the_order_once_stored(stage: Stage) -> None:
    screen = press(filled(stage), "Send order")
    assert LATER in words(screen)
    assert any(ORDER_ID in each.value for each in screen.text)
    assert not any(button.label == "Record a sale for this order" for button in screen.button)
    ways = letters(screen)
    assert [letter.partition(":")[0] for letter in ways] == ["mailto"]
    assert all(letter.endswith(f"{LATER} our service is back.") for letter in ways)
    activity = words(stage.screen("activity"))
    assert "1 order is waiting for the service (since" in activity
    assert "It will be sent automatically" in activity
    assert "to check" not in activity
    stage.screen("shift_report", MANAGER)
    stage.sandbox.clear_faults()
    stage.runtime.process.outbox.step()
    text = words(shown(screen.run()))
    assert "The order is stored." in text
    assert LATER not in text + "".join(letters(screen))


def test_an_order_that_the_service_had_stored_in_silence_keeps_its_link_on_the_screen(stage: Stage) -> None:
    stage.sandbox.clear_faults()
    stage.sandbox.add_fault(operation="submit_order", kind="drop_after_write")
    screen = press(filled(stage), "Send order")
    assert LATER in words(screen)
    stage.runtime.process.outbox.step()
    for seen in (shown(screen.run()), stage.screen("submit_order", query={"order": ORDER_ID})):
        text = words(seen)
        assert "The order is stored." in text
        assert "The service has an order with this number" not in text
        assert any(f"/checkout/{ORDER_ID}" in block.value for block in seen.text)


def test_who_waits_has_the_link_after_three_seconds(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a service that hangs, and of a desk that was killed over the call, nothing is written down."""
    journal = stage.runtime.desk.journal
    with monkeypatch.context() as silent:
        silent.setattr(journal, "conclude", lambda attempt_id, _: journal.attempt("sandbox", attempt_id))
        screen = press(filled(stage), "Send order")
    assert LATER not in words(screen)
    assert "Without an answer in" in words(screen)
    monkeypatch.setattr(own_drafts, "PATIENCE", timedelta(0))
    screen = shown(screen.run())
    assert LATER in words(screen)
    (sent,) = stage.runtime.desk.activity.attempts(STAFF, AttemptFilter())
    assert (sent.state, sent.waits) == (AttemptState.SENDING, True)
    screen = press(screen, "Next order")
    refused = Failure(
        kind="RequestRefused", operation="submit_order", attempt_id=sent.attempt_id, status=400, nothing_written=True
    )
    journal.conclude(
        sent.attempt_id, Outcome(state=AttemptState.REFUSED, recorded_at=stage.runtime.desk.now(), failure=refused)
    )
    screen = press(shown(screen.run()), "Correct this order")
    assert held(screen, "First name") == "Zoë"


def test_all_orders_refused_later_are_counted_and_a_link_that_offers_nothing_is_told(stage: Stage) -> None:
    def orders(number: int, item: dict[str, Any]) -> None:
        for _ in range(number):
            order = order_of(item)
            stage.runtime.desk.send(STAFF, order, draft_id=order.order_id, screen="submit_order")

    orders(7, LAMP)
    stage.sandbox.clear_faults()
    stage.sandbox.add_fault(operation="submit_order", kind="status", status=400, times=7)
    while stage.runtime.process.outbox.step():
        pass
    screen = stage.screen("activity")
    assert words(screen).count("An order that waited was refused") == 5
    assert "and 2 more: settle these first" in words(screen)
    for order in stage.runtime.desk.activity.attempts(STAFF, AttemptFilter()):
        stage.runtime.desk.settle(STAFF, order.attempt_id, recorded=False, drops=True, note="")
    stage.sandbox.add_fault(operation="submit_order", kind="status", status=503, times=1)
    orders(2, GIFT_CARD)
    while stage.runtime.process.outbox.step():
        pass
    screen = stage.screen("activity")
    assert words(screen).count("Its customer's link offers nothing") == 2
    assert "Its customer's link offers nothing" not in words(press(press(screen, "Seen to"), "Seen to"))


def test_an_order_refused_later_comes_back_with_its_content_until_corrected(stage: Stage) -> None:
    screen = press(press(filled(stage), "Send order"), "Next order")
    assert held(screen, "First name") == "", "the next customer can come at once"
    assert not any("Begun and not finished" in box.label for box in screen.expander)
    assert LATER not in words(stage.screen("submit_order"))
    stage.sandbox.clear_faults()
    stage.sandbox.add_fault(operation="submit_order", kind="status", status=400)
    stage.runtime.process.outbox.step()
    assert "An order that waited was refused" in words(stage.screen("activity"))
    with_its_story = stage.screen("activity", MANAGER, query={"find": ORDER_ID})
    assert "An order that waited was refused" in words(with_its_story)
    assert [button.label for button in with_its_story.button].count("No longer needed") == 2
    assert "A plan on" not in words(press(with_its_story, "No longer needed"))
    assert stage.screen("overview", MANAGER).metric[-1].delta == "0 unknown, 0 waiting, 1 refused"
    screen = shown(screen.run())
    assert "An order that waited was refused" in words(screen)
    screen = press(screen, "Correct this order")
    assert held(screen, "First name") == "Zoë"
    screen = press(screen, "Send order")
    assert "The order is stored." in words(screen)
    assert "An order that waited" not in words(stage.screen("activity"))
