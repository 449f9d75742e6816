"""Documents say what the code says: what is made from it, the manual, the walk and the maps of the house."""

import ast
import re
import tomllib
from pathlib import Path

import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config

from tests.catalogues import sentences
from tests.reference import DOCUMENTS, made_anew
from tests.rules.test_house_rules import ROOT, tree_of
from warranty.settings import Settings


@pytest.mark.parametrize("document", DOCUMENTS)
def test_a_document_made_from_the_code_is_as_the_code_says(document: str) -> None:
    text = (ROOT / document).read_text()
    assert made_anew(text) == text, "make reference"


def test_every_setting_has_one_row_and_the_pythons_that_the_package_names_are_those_that_are_tried() -> None:
    rows = re.findall(r"^\| `WARRANTY_([A-Z_]+)`", (ROOT / "docs" / "settings.md").read_text(), re.MULTILINE)
    assert sorted(rows) == sorted(name.upper() for name in Settings.model_fields)
    package = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    named = re.findall(r"Python :: (3\.\d+)", " ".join(package["classifiers"]))
    others = re.findall(r"^PYTHONS \?= (.+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert named == [package["requires-python"].removeprefix(">="), *others[0].split()]


def test_the_manual_is_made_without_a_warning_and_each_page_is_in_its_menu(tmp_path: Path) -> None:
    settings = load_config(str(ROOT / "mkdocs.yml"), strict=True, site_dir=str(tmp_path))
    build(settings)
    menu = (tmp_path / "manual" / "index.html").read_text(encoding="utf-8")
    pages = [page.relative_to(ROOT / "docs" / "manual") for page in (ROOT / "docs" / "manual").glob("*/*.md")]
    assert len(pages) > 10
    assert [str(page) for page in pages if str(page.with_suffix(".html")) not in menu] == []


def test_what_the_manual_names_in_bold_stands_on_a_screen() -> None:
    said = {
        str(message.id if isinstance(message.id, str) else message.id[0]).casefold()
        for room in sentences().values()
        for message in room
    }
    for page in (ROOT / "docs" / "manual").rglob("*.md"):
        for name in re.findall(r"\*\*([^*]{1,99})\*\*", page.read_text(encoding="utf-8")):
            assert any(sentence.startswith(name.casefold()) for sentence in said), f"{page.name}: {name}"


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
