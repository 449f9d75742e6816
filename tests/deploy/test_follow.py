"""docs/deploy.md, followed by its own commands; those of other documents, as far as that needs no machine."""

import os
import re
import site
import sys
from pathlib import Path

import pytest

from deploy.up.machine import ROOT
from tests.deploy.conftest import ran
from tests.deploy.follow.__main__ import DOCUMENTS, FORCED, WITHOUT_REGISTRY, blocks, forced
from tests.machine import program

VALUES = {"base_url": "", "private_token": "", "public_token": ""}


def test_what_stands_in_for_a_documents_command_stands_in_it_and_what_is_not_followed_says_why() -> None:
    document = blocks(*DOCUMENTS)
    assert len(document) > 8
    forced(document, FORCED | WITHOUT_REGISTRY, VALUES)
    with pytest.raises(SystemExit, match="no longer say: a line of before"):
        forced(document, {"a line of before": ""}, VALUES)
    notes = {block.note for block in blocks(*DOCUMENTS, ROOT / "docs" / "containers.md")}
    assert all(note in {"", "registry"} or re.fullmatch(r"not run: .{10,}", note) for note in notes), notes


@pytest.mark.parametrize("name", ["deploy", "more-machines", "containers", "releases", "on-call"])
def test_no_command_names_what_its_shell_has_not_or_shows_a_password_in_the_list_of_processes(name: str) -> None:
    text = (ROOT / "docs" / f"{name}.md").read_text()
    known = {word for pair in re.findall(r"\b(\w+)=|\bfor (\w+) in ", text) for word in pair}
    assert {word for word in re.findall(r"\$(\w+)", text) if word not in known} == set()
    typed = re.sub(r"<<(\w+)\n.*?^\1$", "", text, flags=re.M | re.S)
    shown = [line for line in typed.splitlines() if "$PASSWORD" in line or "$(cat database.password)" in line]
    assert [line for line in shown if not line.startswith("printf ")] == []  # the shell's own


@pytest.mark.long
def test_a_stranger_gets_two_replicas_by_the_document_alone(tmp_path: Path) -> None:
    """All of its commands, but that the packages are those of this environment."""
    if os.geteuid() != 0:
        pytest.skip("only root can make a copy of this machine")
    program("nginx", package="nginx-light")
    program("initdb", package="postgresql")
    program("ip", package="iproute2")
    built = ran(sys.executable, "-m", "build", "--no-isolation", "--outdir", tmp_path, cwd=ROOT)
    assert built.returncode == 0, built.stderr
    packages = ("--packages", site.getsitepackages()[0])
    followed = ran(*(sys.executable, "-m", "tests.deploy.follow", "--dist", tmp_path, *packages), cwd=ROOT, timeout=170)
    assert followed.returncode == 0, followed.stdout + followed.stderr
    assert "Followed in " in followed.stdout
