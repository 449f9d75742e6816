"""The audit of dependencies where there is no network: it tells what was known, and when, or that nobody looked."""

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.dashboard import ROOT


def audited(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """As in a fresh clone of a machine that reaches no registry, and knows of none."""
    nowhere = {"PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull, "PIP_FIND_LINKS": str(folder)}
    return subprocess.run(
        [sys.executable, "-m", "deploy.audit", "--folder", str(folder)],
        cwd=ROOT, env={**os.environ, **nowhere}, capture_output=True, text=True, check=False,
    )  # fmt: skip


def keep(folder: Path, day: str, *faults: dict[str, object]) -> None:
    part = {"name": "lamp", "version": "1.0", "vulns": faults}
    (folder / f"audit-{day}.json").write_text(json.dumps({"dependencies": [part], "fixes": []}))


def test_without_a_network_it_says_that_nobody_looked_or_what_was_known_on_the_newest_day_that_is_kept(
    tmp_path: Path,
) -> None:
    told = audited(tmp_path)
    assert (told.returncode, told.stdout) == (3, "")
    assert "The audit could not look, and no list of an earlier day" in told.stderr

    keep(tmp_path, "2026-10-30", {"id": "OSV-0", "fix_versions": []})
    keep(tmp_path, "2026-11-02", {"id": "OSV-1", "fix_versions": ["2.0"]})
    told = audited(tmp_path)
    assert told.returncode == 1
    assert told.stdout == "lamp 1.0: OSV-1, cured in 2.0\nAs of 2026-11-02: 1 known faults in 1 parts.\n"

    keep(tmp_path, "2026-11-03")
    told = audited(tmp_path)
    assert (told.returncode, told.stdout) == (0, "As of 2026-11-03: 0 known faults in 1 parts.\n")
