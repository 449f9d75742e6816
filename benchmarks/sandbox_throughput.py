"""How fast the sandbox answers: an order and 50 claims of 20,000, against an empty route of the same server.

The sandbox runs as a process of its own with the `busy` seed; one kept TLS connection, raw `http.client`, so that
as little as possible of what is measured is the client. The ratio is calls per second over those of the empty
Starlette route: 1 would mean that the work costs nothing. Twice for claims: against a bare GET, which is the goal,
and against the same question posted to the empty route, which shows how much of the rest is the question's way.
"""

import http.client
import json
import random
import ssl
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from benchmarks.harness import Result, interleaved

CALLS = 100
ROUNDS = 21
EMPTY = "/_sandbox/empty"
CLAIMS = "/api/warranty-claim-customer-status"


def measure() -> list[Result]:
    """Interleaved rounds against one server."""
    with busy_sandbox() as announced:
        context = ssl.create_default_context(cafile=announced["ca_file"])
        address = urlsplit(announced["base_url"])
        kept = http.client.HTTPSConnection(address.hostname or "", address.port, context=context)
        questions = _questions()

        def call(method: str, path: str, body: bytes | None, token: str) -> bytes:
            headers = {"Authorization": f"Bearer {announced[token]}", "Content-Type": "application/json"}
            kept.request(method, path, body, headers)
            answer = kept.getresponse()
            content = answer.read()
            assert answer.status in {200, 204}, content
            return content

        def empty() -> None:
            call("GET", EMPTY, None, "public_token")

        def asked_in_vain() -> None:
            call("POST", EMPTY, random.choice(questions), "public_token")

        def claims() -> None:
            content = call("POST", CLAIMS, random.choice(questions), "public_token")
            assert content.count(b'"claim_date"') == 50

        def order() -> None:
            call("POST", "/api/carts", _order(), "private_token")

        jobs = {"empty": empty, "asked": asked_in_vain, "claims": claims, "order": order}
        seconds = interleaved({name: _many(work) for name, work in jobs.items()}, rounds=ROUNDS)
        kept.close()
    return _results({name: CALLS / spent for name, spent in seconds.items()})


@contextmanager
def busy_sandbox() -> Iterator[dict[str, Any]]:
    """The sandbox as `python -m sandbox` starts it."""
    process = subprocess.Popen(
        [sys.executable, "-m", "sandbox", "--seed", "busy"],
        cwd=Path(__file__).resolve().parent.parent,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        yield json.loads(process.stdout.readline())
    finally:
        process.terminate()
        process.communicate(timeout=30)


def _results(rates: dict[str, float]) -> list[Result]:
    def result(what: str, name: str, baseline: str, against: str, goal: float | None) -> Result:
        detail = f"{rates[name]:,.0f} calls/s against {rates[against]:,.0f} calls/s"
        return Result(what, baseline, rates[name] / rates[against], goal, at_least=True, detail=detail)

    claims = "sandbox: 50 claims of 20,000"
    return [
        result(claims, "claims", "empty Starlette route, GET", "empty", 0.5),
        result(claims, "claims", "empty Starlette route, the same POST", "asked", None),
        result("sandbox: an order stored with its offers", "order", "empty Starlette route, GET", "empty", None),
    ]


def _many(work: Callable[[], None]) -> Callable[[], None]:
    def run() -> None:
        for _ in range(CALLS):
            work()

    return run


def _questions() -> list[bytes]:
    """Questions with more than 50 answers: no filter, and 50 claim date ranges of one to three months."""
    pick = random.Random(1)
    today = datetime.now(UTC).replace(tzinfo=None)
    bodies = [b"{}"]
    for _ in range(50):
        first = today - timedelta(days=pick.uniform(90, 720))
        last = first + timedelta(days=pick.uniform(30, 90))
        limits = {"startDate": _stamp(first), "endDate": _stamp(last)}
        bodies.append(json.dumps({"claimDateRange": limits}).encode())
    return bodies


def _stamp(moment: datetime) -> str:
    return moment.isoformat(timespec="microseconds")


def _product(sku: str, price: str, *path: str) -> dict[str, Any]:
    return {
        "product_id": sku,
        "product_title": f"Product {sku}",
        "product_price": price,
        "meta": {"breadcrumbs": [{"category": part} for part in path]},
    }


def _order() -> bytes:
    """A new order of two items."""
    order = {
        "order_id": uuid.uuid4().hex,
        "line_items": [
            _product("TV-55-OLED", "899.99", "Electronics", "Televisions"),
            _product("LAMP-ARC", "89.50", "Furniture", "Lighting"),
        ],
        "billing_address": {"first_name": "Ada", "state": "NY", "country": "United States", "email": "ada@example.com"},
    }
    return json.dumps(order).encode()
