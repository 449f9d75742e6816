"""docs/deploy.md, followed by its own commands."""

import os
import re
import site
import sys
from pathlib import Path

import pytest

from deploy.up.machine import ROOT
from tests.deploy.conftest import ran
from tests.deploy.follow.__main__ import DOCUMENT, FORCED, WITHOUT_REGISTRY, blocks, forced
from tests.machine import program

VALUES = {"base_url": "", "private_token": "", "public_token": ""}


def test_what_stands_in_for_the_documents_commands_stands_in_it_still() -> None:
    document = blocks(DOCUMENT.read_text())
    assert len(document) > 8
    forced(document, FORCED | WITHOUT_REGISTRY, VALUES)
    with pytest.raises(SystemExit, match="no longer says: a line of before"):
        forced(document, {"a line of before": ""}, VALUES)


def test_a_block_that_is_not_followed_says_why() -> None:
    notes = {block.note for block in blocks(DOCUMENT.read_text())}
    assert all(note in {"", "registry"} or re.fullmatch(r"not run: .{10,}", note) for note in notes), notes


@pytest.mark.long
def test_a_stranger_gets_two_replicas_by_the_document_alone(tmp_path: Path) -> None:
    """All of its commands, but that the packages are those of this environment."""
    if os.geteuid() != 0:
        pytest.skip("only root can make a copy of this machine")
    program("nginx", package="nginx-light")
    program("initdb", package="postgresql")
    built = ran(sys.executable, "-m", "build", "--no-isolation", "--outdir", tmp_path, cwd=ROOT)
    assert built.returncode == 0, built.stderr
    packages = ("--packages", site.getsitepackages()[0])
    followed = ran(
        *(sys.executable, "-m", "tests.deploy.follow", "--dist", tmp_path, *packages), cwd=ROOT, timeout=170
    )
    assert followed.returncode == 0, followed.stdout + followed.stderr
    assert "Followed in " in followed.stdout
