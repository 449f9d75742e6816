"""Whatever a stranger or a clerk's page says, the desk goes on for everybody.

Said is every message of the platform's protocol, and every address.
"""

import asyncio
import re
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, Final

import httpx
import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from websockets.exceptions import ConnectionClosed, InvalidStatus

from benchmarks.streamlit_viewer import Viewer
from components.navigation import SCREENS
from tests.dashboard import Dashboard
from tests.machine import in_a_loop_of_its_own as done
from tests.waiting import until

PATHS: Final = (
    *(screen.name for screen in SCREENS), "", "x.y", "a/b", "customer", "customer/now", "customer/leave", "till",
    "till/now", "till/switch", "till/lock", "cookie", "livez", "readyz", "healthz", "version", "metrics", "auth/login",
    "oauth2callback", "_stcore/health", "_stcore/host-config", "_stcore/stream", "_stcore/metrics", "_stcore/message",
    "_stcore/upload_file/a/b", "media/a.csv", "component/a/b", "static/js/none.js", "favicon.png",
)  # fmt: skip
METHODS: Final = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "DELETE", "PATCH", "TRACE")
WARM: Final = 120
"""Seconds that the platform keeps the sessions that were left."""
TEXTS: Final = (
    "", "a", "\x00", "\n{}", "☃" * 40, "../" * 30, "%00", "'\"<script>", "=1+1", "-1", "9" * 400, "a" * 9_000,
)  # fmt: skip


class Speaker:
    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def text(self) -> str:
        return self.random.choice(TEXTS)

    def message(self, session: str) -> bytes:
        """One message of a page: of any kind, with anything in it; now and then no message at all."""
        if self.random.random() < 0.1:
            return self.random.randbytes(self.random.choice((0, 1, 50, 5_000, 300_000)))
        message = BackMsg()
        self._fill(message, self.random.choice(message.DESCRIPTOR.oneofs_by_name["type"].fields), depth=0)
        kind = message.WhichOneof("type")
        if kind in {"file_urls_request", "backend_operation_request"}:
            getattr(message, kind).session_id = self.random.choice((session, self.text()))
        return bytes(message.SerializeToString())

    def _fill(self, message: Any, field: Any, depth: int) -> None:
        many = self.random.choice((0, 1, 3, 30, 3_000 if depth < 3 else 3)) if field.is_repeated else 1
        for _ in range(many):
            value = self._value(message, field, depth)
            if field.is_repeated and field.message_type is None:
                getattr(message, field.name).append(value)
            elif field.message_type is None:
                setattr(message, field.name, value)

    def _value(self, message: Any, field: Any, depth: int) -> Any:
        if field.message_type is not None:
            part = getattr(message, field.name)
            made = part.add() if field.is_repeated else part
            made.SetInParent()
            self._parts(made, field.message_type, depth + 1)
            return None
        if field.cpp_type == field.CPPTYPE_STRING:
            return self.text().encode() if field.type == field.TYPE_BYTES else self.text()
        if field.cpp_type == field.CPPTYPE_BOOL:
            return self.random.random() < 0.5
        if field.cpp_type == field.CPPTYPE_ENUM:
            return self.random.choice(field.enum_type.values).number
        if field.cpp_type in {field.CPPTYPE_DOUBLE, field.CPPTYPE_FLOAT}:
            return self.random.choice((0.0, -1.5, 1e300, float("nan")))
        return self.random.choice((0, 1, 2**31 - 1))

    def _parts(self, message: Any, descriptor: Any, depth: int) -> None:
        if depth > 5:
            return
        for field in descriptor.fields:
            if self.random.random() < 0.3:
                self._fill(message, field, depth)

    def request(self) -> tuple[str, str, dict[str, str], bytes]:
        path = self.random.choice(PATHS)
        if self.random.random() < 0.3:
            word = self.random.choice(("draft", "code=a&state", "order", "period"))
            path += f"?{word}={'a' * self.random.choice((0, 9, 9_000))}"
        names = ("Origin", "X-Forwarded-For", "X-Forwarded-Proto", "Cookie", "Range", "Content-Type", "Accept-Language")
        headers = {
            name: self.random.choice(("", "null", "http://evil.example", "a" * 3_000, "https", "bytes=0-", "es"))
            for name in self.random.sample(names, 2)
        }
        body = self.random.randbytes(self.random.choice((0, 20, 100_000)))
        return self.random.choice(METHODS), path, headers, body


