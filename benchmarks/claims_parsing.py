"""100,000 claims in 2,000 answers of 50: from bytes to a checked, typed DataFrame."""

import ctypes
import gc
import json
import subprocess
import sys
from pathlib import Path
from typing import Final

import orjson

from benchmarks.claim_service import bodies
from benchmarks.harness import Result, interleaved
from warranty.claims.retrieval.answers import read_answer
from warranty.claims.retrieval.columns import ClaimColumns, ClaimTable

CLAIMS: Final = 100_000
_MEMORY_REACH_MB: Final = 35
_BASELINE: Final = "`orjson.loads` of the same bodies"


def parsed(answers: list[bytes]) -> tuple[ClaimTable, ClaimColumns]:
    columns = ClaimColumns()
    for number, body in enumerate(answers, start=1):
        columns.add(read_answer(body, number=number))
    return columns.table(), columns


def spoilt(answers: list[bytes]) -> tuple[list[bytes], list[tuple[int, int, str]]]:
    """Spoil one record in 1,000: a field missing, a number for a text, an odd timestamp, in turn."""
    found: list[bytes] = []
    bad: list[tuple[int, int, str]] = []
    for number, body in enumerate(answers, start=1):
        page = json.loads(body)
        for place, record in enumerate(page["data"]):
            if (number * 50 + place) % 1_000 == 17:
                field = ("order_id", "warranty_id", "order_date")[len(bad) % 3]
                if field == "order_id":
                    del record[field]
                else:
                    record[field] = 12_345 if field == "warranty_id" else "yesterday"
                bad.append((number, place, field))
        found.append(json.dumps(page, separators=(",", ":")).encode())
    return found, bad


def measure() -> list[Result]:
    clean = bodies(CLAIMS)
    dirty, bad = spoilt(clean)
    table, columns = parsed(dirty)
    assert [(each.answer, each.record, each.field) for each in columns.rejected] == bad
    assert len(table.frame) == CLAIMS - len(bad)
    seconds = interleaved(
        {
            "orjson, kept": lambda: [orjson.loads(body) for body in clean],
            "orjson, dropped": lambda: [None for body in clean if orjson.loads(body) is None],
            "clean": lambda: parsed(clean),
            "dirty": lambda: parsed(dirty),
        }
    )
    each = seconds["clean"] / CLAIMS * 1e6
    dropped = seconds["clean"] / seconds["orjson, dropped"]
    megabytes = _peak_memory()
    return [
        Result(
            "100,000 claims, 2,000 bodies of 50, bytes to checked DataFrame",
            _BASELINE,
            seconds["clean"] / seconds["orjson, kept"],
            2.0,
            detail=f"{each:.2f} µs a claim; against `orjson.loads` that throws each answer away at once {dropped:.2f}",
        ),
        Result(
            "the same, peak memory above the input",
            f"{_MEMORY_REACH_MB} MB",
            megabytes / _MEMORY_REACH_MB,
            1.0,
            detail=f"{megabytes:.1f} MB",
        ),
        Result(
            "the same with one bad record in 1,000",
            "the clean run",
            seconds["dirty"] / seconds["clean"],
            1.25,
            detail=f"{len(bad)} bad records named by answer, record and field; {CLAIMS - len(bad):,} good ones kept",
        ),
    ]


def _peak_memory() -> float:
    """Measure the peak in a process of its own, in megabytes above what it holds once the bodies are there."""
    script = "from benchmarks.claims_parsing import print_peak; print_peak()"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, text=True)
    return float(done.stdout)


def print_peak() -> None:
    """Parse once and print how far resident memory rose."""
    answers = bodies(CLAIMS)
    parsed(answers[:100])  # loads what is loaded once
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    Path("/proc/self/clear_refs").write_text("5")
    before = _status("VmRSS")
    parsed(answers)
    print((_status("VmHWM") - before) / 1024)


def _status(name: str) -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:"))
