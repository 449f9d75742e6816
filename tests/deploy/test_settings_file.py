"""/etc/warranty-desk.env as its two readers take it: systemd for the units, the command `warranty` for people."""

import re
import subprocess
from pathlib import Path

import pytest

from deploy.up.machine import ROOT
from tests.deploy.conftest import ran
from tests.deploy.follow.systemctl import unquoted
from tests.machine import program

WRAPPER = (ROOT / "deploy" / "systemd" / "warranty").read_text()
SETTINGS = "/etc/warranty-desk.env"


def by_systemd(written: str, folder: Path) -> str:
    """What systemd takes a value for: its one reader of such files also reads os-release, for tmpfiles."""
    (folder / "etc").mkdir()
    (folder / "etc" / "os-release").write_text(f"BUILD_ID={written}\n")
    (folder / "tmpfiles.conf").write_text("f /read - - - - %B\n")
    told = ran(program("systemd-tmpfiles", package="systemd"), f"--root={folder}", "--create", folder / "tmpfiles.conf")
    assert told.returncode == 0, told.stderr
    return (folder / "read").read_text()


def by_the_wrapper(lines: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """The wrapper on a file of these lines; the desk's place takes what prints a setting."""
    settings = folder / "settings"
    settings.write_text(lines)
    script = WRAPPER
    for said, instead in (
        (f"settings={SETTINGS}\n", f"settings={settings}\n"),
        ("cd /var/lib/warranty-desk\n", f"cd {folder}\n"),
        ("exec runuser -u warranty -- /opt/warranty-desk/current/bin/warranty-desk", "exec printenv"),
    ):
        assert script.count(said) == 1, said
        script = script.replace(said, instead)
    return ran("/bin/sh", "-c", script, "warranty", "WARRANTY_SMTP_PASSWORD", cwd=folder)


@pytest.mark.parametrize(
    "written",
    [
        "'x;touch ran'", "'$(touch ran)`touch ran`'", "'a$b\\c'", "'p(1) & \"q\" #1 %i ä \\'", '"it\'s $5 `now`"',
        "x;touch ran", "a$b(1)==", "Our shop", "it's", "''", "",
    ],
)  # fmt: skip
def test_a_value_is_to_the_command_what_it_is_to_systemd_and_is_not_run(written: str, tmp_path: Path) -> None:
    read = by_the_wrapper(f"# The mail's.\n\nWARRANTY_SMTP_PASSWORD={written}\nWARRANTY_TERMS=12", tmp_path)
    assert (read.returncode, read.stderr) == (0, "")
    assert read.stdout.removesuffix("\n") == by_systemd(written, tmp_path) == unquoted(written)
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    "line",
    [
        r"WARRANTY_SMTP_PASSWORD=a\b", r'WARRANTY_SMTP_PASSWORD="a\b"', "WARRANTY_SMTP_PASSWORD='a'b'",
        "WARRANTY_SMTP_PASSWORD='a", 'WARRANTY_SMTP_PASSWORD="', "WARRANTY_SMTP_PASSWORD= a",
        "WARRANTY_SMTP_PASSWORD='a'\r", "# goes on \\", "export WARRANTY_SMTP_PASSWORD=a", "touch ran",
    ],
)  # fmt: skip
def test_a_line_that_the_two_could_read_differently_is_refused_by_number(line: str, tmp_path: Path) -> None:
    read = by_the_wrapper(f"WARRANTY_TERMS=12\n{line}\n", tmp_path)
    assert (read.returncode, read.stdout) == (2, "")
    assert re.fullmatch(r".*, line 2: write NAME='value' on one line; .*\n", read.stderr)
    assert not (tmp_path / "ran").exists()
