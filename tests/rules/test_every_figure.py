"""Every figure of every screen and file is in docs/figures.md with its base; without one none can be made."""

import ast
from collections.abc import Iterator
from dataclasses import MISSING, fields
from typing import Final

import pytest

from tests.rules.test_house_rules import PRODUCT, ROOT, calls, nodes
from warranty.claims.analysis.figures import Base, Figure

COUNTS: Final = (int, float, int | None)


def listed(chapter: str) -> list[str]:
    """The names in a chapter's table; each row has all of its five cells."""
    text = (ROOT / "docs" / "figures.md").read_text().split(f"\n## {chapter}\n")[1].split("\n## ")[0]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines() if "|" in line][2:]
    assert [row for row in rows if len(row) != 5 or not all(row)] == []
    return [row[0] for row in rows]


def made(kind: str) -> Iterator[str]:
    """The names given where a `Figure` or a `Chart` is made: by letters, or by whoever calls a function for it."""
    for _, function in nodes(ast.FunctionDef):
        for call in (node for node in ast.walk(function) if isinstance(node, ast.Call)):
            if ast.unparse(call.func) == kind:
                (name,) = (word.value for word in call.keywords if word.arg == "name")
                yield from (named_by_callers(function, name.id) if isinstance(name, ast.Name) else [letters(name)])


def letters(name: ast.expr) -> str:
    """A name that is written where it is given, with … for what is put into it."""
    if isinstance(name, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in name.values)
    if isinstance(name, ast.Call):  # `N_("...")`: said in the reader's language where it is drawn
        (name,) = name.args
    return str(ast.literal_eval(name))


def named_by_callers(function: ast.FunctionDef, parameter: str) -> Iterator[str]:
    """What those who call the function give it as a name, by letters."""
    place = [argument.arg for argument in function.args.args + function.args.kwonlyargs].index(parameter)
    found = [call for _, call in calls(function.name)]
    assert found, f"nobody calls {function.name}"
    for call in found:
        given = {word.arg: word.value for word in call.keywords}
        yield letters(given[parameter] if parameter in given else call.args[place])


@pytest.mark.parametrize(("chapter", "kind"), [("Figures", "Figure"), ("Charts", "Chart")])
def test_figures_and_charts_are_listed(chapter: str, kind: str) -> None:
    assert sorted(set(made(kind))) == sorted(listed(chapter))


def test_a_figure_cannot_be_made_without_each_part_of_its_base_and_screens_draw_no_other() -> None:
    needed = {field.name for kind in (Base, Figure) for field in fields(kind) if field.default is MISSING}
    assert needed >= {"of", "count", "as_of", "leaves_out", "name", "value", "base"}
    drawing = [path.parts[-3:-1] for path in PRODUCT if ".metric(" in path.read_text()]
    assert set(drawing) == {("claims", "screen"), ("selling", "record_sale")}
    (function,) = (each for where, each in nodes(ast.FunctionDef) if where == "components/claims/screen/figure_view.py")
    assert ast.unparse(function.args).partition(", *")[0] == "figures: Sequence[Figure[Any]]"