class Fuzz:
    def __init__(self, dashboard: Dashboard, cookie: str) -> None:
        self.dashboard, self.cookie = dashboard, cookie
        self.said: Counter[str] = Counter()
        self.longest = 0.0
        """Seconds that `/livez` waited at most."""

    async def go(self, seconds: float, seed: int = 1) -> None:
        end = time.monotonic() + seconds
        people = (("a stranger", ""), ("a clerk", self.cookie))
        talks = (self._talk(*who, Speaker(seed + place), end) for place, who in enumerate(people))
        asks = (self._ask(*who, Speaker(seed + 2 + place), end) for place, who in enumerate(people))
        await asyncio.gather(*talks, *asks, self._watch(end))

    async def _talk(self, who: str, cookie: str, speaker: Speaker, end: float) -> None:
        while time.monotonic() < end:
            with suppress(ConnectionClosed, InvalidStatus, TimeoutError):
                async with asyncio.timeout(20), Viewer(self.dashboard.url, cookie=cookie) as tab:
                    await tab.open()
                    assert tab._socket is not None
                    for _ in range(20):
                        self.said[f"messages of {who}"] += 1
                        await tab._socket.send(speaker.message(tab.session))
                        await asyncio.sleep(0)
            await asyncio.sleep(0.5)  # a stranger's address has 120 handshakes a minute

    async def _ask(self, who: str, cookie: str, speaker: Speaker, end: float) -> None:
        async with httpx.AsyncClient(base_url=self.dashboard.url, timeout=30) as browser:
            while time.monotonic() < end:
                method, path, headers, body = speaker.request()
                self.said[f"requests of {who}"] += 1
                sent = {**headers, **({"Cookie": cookie} if cookie else {})}
                with suppress(httpx.HTTPError, UnicodeEncodeError):
                    answer = await browser.request(method, path, headers=sent, content=body)
                    self.said[f"answers of {answer.status_code // 100}00"] += 1

    async def _watch(self, end: float) -> None:
        async with httpx.AsyncClient(base_url=self.dashboard.url, timeout=120) as browser:
            while time.monotonic() < end:
                began = time.monotonic()
                (await browser.get("/livez")).raise_for_status()
                self.longest = max(self.longest, time.monotonic() - began)
                await asyncio.sleep(0.05)


def megabytes(pid: int) -> int:
    (kilobytes,) = re.findall(r"VmRSS:\s{1,20}(\d{1,20})", Path(f"/proc/{pid}/status").read_text())
    return int(kilobytes) // 1024


@pytest.mark.parametrize("seconds", [3, pytest.param(30, marks=pytest.mark.long)])
def test_a_desk_that_hears_anything_at_all_goes_on_for_everybody(dashboard: Dashboard, ada: str, seconds: int) -> None:
    fuzz = Fuzz(dashboard, ada)
    done(fuzz.go(3, seed=0))  # what is there once, is there
    before = megabytes(dashboard.pid)
    done(fuzz.go(seconds, seed=seconds))
    assert fuzz.longest < 2  # half a second on a quiet machine
    # The platform keeps the sessions that were left for a while.
    until(lambda: megabytes(dashboard.pid) - before < max(20, before / 10), seconds=WARM)
    assert {
        f"{what} of {who}" for what in ("messages", "requests") for who in ("a clerk", "a stranger")
    } < fuzz.said.keys()

    async def open_a_screen() -> None:
        async with asyncio.timeout(60), Viewer(dashboard.url, cookie=ada) as tab:
            await tab.open()
            assert ("button", "Sign out") in tab.widgets

    done(open_a_screen())
