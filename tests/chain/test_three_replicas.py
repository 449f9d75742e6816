"""A chain's desk on three machines: whichever fails, nothing is lost, nothing is sent twice, and all are back."""

import subprocess
from pathlib import Path

import pytest

from deploy.up.machine import ROOT
from tests.chain.ordeal import Ordeal
from tests.machine import in_a_loop_of_its_own, program
from warranty.database.schema import NEWEST


def program_before(folder: Path) -> Path:
    """Write that program into a folder and give it; skips with the reason where the history is not here."""
    if not _git("rev-parse", "--git-dir") or _git("rev-parse", "--is-shallow-repository") == "true":
        pytest.skip("the program of before comes from git's history, which is not here (a shallow clone, an export)")
    its_name = f'"{NEWEST}"'
    came_with = _git("log", "--format=%H", f"-S{its_name}", "--", "warranty/database")
    commit = f"{came_with.splitlines()[-1]}^" if came_with else "HEAD"
    packed = subprocess.run(["git", "archive", commit], cwd=ROOT, check=True, capture_output=True)
    subprocess.run(["tar", "-x", "-C", folder], check=True, input=packed.stdout)
    assert not [file for file in (folder / "warranty").rglob("*.py") if its_name in file.read_text()]
    return folder


def _git(*words: str) -> str:
    told = subprocess.run(["git", *words], cwd=ROOT, check=False, capture_output=True, text=True)
    return told.stdout.strip()


pytestmark = [pytest.mark.long, pytest.mark.postgres, pytest.mark.timeout(400)]


def test_tills_go_on_while_replicas_die_the_database_fails_over_and_an_older_desk_is_upgraded(tmp_path: Path) -> None:
    program("postgres", package="postgresql")
    program("nginx", package="nginx-light")
    with Ordeal(tills=10, pause=0.5, upgraded_from=program_before(tmp_path)).running() as ordeal:
        before = ordeal.versions()
        in_a_loop_of_its_own(ordeal.until(90.0, breaking=ordeal.one_after_another()))
        assert (len(before), len(before | ordeal.versions())) == (1, 2), "the journal was not upgraded"
        found = ordeal.judged()
    assert found.orders >= 20, "the tills were hardly at work"
    assert found.back, "no till lost its line"
    assert (found.lost, found.twice, found.unexplained, found.typed_anew) == ([], [], [], [])
    assert found.given_up == []
    assert max(found.back) <= 10
