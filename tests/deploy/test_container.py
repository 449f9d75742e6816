"""The container file and the compose file: linted, and their layout started from this machine's packages."""

import json
import os
import re
import shlex
import shutil
import signal
import site
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from playwright.sync_api import Page, expect

from components.navigation import SCREENS
from deploy.up.machine import ROOT
from tests.builders import MANAGER, seen_by
from tests.deploy.conftest import ran, sign_in_at
from tests.deploy.follow.__main__ import DOCUMENTS, FORCED, WITHOUT_REGISTRY, blocks, forced
from tests.deploy.root import PACKAGES, PYTHON, USER, Root
from tests.machine import program
from warranty.__main__ import parser
from warranty.settings import load_settings
from warranty.settings.secrets_file import SECRETS_FILE

FOLDER = ROOT / "deploy" / "container"
CONTAINERFILE = FOLDER / "Containerfile"
CRON = FOLDER / "warranty-desk.cron"
NIGHTLY = [path for path in (ROOT / "deploy").glob("*/warranty-*.service") if "@" not in path.name]


def instructions() -> list[tuple[str, str]]:
    text = re.sub(r"^#.*\n", "", CONTAINERFILE.read_text(), flags=re.MULTILINE).replace("\\\n", " ")
    last = text[text.rindex("\nFROM ") + 1 :]
    return [(line.split()[0], line.split(maxsplit=1)[1]) for line in last.splitlines() if line.strip()]


def only(name: str) -> str:
    (found,) = (content for word, content in instructions() if word == name)
    return found


COMPOSE = (FOLDER / "compose.yaml").read_text()
SERVICES: dict[str, Any] = yaml.safe_load(COMPOSE)["services"]
REPLICAS = {name: service for name, service in SERVICES.items() if name.startswith("desk-")}
EXAMPLE = (FOLDER / "desk.env.example").read_text()


def address(service: str) -> str:
    found: str = SERVICES[service]["networks"]["desk"]["ipv4_address"]
    return found


def in_containers() -> str:
    return "".join(block.commands for block in blocks(ROOT / "docs" / "containers.md"))


def test_linters_find_nothing_in_the_container_file_and_the_compose_file() -> None:
    tools = Path(sys.executable).parent
    schema = ("--builtin-schema", "vendor.compose-spec")
    for linted in (
        ran(tools / "hadolint", CONTAINERFILE),
        ran(tools / "check-jsonschema", *schema, FOLDER / "compose.yaml"),
    ):
        assert linted.returncode == 0, linted.stdout + linted.stderr


def test_the_image_runs_as_nobody_who_has_rights_says_whether_it_lives_and_has_all_that_is_copied_into_it() -> None:
    assert only("USER") == f"{USER}:{USER}"
    assert "/livez" in only("HEALTHCHECK")
    assert "/readyz" not in only("HEALTHCHECK")
    assert json.loads(only("CMD"))[0] == "python"  # no shell between: SIGTERM reaches the desk
    read = (FOLDER / "Containerfile.dockerignore").read_text().splitlines()
    copies = [content for kind, content in instructions() if kind == "COPY" and not content.startswith("--from")]
    copied = {word for content in copies for word in content.split()[:-1]}
    assert copied | {"requirements.txt"} == {line[1:] for line in read if line.startswith("!")}


def test_the_replicas_of_the_compose_file_are_those_of_its_proxy_and_write_to_their_own_folder_alone() -> None:
    addresses = [f"{address(name)}:{only('EXPOSE')}" for name in REPLICAS]
    assert len(addresses) == 2
    assert f"/replicas.py {' '.join(addresses)} >replicas.conf\n" in in_containers()
    assert f"WARRANTY_TRUSTED_PROXIES={address('proxy')}\n" in EXAMPLE
    for name, service in SERVICES.items():
        assert "no-new-privileges:true" in service["security_opt"], name
    bound = {"read_only": True, "tmpfs": ["/tmp"], "cap_drop": ["ALL"]}  # noqa: S108 - in the container
    for service in REPLICAS.values():
        assert service | bound == service
        assert [one.split(":")[1] for one in service["volumes"]] == [only("VOLUME")]


