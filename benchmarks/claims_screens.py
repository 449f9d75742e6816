"""The claims screen against the usual page in Streamlit, by viewers that speak Streamlit's own protocol.

10,000 claims; a rerun is a change of the date filter that changes table and charts. Both servers hold the claims of
every range in memory before the clock starts: what is compared is the screen, not the reading. Viewers and servers
share the machine's cores. With 20 and 100 viewers the usual page is far beyond what it can carry, so these ratios
say how many people each carries rather than how fast it is. (The screen's filter bar, figures, table and one chart
are compared with the usual page's filter, two charts, table and CSV.) Memory is what 20 viewers at work take at
most, together, divided by 20.
"""

import asyncio
import random
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from benchmarks.claims_servers import DAYS, PASSWORD, Server, claims_frame, ours, records, today, usual
from benchmarks.harness import Result
from benchmarks.streamlit_viewer import Run, Viewer

ROUNDS = 5
RERUNS_A_ROUND = 16
RANGES = 8
_FIELD = {"ours": "Claim date, first to last day", "Streamlit usual": "Claim date"}


@dataclass
class Measured:
    """What the viewers of one server saw."""

    seconds: list[float] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    memory: float = 0.01  # megabytes a session; less than this can not be seen

    def p(self, percent: int) -> float:
        return statistics.quantiles(self.seconds, n=100, method="inclusive")[percent - 1]


def measure() -> list[Result]:
    return asyncio.run(_measure())


async def _measure() -> list[Result]:
    claims = records()
    with ExitStack() as stack:
        file = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "claims.parquet"
        claims_frame(claims).to_parquet(file)
        servers = [stack.enter_context(ours(claims)), stack.enter_context(usual(file))]
        alone = {server.name: Measured() for server in servers}
        async with AsyncExitStack() as viewers:
            watching = {server.name: await _viewer(viewers, server) for server in servers}
            for _ in range(ROUNDS):
                for server in servers:
                    await _round(server, watching[server.name], alone[server.name])
        twenty = {server.name: await _crowd(server, 20, think=1.0, seconds=40) for server in servers}
        hundred = {server.name: await _crowd(server, 100, think=5.0, seconds=90) for server in servers}
    mine, theirs = alone["ours"], alone["Streamlit usual"]
    return [
        _ratio("rerun p50, 1 viewer", mine, theirs, 1 / 12),
        _ratio("rerun p50, 20 viewers", twenty["ours"], twenty["Streamlit usual"], 1 / 100),
        _ratio("rerun p50, 100 viewers", hundred["ours"], hundred["Streamlit usual"], 1 / 300),
        Result(
            "rerun p95, 100 viewers",
            "its own p50",
            hundred["ours"].p(95) / hundred["ours"].p(50),
            5,
            detail=f"{hundred['ours'].p(95) * 1000:.0f} ms against {hundred['ours'].p(50) * 1000:.0f} ms",
        ),
        _against("server CPU per rerun", mine.cpu, theirs.cpu, 0.07, unit="ms", scale=1000),
        _against("bytes per rerun", mine.sizes, theirs.sizes, 0.07, unit="kB", scale=1 / 1000),
        _against(
            "memory per session", [twenty["ours"].memory], [twenty["Streamlit usual"].memory], 0.2, unit="MB", scale=1
        ),
    ]


def _ratio(what: str, mine: Measured, theirs: Measured, goal: float) -> Result:
    return Result(
        what,
        "the usual page, same load",
        mine.p(50) / theirs.p(50),
        goal,
        detail=f"p50 {mine.p(50) * 1000:.1f} ms against {theirs.p(50) * 1000:.0f} ms; p95 {mine.p(95) * 1000:.0f} "
        f"against {theirs.p(95) * 1000:.0f}; {len(mine.seconds)} and {len(theirs.seconds)} reruns",
    )


def _against(
    what: str, mine: list[float] | list[int], theirs: list[float] | list[int], goal: float, *, unit: str, scale: float
) -> Result:
    own, other = statistics.median(mine), statistics.median(theirs)
    detail = f"{own * scale:.1f} {unit} against {other * scale:.1f} {unit}"
    return Result(what, "the usual page", own / other, goal, detail=detail)


async def _viewer(viewers: AsyncExitStack, server: Server, *, ranges: int = RANGES) -> Viewer:
    """A viewer in front of the claims, with so many of the ranges read and drawn once."""
    viewer = await viewers.enter_async_context(Viewer(server.url, page="claims" if server.name == "ours" else ""))
    await viewer.open()
    if server.name == "ours":
        viewer.prepare("text_input", "Name", string_value="manager")
        viewer.prepare("text_input", "Password", string_value=PASSWORD)
        await viewer.set("button", "Sign in", trigger_value=True)
        while ("date_input", _FIELD[server.name]) not in viewer.widgets:
            await viewer.open()
    for place in range(ranges):
        await _change(server, viewer, place)
        while server.name == "ours" and not any("complete:" in text for text in viewer.texts):
            await asyncio.sleep(0.3)
            await viewer.open()
    return viewer


async def _change(server: Server, viewer: Viewer, place: int) -> Run:
    """Ask for the range that begins `place` weeks later."""
    first = today() - timedelta(days=DAYS - 7 * (place % RANGES))
    last = today() - timedelta(days=1)
    return await viewer.set(
        "date_input", _FIELD[server.name], string_array_value=[first.date().isoformat(), last.date().isoformat()]
    )


async def _round(server: Server, viewer: Viewer, measured: Measured) -> None:
    before = server.cpu_seconds
    for place in range(RERUNS_A_ROUND):
        run = await _change(server, viewer, place)
        measured.seconds.append(run.seconds)
        measured.sizes.append(run.size)
    measured.cpu.append((server.cpu_seconds - before) / RERUNS_A_ROUND)


async def _crowd(server: Server, count: int, *, think: float, seconds: float) -> Measured:
    """Many viewers, each thinking for a while between its changes; the memory is what they take at most, together."""
    measured = Measured()
    before = server.megabytes
    async with AsyncExitStack() as viewers:
        crowd = [await _viewer(viewers, server, ranges=1) for _ in range(count)]
        until = time.monotonic() + seconds
        chance = random.Random(count)

        def person(viewer: Viewer) -> Callable[[], Awaitable[None]]:
            async def look() -> None:
                place = 0
                while time.monotonic() < until:
                    measured.memory = max(measured.memory, (server.megabytes - before) / count)
                    await asyncio.sleep(chance.expovariate(1 / think))
                    place += 1
                    run = await _change(server, viewer, place)
                    measured.seconds.append(run.seconds)

            return look

        await asyncio.gather(*(person(viewer)() for viewer in crowd))
    return measured
