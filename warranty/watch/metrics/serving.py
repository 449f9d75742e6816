"""The port on which a Prometheus reads the figures of this process, where one is set; what is counted as it happens."""

import logging
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from datetime import datetime, timedelta
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Histogram, Info, disable_created_metrics, start_http_server

from warranty import VERSION
from warranty.client.operations import OPERATIONS
from warranty.desk.journal import Journal
from warranty.errors import SettingsProblem, WarrantyError
from warranty.insight.history.past import Past
from warranty.settings import Settings
from warranty.watch.metrics.standing import Asked, Standing, of_claims, of_first_night, of_journal

_CALL_SECONDS: Final = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 60)
_JOURNAL_SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5, 10)


def _endings(error: type[WarrantyError]) -> list[str]:
    """The names of the errors that are raised: those of the tree that have none below them."""
    return [name for kind in error.__subclasses__() for name in _endings(kind)] or [error.__name__]


OUTCOMES: Final = ("done", *sorted(_endings(WarrantyError)))


class Counted(logging.Handler):
    """Takes each line of the logs in `LOGS`, and is told of each transaction of the journal.

    Every series is there from the start, at zero: a rule sees the first failure as an increase only after a zero. So
    nothing but these names can ever stand in a label.
    """

    REFUSED: Final[Mapping[str, tuple[str, str]]] = {
        "warranty.sign_in": ("warranty_sign_in_failures", "Sign-ins that were refused."),
        "warranty.provider": ("warranty_provider_refusals", "People of the identity provider not let in."),
        "warranty.door": ("warranty_handshakes_refused", "Minutes in which the live connection of pages was refused."),
    }
    """Logs of which each line is somebody who was refused, and what they are counted as."""
    LOGS: Final = ("warranty.calls", *REFUSED)
    """Each line of the first is a try, repeats among them."""

    def __init__(self, registry: CollectorRegistry) -> None:
        super().__init__(level=logging.INFO)

        def counter(name: str, help_text: str, *labels: str) -> Counter:
            return Counter(name, help_text, labels, registry=registry)

        def histogram(name: str, help_text: str, label: str, buckets: tuple[float, ...]) -> Histogram:
            return Histogram(name, help_text, (label,), buckets=buckets, registry=registry)

        tries = counter("warranty_calls", "Tries of calls to the service.", "operation", "outcome")
        seconds = histogram("warranty_call_seconds", "Seconds of a try.", "operation", _CALL_SECONDS)
        self._tries = {(name, end): tries.labels(name, end) for name in OPERATIONS for end in OUTCOMES}
        self._seconds = {name: seconds.labels(name) for name in OPERATIONS}
        self._refused = {log: counter(*counted) for log, counted in self.REFUSED.items()}
        written = histogram("warranty_journal_seconds", "Seconds of a transaction.", "kind", _JOURNAL_SECONDS)
        failures = counter("warranty_journal_failures", "Transactions that the database failed.", "kind")
        self._transactions = {kind: (written.labels(kind), failures.labels(kind)) for kind in ("read", "write")}

    def emit(self, record: logging.LogRecord) -> None:
        """Count one line; one that is none of ours is passed over."""
        if refused := self._refused.get(record.name):
            refused.inc()
            return
        line = getattr(record, "call", None)
        tries = None if line is None else self._tries.get((line["operation"], line["outcome"]))
        if line is not None and tries is not None:
            tries.inc()
            self._seconds[line["operation"]].observe(line["milliseconds"] / 1000)

    def transaction(self, kind: str, seconds: float, failed: bool) -> None:
        """Count one of the journal's."""
        took, failures = self._transactions[kind]
        took.observe(seconds)
        failures.inc(failed)


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
                Asked(lambda: of_claims(past, newest_reading(), journal.database.clock()), every=every),
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