def test_the_documents_commands_for_containers_are_the_desks_own_at_a_service_of_the_compose_file() -> None:
    """The first account before the first `up`: without one the desks would be started again for ever."""
    commands = in_containers()
    assert commands.index(" accounts add admin --role administrator ") < commands.index("\ndesk up ")
    asked = re.findall(r"^desk (?:run --rm|exec -T) (\S+) python -m warranty (.*)$", commands, flags=re.MULTILINE)
    assert {words.split()[0] for _, words in asked} == {"check", "accounts"}
    for service, line in asked:
        words = shlex.split(line)
        assert service in SERVICES
        assert callable(parser(words[:1]).parse_args(words).run)


def test_cron_runs_by_night_in_a_container_what_timers_run_elsewhere() -> None:
    lines = re.sub(r"^#.*\n", "", CRON.read_text(), flags=re.MULTILINE)
    job = r"^\S+ \S+ \S+ \S+ \S+ +root +docker exec (\S+) python -m warranty (.*?)(?: >/dev/null)?$"
    jobs = re.findall(job, lines, flags=re.MULTILINE)
    assert len(jobs) == len(lines.splitlines())
    assert "%" not in lines, "cron ends a command there"
    timers = {re.findall("^ExecStart=.*/warranty-desk (.*)$", unit.read_text(), re.M)[0] for unit in NIGHTLY}
    assert {words.removesuffix(" --quiet") for _, words in jobs} == timers
    assert {container for container, _ in jobs} <= {service.get("container_name") for service in SERVICES.values()}
    assert f"/{CRON.name} /etc/cron.d/warranty-desk\n" in in_containers()


def test_secrets_and_figures_have_their_place_in_the_containers_behind_a_comment() -> None:
    opened = yaml.safe_load(COMPOSE.replace("# - ./", "- ./"))["services"]
    place = f"{only('WORKDIR')}/{SECRETS_FILE.as_posix()}"
    assert f"./secrets.toml:{place}:ro" in opened["desk-2"]["volumes"]
    given = dict(re.findall("^# WARRANTY_(METRICS_[A-Z]+)=(.*)$", EXAMPLE, re.MULTILINE))
    settings = load_settings({name.lower(): value for name, value in given.items()})
    assert settings.metrics_address == "0.0.0.0"  # noqa: S104 - in the container
    assert [name for name in REPLICAS if f" {address(name)}:{settings.metrics_port}" not in EXAMPLE] == []


@pytest.mark.long
@pytest.mark.browser
def test_what_the_image_holds_is_all_that_the_desk_needs(page: Page) -> None:
    """Its own COPY, ENV, RUN, USER and CMD lines, with this machine's Python and packages in place of the images'."""
    with Root() as root:
        folder, environment = "/", dict(root.spec["environment"])
        for word, content in instructions():
            match word:
                case "WORKDIR":
                    folder = content
                    (root.path / folder.lstrip("/")).mkdir(parents=True)
                case "COPY" if not content.startswith("--from"):
                    *sources, target = content.split()
                    for source in sources:
                        put(ROOT / source, root.path / folder.lstrip("/") / target, several=target == "./")
                case "ENV":
                    environment |= dict(pair.split("=", 1) for pair in content.split())
        root.keeps(only("VOLUME"))
        root.spec |= {
            "folder": folder,
            "command": [PYTHON, *json.loads(only("CMD"))[1:]],
            "environment": {**environment, "PYTHONPATH": PACKAGES, "STREAMLIT_SERVER_PORT": str(root.port)},
        }
        root.start()
        root.wait_until_ready()
        assert root.get("/livez") == '{"status":"alive"}'
        sign_in_at(page, f"http://127.0.0.1:{root.port}", "manager")
        for screen in filter(seen_by(MANAGER), SCREENS):
            page.goto(f"http://127.0.0.1:{root.port}/{screen.name}")
            expect(page.get_by_role("heading", level=1)).to_be_visible(timeout=20_000)
        assert root.stop() in {0, -signal.SIGTERM}
        assert "journal.sqlite3" in root.kept
        assert "Traceback" not in root.log


def put(source: Path, target: Path, *, several: bool) -> None:
    """As COPY does: a folder's content, or a file, under a folder where several are copied."""
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        target = target / source.name if several else target
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)


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
