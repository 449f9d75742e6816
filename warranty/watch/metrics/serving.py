"""The port on which a Prometheus reads the figures, where one is set: counted as they happen, or asked for."""

import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

import prometheus_client as prometheus
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from warranty import VERSION
from warranty.client.operations import OPERATIONS
from warranty.database.database import Database
from warranty.database.preferences import Preference
from warranty.database.schema import writable_schema
from warranty.database.tables import BACKED_UP_AT
from warranty.desk.journal import Journal
from warranty.desk.journal.batches import imports_left
from warranty.desk.journal.queries import unknown_since
from warranty.errors import JournalUnavailable, SettingsProblem, WarrantyError
from warranty.insight.history.past import Past, awaited_since, first_night_awaited_since
from warranty.settings import Settings
from warranty.watch.observed.observations import Observations

_log: Final = logging.getLogger("warranty.metrics")


@dataclass
class Asked:
    """Asks for figures by name in a thread of its own: at most once in `every`, waited for no longer than `limit`."""

    ask: Callable[[], Mapping[str, float]]
    every: timedelta
    limit: timedelta = timedelta(seconds=2)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _answer: Future[Mapping[str, float]] | None = None
    _not_before: float = 0

    def answer(self) -> Mapping[str, float] | None:
        """The figures as they are now; None where the question failed, or still hangs."""
        with self._lock:
            answered = self._answer is None or self._answer.done()
            if answered and time.monotonic() >= self._not_before:
                self._not_before = time.monotonic() + self.every.total_seconds()
                self._answer = Future()
                threading.Thread(target=self._run, args=(self._answer,), name="metrics", daemon=True).start()
            answer = self._answer
        try:
            return None if answer is None else answer.result(timeout=self.limit.total_seconds())
        except Exception as fault:  # noqa: BLE001 - whatever it was, the other figures are told
            _log.info("figures are missing: %s", type(fault).__name__)
            return None

    def _run(self, answer: Future[Mapping[str, float]]) -> None:
        try:
            answer.set_result(self.ask())
        except Exception as fault:  # noqa: BLE001 - handed on to whoever waits
            answer.set_exception(fault)


GAUGES: Final[Mapping[str, str]] = {
    "warranty_journal_up": "1 where the journal can be written and fits; 0 where not, or not within two seconds.",
    "warranty_ready": "1 where people may be sent to this desk: the journal is up and the desk is not draining.",
    "warranty_draining": "1 from the moment when this desk was asked to end.",
    "warranty_unknowns": "Entries without an answer that nobody has settled.",
    "warranty_oldest_unknown_seconds": "Age of the oldest of them; 0 where there is none.",
    "warranty_queued_orders": "Orders that wait for the service to be back.",
    "warranty_oldest_queued_seconds": "Age of the oldest of them; 0 where there is none.",
    "warranty_imports_left": "Imports on their way that no desk sends any more.",
    "warranty_drift": "Different things that the service was seen to do beyond its document.",
    "warranty_pace_left": "Claims calls of the coming second that no desk has reserved: 0 where calls queue.",
    "warranty_retry_budget_left": "Tokens that are left for repeats of all desks.",
    "warranty_backup_age_seconds": "Age of the newest copy of the journal, or how long the first has been awaited.",
    "warranty_night_age_seconds": "Age of the newest night of the history that has every claim.",
    "warranty_first_night_awaited_seconds": "How long a first complete night of the history has been awaited.",
    "warranty_nights_unreadable": "Nights of the history that are not what was sealed.",
    "warranty_reading_age_seconds": "Age of the newest reading of this process that has every claim.",
    "warranty_sessions": "Tabs that are connected to this desk.",
}


