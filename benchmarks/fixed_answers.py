"""A TLS server in a process of its own that gives one prepared answer to every request: it costs next to nothing.

`python -m benchmarks.fixed_answers CERTIFICATE` prints its port; `/api/carts` gets an order's answer, any other
path a page of 50 claims. It ends when its standard input closes.
"""

import json
import socket
import ssl
import sys
import threading
from typing import Final

CLAIM: Final = {
    "claim_date": "2026-03-01T09:30:00.123456",
    "description": "The screen went dark after two weeks, and there is no sound either. It is on the newest version.",
    "order_date": "2025-11-02T10:00:00+02:00",
    "order_id": "7689dde5c0f64fffa7ad217f6f73",
    "product_name": "55in OLED television",
    "status": "RESOLVED",
    "warranty_id": "64fa00112233445566778899",
    "warranty_start_date": "2025-11-02T08:00:00Z",
}
CLAIMS: Final = json.dumps({"data": [CLAIM] * 50, "page": 1, "per_page": 50, "total_count": 612}).encode()
ORDER: Final = json.dumps(
    {"success": True, "url": "https://pages.example.com/carts/r/checkout/o", "warrantable_products": True}
).encode()


def _answer(body: bytes) -> bytes:
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


_ANSWERS: Final = {b"/api/carts": _answer(ORDER)}
_OTHER: Final = _answer(CLAIMS)


def _serve(plain: socket.socket, context: ssl.SSLContext) -> None:
    plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with context.wrap_socket(plain, server_side=True) as connection:
        pending = b""
        while piece := connection.recv(65536):
            pending += piece
            head, ends, rest = pending.partition(b"\r\n\r\n")
            if not ends:
                continue
            length = next(
                (int(line[15:]) for line in head.split(b"\r\n") if line[:15].lower() == b"content-length:"), 0
            )
            while len(rest) < length:
                rest += connection.recv(65536)
            pending = rest[length:]
            connection.sendall(_ANSWERS.get(head.split(b" ", 2)[1], _OTHER))


def main(certificate: str) -> None:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        print(listening.getsockname()[1], flush=True)

        def accept() -> None:
            while True:
                connection, _ = listening.accept()
                threading.Thread(target=_serve, args=(connection, context), daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        sys.stdin.read()


if __name__ == "__main__":
    main(sys.argv[1])
