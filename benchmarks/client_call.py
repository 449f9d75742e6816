"""What a call through `warranty.client` costs beyond the network; with the journal: `journal_overhead`.

First against the sandbox with 20,000 claims, a process that works for its answer: the goal was set beside a service
whose raw call took 0.23 ms, and the sandbox's takes as long. Then against a process that answers at once
(`fixed_answers`): without a network's wait and without a service's work the ratios are as bad as they can get. Both
speak TLS on loopback. Each candidate makes its calls over one kept connection; our log of calls is on.
"""

import contextlib
import http.client
import json
import logging
import ssl
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import trustme

from benchmarks.harness import Result, interleaved
from benchmarks.sandbox_throughput import busy_sandbox
from warranty.client import WarrantyClient
from warranty.client.resources import ClaimQuery, Order

CALLS = 200
ROUNDS = 7
CALLS_LOG = logging.getLogger("warranty.calls")
TOKEN = "benchmark-token-1234567890"
HEADERS = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json", "Accept": "application/json"}
CLAIMS_PATH, ORDER_PATH = "/api/warranty-claim-customer-status", "/api/carts"
ORDER = {
    "order_id": "7689dde5c0f64fffa7ad217f6f73",
    "line_items": [{"product_id": "TV", "product_title": "Television", "product_price": "899.00"}],
    "billing_address": {"state": "NY", "country": "US", "first_name": "Ada", "email": "ada@example.com"},
}
QUERY = {"customerEmail": "ada@example.com"}


@dataclass(frozen=True, slots=True)
class Service:
    """Where the prepared answers are given, and the file to trust."""

    port: int
    ca_file: str

    @property
    def base_url(self) -> str:
        return f"https://127.0.0.1:{self.port}"

    @property
    def context(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=self.ca_file)


@contextlib.contextmanager
def service(folder: Path) -> Iterator[Service]:
    authority = trustme.CA()
    ca_file, certificate = folder / "ca.pem", folder / "server.pem"
    authority.cert_pem.write_to_path(str(ca_file))
    authority.issue_cert("127.0.0.1").private_key_and_cert_chain_pem.write_to_path(str(certificate))
    command = [sys.executable, "-m", "benchmarks.fixed_answers", str(certificate)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        yield Service(int(process.stdout.readline()), str(ca_file))
        process.stdin.close()


def many(call: Callable[[], object], calls: int = CALLS) -> Callable[[], None]:
    def run() -> None:
        for _ in range(calls):
            call()

    return run


@contextlib.contextmanager
def logged_calls(file: Path) -> Iterator[None]:
    handler = logging.FileHandler(file)
    CALLS_LOG.addHandler(handler)
    level, propagates = CALLS_LOG.level, CALLS_LOG.propagate
    CALLS_LOG.setLevel(logging.INFO)
    CALLS_LOG.propagate = False
    try:
        yield
    finally:
        CALLS_LOG.setLevel(level)
        CALLS_LOG.propagate = propagates
        CALLS_LOG.removeHandler(handler)
        handler.close()


def measure() -> list[Result]:
    with (
        tempfile.TemporaryDirectory() as name,
        service(Path(name)) as answering,
        logged_calls(Path(name) / "calls.log"),
    ):
        return [*_worked_for(), *_claims(answering), *_orders(answering)]


def _client(answering: Service) -> WarrantyClient:
    return WarrantyClient(answering.base_url, private_token=TOKEN, public_token=TOKEN, verify=answering.context)


def _worked_for() -> list[Result]:
    """50 of the sandbox's 20,000 claims: its newest, asked for without a filter."""
    with busy_sandbox() as announced:
        address, token = urlsplit(announced["base_url"]), announced["public_token"]
        context = ssl.create_default_context(cafile=announced["ca_file"])
        raw = http.client.HTTPSConnection(address.hostname or "", address.port, context=context)
        headers = HEADERS | {"Authorization": f"Bearer {token}"}

        def raw_body() -> bytes:
            raw.request("POST", CLAIMS_PATH, b"{}", headers)
            return raw.getresponse().read()

        with WarrantyClient(
            announced["base_url"], private_token=announced["private_token"], public_token=token, verify=context
        ) as client:
            assert len(client.claims(ClaimQuery()).data) == raw_body().count(b'"claim_date"') == 50
            seconds = interleaved(
                {
                    "raw": many(raw_body),
                    "raw json": many(lambda: json.loads(raw_body())),
                    "typed": many(lambda: client.claims(ClaimQuery())),
                },
                rounds=ROUNDS,
            )
        raw.close()
    each = {name: f"{total / CALLS * 1e6:.0f} µs a call" for name, total in seconds.items()}
    return [
        Result(
            "50 claims of the sandbox through `claims`, every record typed",
            f"raw `http.client` kept open, {baseline}",
            seconds["typed"] / seconds[name],
            3.0,
            detail=f"{each['typed']} against {each[name]}",
        )
        for name, baseline in (("raw", "body only"), ("raw json", "with `json.loads`"))
    ]


def _claims(answering: Service) -> list[Result]:
    raw = http.client.HTTPSConnection("127.0.0.1", answering.port, context=answering.context)
    query = json.dumps(QUERY).encode()

    def raw_body() -> bytes:
        raw.request("POST", CLAIMS_PATH, query, HEADERS)
        return raw.getresponse().read()

    with (
        _client(answering) as client,
        httpx.Client(base_url=answering.base_url, verify=answering.context, headers=HEADERS) as bare,
    ):
        asked = ClaimQuery(customer_email="ada@example.com")
        seconds = interleaved(
            {
                "raw": many(raw_body),
                "raw json": many(lambda: json.loads(raw_body())),
                "bare": many(lambda: bare.post(CLAIMS_PATH, json=QUERY).json()),
                "body": many(lambda: client.claims_body(asked)),
                "typed": many(lambda: client.claims(asked)),
            },
            rounds=ROUNDS,
        )
    each = {name: f"{total / CALLS * 1e6:.0f} µs a call" for name, total in seconds.items()}

    def compared(way: str, one: str, baseline: str, other: str, goal: float | None = None) -> Result:
        what, detail = f"50 claims, answered at once, through {way}", f"{each[one]} against {each[other]}"
        return Result(what, baseline, seconds[one] / seconds[other], goal, detail=detail)

    every = "`claims`, every record typed"
    return [
        compared(every, "typed", "raw `http.client` kept open, body only", "raw"),
        compared(every, "typed", "raw `http.client` kept open, with `json.loads`", "raw json", 3.0),
        compared("`claims_body`", "body", "raw `http.client` kept open, body only", "raw"),
        compared(every, "typed", "a bare kept `httpx.Client` with `.json()`", "bare"),
    ]


def _orders(answering: Service) -> list[Result]:
    order = Order.model_validate(ORDER)
    with (
        _client(answering) as client,
        httpx.Client(base_url=answering.base_url, verify=answering.context, headers=HEADERS) as bare,
    ):
        seconds = interleaved(
            {
                "bare": many(lambda: bare.post(ORDER_PATH, json=ORDER).json()),
                "client": many(lambda: client.submit_order(order)),
            },
            rounds=ROUNDS,
        )
    return [
        Result(
            "an order through `submit_order`",
            "a bare kept `httpx.Client` doing the same JSON",
            seconds["client"] / seconds["bare"],
            None,
            detail=f"{seconds['client'] / CALLS * 1e6:.0f} µs against {seconds['bare'] / CALLS * 1e6:.0f} µs",
        )
    ]
