"""New order while the service is away: the link at once, the next customer at once, and what comes back."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from components.submit_order.link_kit import NOBODY, message
from sandbox import SandboxServer
from tests.builders import MANAGER
from tests.components.stage import Stage, shown, words
from tests.components.submit_order.form import ORDER_ID, filled, press
from warranty.journal import AttemptFilter, AttemptState

LATER = "The link works as soon as"


@pytest.fixture
def stage(sandbox: SandboxServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    sandbox.reset()
    staged = Stage(sandbox, tmp_path, monkeypatch)
    sandbox.add_fault(operation="submit_order", kind="status", status=503, times=1000)
    yield staged
    sandbox.clear_faults()
    staged.runtime.close()


def test_the_link_is_there_at_once_says_from_when_it_works_and_the_screen_shows_the_order_once_stored(
    stage: Stage,
) -> None:
    screen = press(filled(stage), "Send order")
    text = words(screen)
    assert LATER in text
    assert any(ORDER_ID in each.value for each in screen.text)
    assert not any(button.label == "Record a sale for this order" for button in screen.button)
    stage.sandbox.clear_faults()
    stage.runtime.outbox.step()
    text = words(shown(screen.run()))
    assert "The order is stored." in text
    assert LATER not in text


def test_an_order_that_the_service_had_stored_in_silence_keeps_its_link_on_the_screen(stage: Stage) -> None:
    stage.sandbox.clear_faults()
    stage.sandbox.add_fault(operation="submit_order", kind="drop_after_write")
    screen = press(filled(stage), "Send order")
    assert LATER in words(screen)
    stage.runtime.outbox.step()
    for seen in (shown(screen.run()), stage.screen("submit_order", query={"order": ORDER_ID})):
        text = words(seen)
        assert "The order is stored." in text
        assert "The service has an order with this id" not in text
        assert any(f"/checkout/{ORDER_ID}" in block.value for block in seen.text)


def test_the_next_customer_can_come_at_once_and_what_waits_is_not_offered_to_go_on_with(stage: Stage) -> None:
    screen = press(press(filled(stage), "Send order"), "Next order")
    assert next(field for field in screen.text_input if field.label == "First name").value == ""
    assert not any("Begun and not finished" in box.label for box in screen.expander)
    anew = stage.screen("submit_order")
    assert LATER not in words(anew)


def test_an_order_refused_later_comes_back_with_its_content_and_is_over_once_it_is_corrected(
    stage: Stage,
) -> None:
    screen = press(press(filled(stage), "Send order"), "Next order")
    stage.sandbox.clear_faults()
    stage.sandbox.add_fault(operation="submit_order", kind="status", status=400)
    stage.runtime.outbox.step()
    assert "An order that waited was refused" in words(stage.screen("activity"))
    assert "An order that waited was refused" in words(stage.screen("activity", MANAGER))
    screen = shown(screen.run())
    assert "An order that waited was refused" in words(screen)
    screen = press(screen, "Correct this order")
    assert next(field for field in screen.text_input if field.label == "First name").value == "Zoë"
    screen = press(screen, "Send order")
    assert "The order is stored." in words(screen)
    assert "An order that waited" not in words(stage.screen("activity"))


def test_the_activity_tells_of_the_queue_and_lists_it(stage: Stage) -> None:
    press(filled(stage), "Send order")
    text = words(stage.screen("activity"))
    assert "1 order waits for the service, the oldest since" in text
    (waiting,) = stage.runtime.desk.attempts(MANAGER, AttemptFilter(states=frozenset({AttemptState.QUEUED})))
    assert waiting.order_id == ORDER_ID
    assert "to check" not in text
    stage.screen("shift_report", MANAGER)


def test_the_words_of_a_mail_say_it_too() -> None:
    words_of_it = message(
        "https://x/o", shop="Our shop", addressee=NOBODY, note=f"{LATER} our service is back."
    )
    assert words_of_it.endswith(f"https://x/o {LATER} our service is back.")
