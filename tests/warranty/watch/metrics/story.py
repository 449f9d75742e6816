"""What a desk told at each minute, and which of the rules of `deploy/prometheus` fire at that, as promtool says."""

import json
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import httpx

from tests.dashboard import ROOT
from tests.machine import program

RULES = ROOT / "deploy" / "prometheus" / "rules.yml"
LABELS = 'job="warranty-desk",instance="desk:9464"'
Scrape = Mapping[str, float]
"""Figures by their series as a scrape writes them."""


def read(text: str) -> Scrape:
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return {series: float(value) for series, value in (line.rsplit(" ", 1) for line in lines)}


def series(name: str, labels: Mapping[str, str]) -> str:
    told = ",".join(f'{label}="{value}"' for label, value in sorted(labels.items()))
    return f"{name}{{{told}}}" if told else name


def scrape(port: int) -> Scrape | None:
    """Ask a desk as Prometheus does; None where it does not answer."""
    try:
        with httpx.Client(trust_env=False, timeout=10) as asking:
            return read(asking.get(f"http://127.0.0.1:{port}/metrics").raise_for_status().text)
    except httpx.TransportError:
        return None


def promtool(*command: object) -> str:
    tool = program("promtool", package="prometheus")
    said = subprocess.run([tool, *map(str, command)], capture_output=True, text=True, check=False, timeout=170)
    assert said.returncode == 0, said.stdout + said.stderr
    return said.stdout


def fires(minutes: Sequence[Scrape | None], expected: set[str], folder: Path) -> None:
    """Fail unless exactly these alerts fire at some time when a desk tells this, a scrape a minute."""
    expression = f'group by (alertname) (last_over_time(ALERTS{{alertstate="firing"}}[{len(minutes)}m]))'
    samples = [{"labels": f'{{alertname="{name}"}}', "value": 1} for name in sorted(expected)]
    asked = {"expr": expression, "eval_time": f"{len(minutes) - 1}m", "exp_samples": samples}
    told = {
        "rule_files": [str(RULES)], "evaluation_interval": "1m",
        "tests": [{"interval": "1m", "input_series": _series(minutes), "promql_expr_test": [asked]}],
    }  # fmt: skip
    file = folder / "story.json"
    file.write_text(json.dumps(told))
    promtool("test", "rules", file)


def _series(minutes: Sequence[Scrape | None]) -> list[dict[str, str]]:
    # A series that stays zero adds nothing to any sum; most endings of most operations never come.
    names = sorted({name for minute in minutes for name, value in (minute or {}).items() if value})
    up = {"series": f"up{{{LABELS}}}", "values": " ".join("1" if minute else "0" for minute in minutes)}
    return [
        up, *({"series": _labelled(name), "values": _values([(m or {}).get(name) for m in minutes])} for name in names),
    ]  # fmt: skip


def _labelled(series: str) -> str:
    name, _, labels = series.rstrip("}").partition("{")
    return f"{name}{{{','.join(filter(None, (labels, LABELS)))}}}"


def _values(values: Sequence[float | None]) -> str:
    """In promtool's notation; where a scrape no longer has a series, Prometheus takes it for gone at once."""
    told: list[str] = []
    for before, value in zip([None, *values], values, strict=False):
        told.append(repr(value) if value is not None else "_" if before is None else "stale")
    return " ".join(told)
