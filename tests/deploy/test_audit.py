"""The audit of dependencies where there is no network: it tells what was known, and when, or that nobody looked."""

import json
import subprocess
import sys
from pathlib import Path

from tests.dashboard import ROOT
from tests.deploy.conftest import ran


def audited(folder: Path) -> subprocess.CompletedProcess[str]:
    """As on a machine that reaches no registry: its tools are not installed, and pip cannot."""
    pip = folder / "audit" / "bin" / "pip"
    pip.parent.mkdir(parents=True, exist_ok=True)
    pip.write_text("#!/bin/sh\nexit 1\n")
    pip.chmod(0o755)
    return ran(sys.executable, "-m", "deploy.audit", "--folder", folder, cwd=ROOT)


def keep(folder: Path, day: str, *faults: dict[str, object]) -> None:
    part = {"name": "lamp", "version": "1.0", "vulns": faults}
    (folder / f"audit-{day}.json").write_text(json.dumps({"dependencies": [part], "fixes": []}))


def test_without_a_network_it_says_that_nobody_looked_or_what_the_newest_day_knew(tmp_path: Path) -> None:
    told = audited(tmp_path)
    assert (told.returncode, told.stdout) == (3, "")
    assert "The audit could not look, and no list of an earlier day" in told.stderr
    keep(tmp_path, "2026-10-30", {"id": "OSV-0", "fix_versions": []})
    keep(tmp_path, "2026-11-02", {"id": "OSV-1", "fix_versions": ["2.0"]})
    told = audited(tmp_path)
    known = "lamp 1.0: OSV-1, cured in 2.0\nAs of 2026-11-02: 1 known faults in 1 parts.\n"
    assert (told.returncode, told.stdout) == (1, known)
    keep(tmp_path, "2026-11-03")
    told = audited(tmp_path)
    assert (told.returncode, told.stdout) == (0, "As of 2026-11-03: 0 known faults in 1 parts.\n")
