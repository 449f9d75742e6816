"""The manual is made as people make it: every page is in its menu, every picture and every link of it is there."""

from pathlib import Path

from mkdocs.commands.build import build
from mkdocs.config import load_config

from tests.catalogues import ROOT


def test_the_manual_is_made_without_a_warning_and_each_page_is_in_its_menu(tmp_path: Path) -> None:
    settings = load_config(str(ROOT / "mkdocs.yml"), strict=True, site_dir=str(tmp_path))
    build(settings)
    menu = (tmp_path / "manual" / "index.html").read_text(encoding="utf-8")
    pages = [page.relative_to(ROOT / "docs" / "manual") for page in (ROOT / "docs" / "manual").glob("*/*.md")]
    assert len(pages) > 10
    assert [str(page) for page in pages if str(page.with_suffix(".html")) not in menu] == []
