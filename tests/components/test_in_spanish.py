"""The screens, drawn in Spanish at the real sandbox: no English sentence of ours is on them."""

import json
import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, Final

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Dataframe

from tests.builders import ADMINISTRATOR, CINEMA, LAMP, MANAGER, STAFF, TV
from tests.catalogues import catalogue_path, translated
from tests.components.stage import Stage, pick_lists, says, shown
from tests.warranty.files.conftest import many_orders
from warranty.access import Operator
from warranty.desk.journal import Batches
from warranty.files.order_files.decisions import Choices

CUSTOMER: Final = {
    "first_name": "Ada", "last_name": "Byron", "email": "ada@example.com", "address1": "1 Mint Street", "zip": "01234",
    "city": "Brooklyn",
}  # fmt: skip
NOT_WORDS: Final = frozenset(
    {
        "id", "user_key", "element_id", "default", "type", "js_content", "css_content", "html_content", "chosen",
        "values", "other_names",
    }
)  # fmt: skip
NOBODY_TRANSLATES: Final = {"Open", "Resolved", "administrator", "manager", "staff"}
"""The service's own words and login names, where one of our words is the same."""
LONG: Final = 12
"""Letters from which a sentence of ours is looked for within others too."""


class Clerk:
    """A clerk who reads Spanish, at one screen: fields by their names in the draft, what is pressed by its key."""

    def __init__(self, stage: Stage, name: str, operator: Operator = STAFF) -> None:
        self.name = name
        self.screen = stage.screen(name, operator, language="es")
        self.drawn = set(strings(self.screen))

    def _run(self) -> None:
        shown(self.screen.run())
        self.drawn |= set(strings(self.screen))

    def write(self, **texts: str) -> None:
        for name, text in texts.items():
            _named(self.screen.text_input, name).set_value(text)
        self._run()

    def state(self) -> None:
        _named(pick_lists(self.screen), "state.US").set_value("NY")
        self._run()

    def choose(self, name: str, value: str) -> None:
        _named(self.screen.segmented_control, name).set_value(value)
        self._run()

    def press(self, key: str) -> None:
        next(button for button in self.screen.button if key in str(button.key)).click()
        self._run()
        if key == "send:":
            self._run()  # what was sent ends in a run of its own

    @property
    def words(self) -> str:
        return "\n".join(self.drawn)

    def english(self) -> list[str]:
        """What was on the screen of our sentences in English, in all the states that it came through."""
        return sorted({found.group() for pattern in ours().values() if (found := pattern.search(self.words))})


def _named(fields: Iterable[Any], name: str) -> Any:
    return next(field for field in fields if re.search(rf"[:.]{re.escape(name)}(:\d+)?$", str(field.key)))


def strings(screen: AppTest) -> Iterator[str]:
    """All that a screen draws for people or could: labels, helps, options, placeholders, cells, data of our parts."""
    for node in screen.main:
        proto = getattr(node, "proto", None)
        if hasattr(proto, "ListFields"):
            yield from _of_message(proto)
        if isinstance(node, Dataframe):
            yield from (str(cell) for row in node.value.itertuples(index=False) for cell in row)


def _of_message(message: Any) -> Iterator[str]:
    for field, value in message.ListFields():
        for part in value if isinstance(value, Iterable) and not isinstance(value, str | bytes) else [value]:
            if hasattr(part, "ListFields"):
                yield from _of_message(part)
            elif isinstance(part, str) and field.name not in NOT_WORDS:
                yield from _of_text(part)


def _of_text(text: str) -> Iterator[str]:
    try:
        held = json.loads(text)
    except ValueError:
        held = text
    yield from _of_json(held)


def _of_json(held: object) -> Iterator[str]:
    if isinstance(held, str):
        yield held.replace("\\", "")
    elif isinstance(held, dict):
        for name, part in held.items():
            if name not in NOT_WORDS:
                yield from _of_json(part)
    elif isinstance(held, list):
        for part in held:
            yield from _of_json(part)


