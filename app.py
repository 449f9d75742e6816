"""The entry: `streamlit run app.py`.

Starts and stops what lives as long as the server (the embedded sandbox, the client, the journal), adds security
headers, compression, the answers for monitors and our part of the page, and names the shell as the script of every run
(docs/decisions/gate.md says why not this file).
"""

import gc
import importlib
import logging
import pkgutil
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import anyio.to_thread
import streamlit as st
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware

import components
from components import wiring
from components.claims.charts.figure import checked_figure
from components.navigation import SCREENS
from components.people.till.page import till_routes
from components.platform.browser_part import part_routes
from components.platform.cookies.tickets import cookie_routes
from components.platform.page import Entry, inline_scripts, page_routes
from components.platform.serving.door import Door, believe_only
from components.platform.serving.life import Elsewhere, health_routes
from components.platform.serving.log_lines import Dated, one_line_each
from components.platform.serving.runs import whole_runs
from components.platform.serving.security_headers import SecurityHeaders
from components.system.camera.camera import camera_routes
from components.system.customer_screen.page import customer_routes
from warranty.errors import DeskError, SettingsProblem
from warranty.places.countries import countries, states


def _log_to_stderr() -> None:
    """One JSON line per call to the service on stderr, for whoever is on call; see `warranty.calls`."""
    log = logging.getLogger("warranty")
    log.setLevel(logging.INFO)
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Dated())
    log.addHandler(handler)


@asynccontextmanager
async def lifespan(_: st.App) -> AsyncIterator[dict[str, Any]]:
    """Make the runtime before the first visitor, close it after the last."""
    _log_to_stderr()
    try:
        runtime = await anyio.to_thread.run_sync(wiring.runtime)
        runtime.process.life.drain_at_sigterm(runtime.process.finish)
        # Customers' data is kept no longer than the settings say.
        await anyio.to_thread.run_sync(runtime.process.forget)
    except DeskError as problem:
        logging.getLogger("warranty").critical("Warranty Desk cannot start. %s", problem)
        sys.tracebacklimit = 0  # the server prints what stopped it: the sentence, not the way to it
        raise
    await anyio.to_thread.run_sync(_warm_up)
    try:
        yield {}
    finally:
        await anyio.to_thread.run_sync(runtime.process.close)


def _warm_up() -> None:
    """Load what the first visitor would wait for, then freeze it.

    Streamlit walks all objects of the process after every run of a script to collect garbage: 20 to 60 ms, most
    of it modules that never become garbage. Frozen once here, they are never walked again
    (docs/platform-notes/garbage.md).
    """
    for module in pkgutil.walk_packages(components.__path__, prefix="components."):
        # Neither the script itself, which runs for a visitor alone, nor tabs that few open.
        if module.name != "components.shell" and not module.name.startswith("components.claims.trends."):
            importlib.import_module(module.name)
    importlib.import_module("components.claims.trends.overview")
    # These load the most when they are first used: the first figure costs a quarter of a second.
    checked_figure(
        [{"type": "bar", "y": [1], "marker": {"color": "grey"}}, {"type": "heatmap", "z": [[1]]}],
        height=100,
        legend={"traceorder": "normal"},
        xaxis={"type": "date", "tickformatstops": [{"value": "%Y"}]},
    ).to_dict()
    countries()
    states("US")
    gc.collect()
    gc.freeze()


one_line_each()
whole_runs()
try:
    settings = wiring.usable_settings()
    believe_only(settings.trusted_proxies)
except SettingsProblem as problem:
    # Before the server starts: a sentence for the person who starts the program, instead of a traceback.
    sys.exit(f"Warranty Desk cannot start. {problem}")

entries = tuple(Entry(screen.name, screen.group, screen.key) for screen in SCREENS)
app = st.App(
    "components/shell.py",
    lifespan=lifespan,
    routes=[
        *health_routes(lambda: wiring.runtime().process.health),
        *customer_routes(lambda: wiring.runtime().customer_screens, settings),
        *cookie_routes(lambda: wiring.runtime().staff.sign_in.tickets),
        *camera_routes(),
        *part_routes(),
        *till_routes(lambda: wiring.runtime().staff.tills, settings),
        *page_routes(entries, settings.environment),
    ],
    middleware=[
        Middleware(SecurityHeaders, scripts=partial(inline_scripts, entries)),
        Middleware(
            Door,
            sign_in=lambda: wiring.runtime().staff.sign_in,
            guests=lambda: wiring.runtime().staff.guests,
            only_https=settings.environment != "sandbox",
            has_provider=settings.sso != "off",
        ),
        Middleware(Elsewhere, life=lambda: wiring.runtime().process.life),
        Middleware(GZipMiddleware, compresslevel=6),
    ],
)
