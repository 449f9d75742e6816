"""Those who are told, over real sockets and real TLS: a mail server and the receiver of a webhook."""

import base64
import hashlib
import hmac
import json
import ssl
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import StreamRequestHandler, TCPServer, ThreadingTCPServer
from typing import Any

import trustme

KEY = bytes(range(32))
SECRET = f"whsec_{base64.b64encode(KEY).decode()}"


@dataclass
class Mailbox:
    """A mail server that keeps what it took. `says` gives other answers than 250 to a command, by its first word;
    an empty one hangs up."""

    port: int = 0
    mails: list[EmailMessage] = field(default_factory=list)
    receivers: list[str] = field(default_factory=list)
    signed_in: list[tuple[str, str]] = field(default_factory=list)
    in_the_open: list[str] = field(default_factory=list)
    says: dict[str, str] = field(default_factory=dict)


class MailTalk(StreamRequestHandler):
    mailbox: Mailbox
    context: ssl.SSLContext
    tls_at_once: bool

    def handle(self) -> None:
        self.is_safe = False
        if self.tls_at_once:
            self.secure()
        self.say("220 localhost")
        while line := self.rfile.readline().decode().strip():
            if not self.is_safe:
                self.mailbox.in_the_open.append(line)
            word = line.split()[0].lower()
            answer = self.mailbox.says.get(word.upper())
            if answer == "":
                return
            if answer:
                self.say(answer)
            else:
                getattr(self, f"on_{word}", self.on_other)(line)

    def on_ehlo(self, _: str) -> None:
        self.say("250-localhost\r\n250 " + ("AUTH PLAIN" if self.is_safe else "STARTTLS"))

    def on_starttls(self, _: str) -> None:
        self.say("220 go on")
        self.secure()

    def on_auth(self, line: str) -> None:
        _, name, password = base64.b64decode(line.split()[2]).decode().split("\0")
        self.mailbox.signed_in.append((name, password))
        self.say("235 welcome")

    def on_rcpt(self, line: str) -> None:
        address = line.partition("<")[2].rstrip(">")
        if self.mailbox.says.get(address):
            return self.say("550 nobody of that name")
        self.mailbox.receivers.append(address)
        return self.say("250 ok")

    def on_data(self, _: str) -> None:
        self.say("354 go on")
        lines = []
        while (line := self.rfile.readline()) != b".\r\n":
            lines.append(line[1:] if line.startswith(b".") else line)
        mail = message_from_bytes(b"".join(lines), policy=default)
        assert isinstance(mail, EmailMessage)
        self.mailbox.mails.append(mail)
        self.say(self.mailbox.says.get("taken", "250 taken"))

    def on_other(self, _: str) -> None:
        self.say("250 ok")

    def say(self, line: str) -> None:
        self.wfile.write(f"{line}\r\n".encode())

    def secure(self) -> None:
        self.connection = self.context.wrap_socket(self.connection, server_side=True)
        self.rfile, self.wfile = self.connection.makefile("rb"), self.connection.makefile("wb", 0)
        self.is_safe = True


@contextmanager
def mail_server(authority: trustme.CA, *, tls_at_once: bool = False, port: int = 0) -> Iterator[Mailbox]:
    mailbox, context = Mailbox(), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost").configure_cert(context)
    known = {"mailbox": mailbox, "context": context, "tls_at_once": tls_at_once}
    with _served(ThreadingTCPServer, port, type("Talk", (MailTalk,), known)) as server:
        mailbox.port = server.server_address[1]
        yield mailbox


@dataclass
class Hook:
    """Takes what is posted and keeps it, where the signature is right. `status` is what it answers."""

    url: str = ""
    status: int = 204
    posts: list[dict[str, Any]] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    forged: int = 0
    taken: threading.Event = field(default_factory=threading.Event)


@contextmanager
def hook_receiver(authority: trustme.CA | None) -> Iterator[Hook]:
    """One that speaks TLS, or without an authority none."""
    hook = Hook()

    class Talk(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            signed = f"{self.headers['webhook-id']}.{self.headers['webhook-timestamp']}.".encode() + body
            wanted = base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest()).decode()
            hook.paths.append(self.path)
            if self.headers["webhook-signature"] != f"v1,{wanted}":
                hook.forged += 1
            elif hook.status < 300:
                hook.posts.append(json.loads(body))
                hook.ids.append(self.headers["webhook-id"])
                hook.taken.set()
            self.send_response(hook.status)
            if 300 <= hook.status < 400:
                self.send_header("Location", "/elsewhere")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with _served(ThreadingHTTPServer, 0, Talk) as server:
        if authority is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            authority.issue_cert("localhost").configure_cert(context)
            server.socket = context.wrap_socket(server.socket, server_side=True)
        scheme = "http" if authority is None else "https"
        hook.url = f"{scheme}://localhost:{server.server_address[1]}/hook?token=planted-in-the-address"
        yield hook


@contextmanager
def _served(kind: type[TCPServer], port: int, talk: Any) -> Iterator[Any]:
    class Server(kind):  # type: ignore[misc, valid-type]
        allow_reuse_address = True
        daemon_threads = True

        def handle_error(self, *_: object) -> None:
            """A caller who does not trust us goes away; that is tested at the other end."""

    with Server(("localhost", port), talk) as server, ThreadPoolExecutor(1) as pool:
        pool.submit(server.serve_forever, poll_interval=0.01)
        try:
            yield server
        finally:
            server.shutdown()
