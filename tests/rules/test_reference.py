"""README, settings, commands and permissions say what the code says."""

import re

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
