"""The port on which a Prometheus reads the figures of this process, where one is set."""

import logging
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from datetime import datetime, timedelta

from prometheus_client import CollectorRegistry, Info, disable_created_metrics, start_http_server

from warranty import VERSION
from warranty.desk.journal import Journal
from warranty.errors import SettingsProblem
from warranty.insight.history.past import Past
from warranty.settings import Settings
from warranty.watch.metrics.asked import Asked
from warranty.watch.metrics.counted import Counted
from warranty.watch.metrics.standing import Standing, of_claims, of_first_night, of_journal

Figures = Mapping[str, Callable[[], float]]
"""Gauges of `warranty.watch.metrics.standing.GAUGES` by name, each with what tells it now."""


def start_metrics(
    settings: Settings,
    journal: Journal,
    *,
    past: Past,
    newest_reading: Callable[[], datetime | None],
    here: Figures,
    shared: Figures,
    every: timedelta = timedelta(seconds=5),
) -> Callable[[], None]:
    """Count from now on and listen, where a port is set; gives what ends it.

    `here` are figures of this process, `shared` those that may ask the journal. Raises `SettingsProblem` where the
    port is taken. Whoever scrapes more often than `every` is given the same again.
    """
    if settings.metrics_port is None:
        return lambda: None
    disable_created_metrics()  # type: ignore[no-untyped-call]
    registry, ending = CollectorRegistry(), ExitStack()
    build = {"version": VERSION, "environment": settings.environment}
    Info("warranty_build", "The program that runs.", registry=registry).info(build)
    registry.register(
        Standing(
            journal=Asked(lambda: of_journal(journal, settings.environment, shared), every=every),
            others=(
                Asked(lambda: of_claims(past, newest_reading(), journal.now()), every=every),
                Asked(lambda: of_first_night(settings, past, journal.database), every=every),
                Asked(lambda: {name: tell() for name, tell in here.items()}, every=every),
            ),
        )
    )
    try:
        server, thread = start_http_server(settings.metrics_port, settings.metrics_address, registry)
    except OSError as problem:
        raise SettingsProblem(
            f"WARRANTY_METRICS_PORT {settings.metrics_port} cannot be listened on at {settings.metrics_address} "
            f"({problem.strerror}). Give every desk of a machine a port of its own."
        ) from None
    counted = Counted(registry)
    for name in Counted.LOGS:
        log = logging.getLogger(name)
        log.setLevel(logging.INFO)
        log.addHandler(counted)
        ending.callback(log.removeHandler, counted)
    journal.database.observer = counted.transaction
    for step in (thread.join, server.server_close, server.shutdown):
        ending.callback(step)
    return ending.close
