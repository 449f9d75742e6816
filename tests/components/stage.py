"""A screen under AppTest on a real sandbox: the runtime as the dashboard builds it, jobs that end at once."""

import json
import re
import uuid
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.runtime.context import ContextProxy
from streamlit.runtime.state.session_state import STREAMLIT_INTERNAL_KEY_PREFIX
from streamlit.testing.v1 import AppTest

from components import wiring
from components.platform import session
from components.platform.serving.jobs import JobRegistry
from components.wiring import Runtime
from sandbox import SandboxServer
from tests.builders import STAFF, TV, order_of, sale_of
from tests.dashboard import ROOT
from tests.journals import empty_journal
from warranty.access import Operator
from warranty.client.resources import Order, PurchaseWarranties
from warranty.desk.journal import Attempt, AttemptState, ItemLine
from warranty.settings import client_from, load_settings


class PickList:
    """A list of ours on a screen (components/ui/forms/pick_list.py), which AppTest does not know as one."""

    def __init__(self, screen: AppTest, part: Any) -> None:
        self._screen = screen
        self.drawn: dict[str, Any] = json.loads(part.proto.json)
        self.key = part.proto.id.split("-", 2)[2].removesuffix(":list")
        self.label, self.value = str(self.drawn["label"]), str(self.drawn["chosen"])
        self.disabled, self.options = bool(self.drawn["disabled"]), list[str](self.drawn["labels"])

    def set_value(self, value: str) -> None:
        self._screen.session_state[self.key] = value


def pick_lists(screen: AppTest) -> list[PickList]:
    parts = [part for part in screen.get("bidi_component") if part.proto.component_name == "pick_list"]
    return [PickList(screen, part) for part in parts]


class JobsAtOnce(JobRegistry):
    """Work that is done when it is begun: AppTest has no browser that would look again."""

    def start_once(self, key: str, work: Callable[[], Any]) -> None:
        if key in self._jobs:
            return
        future: Future[Any] = Future()
        try:
            future.set_result(work())
        except Exception as error:  # noqa: BLE001 - handed on to whoever takes the answer
            future.set_exception(error)
        self._jobs[key] = (future, datetime.now(UTC))


