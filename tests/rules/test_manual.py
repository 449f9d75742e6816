"""The manual is made as people make it: every page is in its menu, every picture and every link of it is there."""

import re
from pathlib import Path

from mkdocs.commands.build import build
from mkdocs.config import load_config

from tests.catalogues import ROOT, sentences


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
