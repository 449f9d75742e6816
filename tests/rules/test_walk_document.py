"""The walk through the house leads through doors that are there, and its map shows the floors that are checked."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
WALK = (ROOT / "docs" / "walk.md").read_text()
MAP = (ROOT / "docs" / "architecture.md").read_text()


def names_in(path: Path) -> set[str]:
    """Functions and classes of a module, and methods as `Class.method`."""
    names = set()
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        if isinstance(node, ast.ClassDef):
            names |= {f"{node.name}.{part.name}" for part in node.body if isinstance(part, ast.FunctionDef)}
    return names


def test_every_function_that_the_walk_names_stands_in_its_file() -> None:
    doors = re.findall(r"`([\w/]+\.py):([\w.]+)`", WALK)
    assert [(path, name) for path, name in doors if name not in names_in(ROOT / path)] == []
    assert len(doors) > 20


def test_the_walk_has_at_most_thirty_stations_in_their_order() -> None:
    stations = [int(number) for number in re.findall(r"^(\d+)\. `", WALK, flags=re.MULTILINE)]
    assert stations == list(range(1, len(stations) + 1))
    assert len(stations) <= 30


def test_the_map_names_every_room() -> None:
    rooms = {
        path.parent.name
        for room in ("components", "warranty")
        for path in (ROOT / room).glob("*/__init__.py")
    }
    assert sorted(room for room in rooms if not re.search(rf"\b{room}\b", MAP)) == []


@pytest.mark.parametrize("house", ["components", "warranty"])
def test_the_readme_of_a_house_shows_the_floors_that_are_checked(house: str) -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    (checked,) = [one["layers"] for one in contracts if one.get("containers") == [house]]
    readme = (ROOT / house / "README.md").read_text()
    assert re.findall(r"^    (\S.*)$", readme, flags=re.MULTILINE) == checked