def _pattern(english: str) -> re.Pattern[str]:
    """The sentence with anything for its values: the whole of a text, or a part of it where it is long."""
    parts = re.split(r"\{\w+\}", english)
    words = r"(?:(?!\. ).)+".join(map(re.escape, parts))  # no value is two sentences
    is_long = len("".join(parts)) >= LONG and " " in english
    return re.compile(rf"(?<!\w){words}(?!\w)" if is_long else rf"^{words}$", re.M)


@cache
def ours() -> dict[str, re.Pattern[str]]:
    found = {}
    for path in catalogue_path("").parent.glob("*.po"):
        for message in translated(path.stem):
            forms = ([text] if isinstance(text, str) else text for text in (message.id, message.string))
            for english, spanish in zip(*forms, strict=True):
                own = re.sub(r"\{\w+\}|\W", "", english)  # "{n} of {all}" is found in `Isle of Man` too
                if len(own) > 3 and spanish != english:
                    found[english] = _pattern(english)
    return found


def test_what_is_looked_for_is_found_where_it_stands() -> None:
    seen = {english for english, pattern in ours().items() if pattern.search("Welcome e-mail to a@b.c")}
    assert "Welcome e-mail to {email}" in seen
    assert not ours()["Order {order}"].search("El pedido: Order 1")
    assert len(ours()) > 300


def test_a_new_order_is_taken_in_spanish_from_the_first_scan_to_the_link(stage: Stage) -> None:
    clerk = Clerk(stage, "submit_order")
    clerk.press("send:")  # nothing is entered yet: each fault is said
    clerk.write(product_id="TV-55-OLED")
    clerk.press("add-item")
    line = str(clerk.screen.text_input[5].key).split(".")[1]
    clerk.write(**{f"{line}.{name}": text for name, text in (("product_id", "LAMP-ARC"), ("quantity", "25"))})
    clerk.write(first_name="Ada", reach="ada@example.com")
    clerk.state()
    clerk.press("make-order-id")
    clerk.write(order_id="1042")
    clerk.press("make-order-id")
    clerk.press("send:")
    assert "El pedido está guardado" in clerk.words
    assert clerk.english() == []


def test_a_sale_is_recorded_in_spanish(stage: Stage) -> None:
    order = stage.order({**TV, "quantity": 3}, LAMP, CINEMA)
    clerk = Clerk(stage, "record_sale")
    clerk.write(order=order.order_id[:6])
    clerk.write(order=order.order_id)
    clerk.press("send:")
    clerk.choose("term", "24")
    clerk.write(price="1.00")
    clerk.write(price="79.99", quantity="2")
    clerk.press("send:")
    assert "Registrada" in clerk.words
    assert clerk.english() == []


def test_a_checkout_is_told_in_spanish(stage: Stage) -> None:
    order = stage.order(TV)
    clerk = Clerk(stage, "notify_checkout")
    clerk.press("send:")
    clerk.write(id=order.order_id)
    clerk.choose("term", "24")
    clerk.write(**CUSTOMER)
    clerk.state()
    clerk.press("send:")
    says(clerk.words, "La compra quedó registrada", "Estados Unidos")
    assert clerk.english() == []


def test_a_file_of_orders_is_imported_in_spanish(stage: Stage) -> None:
    clerk = Clerk(stage, "import_orders")
    sources, layout = many_orders(3)
    sources[2] = sources[2].with_value(None, "email", "")
    Batches(stage.runtime.desk.journal.database, "sandbox", "staff").begin(
        file_name="a.csv", layout=layout.model_dump(), choices=Choices().model_dump(),
        sources=[source.model_dump() for source in sources],
    )  # fmt: skip
    clerk.screen = shown(clerk.screen.run())
    clerk.press("send:")
    assert "2 de 3 pedidos guardados" in clerk.words
    assert clerk.english() == []


@pytest.mark.parametrize(
    "name", ["overview", "claims", "claim_trends", "activity", "shift_report", "connection", "people", "audit"]
)
def test_the_shop_is_looked_after_in_spanish(stage: Stage, name: str) -> None:
    stage.order(TV)
    reader = Clerk(stage, name, ADMINISTRATOR if name in {"people", "audit"} else MANAGER)
    if name == "audit":
        reader.press("audit-verify")
        assert "La cadena está completa" in reader.words
    assert len(reader.drawn) > 15
    assert set(reader.english()) <= NOBODY_TRANSLATES
