"""The program of the version before goes on writing while this one's migration is done (docs/decisions/backup.md)."""

import ast
from pathlib import Path

import pytest

VERSIONS = Path(__file__).resolve().parent.parent.parent / "warranty" / "database" / "migrations" / "versions"
FIRST_BESIDE_ANOTHER = "v0007"
ADDING = {"op.add_column", "op.create_index"}


@pytest.mark.parametrize(
    "migration",
    sorted(path for path in VERSIONS.glob("v*.py") if path.stem >= FIRST_BESIDE_ANOTHER),
    ids=lambda path: path.stem,
)
def test_a_migration_only_adds_what_the_version_before_need_not_fill(migration: Path) -> None:
    calls = [node for node in ast.walk(ast.parse(migration.read_text())) if isinstance(node, ast.Call)]
    said = {ast.unparse(call.func) for call in calls if ast.unparse(call.func).startswith("op.")}
    assert said - {"op.get_bind"} <= ADDING  # which only looks what is there
    needed = [
        ast.unparse(call)
        for call in calls
        if any(word.arg == "nullable" and ast.unparse(word.value) == "False" for word in call.keywords)
        and not any(word.arg == "server_default" for word in call.keywords)
    ]
    assert needed == []
