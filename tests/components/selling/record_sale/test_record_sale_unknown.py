"""Record sale: a sale of which nobody knows what became, never sent again before a person has looked."""

from datetime import timedelta
from typing import Any

import pytest

from tests.builders import TV
from tests.components.counter import Counter, counter_at
from tests.components.stage import Stage
from warranty.client.resources import Order
from warranty.desk.desk import LATE


def in_doubt(stage: Stage, **fault: Any) -> tuple[Counter, Order]:
    counter, order = counter_at(stage, TV)
    stage.sandbox.add_fault(operation="record_sale", **fault)
    counter.charge("79.99").press("Record sale")
    assert "We don't know yet if this sale went through" in counter.words
    return counter, order


def loud(counter: Counter) -> list[str]:
    """What stands out on the screen: one thing to do."""
    parts = [*counter.screen.button, *counter.screen.get("link_button")]
    return [part.proto.label for part in parts if part.proto.type == "primary"]


def folded(counter: Counter) -> list[str]:
    (more,) = (box for box in counter.screen.expander if box.label == "More")
    return [button.label for button in more.button]


@pytest.mark.parametrize("fault", [{"kind": "status", "status": 500}, {"kind": "drop_before_write"}])
def test_an_unknown_sale_is_sent_again_only_after_a_look(stage: Stage, fault: dict[str, Any]) -> None:
    counter, order = in_doubt(stage, **fault)
    assert not counter.has_button("Record sale")
    counter.press("It was not recorded")
    assert "24 months (Extended warranty) on 55in OLED television: 79.99 USD" in counter.words
    assert "that sells a second plan" in counter.words
    assert not counter.has_button("Record sale"), "one press settles nothing"
    counter.press("Yes, it was not recorded")
    assert "This sale was not recorded. You can record it now." in counter.words
    counter.press("Record sale")
    assert "Recorded. Warranty order" in counter.words
    assert len(stage.runtime.service.client.purchase_warranties(order.order_id).line_items[0].warranties) == 1


def test_an_unknown_sale_is_locked_as_it_was_sent_and_found_by_asking_the_service(stage: Stage) -> None:
    counter, order = in_doubt(stage, kind="drop_after_write")
    assert "24 months (Extended warranty) on 55in OLED television: 79.99 USD" in counter.words, (
        "what is in doubt stays on the screen, though the item is covered by now"
    )
    assert "Nothing to charge yet." not in counter.words
    again = Counter(stage)  # as after a reload
    assert again.value("Order") == order.order_id
    kinds = ("text_input", "segmented_control", "selectbox")
    for tab in (counter, again):
        assert tab.value("Price charged") == "79.99"
        assert {field.disabled for kind in kinds for field in getattr(tab.screen, kind)} == {True}
    assert "ask the service first" in counter.words
    assert "customer page" not in counter.words, "one piece of advice, the one that the button follows"
    assert loud(counter) == ["Ask the service"]
    assert folded(counter) == ["It was recorded", "It was not recorded"]
    assert "Wait two minutes before you decide" in counter.words, "as long as the service is asked in vain"
    assert timedelta(minutes=2) == LATE
    counter.press("Ask the service")
    assert "Recorded. Warranty order " in counter.words, "the read carries the service's own number"
    assert "24 months" in counter.words
    assert counter.screen.get("download_button")


def test_a_sale_recorded_by_a_persons_word_prints_nothing_before_the_service_shows_it(stage: Stage) -> None:
    counter, _ = in_doubt(stage, kind="drop_after_write")
    counter.press("It was recorded").press("Yes, it was recorded")
    assert "The service has not shown it yet" in counter.words
    assert not counter.screen.get("download_button")
    counter.press("Ask the service")
    assert "Recorded. Warranty order " in counter.words
    assert counter.screen.get("download_button")


def test_a_wrong_word_about_a_sale_is_taken_back_where_it_stands(stage_without_reads: Stage) -> None:
    counter, _ = in_doubt(stage_without_reads, kind="drop_before_write")
    assert loud(counter) == ["Open the customer page"]
    counter.press("It was recorded").press("Yes, it was recorded")
    counter.press("Correct this: it was not recorded").press("Back")
    assert "The service has not shown it yet" in counter.words
    counter.press("Correct this: it was not recorded").press("Yes, it was not recorded")
    counter.press("Record sale")
    assert "Recorded. Warranty order " in counter.words
