"""Every sentence of the interface is claimed by a test, every silence is written down at the code that breaks it."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from sandbox.api.operations import OPERATIONS

HERE = Path(__file__).resolve().parent
SANDBOX = HERE.parent.parent / "sandbox"
CLAUSES = tomllib.loads((HERE / "clauses.toml").read_text(encoding="utf-8"))
"""The sentences of the interface by their ids, under the section of the document."""
ASSUMPTIONS = (SANDBOX / "ASSUMPTIONS.md").read_text(encoding="utf-8")


def claimed() -> Iterator[str]:
    """The ids in @clause(...) and @pytest.mark.clause(...) over the tests of this folder."""
    for file in sorted(HERE.glob("test_*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                for decorator in node.decorator_list:
                    if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) in {
                        "clause",
                        "pytest.mark.clause",
                    }:
                        yield from (ast.literal_eval(argument) for argument in decorator.args)


def test_every_clause_of_the_interface_has_a_sentence_an_id_of_its_own_and_a_test() -> None:
    ids = [name for sentences in CLAUSES.values() for name in sentences]
    assert len(ids) == len(set(ids)) > 150
    assert all(says.endswith(".") for sentences in CLAUSES.values() for says in sentences.values())
    assert sorted(set(ids)) == sorted(set(claimed()))


def described() -> list[str]:
    return re.findall(r"^### (\S+)$", ASSUMPTIONS, re.MULTILINE)


def decided() -> list[str]:
    comment = re.compile(r"^\s*# Assumption (\S+)$", re.MULTILINE)
    return [
        name
        for file in sorted(SANDBOX.rglob("*.py"))
        for name in comment.findall(file.read_text(encoding="utf-8"))
    ]


def test_every_assumption_stands_once_at_the_code_that_decides_it_and_once_in_the_list() -> None:
    assert sorted(described()) == sorted(decided())
    assert len(set(described())) == len(described())


def test_every_assumption_says_what_is_silent_what_we_do_and_what_to_change() -> None:
    for entry in re.split(r"^### ", ASSUMPTIONS, flags=re.MULTILINE)[1:]:
        labels = re.findall(r"^- \*\*(\w+)\*\*: \S", entry, re.MULTILINE)
        assert labels == ["Document", "Sandbox", "Dashboard", "Otherwise"], entry.partition("\n")[0]


def test_an_assumed_endpoint_is_marked_by_an_assumption_that_is_described() -> None:
    marked = [operation.assumption for operation in OPERATIONS if operation.assumption]
    assert len(marked) == 2
    assert set(marked) <= set(described())
