"""The walk through the house leads through doors that are there; its maps show the rooms and the floors."""

import ast
import re
import tomllib

import pytest

from tests.rules.test_house_rules import ROOT, tree_of

WALK = (ROOT / "docs" / "walk.md").read_text()


def test_every_function_that_the_walk_names_stands_in_its_file() -> None:
    doors = re.findall(r"`([\w/]+\.py):(?:\w+\.)?(\w+)`", WALK)
    kinds = ast.FunctionDef | ast.ClassDef
    missing = [
        f"{path}:{name}"
        for path, name in doors
        if not any(isinstance(node, kinds) and node.name == name for node in ast.walk(tree_of(ROOT / path)))
    ]
    assert missing == []
    assert len(doors) > 20


@pytest.mark.parametrize("house", ["components", "warranty"])
def test_the_map_names_every_room_and_the_readme_of_a_house_shows_the_checked_floors(house: str) -> None:
    drawn = (ROOT / "docs" / "architecture.md").read_text()
    rooms = [path.parent.name for path in (ROOT / house).glob("*/__init__.py")]
    assert [room for room in rooms if not re.search(rf"\b{room}\b", drawn)] == []
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    (checked,) = [one["layers"] for one in contracts if one.get("containers") == [house]]
    readme = (ROOT / house / "README.md").read_text()
    assert re.findall(r"^    (\S.*)$", readme, flags=re.MULTILINE) == checked