class Stage:
    def __init__(
        self, sandbox: SandboxServer, folder: Path, monkeypatch: pytest.MonkeyPatch, **settings: object
    ) -> None:
        self.sandbox = sandbox
        sandbox.clear_faults()
        folder.mkdir(exist_ok=True)
        if not (journal := folder / "journal.sqlite3").exists():
            empty_journal(journal)
        asked = {
            "environment": "sandbox", "base_url": sandbox.base_url, "landing_url": sandbox.landing_url,
            "retailer_uuid": sandbox.retailer_uuid, "private_token": sandbox.private_token,
            "public_token": sandbox.public_token, "ca_file": sandbox.ca_file, "data_dir": str(folder),
            "purchase_warranties_path": "/api/purchase-warranties",
            "offers_path": "/api/warranty-offers", "claims_pace": "fixed", "claims_calls_per_second": "1000",
            **settings,
        }  # fmt: skip
        built = wiring.build(load_settings({name: value for name, value in asked.items() if value is not None}))
        built.jobs.close()
        built.process.outbox.close()  # what waits is sent when a test says so
        self.runtime: Runtime = replace(built, jobs=JobsAtOnce())
        monkeypatch.setattr(wiring, "runtime", lambda: self.runtime)
        # AppTest has no browser: what it would say of cookies is a stand-in that is no text.
        monkeypatch.setattr(ContextProxy, "cookies", property(lambda _: {}))

    def screen(
        self, name: str, operator: Operator = STAFF, query: Mapping[str, str] | None = None, *, language: str = "en"
    ) -> AppTest:
        test = AppTest.from_file(str(ROOT / "pages" / f"{name}.py"), default_timeout=30)
        test.session_state["desk.person"] = session.AtTab(operator)
        test.session_state["desk.language"] = language
        for parameter, value in (query or {}).items():
            test.query_params[parameter] = value
        return shown(test.run())

    def send(self, order: Order, operator: Operator = STAFF) -> Attempt:
        return self.runtime.desk.send(operator, order, draft_id=uuid.uuid4().hex, screen="submit_order")

    def order(self, *items: dict[str, Any], by: Operator = STAFF) -> Order:
        """One that the service has."""
        order = order_of(*items)
        assert self.send(order, by).state is AttemptState.DONE
        return order

    def sell(
        self, order: Order | None = None, by: Operator = STAFF, *, fault: str = "", sku: str = "TV-55", months: int = 24
    ) -> Order:
        """Sell a plan on an order, a television's unless one is given; the `fault` comes in place of the answer."""
        order = order or self.order(TV)
        if fault:
            self.sandbox.add_fault(operation="record_sale", kind=fault)
        sale, items = sale_of(order.order_id, (sku, months, "79.99")), [ItemLine("55in OLED television", sku, 1)]
        self.runtime.desk.send(by, sale, draft_id=uuid.uuid4().hex, screen="record_sale", items=items)
        return order

    def has_no_landing_page(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """As where the settings name none: no link can be built, so no order waits for the service."""
        monkeypatch.setattr(self.runtime.desk.sender, "_landing_page", None)

    def held(self, order_id: str) -> PurchaseWarranties:
        """What the service has of an order, also where the desk's settings do not name that read."""
        path = {"purchase_warranties_path": "/api/purchase-warranties"}
        knowing = self.runtime.settings.model_copy(update=path)
        with closing(client_from(knowing)) as client:
            return client.purchase_warranties(order_id)

    def calls(self, operation: str) -> list[dict[str, Any]]:
        """What reached the service, from its own ledger, of this operation."""
        return [call for call in self.sandbox.calls() if call["operation"] == operation]


StageWith = Callable[..., Stage]


def shown(test: AppTest) -> AppTest:
    assert not test.exception, test.exception
    return test


def write(test: AppTest, texts: Mapping[str, str], place: int = 0) -> AppTest:
    for label, text in texts.items():
        [field for field in test.text_input if field.label == label][place].set_value(text)
    return shown(test.run())


def held(test: AppTest, label: str, place: int = 0) -> str:
    return str([field.value for field in test.text_input if field.label == label][place])


def pick(test: AppTest, label: str, value: str, place: int = 0) -> AppTest:
    [box for box in pick_lists(test) if box.label == label][place].set_value(value)
    return shown(test.run())


def press(test: AppTest, label: str, place: int = 0) -> AppTest:
    """The screen after a press of the button that says this, be there an amount behind it."""
    exactly = [button for button in test.button if button.label == label]
    of_amount = [button for button in test.button if button.label.partition(",")[0] == label]
    (exactly or of_amount)[place].click()
    return shown(test.run())


def rows(test: AppTest) -> list[list[str]]:
    return next((data["rows"] for _, data in _parts(test) if "rows" in data), [])


def table(test: AppTest) -> pd.DataFrame:
    """Its table of words by the names of its columns, with its caption and the height of a row; empty without one."""
    drawn: dict[str, Any] = next((data for _, data in _parts(test) if "rows" in data), {})
    columns = [name for name, _ in drawn.get("columns", ())]
    found = pd.DataFrame([row[1:] for row in drawn.get("rows", ())], columns=columns)
    found.attrs = {name: drawn.get(name) for name in ("caption", "row")}
    return found


def press_row(test: AppTest, word: str) -> AppTest:
    """The screen after a press of the row of a table of words that is known by this one, or the first that holds it."""
    (part,) = [part.proto for part in test.get("bidi_component") if part.proto.component_name == "plain_table"]
    found = sorted((row for row in rows(test) if word in row), key=lambda row: row[0] != word)
    told = [{"event": "opens", "value": found[0][0]}]
    states = test._tree.get_widget_states()
    name = f"{STREAMLIT_INTERNAL_KEY_PREFIX}_{part.id}__events"
    states.widgets.append(WidgetState(id=name, json_trigger_value=json.dumps(told)))
    return shown(test._run(states))


def edit(test: AppTest, row: int, column: str, text: str) -> AppTest:
    (table,) = test.data_editor
    edited = {"edited_rows": {row: {column: text}}, "added_rows": [], "deleted_rows": []}
    states = test._tree.get_widget_states()
    states.widgets.append(WidgetState(id=table.proto.id, string_value=json.dumps(edited)))
    return shown(test._run(states))


def words(test: AppTest) -> str:
    kinds = (
        "title", "header", "subheader", "markdown", "caption", "text", "error", "warning", "info", "success",
        "code",
    )  # fmt: skip
    found = [element.value for kind in kinds for element in getattr(test, kind)]
    return "\n".join(re.sub(r"\\|\*\*|:gray\[\]", "", str(value)) for value in found)


def says(told: AppTest | str, *sentences: str) -> None:
    text = told if isinstance(told, str) else words(told)
    assert [sentence for sentence in sentences if sentence not in text] == [], text


def says_not(told: AppTest | str, *sentences: str) -> None:
    text = told if isinstance(told, str) else words(told)
    assert [sentence for sentence in sentences if sentence in text] == [], text


def date_field(test: AppTest, label: str) -> Any:
    return next(each for each in test.date_input if each.label.startswith(label))


def copied(test: AppTest) -> dict[str, str]:
    return {data["name"] or data["label"]: data["text"] for _, data in _parts(test) if "kind" in data}


def _parts(test: AppTest) -> list[tuple[str, dict[str, Any]]]:
    protos = [part.proto for part in test.get("bidi_component")]
    return [(proto.id.split("-", 2)[-1], json.loads(proto.json)) for proto in protos if proto.json]
