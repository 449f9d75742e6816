"""A clerk at Record sale under AppTest: what is typed, chosen and pressed, in the clerk's words."""

from typing import Any

from tests.components.stage import Stage, held, press, shown, words, write
from warranty.client.resources import Order


class Counter:
    def __init__(self, stage: Stage, order_id: str = "", **query: str) -> None:
        self.stage = stage
        self.screen = stage.screen("record_sale", query=query)
        if order_id:
            self.write("Order", order_id)

    @property
    def words(self) -> str:
        return words(self.screen)

    def write(self, label: str, text: str, place: int = 0) -> "Counter":
        write(self.screen, {label: text}, place)
        return self

    def value(self, label: str, place: int = 0) -> str:
        return held(self.screen, label, place)

    def choose(self, option: str, label: str = "Term", place: int = 0) -> "Counter":
        control = [control for control in self.screen.segmented_control if control.label == label][place]
        assert option in [words.partition(" · ")[0] for words in control.options]
        raw = {"Other": "other"}.get(option, option.removesuffix(" months")) if label == "Term" else option
        control.set_value(raw)
        shown(self.screen.run())
        return self

    def charge(self, price: str, term: str = "24 months", place: int = 0) -> "Counter":
        return self.choose(term, place=place).write("Price charged", price, place)

    def terms(self, place: int = 0) -> list[str]:
        control = [control for control in self.screen.segmented_control if control.label == "Term"][place]
        return [words.partition(" · ")[0] for words in control.options]

    def press(self, label: str, place: int = 0) -> "Counter":
        press(self.screen, label, place)
        return self

    def has_button(self, label: str) -> bool:
        return any(label in {button.label, button.label.partition(",")[0]} for button in self.screen.button)

    @property
    def main_button(self) -> str:
        return next(button.label for button in self.screen.button if "send:" in str(button.key))

    @property
    def sales(self) -> int:
        return len(self.stage.calls("record_sale"))


def counter_at(stage: Stage, *items: dict[str, Any]) -> tuple[Counter, Order]:
    order = stage.order(*items)
    return Counter(stage, order=order.order_id), order
