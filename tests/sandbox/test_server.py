"""The server in a thread, and alone as `python -m sandbox`: starting, announcing, stopping."""

import ast
import json
import logging
import re
import signal
import ssl
import subprocess
import sys
import threading
import tomllib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from sandbox import SandboxServer, __main__
from sandbox.__main__ import _parser
from sandbox.api.operations import OPERATION_NAMES, OPERATIONS
from sandbox.control import ControlRoutes
from sandbox.service.faults import KINDS
from tests.sandbox.shop import VERIFY, Shop

ROOT = Path(__file__).resolve().parent.parent.parent


def test_a_server_starts_answers_and_is_gone_after_its_block_and_starts_again() -> None:
    others = sandbox_threads()
    server = SandboxServer()
    assert "not running" in repr(server)
    for _ in range(2):
        with server as sandbox, Shop(sandbox) as shop:
            server.start()  # a second time changes nothing
            assert shop.stored()
            certificate = Path(sandbox.ca_file)
            assert "CERTIFICATE" in certificate.read_text()
            assert "PRIVATE KEY" not in "".join(file.read_text() for file in certificate.parent.iterdir())
            assert sandbox.private_token not in repr(sandbox)
            server.stop()
            with pytest.raises(httpx.TransportError):
                shop.http.get(VERIFY)
        assert not certificate.parent.exists()
        assert sandbox_threads() == others


def sandbox_threads() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.name == "sandbox"}


def test_two_servers_share_nothing_and_the_logging_around_them_is_left_alone() -> None:
    with SandboxServer() as one, SandboxServer() as two, Shop(one) as here, Shop(two) as there:
        assert one.private_token != two.private_token
        assert one.retailer_uuid != two.retailer_uuid
        assert there.sell(here.stored(), {"product_id": "TV-55"}).status_code == 404
        with pytest.raises(httpx.ConnectError):
            httpx.get(two.base_url, verify=ssl.create_default_context(cafile=one.ca_file))
    loggers = [logging.getLogger(name) for name in ("", "uvicorn", "uvicorn.error", "asyncio")]
    before = [(logger.level, logger.handlers[:], logger.propagate) for logger in loggers]
    with SandboxServer():
        assert [(logger.level, logger.handlers, logger.propagate) for logger in loggers] == before


def started(*arguments: str) -> tuple[subprocess.Popen[str], dict[str, Any]]:
    command = [sys.executable, "-m", "sandbox", *arguments]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    return process, json.loads(process.stdout.readline())


def test_the_command_has_the_options_of_the_server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    given: dict[str, Any] = {}

    def never(**options: object) -> SandboxServer:
        given.update(options)
        raise SystemExit

    monkeypatch.setattr(__main__, "SandboxServer", never)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    words = "--port 1 --landing-port 2 --random-seed 5 --claims-order newest --tokens account"
    for more in ("", f"{words} --public-token-header X-Public --clock 2026-11-21T09:00:00 --data {tmp_path}"):
        with pytest.raises(SystemExit):
            __main__.main(more.split())
        assert given["seed"] == "demo"
    numbers = {"port": 1, "landing_port": 2, "random_seed": 5, "clock": datetime(2026, 11, 21, 9, tzinfo=UTC)}
    texts = {"claims_order": "newest", "public_token_header": "X-Public", "tokens": "account"}
    assert given == {"seed": "demo", "data": tmp_path, **numbers, **texts}


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_command_announces_itself_in_one_line_and_stops_cleanly(number: signal.Signals) -> None:
    process, announced = started("--seed", "empty")
    try:
        names = ["base_url", "landing_url", "retailer_uuid", "private_token", "public_token", "ca_file"]
        assert list(announced) == names
        token = {"Authorization": f"Bearer {announced['private_token']}"}
        with httpx.Client(verify=ssl.create_default_context(cafile=announced["ca_file"])) as http:
            assert http.get(f"{announced['base_url']}{VERIFY}", headers=token).status_code == 200
            assert http.get(f"{announced['base_url']}/_sandbox/health").json()["seed"] == "empty"
        process.send_signal(number)
        output, errors = process.communicate(timeout=15)
    finally:
        process.kill()
    assert (process.returncode, output, errors) == (0, "", "")
    assert not Path(announced["ca_file"]).exists()


def test_the_command_says_in_a_sentence_why_it_cannot_start(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    file = tmp_path / "notes.txt"
    file.write_text("not a database, but long enough to look like one" * 100)
    assert __main__.main(["--data", str(file)]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("The sandbox cannot start: ")


HERE = Path(__file__).resolve().parent
SANDBOX = ROOT / "sandbox"
CONFORMANCE = HERE.parent / "contract" / "test_commands.py"
"""What a run against any service asks is not asked here again."""
CLAUSES = tomllib.loads((HERE / "clauses.toml").read_text(encoding="utf-8"))
"""The sentences of the interface by their ids, under the section of the document."""
ASSUMPTIONS = (SANDBOX / "ASSUMPTIONS.md").read_text(encoding="utf-8")


def claimed() -> set[str]:
    decorators = [
        decorator
        for file in (*HERE.glob("test_*.py"), CONFORMANCE)
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
        for decorator in node.decorator_list
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func).endswith("clause")
    ]
    return {ast.literal_eval(argument) for decorator in decorators for argument in decorator.args}


def test_every_clause_of_the_interface_has_a_sentence_an_id_of_its_own_and_a_test() -> None:
    ids = [name for sentences in CLAUSES.values() for name in sentences]
    assert len(ids) == len(set(ids)) > 150
    assert set(ids) == claimed()


DESCRIBED = re.findall(r"^### (\S+)$", ASSUMPTIONS, re.MULTILINE)


def test_every_assumption_stands_once_at_its_code_and_in_the_list_and_says_what_is_silent_and_what_to_change() -> None:
    comment = re.compile(r"^\s*# Assumption (\S+)$", re.MULTILINE)
    decided = [name for file in SANDBOX.rglob("*.py") for name in comment.findall(file.read_text())]
    assert sorted(DESCRIBED) == sorted(decided)
    assert len(set(DESCRIBED)) == len(DESCRIBED)
    assert {operation.assumption for operation in OPERATIONS if operation.assumption} < set(DESCRIBED)
    for entry in re.split(r"^### ", ASSUMPTIONS, flags=re.MULTILINE)[1:]:
        labels = re.findall(r"^- \*\*(\w+)\*\*: \S", entry, re.MULTILINE)
        assert labels == ["Document", "Sandbox", "Dashboard", "Otherwise"], entry.partition("\n")[0]


README = (SANDBOX / "README.md").read_text(encoding="utf-8")


def test_every_option_fault_operation_and_control_route_is_described(shop: Shop) -> None:
    options = {name for action in _parser()._actions for name in action.option_strings if name.startswith("--")}
    assert set(re.findall(r"`(--[a-z-]+)`", README)) == options - {"--help"}
    assert set(re.findall(r"^\| `([a-z_]+)` \|", README, re.MULTILINE)) == set(KINDS)
    assert [name for name in OPERATION_NAMES if f"`{name}`" not in README] == []
    rows = re.findall(r"^\| `([A-Z, ]+) (/_sandbox/\S+)`", README, re.MULTILINE)
    routes = ControlRoutes(shop.sandbox._service, shop.sandbox._control).routes()
    known = {(method, route.path) for route in routes for method in (route.methods or set()) - {"HEAD"}}
    assert {(method, path) for methods, path in rows for method in methods.split(", ")} == known
