"""Every figure of every screen and file is in docs/figures.md with its base; without one none can be made."""

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import MISSING, fields
from typing import Final

import pytest

from tests.rules.test_house_rules import PRODUCT, ROOT, calls, nodes
from tests.warranty.claims.retrieval.fake_service import DAY, FakeService, records_at
from warranty.claims.analysis.figures import Base, Figure
from warranty.claims.retrieval import retrieve_claims
from warranty.client.resources import ClaimQuery
from warranty.files.export import claims_file
from warranty.insight.history.nights import Night, Part

COUNTS: Final = (int, float, int | None)
"""The types of a manifest's figures."""


def rows(chapter: str) -> list[list[str]]:
    """The rows of a chapter's table: a figure, its question, base and conditions, where it is, and its test."""
    text = (ROOT / "docs" / "figures.md").read_text().split(f"\n## {chapter}\n")[1].split("\n## ")[0]
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines() if "|" in line][2:]


def listed(chapter: str) -> list[str]:
    """The names in a chapter's table; each row says all, and names a test that is there."""
    for name, question, *told, where, test in rows(chapter):
        assert question.startswith("no figure: ") or (question.endswith("?") and all(told) and where), name
        assert len(told) == 2, name
        assert len(list((ROOT / "tests").rglob(f"{test}.py"))) == 1, f"{name}: {test}"
    return [row[0] for row in rows(chapter)]


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


def test_the_figures_of_files_are_listed() -> None:
    about = json.loads(claims_file(retrieve_claims(FakeService(records_at([DAY])), ClaimQuery())).manifest)
    claims = {f"claims.{name}": value for name, value in about["claims"].items()}
    of_claims = [name for name, value in {**about, **claims}.items() if type(value) is int]
    of_nights = [
        f"{kind.__name__.lower()}.{name}"
        for kind in (Night, Part)
        for name, field in kind.model_fields.items()
        if field.annotation in COUNTS
    ]
    assert [*of_claims, *of_nights] == listed("Files")


def test_what_writes_a_number_is_listed_by_its_folder_and_the_test_of_a_figure_names_it() -> None:
    imports = re.compile(
        r"^from warranty\.language(\.written import .{0,80}\bnumber| import .*\bngettext)\b", re.MULTILINE
    )
    writing = {path.parent.relative_to(ROOT).as_posix() for path in PRODUCT if imports.search(path.read_text())}
    assert sorted(writing) == listed("In sentences and tables")
    for name, *_, test in rows("Figures") + rows("Files"):
        (file,) = (ROOT / "tests").rglob(f"{test}.py")
        assert name.rpartition(".")[2] in file.read_text(), f"{name}: {test}"


def test_a_figure_cannot_be_made_without_each_part_of_its_base_and_screens_draw_no_other() -> None:
    needed = {field.name for kind in (Base, Figure) for field in fields(kind) if field.default is MISSING}
    assert needed >= {"of", "count", "as_of", "leaves_out", "name", "value", "base"}
    drawing = [path.parts[-3:-1] for path in PRODUCT if ".metric(" in path.read_text()]
    assert set(drawing) == {("claims", "screen"), ("selling", "record_sale"), ("selling", "sending")}
    (function,) = (each for where, each in nodes(ast.FunctionDef) if where == "components/claims/screen/figure_view.py")
    assert ast.unparse(function.args).partition(", *")[0] == "figures: Sequence[Figure[Any]]"
