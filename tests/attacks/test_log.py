"""What a stranger can write into the log (docs/security.md: L2)."""

import json
import time
from threading import Event

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg

from benchmarks.streamlit_viewer import Viewer
from tests.attacks.visits import done, said
from tests.dashboard import Dashboard

FORGED = json.dumps({"event": "audit", "kind": "sign-in", "username": "eve"})


def forgeries(session: str) -> list[BackMsg]:
    """What a page may say, with lines of a log in it; each is quoted in the log in another way."""
    asked = [BackMsg() for _ in range(4)]
    asked[0].rerun_script.fragment_id = f"1\n{FORGED}\n"
    for number, message in enumerate(asked[1:], start=2):
        operation = message.backend_operation_request
        operation.session_id, operation.request_id = session, f"{number}\u2028{FORGED}"
        operation.deferred_file.file_id = "none"
    asked[1].backend_operation_request.session_id = "another"
    asked[1].backend_operation_request.request_id = f"2\r\n{FORGED}"
    asked[3].backend_operation_request.deferred_file.file_id = f"4\x1b[2K\n{FORGED}\n"
    return asked


@pytest.mark.parametrize(("who", "lines"), [("a stranger", 1), ("ada", 5)])
def test_no_page_writes_a_line_of_the_log(dashboard: Dashboard, ada: str, who: str, lines: int) -> None:
    """Of a page without a sign-in only what it runs is heard; the last line of the others is in a traceback, too."""

    async def write() -> None:
        async with Viewer(dashboard.url, cookie=ada if who == "ada" else "") as tab:
            await tab.open()
            await said(tab, *forgeries(tab.session))

    before = len(dashboard.log)
    done(write())
    until = time.monotonic() + 20
    while dashboard.log[before:].count("eve") < lines:
        assert time.monotonic() < until, dashboard.log[before:]
        Event().wait(0.05)
    written = dashboard.log[before:].splitlines()
    assert [line for line in written if line.lstrip().startswith("{") and "eve" in line] == []
    assert "\x1b" not in dashboard.log[before:]
