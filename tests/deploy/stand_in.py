"""A stand-in of a replica that says what reached it: for what the proxy does, no desk has to start."""

import json
import socket
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread


class StandIn:
    """Answers every request with its name, the path and the headers; 503 while it is `draining`.

    One that `dies` takes a request and hangs up without a word.
    """

    def __init__(self, name: str, *, port: int = 0) -> None:
        stand_in = self
        self.name = name
        self.draining = self.dies = False
        self.asked: list[str] = []
        self.connections: list[socket.socket] = []

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def setup(self) -> None:
                stand_in.connections.append(self.request)
                super().setup()

            def answer(self) -> None:
                with suppress(OSError, ValueError):
                    self.rfile.read(int(self.headers.get("Content-Length", 0)))
                    while "Transfer-Encoding" in self.headers and (size := int(self.rfile.readline(), 16)):
                        self.rfile.read(size + 2)
                if self.path != "/readyz":
                    stand_in.asked.append(f"{self.command} {self.path}")
                if stand_in.dies:
                    self.close_connection = True
                    return
                upgrades = (self.headers.get("Connection", "").lower(), self.headers.get("Upgrade")) == (
                    "upgrade",
                    "websocket",
                )
                body = json.dumps(
                    {
                        "name": stand_in.name, "path": self.path,
                        "headers": {key.lower(): value for key, value in self.headers.items()}, "padding": "x" * 2000,
                    }
                ).encode()  # fmt: skip
                self.send_response(503 if stand_in.draining else 101 if upgrades else 200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Set-Cookie", "_streamlit_xsrf=2|made-up; Path=/; SameSite=Lax")
                if self.path.startswith("/oauth2callback"):
                    for part in range(5):
                        self.send_header("Set-Cookie", f"_streamlit_user_tokens_{part}={'x' * 4000}; Path=/")
                if upgrades and not stand_in.draining:
                    self.send_header("Upgrade", "websocket")
                    self.send_header("Connection", "Upgrade")
                    body = b""
                else:
                    self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                with suppress(OSError):
                    self.wfile.write(body)
                self.close_connection = upgrades

            do_GET = do_POST = do_PUT = do_DELETE = answer  # noqa: N815

            def log_message(self, *_: object) -> None:
                """Nothing is printed."""

        self._server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self._server.daemon_threads = True
        self.port: int = self._server.server_address[1]
        Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        for connection in self.connections:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
