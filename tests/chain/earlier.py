"""The program as it was before the journal's newest version, from this repository's own history."""

import subprocess
from pathlib import Path

import pytest

from deploy.up.machine import ROOT

_VERSIONS = Path("warranty/database/migrations/versions")


def program_before(folder: Path) -> Path:
    """Write that program into a folder and give it; skips with the reason where the history is not here."""
    newest = max((ROOT / _VERSIONS).glob("v*.py")).relative_to(ROOT)
    if not _git("rev-parse", "--git-dir") or _git("rev-parse", "--is-shallow-repository") == "true":
        pytest.skip("the program of before comes from git's history, which is not here (a shallow clone, an export)")
    came_with = _git("log", "--follow", "--diff-filter=A", "--format=%H", "--", str(newest))
    commit = f"{came_with.splitlines()[-1]}^" if came_with else "HEAD"
    packed = subprocess.run(["git", "archive", commit], cwd=ROOT, check=True, capture_output=True)
    subprocess.run(["tar", "-x", "-C", folder], check=True, input=packed.stdout)
    assert not [*folder.rglob(newest.name)]  # it may have stood in another folder
    return folder


def _git(*words: str) -> str:
    told = subprocess.run(["git", *words], cwd=ROOT, check=False, capture_output=True, text=True)
    return told.stdout.strip()
