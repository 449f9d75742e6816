"""A till without a browser: a person who sends orders and sells plans on them, and comes back wherever the line goes.

It speaks Streamlit's own protocol, keeps what was typed as the browser does, and knows no desk from another: whichever
replica the proxy leads it to has to go on where the last one left.
"""

import asyncio
import re
import ssl
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Common_pb2 import StringArray
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.exceptions import WebSocketException

from benchmarks.streamlit_viewer import Run, Viewer

LOST: Final = (OSError, WebSocketException, asyncio.TimeoutError)
_CUSTOMER: Final = re.compile(rb"(\w{1,40})-[\w-]{1,40}@example\.com")
_DONE: Final = ("Next order", "Next sale")
"""What stands where a form was once it was sent."""
_BACK: Final = 10.0
"""Seconds after which what was typed has to stand there again."""
_NOTHING: Final[Mapping[str, str]] = {}
_NOW: Final = {"Order id": "Order number", "E-mail": "E-mail or phone"} | dict.fromkeys(
    ("Set this order aside", "Set this sale aside"), "Put aside"
)
"""What a desk of before calls something, and one of now: a till is at both in a rolling upgrade."""
CHOSEN: Final = '{"choice": {"value": "TX", "time": 1}}'
_PATIENCE: Final = 40.0
"""Seconds that a person looks at one state before going on with the next customer."""


class Tab(Viewer):
    """A tab that knows what stands on the screen now, and whose address names its draft.

    As a browser, it tells the state of each field for ever, and takes up what the server sets. `customers_of` are the
    people whose customers it was told of.
    """

    def __init__(self, *, customers_of: set[str], **more: Any) -> None:
        super().__init__(**more)
        self.customers_of = customers_of
        self._arrived = False

    def _note(self, answer: ForwardMsg) -> None:
        if answer.HasField("new_session") and not answer.metadata.run.fragment_ids:
            self.widgets, self.held = {}, {}  # the whole screen is drawn anew, be it by a press in a dialog
        super()._note(answer)
        self.customers_of.update(name.decode() for name in _CUSTOMER.findall(answer.SerializeToString()))

    def _note_element(self, element: Element, fragment: str) -> None:
        kind = element.WhichOneof("type")
        if kind in {"text_input", "button"}:
            part = getattr(element, kind)
            part.label = _NOW.get(part.label, part.label)
        super()._note_element(element, fragment)
        if element.HasField("text_input") and element.text_input.set_value:
            field = element.text_input
            self.held[field.label] = field.value
            self._states[field.id] = WidgetState(id=field.id, string_value=field.value)
        if element.HasField("button_group") and element.button_group.set_value:
            group = element.button_group
            self._states[group.id] = WidgetState(id=group.id, string_array_value=StringArray(data=group.raw_values))

    async def go(self, page: str, query: str) -> None:
        """Open another screen in this tab, as a click on the menu would."""
        self.page, self.query, self._arrived = page, query, False
        self._states.clear()
        await self.open()

    async def _run(self, message: BackMsg) -> Run:
        if not self._arrived:
            self._script_hash = ""  # the screen by its name: a line lost on the way there would lead to the first one
        run = await super()._run(message)
        self._arrived = True
        for (kind, label), (widget_id, fragment) in [*self.widgets.items()]:
            if "-send:" in widget_id:  # the address names the draft, as the page's script has it do
                self.widgets[kind, label.partition(",")[0]] = widget_id, fragment  # without the amount
                named = {**dict(parse_qsl(self.query)), "draft": widget_id.rpartition("-send:")[2]}
                self.query = urlencode(named)
        return run

    def shows(self, kind: str, label: str) -> bool:
        """Whether such a widget is on the screen."""
        return (kind, label) in self.widgets

    def field_of(self, label: str) -> str:
        """What the draft calls the text field of that label; "" where there is none."""
        key = self.widgets.get(("text_input", label), ("", ""))[0]
        return key.split(":")[2] if key.count(":") >= 2 else ""

    def names(self, order_id: str) -> bool:
        """Whether the screen is about this order; some say its first letters only."""
        return any(order_id[:8] in told for told in (*self.texts, *self.parts))


