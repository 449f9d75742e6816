"""100 people signed in for ten minutes at one desk, each in a tab that stays: orders, and sales on them, while one call
in 50 goes wrong: a refusal, silence before or after the service has written, an answer that breaks off.

Judged is what the service has written against what the screens said, whether any tab was sent the e-mail of another's
customer, and the memory of the desk: after a third of the time, when everything has been drawn once, and at the end.
`HUNDRED_SESSIONS_SECONDS` shortens it.
"""

import asyncio
import json
import os
import ssl
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from statistics import median
from time import monotonic
from typing import Any, Final

import httpx

from benchmarks.harness import Result
from tests.chain.ordeal import cookie_of, sign_up
from tests.chain.till import Till
from tests.dashboard import ROOT, Dashboard

SESSIONS: Final = 100
_PAUSE: Final = 8.0
"""Seconds from one step of a person to the next."""
_ONE_IN: Final = 50
_WRITES: Final = ("submit_order", "record_sale")
_FAULTS: Final = ("drop_before_write", "drop_after_write", "status", "truncated_body")


def measure() -> list[Result]:
    seconds = float(os.environ.get("HUNDRED_SESSIONS_SECONDS", "600"))
    return hundred_sessions(SESSIONS, seconds=seconds, pause=_PAUSE)


def hundred_sessions(sessions: int, *, seconds: float, pause: float, one_in: int = _ONE_IN) -> list[Result]:
    """The same for so many people, so long, with so many seconds between their steps and so many calls to a fault."""
    names = [f"till{number:03}" for number in range(sessions)]
    with tempfile.TemporaryDirectory() as folder, _service() as access:
        environment = {f"WARRANTY_{name.upper()}": value for name, value in access.items()}
        environment |= {
            "WARRANTY_ENVIRONMENT": "sandbox",
            "WARRANTY_PURCHASE_WARRANTIES_PATH": "/api/purchase-warranties",
        }
        with Dashboard(Path(folder), environment=environment) as desk:
            key = sign_up(f"sqlite:///{Path(folder) / 'journal.sqlite3'}", names)
            tills = [Till(name, desk.url, cookie_of(name, key, desk.url), None, pause, stays=True) for name in names]
            with httpx.Client(
                base_url=access["base_url"], verify=ssl.create_default_context(cafile=access["ca_file"])
            ) as service:
                memory, faults = asyncio.run(_at_work(tills, desk, service, seconds, one_in))
                calls = service.get("/_sandbox/calls").raise_for_status().json()
    what = f"of {sessions} sessions in {seconds / 60:g} minutes, one fault in {one_in} calls"
    return _judged(tills, calls, memory, faults, what)


async def _at_work(
    tills: list[Till], desk: Dashboard, service: httpx.Client, seconds: float, one_in: int
) -> tuple[list[int], int]:
    """Let all work; gives the memory of the desk as it was each few seconds, and how many calls were made to fail."""
    until, spread = monotonic() + seconds, tills[0].pause / len(tills)

    async def begin(till: Till, after: float) -> None:
        await asyncio.sleep(after)
        await till.work(until)

    work = asyncio.gather(*(begin(till, place * spread) for place, till in enumerate(tills)))
    memory: list[int] = []
    faults, kinds = 0, cycle((operation, kind) for kind in _FAULTS for operation in _WRITES)
    while monotonic() < until:
        await asyncio.sleep(min(5.0, seconds / 60))
        memory.append(_resident(desk.pid))
        made = len((await asyncio.to_thread(service.get, "/_sandbox/calls")).raise_for_status().json())
        while faults < made // one_in:
            operation, kind = next(kinds)
            fault = {"operation": operation, "kind": kind, "status": 500, "times": 1}
            (await asyncio.to_thread(service.post, "/_sandbox/faults", json=fault)).raise_for_status()
            faults += 1
    await asyncio.wait_for(work, timeout=300)
    return memory, faults


def _judged(tills: list[Till], calls: list[dict[str, Any]], memory: list[int], faults: int, what: str) -> list[Result]:
    written = [call for call in calls if call["written"]]
    stored = {call["order_id"] for call in written if call["operation"] == "submit_order"}
    sold = Counter(call["order_id"] for call in written if call["operation"] == "record_sale")
    lost = [order for till in tills for order in till.orders if order not in stored]
    lost += [order for till in tills for order in till.sales if order not in sold]
    twice = [order for order, sales in sold.items() if sales > 1]
    everybody = {till.name for till in tills}
    strangers = [till.name for till in tills if till.customers_of & everybody - {till.name}]
    third = memory[len(memory) // 3 : len(memory) // 2]
    last = memory[-len(third) :]
    orders, sales = (sum(len(getattr(till, what)) for till in tills) for what in ("orders", "sales"))
    return [
        Result(
            f"orders and sales lost or recorded twice, {what}",
            "none",
            len(lost) + len(twice),
            0,
            detail=f"{orders} orders, {sales} sales, {len(calls):,} calls, {faults} faults, "
            f"{sum(len(till.left) for till in tills)} left for a person to settle",
        ),
        Result(
            f"sessions that were sent another's customer, {what}",
            "none",
            len(strangers),
            0,
            detail=f"{sum(till.name in till.customers_of for till in tills)} were sent their own",
        ),
        Result(
            f"memory of the desk at the end, {what}",
            "after a third of the time",
            median(last) / median(third),
            1.1,
            detail=f"{median(last) / 2**20:.0f} MB against {median(third) / 2**20:.0f} MB",
        ),
    ]


def _resident(pid: int) -> int:
    """Bytes that the process holds in memory."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@contextmanager
def _service() -> Iterator[dict[str, str]]:
    """The stand-in of the service in a process of its own, as a service has one; how to call it."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("WARRANTY_")}
    process = subprocess.Popen(
        [sys.executable, "-m", "sandbox"], cwd=ROOT, env=inherited, stdout=subprocess.PIPE, text=True
    )
    try:
        yield json.loads(process.stdout.readline() if process.stdout else "")
    finally:
        process.terminate()
        process.wait(timeout=30)
