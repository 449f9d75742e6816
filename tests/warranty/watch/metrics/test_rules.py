"""The alert rules and the dashboard: silent on a common day, true to the figures, true to `docs/on-call.md`."""

import json
import logging
import re
import shutil
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import httpx
import pytest
import yaml
from prometheus_client import CollectorRegistry
from websockets.sync.client import connect
from websockets.typing import Origin, Subprotocol

from deploy.up.machine import free_port
from tests.dashboard import ROOT, Dashboard
from tests.waiting import until
from tests.warranty.watch.metrics import story
from tests.warranty.watch.metrics.told import Told
from warranty.watch.metrics.serving import GAUGES, Counted


class Day(NamedTuple):
    """Minutes from its begin; `night` is when the night's reading is done."""

    night: int
    opens: int
    imports: int
    slow: int
    restart: int
    closes: int
    ends: int


SHORT, WHOLE = Day(45, 60, 100, 140, 200, 240, 270), Day(160, 540, 660, 900, 1020, 1200, 1440)
"""The short one has everything that happens on a whole one."""


class _Desk:
    """One start of the program."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.counted = Counted(self.registry)

    def tries(self, operation: str, outcome: str = "done", *, times: int = 1, seconds: float = 0.2) -> None:
        line = {"operation": operation, "outcome": outcome, "milliseconds": seconds * 1000}
        for _ in range(times):
            self.counted.handle(logging.makeLogRecord({"levelno": logging.INFO, "call": line}))
            for _ in range(2):
                self.counted.transaction("write", 0.004, False)

    def refuses(self, log: str) -> None:
        self.counted.handle(logging.makeLogRecord({"levelno": logging.WARNING, "name": log}))

    def told(self) -> dict[str, float]:
        """The counters; no rule asks for a histogram, and to write one takes longer than all else."""
        counters = [metric for metric in self.registry.collect() if metric.type == "counter"]
        samples = [sample for metric in counters for sample in metric.samples]
        return {story.series(sample.name, sample.labels): sample.value for sample in samples}


def common_day(day: Day) -> list[story.Scrape | None]:
    """A day on which nothing is wrong, a scrape a minute, none at the restart: two thousand calls, and what happens on
    any day, as a minute in which the service hangs, a forgotten password, a sale that is unknown until it is settled.
    """
    chance, desk = Random(15), _Desk()
    told: list[story.Scrape | None] = []
    for minute in range(day.ends):
        if minute == day.restart:
            desk = _Desk()
            told.append(None)
            continue
        if day.opens <= minute < day.closes:
            _counter(desk, minute, day, chance)
        if day.night - 40 <= minute < day.night:
            desk.tries("claims", times=10)
        if day.imports <= minute < day.imports + 5:
            desk.tries("submit_order", times=100)
            desk.tries("submit_order", "ServiceFailed", times=2)
        if minute == day.slow:
            desk.tries("submit_order", "OutcomeUnknown", times=6, seconds=20)
            desk.tries("record_sale", "OutcomeUnknown", seconds=20)
        if minute == day.opens + 20:
            desk.tries("submit_order", "NotSent", times=3, seconds=5)
        told.append({**desk.told(), **_standing(minute, day)})
    return told


def _counter(desk: _Desk, minute: int, day: Day, chance: Random) -> None:
    """What people do in a minute of the day."""
    desk.tries("submit_order", times=chance.randint(0, 3))
    desk.tries("record_sale", times=chance.randint(0, 1))
    if minute % 5 == 0:
        desk.tries(chance.choice(["submit_order", "record_sale"]), "RequestRefused")
        desk.tries("verify_credentials")
    if minute % 30 == 0:
        desk.tries("claims", times=200)
        desk.tries("claims", "UnexpectedAnswer", times=6)  # 429, repeated
        desk.tries("record_sale", "OrderNotFound")
    wrong = 2 if minute < day.opens + 10 else int(minute % 90 == 0)
    for _ in range(wrong):
        desk.refuses("warranty.sign_in")
    if minute == day.opens:
        desk.refuses("warranty.provider")  # somebody new, who is in no group yet
    if minute % 60 == 0:
        desk.refuses("warranty.door")  # a page that somebody has left open elsewhere


def _standing(minute: int, day: Day) -> dict[str, float]:
    unknown = day.slow <= minute < day.slow + 25
    night = (minute - day.night) * 60 + (0 if minute >= day.night else 86_400) + 2400
    told = {
        "warranty_journal_up": 1, "warranty_ready": 1,
        "warranty_draining": float(minute == day.restart - 1),
        "warranty_unknowns": float(unknown),
        "warranty_oldest_unknown_seconds": (minute - day.slow) * 60 if unknown else 0,
        "warranty_queued_orders": 0, "warranty_oldest_queued_seconds": 0,
        "warranty_imports_left": float(0 <= minute - day.imports < 2),  # between its start and its lease
        "warranty_drift": 2, "warranty_pace_left": minute % 3 * 4,
        "warranty_retry_budget_left": 3 if 0 <= minute - day.slow < 5 else 10,
        "warranty_backup_age_seconds": night, "warranty_night_age_seconds": night, "warranty_nights_unreadable": 0,
        "warranty_sessions": 12 if day.opens <= minute < day.closes else 0,
    }  # fmt: skip
    return told if minute < day.opens else {**told, "warranty_reading_age_seconds": minute % 30 * 60}


ON_CALL = "\n".join((ROOT / "docs" / name).read_text() for name in ("on-call.md", "on-call-alerts.md"))
ALERTS: list[dict[str, Any]] = yaml.safe_load(story.RULES.read_text())["groups"][0]["rules"]
PANELS: list[dict[str, Any]] = json.loads((ROOT / "deploy" / "grafana" / "warranty-desk.json").read_text())["panels"]
QUERIES = [(panel["title"], target["expr"]) for panel in PANELS for target in panel.get("targets", ())]


def symptoms() -> dict[str, str]:
    found: dict[str, str] = {}
    for table in re.findall(r"(?:^\|.*\n)+", ON_CALL, flags=re.MULTILINE):
        if table.startswith(("| symptom |", "| it says |", "| the log line ends with |")):
            cells = [row.strip("| ").split(" | ") for row in table.splitlines()[2:]]
            found |= {first.strip(): last for first, *_, last in cells}
    return found


def unseen() -> dict[str, str]:
    """The rows that no rule sees, each with the reason that the document gives."""
    parted = {symptom: last.partition(" No rule: ") for symptom, last in symptoms().items()}
    return {symptom: reason for symptom, (_, says_so, reason) in parted.items() if says_so}


def named() -> list[str]:
    return [row for alert in ALERTS for row in alert["annotations"]["rows"].splitlines()]


@pytest.mark.parametrize("day", [SHORT, pytest.param(WHOLE, marks=pytest.mark.long)], ids=["short", "whole"])
def test_on_a_common_day_with_import_slow_minute_and_restart_no_rule_fires(day: Day, tmp_path: Path) -> None:
    told = common_day(day)
    story.fires(told, set(), tmp_path)
    last = told[day.restart - 1] or {}
    calls = sum(count for series, count in last.items() if series.startswith("warranty_calls_total"))
    assert calls > 2 * day.restart, "two a minute"


def meant(beginning: str) -> list[str]:
    """The rows that a beginning names: the one that is all of it, else those that begin so."""
    rows = list(symptoms())
    return [beginning] if beginning in rows else [row for row in rows if row.startswith(beginning)]


def test_each_symptom_of_the_document_has_a_rule_or_says_why_none_sees_it() -> None:
    seen = {row for beginning in named() for row in meant(beginning)}
    assert [row for row in symptoms() if row not in seen | unseen().keys()] == []
    assert seen & unseen().keys() == set()
    assert [one for one in named() if not meant(one)] == []
    assert [symptom for symptom, reason in unseen().items() if len(reason) < 20] == []
    assert len(symptoms()) > 25


@pytest.mark.parametrize("alert", ALERTS, ids=lambda alert: str(alert["alert"]))
def test_a_rule_says_how_bad_it_is_what_it_is_and_what_to_do(alert: dict[str, Any]) -> None:
    assert alert["labels"]["severity"] in {"critical", "warning"}
    assert alert.keys() <= {"alert", "expr", "for", "labels", "annotations"}
    notes = alert["annotations"]
    assert all((len(notes["summary"]) > 20, len(notes["do"]) > 20, notes["rows"].strip()))


def test_rules_and_dashboard_ask_for_figures_that_a_desk_tells(told: Told) -> None:
    told_series = {series.partition("{")[0] for series in told.before} | set(GAUGES)
    asked = {name for rule in ALERTS for name in _figures(rule["expr"])}
    shown = {name for _, query in QUERIES for name in _figures(query)}
    assert (asked | shown) - told_series == set()
    families, panels = ({re.sub(r"_(bucket|count|sum)$", "", name) for name in names} for names in (told_series, shown))
    assert families - panels == set(), "a panel for all of it"


def _figures(expression: str) -> set[str]:
    return set(re.findall(r"\bwarranty_[a-z_]+\b", expression))


def test_prometheus_takes_every_query_of_the_dashboard_and_the_samples_with_somebody_to_tell(tmp_path: Path) -> None:
    plain = [query.replace("$__rate_interval", "5m").replace("$__range", "1d") for _, query in QUERIES]
    rules = [{"record": f"query:{number}", "expr": query} for number, query in enumerate(plain)]
    file = tmp_path / "queries.json"
    file.write_text(json.dumps({"groups": [{"name": "dashboard", "rules": rules}]}))
    assert f"{len(QUERIES)} rules found" in story.promtool("check", "rules", file)
    shutil.copy(story.RULES, tmp_path)
    sample = (story.RULES.parent / "prometheus.yml").read_text()
    with_alerting = re.sub(r"^# (?=alerting:|  )", "", sample, flags=re.MULTILINE)
    assert yaml.safe_load(with_alerting)["alerting"]["alertmanagers"]
    for text in (sample, with_alerting):
        (tmp_path / "prometheus.yml").write_text(text)
        story.promtool("check", "config", tmp_path / "prometheus.yml")


@pytest.mark.long
def test_a_desk_tells_its_figures_on_a_port_of_their_own_alone(tmp_path: Path) -> None:
    port = free_port()
    dashboard = Dashboard(tmp_path / "data", environment={"WARRANTY_METRICS_PORT": str(port)})
    with dashboard:
        told = story.scrape(port)
        assert told is not None
        assert (told["warranty_ready"], told["warranty_sessions"]) == (1, 0)
        address = f"ws://127.0.0.1:{dashboard.port}/_stcore/stream"
        with connect(address, origin=Origin(dashboard.url), subprotocols=[Subprotocol("streamlit")], proxy=None):
            until(lambda: (story.scrape(port) or {})["warranty_sessions"] == 1, seconds=60)
        assert "warranty_" not in httpx.get(f"{dashboard.url}/metrics", trust_env=False).text
