"""The sandbox as a running server: HTTPS for the interface, plain HTTP for the landing pages, in one thread.

with SandboxServer(seed="demo") as sandbox:
    httpx.get(f"{sandbox.base_url}/api/verify-auth", ...)
"""

import asyncio
import contextlib
import logging
import socket
import ssl
import tempfile
import threading
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import trustme
from starlette.applications import Starlette
from starlette.routing import Mount

from sandbox import control
from sandbox.api.api import Api
from sandbox.landing.pages import landing_application
from sandbox.seeds import sow
from sandbox.service.clock import Clock
from sandbox.service.service import Seed, Service
from sandbox.store.claim_book import ClaimsOrder
from sandbox.store.database import Store
from sandbox.wire.listening import Listener, Ready, settings

Result = TypeVar("Result")
log = logging.getLogger("sandbox")
HOST = "127.0.0.1"


class SandboxServer:
    """One sandbox. `start` returns when it answers, `stop` when it is gone; a `with` block does both.

    `data` names a file that keeps orders, tokens, the retailer's id and, where they are still free, the ports;
    without it everything is in memory. A seed is sown once into a data file. `clock` sets the sandbox's time from
    the start (aware). `tokens` is the word that its tokens begin with: another for a desk that is tried under the name
    of staging or production, which refuse a sandbox's. The attributes below hold while it runs.
    """

    base_url: str
    landing_url: str
    retailer_uuid: str
    private_token: str
    public_token: str
    ca_file: str

    def __init__(
        self,
        *,
        seed: Seed = "empty",
        port: int = 0,
        landing_port: int = 0,
        data: Path | str | None = None,
        random_seed: int = 1,
        claims_order: ClaimsOrder = "shuffled",
        public_token_header: str = "Authorization",  # noqa: S107 - a header's name
        clock: datetime | None = None,
        tokens: str = "sandbox",
    ) -> None:
        self._seed: Seed = seed
        self._ports = {"port": port, "landing_port": landing_port}
        self._data = Path(data) if data is not None else None
        self._random_seed = random_seed
        self._claims_order: ClaimsOrder = claims_order
        self._public_token_header = public_token_header
        self._now = clock
        self._tokens = tokens
        self._open = contextlib.ExitStack()
        self._thread: threading.Thread | None = None

    def __repr__(self) -> str:
        where = f" at {self.base_url}" if self._thread else ", not running"
        return f"<SandboxServer seed={self._seed}{where}>"

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def start(self) -> None:
        """Start and return once it answers; `SandboxDataProblem` or `OSError` when it cannot."""
        if self._thread is not None:
            return
        with contextlib.ExitStack() as opened:
            self._service = self._open_service(opened)
            self._control = control.Control(self._service, seed=self._seed)
            sockets = {name: self._bind(opened, name) for name in self._ports}
            self._announce(opened, {name: bound.getsockname()[1] for name, bound in sockets.items()})
            self._sow_once()
            self._run(sockets)
            self._open = opened.pop_all()

    def _open_service(self, opened: contextlib.ExitStack) -> Service:
        store = Store(file=self._data)
        opened.callback(store.close)
        return Service(
            store=store,
            clock=Clock(now=self._now),
            claims_order=self._claims_order,
            random_seed=self._random_seed,
            public_token_header=self._public_token_header,
            tokens=self._tokens,
        )

    def _sow_once(self) -> None:
        """Fill an empty store; the landing URL must be known by now, since the demo's mails name it."""
        with self._service.store.transaction() as records:
            if records.setting("seed") is None:
                sow(self._service, records, self._seed)
                records.keep_setting("seed", self._seed)
        self._service.read_claims()

    def _bind(self, opened: contextlib.ExitStack, name: str) -> socket.socket:
        """Listen on the port asked for, else on the one of the last time where it is free, else on any."""
        wanted = self._ports[name]
        with self._service.store.transaction() as records:
            before = int(records.setting(name) or 0)
        for port in [wanted] if wanted else [before, 0]:
            # Naming TCP lets asyncio see that it is TCP, and turn off the delay that costs 40 ms an answer.
            bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                bound.bind((HOST, port))
            except OSError:
                bound.close()
                if port == 0 or wanted:
                    raise
                continue
            opened.callback(bound.close)
            return bound
        raise OSError("no port is free")

    def _announce(self, opened: contextlib.ExitStack, ports: Mapping[str, int]) -> None:
        with self._service.store.transaction() as records:
            for name, port in ports.items():
                records.keep_setting(name, str(port))
        folder = Path(opened.enter_context(tempfile.TemporaryDirectory(prefix="sandbox-")))
        self._authority = trustme.CA(organization_name="Warranty Desk sandbox")
        self._authority.cert_pem.write_to_path(str(folder / "ca.pem"))
        self.ca_file = str(folder / "ca.pem")
        self.base_url = f"https://{HOST}:{ports['port']}"
        self.landing_url = self._service.landing_url = f"http://{HOST}:{ports['landing_port']}"
        self.retailer_uuid = self._service.retailer_uuid
        self.private_token = self._service.private_token
        self.public_token = self._service.public_token

    def access(self) -> dict[str, str]:
        """What it takes to call it, and to read its landing pages: the line that is printed when it answers."""
        return {
            "base_url": self.base_url,
            "landing_url": self.landing_url,
            "retailer_uuid": self.retailer_uuid,
            "private_token": self.private_token,
            "public_token": self.public_token,
            "ca_file": self.ca_file,
        }

    def _run(self, sockets: Mapping[str, socket.socket]) -> None:
        started = Ready(2)

        def run() -> None:
            try:
                asyncio.run(self._serve(sockets, started))
            except BaseException as problem:
                started.failed(problem)
                raise

        thread = threading.Thread(target=run, name="sandbox", daemon=True)
        thread.start()
        started.wait()
        self._thread = thread

    async def _serve(self, sockets: Mapping[str, socket.socket], started: Ready) -> None:
        self._loop = asyncio.get_running_loop()
        stopping = asyncio.Event()
        application = Starlette(
            routes=[
                Mount("/api", Api(self._service, stopping=stopping)),
                *control.ControlRoutes(self._service, self._control).routes(),
            ],
            exception_handlers=dict.fromkeys(control.PROBLEMS, control.problem_answer),
        )
        application.router.redirect_slashes = False
        self._servers = [
            Listener(settings(application, secure=self._secure), started),
            Listener(settings(landing_application(self._service)), started),
        ]
        self._stopping = stopping
        bound = [[sockets["port"]], [sockets["landing_port"]]]
        await asyncio.gather(*(server.serve(sockets=own) for server, own in zip(self._servers, bound, strict=True)))

    def _secure(self, context: ssl.SSLContext) -> None:
        """A certificate for this machine only; its key never stands in a file of ours."""
        self._authority.issue_cert("localhost", HOST, "::1").configure_cert(context)
        context.minimum_version = ssl.TLSVersion.TLSv1_2

    def stop(self) -> None:
        """Stop answering, wait until the last answer is out, and remove the certificate; again does nothing."""
        if self._thread is None:
            return
        self._loop.call_soon_threadsafe(self._end)
        self._thread.join()
        self._thread = None
        self._open.close()

    def _end(self) -> None:
        self._stopping.set()
        for server in self._servers:
            server.should_exit = True

    def _on_loop(self, work: Callable[[], Result]) -> Result:
        """Run something where all requests run, so that nothing needs a lock."""

        async def step() -> Result:
            return work()

        return asyncio.run_coroutine_threadsafe(step(), self._loop).result()

    def calls(self) -> list[dict[str, Any]]:
        """The scrubbed ledger, oldest first (as GET /_sandbox/calls)."""
        return self._on_loop(self._service.ledger.calls)

    def add_fault(
        self,
        operation: str,
        kind: str,
        *,
        status: int = 500,
        seconds: float = 5,
        times: int = 1,
        after_write: bool = False,
        retry_after: int | None = None,
    ) -> None:
        """Queue a fault (as POST /_sandbox/faults)."""
        content = {
            "operation": operation,
            "kind": kind,
            "status": status,
            "seconds": seconds,
            "times": times,
            "after_write": after_write,
            "retry_after": retry_after,
        }
        self._on_loop(lambda: self._control.add_fault(content))

    def clear_faults(self) -> None:
        """Forget the queued faults (as DELETE /_sandbox/faults)."""
        self._on_loop(self._service.faults.clear)

    def reset(self, seed: Seed | None = None) -> None:
        """Back to the start (as POST /_sandbox/reset)."""
        self._on_loop(lambda: self._control.reset(seed))

    def add_claims(self, claims: Iterable[Mapping[str, Any]]) -> None:
        """Add claim records (as POST /_sandbox/claims)."""
        records = [dict(record) for record in claims]
        self._on_loop(lambda: self._control.add_claims(records))

    def set_clock(self, now: datetime | None) -> None:
        """Stand still at `now` (aware), or follow the computer's clock (as POST /_sandbox/clock)."""
        content = {"now": None if now is None else now.isoformat()}
        self._on_loop(lambda: self._control.set_clock(content))

    def outbox(self) -> list[dict[str, Any]]:
        """The mails and text messages, oldest first (as GET /_sandbox/outbox)."""
        return self._on_loop(self._control.outbox)

    def subscriptions(self) -> list[dict[str, Any]]:
        """The active subscriptions and their items (as GET /_sandbox/subscriptions)."""
        return self._on_loop(self._control.subscriptions)

    def claims(self) -> list[dict[str, Any]]:
        """All claim records as they are served, oldest first: what a complete reading must bring."""
        return self._on_loop(self._service.claims.all_records)
