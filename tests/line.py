"""A line between a browser and the desk, on loopback: slow, blocked for WebSockets, or silent.

Chromium slows down no WebSocket and cuts none without a word; what stands between two sockets does both.
"""

import asyncio
import contextlib
import time
from threading import Event, Thread
from typing import Self

_CHUNK = 1400


class Line:
    """Passes on what comes, after half of `round_trip` seconds in each direction, at `bits_per_second` in each.

    A connection costs one round trip before its first byte. `blocks_sockets`: a request to open a WebSocket is
    answered 403, as by a proxy that knows none. `is_silent`: they stay, and nothing comes through, as where the Wi-Fi
    is gone.
    """

    def __init__(self, port: int, *, round_trip: float = 0.0, bits_per_second: float = float("inf")) -> None:
        self.target = port
        self.round_trip = round_trip
        self.bits_per_second = bits_per_second
        self.blocks_sockets = False
        self.is_silent = False
        self._free = {True: 0.0, False: 0.0}
        self._writers: set[asyncio.StreamWriter] = set()
        self._loop = asyncio.new_event_loop()
        self._ready = Event()
        self._thread = Thread(target=self._run, daemon=True)
        self.port = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def block(self) -> None:
        """From now on no WebSocket, neither one that stands nor a new one."""
        self.blocks_sockets = True
        self._loop.call_soon_threadsafe(self._reset)

    def fall_silent(self) -> None:
        """From now on nothing comes through."""
        self.is_silent = True

    def mend(self) -> None:
        """Let everything through again; what stood while it was silent is gone, as after another Wi-Fi."""
        was_silent, self.is_silent, self.blocks_sockets = self.is_silent, False, False
        if was_silent:
            self._loop.call_soon_threadsafe(self._reset)

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._ready.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(asyncio.start_server(self._connected, "127.0.0.1", 0))
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        self._loop.run_forever()
        self._reset()
        server.close()
        for task in asyncio.all_tasks(self._loop):
            task.cancel()
        self._loop.run_until_complete(asyncio.sleep(0))
        self._loop.close()

    def _reset(self) -> None:
        for writer in self._writers:
            writer.transport.abort()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(self.round_trip)
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            head = await reader.readuntil(b"\r\n\r\n")
            if self.blocks_sockets and b"upgrade: websocket" in head.lower():
                writer.write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                await writer.drain()
                writer.close()
                return
            further, onward = await asyncio.open_connection("127.0.0.1", self.target)
            self._writers |= {writer, onward}
            await asyncio.gather(
                self._pass_on(reader, onward, up=True, first=head), self._pass_on(further, writer, up=False)
            )
            self._writers -= {writer, onward}
        writer.close()  # also where the desk is gone

    async def _pass_on(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, up: bool, first: bytes = b""
    ) -> None:
        waiting: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue(maxsize=64)
        sending = asyncio.ensure_future(self._deliver(waiting, writer))
        data = first or await self._read(reader)
        while data:
            now = time.monotonic()
            self._free[up] = max(self._free[up], now) + len(data) * 8 / self.bits_per_second
            await waiting.put((self._free[up] + self.round_trip / 2, data))
            data = await self._read(reader)
        await waiting.put((0.0, b""))
        await sending

    async def _read(self, reader: asyncio.StreamReader) -> bytes:
        with contextlib.suppress(OSError):
            return await reader.read(_CHUNK if self.bits_per_second < 1e9 else 1 << 16)
        return b""

    async def _deliver(self, waiting: asyncio.Queue[tuple[float, bytes]], writer: asyncio.StreamWriter) -> None:
        while True:
            due, data = await waiting.get()
            if not data:
                writer.close()
                return
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            if not self.is_silent:
                with contextlib.suppress(OSError):
                    writer.write(data)
                    await writer.drain()
