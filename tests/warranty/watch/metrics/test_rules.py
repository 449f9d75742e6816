"""The alert rules and the dashboard: silent on a common day, true to the figures, true to `docs/on-call.md`."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.dashboard import ROOT
from tests.machine import program
from tests.warranty.watch.metrics import story
from tests.warranty.watch.metrics.common_day import SHORT, Day, common_day
from tests.warranty.watch.metrics.told import Told
from warranty.watch.metrics.serving import GAUGES

ON_CALL = "\n".join((ROOT / "docs" / name).read_text() for name in ("on-call.md", "on-call-alerts.md"))
ALERTS: list[dict[str, Any]] = yaml.safe_load(story.RULES.read_text())["groups"][0]["rules"]
PANELS: list[dict[str, Any]] = json.loads((ROOT / "deploy" / "grafana" / "warranty-desk.json").read_text())["panels"]
QUERIES = [(panel["title"], target["expr"]) for panel in PANELS for target in panel.get("targets", ())]


def symptoms() -> dict[str, str]:
    found: dict[str, str] = {}
    heads = ("| symptom |", "| it says |", "| the log line ends with |")
    for table in re.findall(r"(?:^\|.*\n)+", ON_CALL, flags=re.MULTILINE):
        if table.startswith(heads):
            cells = [row.strip("| ").split(" | ") for row in table.splitlines()[2:]]
            found |= {first.strip(): last for first, *_, last in cells}
    return found


def unseen() -> dict[str, str]:
    """The rows that no rule sees, each with the reason that the document gives."""
    parted = {symptom: last.partition(" No rule: ") for symptom, last in symptoms().items()}
    return {symptom: reason for symptom, (_, says_so, reason) in parted.items() if says_so}


def named() -> list[str]:
    return [row for alert in ALERTS for row in alert["annotations"]["rows"].splitlines()]


@pytest.mark.parametrize("day", [SHORT, pytest.param(Day(), marks=pytest.mark.long)], ids=["short", "whole"])
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
    assert all(len(alert["annotations"][part]) > 20 for part in ("summary", "do"))
    assert alert["annotations"]["rows"].strip()


def test_rules_and_dashboard_ask_for_figures_that_a_desk_tells(told: Told) -> None:
    told_series = {series.partition("{")[0] for series in told.before} | set(GAUGES)
    asked = {name for rule in ALERTS for name in _figures(rule["expr"])}
    shown = {name for _, query in QUERIES for name in _figures(query)}
    assert (asked | shown) - told_series == set()
    families, panels = ({re.sub(r"_(bucket|count|sum)$", "", name) for name in names} for names in (told_series, shown))
    assert families - panels == set(), "a panel for all of it"


def _figures(expression: str) -> set[str]:
    return set(re.findall(r"\bwarranty_[a-z_]+\b", expression))


def promtool(*command: object) -> str:
    tool = program("promtool", package="prometheus")
    said = subprocess.run([tool, *map(str, command)], capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stdout + said.stderr
    return said.stdout


def test_every_query_of_the_dashboard_can_be_asked_of_prometheus(tmp_path: Path) -> None:
    plain = [query.replace("$__rate_interval", "5m").replace("$__range", "1d") for _, query in QUERIES]
    rules = [{"record": f"query:{number}", "expr": query} for number, query in enumerate(plain)]
    file = tmp_path / "queries.json"
    file.write_text(json.dumps({"groups": [{"name": "dashboard", "rules": rules}]}))
    assert f"{len(QUERIES)} rules found" in promtool("check", "rules", file)


def test_the_samples_are_what_prometheus_takes_with_somebody_to_be_told_too(tmp_path: Path) -> None:
    shutil.copy(story.RULES, tmp_path)
    sample = (story.RULES.parent / "prometheus.yml").read_text()
    with_alerting = re.sub(r"^# (?=alerting:|  )", "", sample, flags=re.MULTILINE)
    assert yaml.safe_load(with_alerting)["alerting"]["alertmanagers"]
    for text in (sample, with_alerting):
        (tmp_path / "prometheus.yml").write_text(text)
        promtool("check", "config", tmp_path / "prometheus.yml")
