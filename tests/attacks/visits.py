"""What strangers do by websocket."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

from sqlalchemy import update
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from benchmarks.streamlit_viewer import Viewer
from components.platform.cookies.names import TILL_COOKIE, name_in_browser
from components.platform.serving.door import SAID
from tests.dashboard import Dashboard
from tests.journals import journal_in
from tests.machine import in_a_loop_of_its_own
from warranty.people.tills.tables import TILLS
from warranty.people.tills.tills import Tills


async def knock(dashboard: Dashboard, address: str = "127.0.0.1", **headers: str) -> int:
    """The status with which the server answers to a handshake of these headers; 101 for a connection."""
    asked = f"ws://{headers.pop('Host', f'127.0.0.1:{dashboard.port}')}/_stcore/stream"
    try:
        async with connect(
            asked, host="127.0.0.1", port=dashboard.port, local_addr=(address, 0), additional_headers=headers
        ):
            return 101
    except InvalidStatus as refusal:
        return refusal.response.status_code


def handshake(dashboard: Dashboard, **headers: str) -> int:
    return in_a_loop_of_its_own(knock(dashboard, **headers))


def visited(tab: Viewer, then: Callable[[Viewer], Awaitable[object]] | None = None) -> Viewer:
    """Open the tab, let it do this, and close it."""

    async def visit() -> None:
        async with tab:
            await tab.open()
            if then is not None:
                await then(tab)

    in_a_loop_of_its_own(visit())
    return tab


async def press_sign_in(tab: Viewer, name: str, password: str) -> None:
    tab.prepare("text_input", "Name", string_value=name)
    tab.prepare("text_input", "Password", string_value=password)
    await tab.set("button", "Sign in", trigger_value=True)


async def said(tab: Viewer, *messages: BackMsg) -> list[str]:
    """What the server answers to these, up to the sign of life that is asked for last."""
    assert tab._socket is not None
    for message in (*messages, BackMsg(app_heartbeat=True)):
        await tab._socket.send(message.SerializeToString())
    answers = []
    while "heartbeat_ack" not in answers:
        received = await tab._socket.recv()
        assert isinstance(received, bytes)
        answers.append(str(ForwardMsg.FromString(received).WhichOneof("type")))
    return answers


def of_no_screen(session: str) -> list[BackMsg]:
    """All that the platform would hear and that no screen of ours says."""
    kinds = [field.name for field in BackMsg.DESCRIPTOR.oneofs_by_name["type"].fields]
    simple = [kind for kind in kinds if kind not in {*SAID, "backend_operation_request"}]
    asked = [BackMsg() for _ in simple]
    for message, kind in zip(asked, simple, strict=True):
        setattr(message, kind, True)
    operations = BackMsg().backend_operation_request.DESCRIPTOR.oneofs_by_name["payload"].fields
    for name in [field.name for field in operations if field.name != "deferred_file"]:
        operation = BackMsg()
        operation.backend_operation_request.session_id = session
        getattr(operation.backend_operation_request, name).SetInParent()
        asked.append(operation)
    return asked


def cookie_at_a_till(dashboard: Dashboard, name: str = "", *, ago: timedelta) -> str:
    """The cookie of a till's browser at which this person was switched in so long ago, and has not worked since."""
    with journal_in(dashboard.data_dir) as journal:
        tills = Tills(journal.database, "sandbox")
        till, key = tills.register("Front", "mo")
        if name:
            tills.switch(till.till_id, name, "pin")
            with journal.database.write() as connection:
                connection.execute(update(TILLS).values(since=datetime.now(UTC) - ago))
    return f"{name_in_browser(TILL_COOKIE, dashboard.url)}={key}"
