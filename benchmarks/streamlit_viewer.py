"""A viewer without a browser: speaks Streamlit's own protocol over the socket, and counts time and bytes."""

import json
import ssl
import time
from dataclasses import dataclass, field
from typing import Any, Self
from urllib.parse import urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect

_CACHED_FOR_RUNS = 2  # the browser's own habit (global.maxCachedMessageAge)


def _label(element: Element) -> str:
    """What a part of ours is called, if it has a name."""
    told = json.loads(element.bidi_component.json or "{}")
    return str(told.get("label", "")) if isinstance(told, dict) else ""


@dataclass(frozen=True, slots=True)
class Run:
    """One run of the script as the viewer sees it."""

    seconds: float
    size: int
    messages: int


@dataclass
class Viewer:
    """One browser tab. `widgets` has the id and the fragment of each widget on the screen, by kind and label.

    `held` has what the server says a field of that label holds, `choices` what stands on the buttons of
    one, `files` the ids of files that are built when they are asked for, `parts` what our own parts in the page
    are told; `session` is the tab's name at the server, with which it asks for its session when it comes back.
    """

    url: str
    page: str = ""
    query: str = ""
    cookie: str = ""
    tls: ssl.SSLContext | None = None
    headers: dict[str, str] = field(default_factory=dict)
    widgets: dict[tuple[str, str], tuple[str, str]] = field(default_factory=dict)
    texts: list[str] = field(default_factory=list)
    held: dict[str, str] = field(default_factory=dict)
    choices: dict[str, list[str]] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    parts: list[str] = field(default_factory=list)
    session: str = ""
    _states: dict[str, WidgetState] = field(default_factory=dict)
    _cached: dict[str, int] = field(default_factory=dict)
    _messages: dict[str, ForwardMsg] = field(default_factory=dict)
    _script_hash: str = ""
    _runs: int = 0
    _socket: ClientConnection | None = None

    async def __aenter__(self) -> Self:
        parts = urlsplit(self.url)
        self._socket = await connect(
            f"{'wss' if self.tls else 'ws'}://{parts.netloc}/_stcore/stream",
            ssl=self.tls,
            subprotocols=["streamlit", *(["unsigned", self.session] if self.session else [])],  # type: ignore[list-item]
            origin=self.url,  # type: ignore[arg-type]
            max_size=None,
            compression=None,
            additional_headers={**self.headers, **({"Cookie": self.cookie} if self.cookie else {})},
            open_timeout=60,
            ping_interval=None,  # a browser asks for none
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._socket is not None:
            await self._socket.close()

    async def come_back(self) -> None:
        """Connect again as the page does, whatever became of the old connection; that one gets no word."""
        await self.__aenter__()

    def drop(self) -> None:
        """Lose the connection without a closing word."""
        assert self._socket is not None
        self._socket.transport.abort()

    async def open(self) -> Run:
        """Load the page."""
        return await self._run(BackMsg())

    async def set(self, kind: str, label: str, **value: Any) -> Run:
        """Change a widget as the browser would, and wait until the screen is drawn."""
        self.prepare(kind, label, **value)
        message = BackMsg()
        fragment = self.widgets[kind, label][1]
        if fragment:
            message.rerun_script.fragment_id = fragment
        return await self._run(message)

    def prepare(self, kind: str, label: str, **value: Any) -> None:
        """Change a widget in a form: nothing is sent yet."""
        widget_id = self.widgets[kind, label][0]
        state = WidgetState(id=widget_id)
        for name, content in value.items():
            if isinstance(content, list):
                getattr(state, name).data.extend(content)
            elif name == "string_trigger_value":
                state.string_trigger_value.data = content
            else:
                setattr(state, name, content)
        self._states[widget_id] = state

    async def choose(self, label: str, value: str) -> Run:
        """Choose a value in a list of ours (components/ui/forms/pick_list.py)."""
        chosen = {"choice": {"value": value, "time": self._runs}}
        return await self.set("bidi_component", label, json_value=json.dumps(chosen))

    async def take(self, label: str) -> str:
        """Press a button for a file; gives the address of the file, or the word that there is none."""
        assert self._socket is not None
        message = BackMsg()
        asked = message.backend_operation_request
        asked.request_id, asked.session_id = label, self.session
        asked.deferred_file.file_id = self.files[label]
        await self._socket.send(message.SerializeToString())
        while True:
            answer = ForwardMsg()
            received = await self._socket.recv()
            assert isinstance(received, bytes)
            answer.ParseFromString(received)
            if answer.HasField("backend_operation_response"):
                told = answer.backend_operation_response
                return told.deferred_file.url or told.error_msg

    async def _run(self, message: BackMsg) -> Run:
        assert self._socket is not None
        state = message.rerun_script
        state.query_string = self.query
        state.page_script_hash = self._script_hash
        state.page_name = "" if self._script_hash else self.page
        state.context_info.url = f"{self.url}/{self.page}"
        state.context_info.timezone = "UTC"
        state.context_info.locale = "en-GB"
        state.widget_states.widgets.extend(self._states.values())
        state.cached_message_hashes.extend(self._cached)
        started = time.perf_counter()
        await self._socket.send(message.SerializeToString())
        for widget_id in [each.id for each in self._states.values() if each.HasField("trigger_value")]:
            del self._states[widget_id]
        size = messages = 0
        while True:
            received = await self._socket.recv()
            assert isinstance(received, bytes)
            size += len(received)
            messages += 1
            answer = ForwardMsg()
            answer.ParseFromString(received)
            if answer.metadata.cacheable and answer.hash:
                self._cached[answer.hash] = self._runs
                self._messages[answer.hash] = answer
            if answer.HasField("ref_hash"):
                self._cached[answer.ref_hash] = self._runs
                answer = self._messages[answer.ref_hash]
            self._note(answer)
            if answer.HasField("script_finished") and answer.script_finished in {
                ForwardMsg.FINISHED_SUCCESSFULLY,
                ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY,
            }:
                break
        seconds = time.perf_counter() - started
        self._runs += 1
        self._cached = {h: run for h, run in self._cached.items() if self._runs - run <= _CACHED_FOR_RUNS}
        return Run(seconds, size, messages)

    def _note(self, answer: ForwardMsg) -> None:
        if answer.HasField("new_session") and answer.new_session.page_script_hash:
            self._script_hash = answer.new_session.page_script_hash
            self.texts, self.parts = [], []
            self.session = answer.new_session.initialize.session_id
        if answer.HasField("navigation"):
            self._script_hash = answer.navigation.page_script_hash or self._script_hash
        if answer.HasField("page_info_changed"):
            self.query = answer.page_info_changed.query_string
        if not answer.HasField("delta") or not answer.delta.HasField("new_element"):
            return
        self._note_element(answer.delta.new_element, answer.delta.fragment_id)

    def _note_element(self, element: Element, fragment: str) -> None:
        kind = element.WhichOneof("type")
        content = getattr(element, kind) if kind else None
        widget_id = getattr(content, "id", "")
        if kind and widget_id:
            label = _label(element) or str(getattr(content, "label", ""))
            self.widgets[kind, label] = (widget_id, fragment)
            if kind == "download_button":
                self.files[label] = element.download_button.deferred_file_id
            if kind == "text_input":
                self.held[label] = element.text_input.default
            if kind == "button_group":
                self.choices[label] = [option.content for option in element.button_group.options]
        if kind == "bidi_component":
            self.parts.append(element.bidi_component.json)
        body = getattr(content, "body", "")
        if body:
            self.texts.append(body)
