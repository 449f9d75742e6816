"""What a page may say over its live connection: what our screens say, and so much at a time.

The platform hears more: it asks git about the program's folder and tells whoever wants to know, throws away what all
tabs share, and writes files for those who develop with it. No screen says any of that, so nobody is heard who does.
For each field and each name of a file it makes something, in the thread that all tabs share: both are counted.
"""

from collections.abc import Callable
from typing import Final

from starlette.types import Message, Receive

# platform: name streamlit.proto.BackMsg_pb2.BackMsg
from streamlit.proto.BackMsg_pb2 import BackMsg

from components.platform.serving.crowds import Turns

LONGEST_QUERY: Final = 8_000
"""Characters after the question mark of an address."""
MOST_NAMES, LONGEST_NAME = 20, 300
"""Files that are put in at once, and the letters of a file's name."""
_SIGNS: Final = frozenset({"rerun_script", "stop_script", "app_heartbeat"})
"""A press or a field, the end of a run, a sign of life."""
SAID: Final = _SIGNS | {"file_urls_request"}
"""Also the way for a file that is put in."""
_OPERATION: Final = "backend_operation_request"
_OPERATIONS: Final = frozenset({"deferred_file"})
"""A file that is made when it is pressed."""
_TOO_LARGE, _ODD, _TOO_MANY = 1009, 1002, 1008


MOST_FIELDS: Final = 2_000
"""Of one message; a screen has some 200."""
LARGEST, LARGEST_OF_GUESTS = 4_000_000, 250_000
"""Bytes of a message: what is typed into all fields of a screen is a hundredth of the first. Before a sign-in there is
a form of a few fields, and once all of a screen whose sign-in has ended meanwhile.
"""
MOST_OF_GUESTS: Final = 300
"""Messages in a minute before a sign-in."""


def heard(receive: Receive, *, is_guest: Callable[[], bool]) -> Receive:
    """Pass on what a screen says; end the connection at what is too large, too much or no message of the platform."""
    turns = Turns(MOST_OF_GUESTS)

    async def receive_what_a_screen_says() -> Message:
        while True:
            message = await receive()
            if message["type"] != "websocket.receive":
                return message
            guest, payload = is_guest(), message.get("bytes") or b""
            if max(len(payload), len(message.get("text") or "")) > (LARGEST_OF_GUESTS if guest else LARGEST):
                return _end(_TOO_LARGE)
            if guest and not turns.take(""):
                return _end(_TOO_MANY)
            try:
                request = BackMsg.FromString(payload)
            except Exception:  # noqa: BLE001 - whatever a stranger sends, the connection ends
                return _end(_ODD)
            if _is_too_much(request):
                return _end(_TOO_LARGE)
            if _is_from_screens(request, guest=guest):
                return message

    return receive_what_a_screen_says


def _is_from_screens(request: BackMsg, *, guest: bool) -> bool:
    kind = request.WhichOneof("type")
    if guest or kind != _OPERATION:  # before a sign-in there are no files
        return kind in (_SIGNS if guest else SAID)
    return request.backend_operation_request.WhichOneof("payload") in _OPERATIONS


def _is_too_much(request: BackMsg) -> bool:
    run, files = request.rerun_script, request.file_urls_request.file_names
    return (
        len(run.widget_states.widgets) > MOST_FIELDS
        or len(run.query_string) > LONGEST_QUERY
        or len(files) > MOST_NAMES
        or any(len(name) > LONGEST_NAME for name in files)
    )


def _end(code: int) -> Message:
    return {"type": "websocket.disconnect", "code": code}
