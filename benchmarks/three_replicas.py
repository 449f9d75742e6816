"""300 viewers of New order on three replicas behind nginx, on one PostgreSQL, while a manager reads 100,000 claims,
against one viewer alone there.

A viewer leaves a field every 30 s, as people at work do; measured is from then until the screen is drawn. All of it
runs on the machine that is named below: replicas, proxy, database, the stand-in of the service and the viewers.
"""

import asyncio
import ssl
from datetime import UTC, datetime, timedelta
from time import monotonic
from typing import Final

import httpx
import numpy as np

from benchmarks.claims_servers import records
from benchmarks.harness import Result
from benchmarks.streamlit_viewer import Viewer
from deploy.up.chain import Chain
from tests.chain.ordeal import cookie_of, sign_up
from warranty.access import Role

VIEWERS: Final = 300
CLAIMS: Final = 100_000
_EVERY: Final = 30.0
_SECONDS: Final = 90.0
_AT_ONCE: Final = 5_000
_FIELD: Final = ("text_input", "First name")


def measure() -> list[Result]:
    with Chain(replicas=3) as chain:
        _add_claims(chain)
        names = [f"till{number:03}" for number in range(VIEWERS)]
        key = sign_up(chain.database.url, names)
        sign_up(chain.database.url, ["boss"], role=Role.MANAGER)
        tls = ssl.create_default_context(cafile=chain.proxy.ca_file)

        def viewer(name: str, page: str = "") -> Viewer:
            return Viewer(chain.proxy.url, page=page, cookie=cookie_of(name, key, chain.proxy.url), tls=tls)

        alone = asyncio.run(_watched([viewer(names[0])], every=1.0, seconds=30.0))
        boss = viewer("boss", "claims")
        boss.query = _whole_range()
        together = asyncio.run(_with_reader(boss, [viewer(name) for name in names]))
    one, many = (float(np.percentile(seconds, 95)) for seconds in (alone, together))
    return [
        Result(
            f"p95 of a rerun of New order, {VIEWERS} viewers on three replicas, a manager reading {CLAIMS:,} claims",
            "one viewer alone",
            many / one,
            4.0,
            detail=f"{many * 1000:.0f} ms of {len(together)} reruns against {one * 1000:.0f} ms; medians "
            f"{np.median(together) * 1000:.0f} and {np.median(alone) * 1000:.0f} ms",
        )
    ]


def _add_claims(chain: Chain) -> None:
    tls = ssl.create_default_context(cafile=chain.service["ca_file"])
    claims = [claim for _ in range(CLAIMS // 10_000) for claim in records()]
    with httpx.Client(base_url=chain.service["base_url"], verify=tls, timeout=120) as sandbox:
        for start in range(0, CLAIMS, _AT_ONCE):
            sandbox.post("/_sandbox/claims", json=claims[start : start + _AT_ONCE]).raise_for_status()


def _whole_range() -> str:
    today = datetime.now(UTC).date()
    return f"from={today - timedelta(days=370)}&to={today}"


async def _with_reader(boss: Viewer, viewers: list[Viewer]) -> list[float]:
    async with boss:
        while "Claims" not in boss.texts:
            await boss.open()  # then the reading goes on by itself, at the pace of the settings
        return await _watched(viewers, every=_EVERY, seconds=_SECONDS)


async def _watched(viewers: list[Viewer], *, every: float, seconds: float) -> list[float]:
    """Let each viewer open the screen, then leave a field `every` so many seconds; the seconds of each rerun."""
    took: list[float] = []
    opening = asyncio.Semaphore(6)

    async def open_(viewer: Viewer) -> None:
        async with opening:
            await viewer.__aenter__()
            while _FIELD not in viewer.widgets:  # a new account is known everywhere within seconds
                await viewer.open()

    async def work(viewer: Viewer, first: float, until: float) -> None:
        await asyncio.sleep(first)
        number = 0
        while (began := monotonic()) < until:
            number += 1
            took.append((await viewer.set(*_FIELD, string_value=f"Ann {number}")).seconds)
            await asyncio.sleep(max(0.0, began + every - monotonic()))

    await asyncio.gather(*(open_(viewer) for viewer in viewers))
    until = monotonic() + seconds
    spread = every / len(viewers)
    await asyncio.gather(*(work(viewer, spread * place, until) for place, viewer in enumerate(viewers)))
    for viewer in viewers:
        await viewer.__aexit__()
    return took
