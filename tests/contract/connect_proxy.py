"""A proxy that does CONNECT and nothing else, keeps what it saw, and can be as unhelpful as a proxy may be."""

import base64
import select
import socket
import threading
from contextlib import suppress
from typing import Literal, Self

Mood = Literal["helpful", "forbids", "hangs up", "keeps silent"]


class ConnectProxy:
    """Listens on 127.0.0.1; `saw` is every byte that came from the client, tunnels included."""

    def __init__(self, *, mood: Mood = "helpful", password: str = "") -> None:
        self.mood, self.saw, self.tunnels = mood, bytearray(), 0
        self._wanted = base64.b64encode(f"desk:{password}".encode()) if password else b""
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._over = threading.Event()
        self.port = self._listening.getsockname()[1]
        self.url = f"http://{f'desk:{password}@' if password else ''}127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._serve, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._listening.close()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                threading.Thread(target=self._answer, args=[client], daemon=True).start()

    def _answer(self, client: socket.socket) -> None:
        with client, suppress(OSError):
            head = bytearray()
            while b"\r\n\r\n" not in head:
                head += client.recv(4096)
            self.saw += head
            verb, target, _ = bytes(head).split(b" ", 2)
            if self.mood == "hangs up":
                return
            if self.mood == "keeps silent":
                self._over.wait(20)
                return
            if self._wanted and b"Basic " + self._wanted not in head:
                client.sendall(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
                return
            if verb != b"CONNECT" or self.mood == "forbids":
                client.sendall(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
                return
            host, _, port = target.decode().rpartition(":")
            with socket.create_connection((host, int(port))) as service:
                self.tunnels += 1
                client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
                self._pass_on(client, service)

    def _pass_on(self, client: socket.socket, service: socket.socket) -> None:
        while not self._over.is_set():
            for ready in select.select([client, service], [], [], 0.2)[0]:
                piece = ready.recv(65536)
                if not piece:
                    return
                if ready is client:
                    self.saw += piece
                (service if ready is client else client).sendall(piece)
