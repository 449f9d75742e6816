"""README, settings, commands and permissions say what the code says."""

import re
import tomllib

import pytest

from tests.catalogues import ROOT
from tests.reference import DOCUMENTS, made_anew
from warranty.settings import Settings


@pytest.mark.parametrize("document", DOCUMENTS)
def test_a_document_made_from_the_code_is_as_the_code_says(document: str) -> None:
    text = (ROOT / document).read_text()
    assert made_anew(text) == text, "make reference"


def test_every_setting_has_one_row() -> None:
    rows = re.findall(r"^\| `WARRANTY_([A-Z_]+)`", (ROOT / "docs" / "settings.md").read_text(), re.MULTILINE)
    assert sorted(rows) == sorted(name.upper() for name in Settings.model_fields)


def test_the_pythons_that_the_package_names_are_those_that_are_tried() -> None:
    package = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    named = re.findall(r"Python :: (3\.\d+)", " ".join(package["classifiers"]))
    others = re.findall(r"^PYTHONS \?= (.+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert named == [package["requires-python"].removeprefix(">="), *others[0].split()]
