"""The words of screens: amounts, moments and steps of the journal; in Spanish, no English sentence of ours."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import cache
from typing import Any, Final
from zoneinfo import ZoneInfo

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Dataframe

from components.keys.router import keys_of
from components.navigation import SCREENS
from components.selling.submit_order.order_result import _on_the_slip
from components.words import attempts
from components.words.attempts import amount_of, covered_days, items_words, next_step, short_moment
from tests.builders import ADMINISTRATOR, CINEMA, LAMP, MANAGER, STAFF, TV, entry_of
from tests.catalogues import catalogue_path, translated
from tests.components.stage import Stage, pick_lists, says, shown
from tests.dashboard import ROOT
from tests.warranty.files.conftest import many_orders
from warranty.access import Operator
from warranty.desk.journal import AttemptState, Batches, ItemLine
from warranty.files.order_files.decisions import Choices

CUSTOMER: Final = {
    "first_name": "Ada", "last_name": "Byron", "email": "ada@example.com", "address1": "1 Mint Street", "zip": "11201",
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
    while "Detener la lectura" in set(strings(reader.screen)):  # until the claims are here
        reader._run()
    if name == "audit":
        reader.press("audit-verify")
        assert "La cadena está completa" in reader.words
    assert len(reader.drawn) > 15
    assert set(reader.english()) <= NOBODY_TRANSLATES


NOW = datetime(2026, 11, 22, 3, 0, tzinfo=UTC)
TVS = ItemLine("TV", "TV-55", 2, Decimal("899.00"), warranty_price=Decimal("79.99"))
ARC = ItemLine("", "LAMP", 3, Decimal("89.50"), warranty_price=Decimal("9.99"))
SALE = entry_of("record_sale", TVS, ARC, started_at=NOW)


def test_an_amount_is_of_all_units_and_of_none_where_a_price_is_unknown_and_what_was_sent_is_its_first_line() -> None:
    assert amount_of(SALE) == Decimal("189.95")
    assert amount_of(replace(SALE, operation="submit_order")) == Decimal("2066.50")
    assert amount_of(replace(SALE, items=(TVS, replace(ARC, warranty_price=None)))) is None
    assert amount_of(replace(SALE, items=())) is None
    assert [items_words(lines) for lines in ((), (ARC,), (TVS, ARC, ARC))] == ["No items", "LAMP", "TV and 2 more"]


@pytest.mark.parametrize(("hours", "said"), [(2, "20:00"), (23, "20 Nov, 23:00"), (365 * 24, "21 Nov 2025")])
def test_a_moment_is_told_from_todays_day(monkeypatch: pytest.MonkeyPatch, hours: int, said: str) -> None:
    monkeypatch.setattr(attempts, "here", lambda: ZoneInfo("America/New_York"))
    assert short_moment(NOW - timedelta(hours=hours), NOW) == said


@pytest.mark.parametrize(("state", "step"), [
    (AttemptState.UNKNOWN, "Check, then settle it"), (AttemptState.REFUSED, "Correct and send"),
    (AttemptState.NOT_SENT, "Send"), (AttemptState.NOT_RECORDED, "Send if still wanted"),
    (AttemptState.DONE, ""),
])  # fmt: skip
def test_each_outcome_has_one_next_step_and_none_once_corrected(state: AttemptState, step: str) -> None:
    assert next_step(replace(SALE, state=state)) == step
    assert next_step(replace(SALE, state=state), corrected=True) == ""


def test_a_product_is_covered_once_each_of_its_units_is() -> None:
    tv = replace(TVS, quantity=1)
    sold = [replace(SALE, state=AttemptState.DONE, items=(replace(tv, term_months=months),)) for months in (24, 36)]
    (first, second), lines = sold, [tv, tv, ARC]
    assert _on_the_slip(tv, lines, [first]).covered == ()
    assert _on_the_slip(tv, lines, [second, first]).covered == (date(2028, 11, 22), date(2029, 11, 22))
    assert _on_the_slip(ARC, lines, [second, first]).covered == ()
    assert covered_days([first, replace(second, state=AttemptState.UNKNOWN)]) == (date(2028, 11, 22),)


def test_every_shortcut_of_a_button_stands_in_the_list_of_keys() -> None:
    used = {
        keys
        for path in (ROOT / "components").rglob("*.py")
        for keys in re.findall(r'shortcut="([^"]{1,20})"', path.read_text())
    }
    assert used
    assert used <= {keys for screen in SCREENS for keys, _ in keys_of(screen.name)}
