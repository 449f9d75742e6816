"""A screen that is read in Spanish holds no English sentence of ours: Connection."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from streamlit.testing.v1 import AppTest

from sandbox import SandboxServer
from tests.builders import MANAGER
from tests.components.stage import Stage, shown
from tests.dashboard import ROOT

_NOT_SHOWN: Final = re.compile(
    r"(^|_)(id|key|url|json|js|css|html|icon|type|config|hash|name|color|data|query)(_|$)|.*id$"
)
_SAID: Final = {"text", "hovertemplate", "name", "label", "help", "ticktext", "hovertext"}
_ENGLISH: Final = re.compile(
    r"\b(the|of|and|is|are|was|were|not|this|that|with|from|which|been|has|have|when|what|who|nothing|each|every|"
    r"claims?|orders?|sales?|plans|days?|months?|open|closed|read|show|choose|last|first|service|order|by)\b",
    re.IGNORECASE,
)
_OF_THE_SERVICE: Final = re.compile(
    r"`[^`]*`|Awaiting parts|In review|Open\b|Resolved|Denied|Replaced|RESOLVED|CLOSED|OPEN|sandbox\S*"
)
"""Status words and what a program reads: nobody translates it."""


def strings(message: Message) -> Iterator[str]:
    """What a person may read of an element, wherever it stands in it."""
    for field, value in message.ListFields():
        if field.type == FieldDescriptor.TYPE_MESSAGE:
            for each in value if isinstance(value, list) or hasattr(value, "add") else [value]:
                if isinstance(each, Message):
                    yield from strings(each)
        elif field.type == FieldDescriptor.TYPE_STRING and not _NOT_SHOWN.search(field.name):
            yield from [value] if isinstance(value, str) else value


def told_by(value: Any) -> Iterator[str]:
    """The words of a chart, and of the headings of a table."""
    if isinstance(value, dict):
        for name, inside in value.items():
            if name in _SAID or (isinstance(inside, dict | list) and name != "customdata"):
                yield from told_by(inside)
    elif isinstance(value, list):
        for each in value:
            yield from told_by(each)
    elif isinstance(value, str):
        yield value


def drawn(test: AppTest) -> Iterator[str]:
    for element in test.main:
        proto = getattr(element, "proto", None)
        if isinstance(proto, Message):
            yield from strings(proto)
        kind = getattr(element, "type", "")
        if kind == "plotly_chart":
            yield from told_by(json.loads(element.proto.spec))
        if kind == "arrow_data_frame":
            yield from told_by(json.loads(element.proto.columns or "{}"))
            yield from map(str, element.value.columns)


def english(test: AppTest, *data: str) -> list[str]:
    """What of the screen reads like English, but for what stands in the data."""
    found = []
    for text in dict.fromkeys(drawn(test)):
        ours = " ".join(word for word in text.split() if not set(word) & set("/_@"))
        ours = _OF_THE_SERVICE.sub("", ours)
        for each in data:
            ours = ours.replace(each, "")
        if len(_ENGLISH.findall(ours)) and not text.startswith(("<svg", "data:")):
            found.append(text)
    return found


def in_spanish(stage: Stage, name: str, query: dict[str, str] | None = None, **session: object) -> AppTest:
    test = AppTest.from_file(str(ROOT / "pages" / f"{name}.py"), default_timeout=60)
    test.session_state["desk.operator"] = MANAGER
    test.session_state["desk.language"] = "es"
    for key, value in session.items():
        test.session_state[key] = value
    for parameter, value in (query or {}).items():
        test.query_params[parameter] = value
    return shown(test.run())


@pytest.fixture
def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    with SandboxServer() as sandbox:
        staged = Stage(sandbox, tmp_path, monkeypatch, claims_calls_per_second="1000")
        yield staged
        staged.runtime.close()


def test_connection_is_read_in_spanish(stage: Stage) -> None:
    assert english(in_spanish(stage, "connection")) == []
