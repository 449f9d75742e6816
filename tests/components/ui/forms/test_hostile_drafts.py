"""Whatever a draft holds, from today or from an older version, its person can open the screen and drop it."""

from typing import Final

import pytest

from tests.builders import STAFF
from tests.components.stage import Stage, shown
from warranty.desk.journal import Drafts

HOSTILE: Final = {
    "letters": "x" * 300, "digits": "9" * 20_000, "accents": "\u0315\u0300" * 5_000, "plans": "+1 @24 months (" * 500,
}  # fmt: skip
_FIELDS: Final = ("order_id", "order", "id", "email", "phone")
_ADDRESS: Final = ("email", "phone", "zip", "first_name", "address1", "city", "last_name")
_LINE: Final = ("product_id", "product_title", "product_price", "quantity", "category", "offer_id", "sku")


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("screen", ["submit_order", "record_sale", "notify_checkout"])
def test_a_hostile_draft_can_be_opened_and_dropped(stage: Stage, screen: str, text: str) -> None:
    content = {
        **dict.fromkeys(_FIELDS, text),
        **{f"billing_address.{name}": text for name in _ADDRESS},
        "lines": [{"id": "a", **dict.fromkeys(_LINE, text)}],
    }
    Drafts(stage.runtime.desk.journal.database, "sandbox", STAFF.username, screen).save("a" * 32, content)
    test = stage.screen(screen)
    if screen == "submit_order":
        next(button for button in test.button if button.label == "Yes, discard").click()
    else:
        label = "Order" if screen == "record_sale" else "Order number"
        next(field for field in test.text_input if field.label == label).set_value("another-order-1")
    test = shown(test.run())
    held = [field.value for field in test.text_input if field.label in {"Order", "Order number"}]
    assert held
    assert not any(text[:100] in str(value) for value in held)
