"""What a page may say over its live connection: what our screens say, and so much at a time.

The platform hears more: it asks git about the program's folder and tells whoever wants to know, throws away what all
tabs share, and writes files for those who develop with it. No screen says any of that, so nobody is heard who does.
"""

from typing import Final

from starlette.types import Message, Receive

# platform: name streamlit.proto.BackMsg_pb2.BackMsg
from streamlit.proto.BackMsg_pb2 import BackMsg

LARGEST_MESSAGE: Final = 4_000_000
"""Bytes of one message of a page: what is typed into all fields of a screen is a hundredth of it."""
SAID: Final = frozenset({"rerun_script", "stop_script", "file_urls_request", "app_heartbeat"})
"""A press or a field, the end of a run, the way for a file that is put in, a sign of life."""
_OPERATION: Final = "backend_operation_request"
_OPERATIONS: Final = frozenset({"deferred_file"})
"""A file that is made when it is pressed."""
_TOO_LARGE, _ODD = 1009, 1002


def heard(receive: Receive) -> Receive:
    """Pass on what a screen says; end the connection at what is too large or no message of the platform at all."""

    async def receive_what_a_screen_says() -> Message:
        while True:
            message = await receive()
            if message["type"] != "websocket.receive":
                return message
            said = message.get("bytes") or b""
            if max(len(said), len(message.get("text") or "")) > LARGEST_MESSAGE:
                return {"type": "websocket.disconnect", "code": _TOO_LARGE}
            try:
                asked = BackMsg.FromString(said)
            except Exception:  # noqa: BLE001 - whatever a stranger sends, the connection ends
                return {"type": "websocket.disconnect", "code": _ODD}
            kind = asked.WhichOneof("type")
            if kind in SAID or (
                kind == _OPERATION and asked.backend_operation_request.WhichOneof("payload") in _OPERATIONS
            ):
                return message

    return receive_what_a_screen_says
