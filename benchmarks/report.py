"""The benchmarks by name, and docs/benchmarks.md with a section for each."""

import os
import pkgutil
import platform
import re
from datetime import UTC, datetime
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import benchmarks
from benchmarks.harness import Result

DOCUMENT = Path(__file__).parent.parent / "docs" / "benchmarks.md"
LIBRARIES = ("pandas", "numpy", "pyarrow", "pydantic", "orjson", "httpx", "streamlit", "sqlalchemy")
_HEAD = """# Speed, as ratios

Made by `make bench` (`python -m benchmarks`). Each figure is a ratio against a named baseline in the same run:
candidates in turn, median of at least 5 rounds. Ratios travel between machines, seconds do not. "Reach" is the goal
that was set before; a figure that misses it stays here all the same.
"""


def names() -> list[str]:
    """Every benchmark, by name."""
    modules = (module.name for module in pkgutil.iter_modules(benchmarks.__path__) if not module.ispkg)
    return sorted(name for name in modules if _is_benchmark(name))


def _is_benchmark(name: str) -> bool:
    source = (Path(__file__).parent / f"{name}.py").read_text()
    return re.search(r"^def measure\(", source, re.MULTILINE) is not None


def run(name: str) -> list[Result]:
    """Run one benchmark."""
    measured: list[Result] = import_module(f"benchmarks.{name}").measure()
    return measured


def section(name: str, results: list[Result]) -> str:
    """Give a benchmark's part of the document: what it is, its table, when and on what it was run."""
    said = (import_module(f"benchmarks.{name}").__doc__ or name).strip()
    lines = [f"<!-- {name} -->", f"## {name.replace('_', ' ').capitalize()}", "", said, ""]
    lines += ["| what | against | ratio | reach | reached | detail |", "|---|---|---|---|---|---|"]
    lines += [row(result) for result in results]
    return "\n".join([*lines, "", f"Run on {datetime.now(UTC):%Y-%m-%d}: {machine()}.", f"<!-- end {name} -->"])


def row(result: Result) -> str:
    comparison = "at least" if result.at_least else "at most"
    reach = "none set" if result.goal is None else f"{comparison} {result.goal:g}"
    reached = {True: "yes", False: "**no**", None: ""}[result.reached]
    cells = (result.what, result.baseline, f"{result.ratio:.3g}", reach, reached, result.detail)
    return "| " + " | ".join(cell.replace("|", "/") for cell in cells) + " |"


def machine() -> str:
    """Say what ran it: cores, memory and versions; nothing by which the machine is known."""
    gigabytes = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    parts = [f"{os.cpu_count()} cores", f"{gigabytes:.0f} GiB", f"Python {platform.python_version()}"]
    for library in LIBRARIES:
        try:
            parts.append(f"{library} {version(library)}")
        except PackageNotFoundError:
            continue
    return ", ".join(parts)


def keep(sections: dict[str, str]) -> None:
    """Put these sections into the document, each in the place of its former self."""
    kept = DOCUMENT.read_text() if DOCUMENT.exists() else ""
    marked = re.finditer(r"(?s)<!-- (?!end )(\w+) -->.*?<!-- end \1 -->", kept)
    found = {match.group(1): match.group(0) for match in marked}
    found.update(sections)
    known = names()
    DOCUMENT.write_text("\n\n".join([_HEAD.strip(), *(found[name] for name in known if name in found)]) + "\n")