@dataclass
class Till:
    """One person at one till; what it did and saw is kept for the judgement afterwards."""

    name: str
    url: str
    cookie: str
    tls: ssl.SSLContext | None
    pause: float
    """Seconds that a person takes from one step to the next."""
    orders: list[str] = field(default_factory=list)
    """Orders whose link was shown."""
    sales: list[str] = field(default_factory=list)
    """Orders on which the screen said that a sale is recorded."""
    left: dict[str, str] = field(default_factory=dict)
    """Orders that were left for later, and what stood on the screen then."""
    typed_anew: list[str] = field(default_factory=list)
    """Fields that a screen had shown and did not hold any more after the line was lost, and what it showed instead."""
    away: list[float] = field(default_factory=list)
    """Seconds from each loss of the line to a screen that can be used."""
    losses: int = 0
    """How often the line was lost, or not there yet."""
    tab: Tab | None = None
    stays: bool = False
    """Whether the tab stays open from one screen to the next."""
    customers_of: set[str] = field(default_factory=set)
    """The people whose customers it was told of."""

    async def work(self, until: float) -> None:
        """Serve customers until then (by `monotonic`), and end with the one who is there."""
        number = 0
        while monotonic() < until:
            number += 1
            order_id = f"{hash((self.name, number)) & 0xFFFFFFF:07x}-{self.name}-{number}"
            if await self._order(order_id):
                await self._sale(order_id)
        await self._leave()

    async def _order(self, order_id: str) -> bool:
        await self._go("")
        await self._begin("Send order", done="Next order")
        typed = {"Title": "Lamp", "SKU": "L-1", "Price": "100.00", "First name": "Ann", "Order number": order_id}
        await self._set("bidi_component", "State", json_value=CHOSEN)
        for label, text in {**typed, "E-mail or phone": f"{self.name}-{order_id}@example.com"}.items():
            await self._set("text_input", label, string_value=text)
        if await self._send("Send order", done="Next order", order_id=order_id):
            self.orders.append(order_id)
            await self._press("Next order")
            return True
        await self._set_aside(order_id)
        return False

    async def _sale(self, order_id: str) -> None:
        losses = -1
        while losses != self.losses:  # one that comes while the desk asks about a sale left before takes the question
            losses = self.losses
            await self._go("record_sale", f"order={order_id}")
            await self._until(lambda tab: "Order" in tab.held)
            await self._press("Open it")
            if self._here.held.get("Order") == order_id:
                break
        else:
            self.typed_anew.append(f"order {order_id}: {self._seen()}")
            return
        sold = await self._until(lambda tab: tab.shows("button_group", "Term"))
        if sold:
            term = next(words for words in self._here.choices["Term"] if words.startswith("24 months"))
            sold = await self._set("button_group", "Term", string_array_value=[term])
        sold = sold and await self._set("text_input", "Price charged", string_value="19.99")
        if sold and await self._send("Record sale", done="Next sale", order_id=order_id):
            self.sales.append(order_id)
            await self._press("Next sale")
        else:
            await self._set_aside(order_id)

    async def _begin(self, button: str, *, done: str) -> None:
        """Go on from the customer before, until an empty form stands there: a press may go with the line."""
        give_up = monotonic() + _PATIENCE
        while not self._here.shows("button", button) and monotonic() < give_up:
            await self._press(done)
            await self._until(lambda tab: tab.shows("button", button) or tab.shows("button", done), give_up)

    async def _send(self, button: str, *, done: str, order_id: str) -> bool:
        """Press, and once more where the screen says that nothing was sent: the button is there again then."""
        give_up = monotonic() + _PATIENCE
        while monotonic() < give_up:
            await self._press(button, dict(self._here.held))
            await self._until(lambda tab: tab.shows("button", done) or tab.shows("button", button), give_up)
            if self._here.shows("button", done):
                return self._here.names(order_id)
        return False

    async def _set_aside(self, order_id: str) -> None:
        """Leave it for later, and note what stood on the screen."""
        self.left[order_id] = self._seen()
        await self._press("Put aside")

    def _seen(self) -> str:
        """What stands on the screen, as a person would tell it to support."""
        here = self._here
        labels = [label for _, label in here.widgets]
        return f"{here.page or 'order'}?{here.query} says {here.texts}, has {labels} with {here.held}"

    @property
    def _here(self) -> Tab:
        assert self.tab is not None
        return self.tab

    async def _go(self, page: str, query: str = "") -> None:
        """Type an address, or go there in the tab that stays."""
        if self.stays and self.tab is not None:
            await self._step(lambda tab: tab.go(page, query))
            return
        await self._leave()
        address: dict[str, Any] = {"url": self.url, "page": page, "query": query}
        self.tab = Tab(**address, cookie=self.cookie, tls=self.tls, customers_of=self.customers_of)
        await self._connected()

    async def _set(self, kind: str, label: str, **value: Any) -> bool:
        there = await self._until(lambda tab: tab.shows(kind, label))
        if there:
            typed = {label: value["string_value"]} if kind == "text_input" else {}
            meant = self._here.field_of(label)
            await self._step(lambda tab: tab.set(kind, label, **value), {**self._here.held, **typed})
            if self._here.field_of(label) != meant:  # the program of now has another one: what was on its way is gone
                return await self._set(kind, label, **value)
        return there

    async def _press(self, label: str, stands: Mapping[str, str] = _NOTHING) -> None:
        async def press(tab: Tab) -> Run | None:
            return await tab.set("button", label, trigger_value=True) if tab.shows("button", label) else None

        await self._step(press, stands)

    async def _until(self, seen: Callable[[Tab], bool], give_up: float | None = None) -> bool:
        give_up = give_up or monotonic() + _PATIENCE
        while not seen(self._here):
            if monotonic() > give_up:
                return False
            await asyncio.sleep(0.5)
            await self._try(lambda tab: tab.open())
        return True

    async def _step(self, act: Callable[[Tab], Awaitable[Any]], stands: Mapping[str, str] = _NOTHING) -> None:
        await asyncio.sleep(self.pause)
        await self._try(act, stands)

    async def _try(self, act: Callable[[Tab], Awaitable[Any]], stands: Mapping[str, str] = _NOTHING) -> None:
        """Act; where the line is lost on the way, come back: what `stands` in the fields by then stands there again."""
        page, fields = self._here.page, {label: self._here.field_of(label) for label in stands}
        try:
            await asyncio.wait_for(act(self._here), timeout=30)
        except LOST:
            self.losses, since = self.losses + 1, monotonic()
            await self._connected()
            self.away.append(monotonic() - since)

            def gone(tab: Tab) -> list[str]:
                moved_on = tab.page != page or any(tab.shows("button", done) for done in _DONE)
                wanted = {} if moved_on else stands
                stay = {label for label in wanted if tab.field_of(label) in {"", fields[label]}}
                return [label for label in stay if wanted[label] and tab.held.get(label) != wanted[label]]

            if not await self._until(lambda tab: not gone(tab), since + _BACK):
                self.typed_anew.append(f"{gone(self._here)} of {stands}: {self._seen()}")

    async def _connected(self) -> None:
        tab = self._here
        while True:
            try:
                await tab.__aenter__()
                await asyncio.wait_for(tab.open(), timeout=30)
            except LOST:
                self.losses += 1
                await asyncio.sleep(0.3)
            else:
                return

    async def _leave(self) -> None:
        if self.tab is not None:
            await self.tab.__aexit__()
            self.tab = None
