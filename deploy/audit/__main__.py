"""`python -m deploy.audit`: what the product is made of (an SBOM), and which faults of that are known, as of a day.

What is known is asked of a public database, and kept under its day. Where nobody can be asked, the newest list that is
kept is told with its day; without one, that nobody looked. For any Python: it needs nothing that is installed.
"""

import argparse
import json
import subprocess
import sys
import venv
from datetime import UTC, datetime
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
NONE_KNOWN, KNOWN, NOT_LOOKED = 0, 1, 3
_LISTS = "requirements requirements.txt --pyproject pyproject.toml --output-reproducible --output-format JSON"
_ASKS = (
    "--requirement requirements.txt --disable-pip --require-hashes --vulnerability-service osv --timeout 20 "
    "--progress-spinner off --format json"
)


def main() -> int:
    """Exit status 0: no fault is known; 1: some are; 3: nobody looked, now or on an earlier day."""
    parser = argparse.ArgumentParser(prog="python -m deploy.audit", description=__doc__)
    parser.add_argument("--folder", type=Path, default=ROOT / "build", help="where tools and lists are kept")
    folder: Path = parser.parse_args().folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    tools = folder / "audit"
    if not _has_tools(tools):
        return _tell_earlier(folder, "The tools of the audit could not be installed.")
    _list_parts(tools, folder / "sbom.json")
    found = _ask(tools)
    if found is None:
        return _tell_earlier(folder, "Nobody could be asked.")
    report = folder / f"audit-{datetime.now(UTC):%Y-%m-%d}.json"
    report.write_text(found)
    return _tell(report)


def _has_tools(tools: Path) -> bool:
    """Install them, at the versions and hashes of the lock beside this, if that has not been done."""
    lock, done = HERE / "requirements.txt", tools / ".installed"
    if done.is_file() and done.stat().st_mtime >= lock.stat().st_mtime:
        return True
    if not (tools / "bin" / "pip").exists():
        venv.create(tools, with_pip=True, clear=True)
    pip = str(tools / "bin" / "pip")
    install = [pip, "install", "--quiet", "--require-hashes", "--requirement", str(lock)]
    if subprocess.run(install, check=False).returncode:
        return False
    done.touch()
    return True


def _list_parts(tools: Path, sbom: Path) -> None:
    """The parts with their versions and hashes, as CycloneDX; the same bytes for the same lock."""
    command = [str(tools / "bin" / "cyclonedx-py"), *_LISTS.split(), "--output-file", str(sbom)]
    subprocess.run(command, cwd=ROOT, check=True)
    parts = json.loads(sbom.read_text())["components"]
    sys.stdout.write(f"The product is made of {len(parts)} parts: {sbom}\n")


def _ask(tools: Path) -> str | None:
    """What is known of each part, as JSON; None where nobody answered."""
    command = [str(tools / "bin" / "pip-audit"), *_ASKS.split()]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return found.stdout if found.stdout.startswith("{") else None


def _tell_earlier(folder: Path, why: str) -> int:
    report = max(folder.glob("audit-????-??-??.json"), default=None)
    if report is None:
        sys.stderr.write(f"{why} The audit could not look, and no list of an earlier day is in {folder}.\n")
        return NOT_LOOKED
    sys.stderr.write(f"{why} This was known on an earlier day:\n")
    return _tell(report)


def _tell(report: Path) -> int:
    parts = json.loads(report.read_text())["dependencies"]
    day, faults = report.stem.removeprefix("audit-"), 0
    for part in parts:
        for fault in part.get("vulns", ()):
            faults += 1
            cures = ", ".join(fault["fix_versions"]) or "none yet"
            sys.stdout.write(f"{part['name']} {part['version']}: {fault['id']}, cured in {cures}\n")
    sys.stdout.write(f"As of {day}: {faults} known faults in {len(parts)} parts.\n")
    return KNOWN if faults else NONE_KNOWN


if __name__ == "__main__":
    sys.exit(main())
