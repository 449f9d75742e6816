"""Every sentence of the interface is claimed by a test, every silence is written down at the code that breaks it."""

import ast
import re
import tomllib
from pathlib import Path

from sandbox.__main__ import _parser
from sandbox.api.operations import OPERATION_NAMES, OPERATIONS
from sandbox.control import ControlRoutes
from sandbox.service.faults import KINDS
from tests.sandbox.shop import Shop

HERE = Path(__file__).resolve().parent
SANDBOX = HERE.parent.parent / "sandbox"
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


README = (Path(__file__).resolve().parent.parent.parent / "sandbox" / "README.md").read_text(encoding="utf-8")


def test_every_option_fault_and_operation_is_described() -> None:
    options = {name for action in _parser()._actions for name in action.option_strings if name.startswith("--")}
    assert set(re.findall(r"`(--[a-z-]+)`", README)) == options - {"--help"}
    assert set(re.findall(r"^\| `([a-z_]+)` \|", README, re.MULTILINE)) == set(KINDS)
    assert [name for name in OPERATION_NAMES if f"`{name}`" not in README] == []


def test_every_control_route_is_described_with_its_methods(shop: Shop) -> None:
    rows = re.findall(r"^\| `([A-Z, ]+) (/_sandbox/\S+)`", README, re.MULTILINE)
    routes = ControlRoutes(shop.sandbox._service, shop.sandbox._control).routes()
    known = {(method, route.path) for route in routes for method in (route.methods or set()) - {"HEAD"}}
    assert {(method, path) for methods, path in rows for method in methods.split(", ")} == known