class Standing(Collector):
    """Gives each gauge that can be told now; one that cannot is left out, and breaks no scrape."""

    def __init__(self, *, journal: Asked, others: tuple[Asked, ...]) -> None:
        self._journal = journal
        self._others = others

    def collect(self) -> Iterator[prometheus.Metric]:
        """Ask, and give the gauges."""
        written = self._journal.answer()
        figures = {"warranty_journal_up": float(written is not None), **(written or {})}
        for other in self._others:
            figures |= other.answer() or {}
        if "warranty_draining" in figures:
            ready = figures["warranty_journal_up"] and not figures["warranty_draining"]
            figures["warranty_ready"] = float(ready)
        for name, value in figures.items():
            yield GaugeMetricFamily(name, GAUGES[name], value=value)


def of_journal(journal: Journal, environment: str, shared: Mapping[str, Callable[[], float]]) -> dict[str, float]:
    """What the journal tells, and figures that desks share by way of it; raises `JournalUnavailable`."""
    if not writable_schema(journal.database).fits:
        raise JournalUnavailable("The journal has not the tables of this program.")
    now, queue = journal.database.clock(), journal.queue(environment)
    with journal.database.read() as connection:
        unknowns, oldest_unknown = connection.execute(unknown_since(environment, now)).one()
    copied = Preference(journal.database, **BACKED_UP_AT).load()
    copied_at = datetime.fromisoformat(copied) if copied else awaited_since(journal.database, "first copy")
    return {
        "warranty_unknowns": unknowns,
        "warranty_oldest_unknown_seconds": _age(oldest_unknown, now) or 0,
        "warranty_queued_orders": queue.length,
        "warranty_oldest_queued_seconds": _age(queue.oldest, now) or 0,
        "warranty_imports_left": imports_left(journal.database, environment),
        "warranty_backup_age_seconds": _age(copied_at, now) or 0,
        "warranty_drift": len(Observations(journal.database, environment).drift()),
        **{name: left() for name, left in shared.items()},
    }


def of_claims(past: Past, newest_reading: datetime | None, now: datetime) -> dict[str, float]:
    """How old the newest complete readings of claims are; one that there is not is left out."""
    nights = past.found()
    night = nights.complete[-1].as_of if nights.complete else None
    ages = {"warranty_night_age_seconds": _age(night, now), "warranty_reading_age_seconds": _age(newest_reading, now)}
    known = {name: age for name, age in ages.items() if age is not None}
    return known | {"warranty_nights_unreadable": len(nights.unreadable)}


def of_first_night(settings: Settings, past: Past, database: Database) -> dict[str, float]:
    """How long a first complete night has been awaited; left out where there was one, or none is wanted."""
    age = _age(first_night_awaited_since(settings, past.nights, database), database.clock())
    return {} if age is None else {"warranty_first_night_awaited_seconds": age}


def _age(moment: datetime | None, now: datetime) -> float | None:
    return None if moment is None else max((now - moment).total_seconds(), 0)


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

    def __init__(self, registry: prometheus.CollectorRegistry) -> None:
        super().__init__(level=logging.INFO)

        def counter(name: str, help_text: str, *labels: str) -> prometheus.Counter:
            return prometheus.Counter(name, help_text, labels, registry=registry)

        def histogram(name: str, help_text: str, label: str, buckets: tuple[float, ...]) -> prometheus.Histogram:
            return prometheus.Histogram(name, help_text, (label,), buckets=buckets, registry=registry)

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
"""Gauges of `warranty.watch.metrics.serving.GAUGES` by name, each with what tells it now."""


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
    """Count from now on and listen at the port that is set; gives what ends it.

    `here` are figures of this process, `shared` those that may ask the journal. Raises `SettingsProblem` where the
    port is taken. Whoever scrapes more often than `every` is given the same again.
    """
    prometheus.disable_created_metrics()  # type: ignore[no-untyped-call]
    registry, ending = prometheus.CollectorRegistry(), ExitStack()
    build = {"version": VERSION, "environment": settings.environment}
    prometheus.Info("warranty_build", "The program that runs.", registry=registry).info(build)
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
        server, thread = prometheus.start_http_server(settings.metrics_port or 0, settings.metrics_address, registry)
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
