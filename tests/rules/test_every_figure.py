"""Every figure of every screen and file is in docs/figures.md with its base, and no number is drawn without one."""

import ast
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import pytest

from tests.builders import claim_record
from tests.warranty.retrieval.fake_service import FakeService
from warranty.export import claims_file
from warranty.history.nights import Manifest, Part
from warranty.resources import ClaimQuery
from warranty.retrieval import retrieve_claims

ROOT = Path(__file__).resolve().parent.parent.parent
SOURCES = {
    path.relative_to(ROOT).as_posix(): ast.parse(path.read_text())
    for folder in ("components", "pages", "warranty")
    for path in sorted((ROOT / folder).rglob("*.py"))
}


def listed(chapter: str) -> list[str]:
    """The names in a chapter's table; each row has all of its five cells, or says that it is no figure."""
    text = (ROOT / "docs" / "figures.md").read_text().split(f"\n## {chapter}\n")[1].split("\n## ")[0]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines() if "|" in line][2:]
    assert [row for row in rows if len(row) != 5 or not (all(row) or row[1].startswith("no figure: "))] == []
    return [row[0] for row in rows]


def calls_of(name: str, within: Iterable[ast.AST]) -> Iterator[ast.Call]:
    for tree in within:
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name:
                yield node


def made(kind: str) -> Iterator[str]:
    """The names given where a `Figure` or a `Chart` is made: by letters, or by whoever calls a function for it."""
    for tree in SOURCES.values():
        for function in ast.walk(tree):
            if not isinstance(function, ast.FunctionDef):
                continue
            for call in calls_of(kind, [function]):
                name = next(word.value for word in call.keywords if word.arg == "name")
                if isinstance(name, ast.Name):
                    yield from named_by_callers(function, name.id)
                else:
                    yield letters(name)


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
    calls = list(calls_of(function.name, SOURCES.values()))
    assert calls, f"nobody calls {function.name}"
    for call in calls:
        given = {word.arg: word.value for word in call.keywords}
        yield letters(given[parameter] if parameter in given else call.args[place])


@pytest.mark.parametrize(("chapter", "kind"), [("Figures", "Figure"), ("Charts", "Chart")])
def test_figures_and_charts_are_listed(chapter: str, kind: str) -> None:
    assert sorted(set(made(kind))) == sorted(listed(chapter))


def numbers(told: Mapping[str, object], before: str = "") -> Iterator[str]:
    for name, value in told.items():
        if isinstance(value, Mapping):
            yield from numbers(value, f"{before}{name}.")
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield f"{before}{name}"


def test_the_figures_of_files_are_listed() -> None:
    claims = retrieve_claims(FakeService([claim_record("2026-11-01T10:00:00.000000")]), ClaimQuery())
    shift = next(
        node
        for node in ast.walk(SOURCES["components/shift_report/view.py"])
        if isinstance(node, ast.FunctionDef) and node.name == "figures"
    )
    shift_figures = [
        letters(name) for node in ast.walk(shift) if isinstance(node, ast.Dict) for name in node.keys if name
    ]
    counts = (int, float, int | None)
    found = [
        *numbers(json.loads(claims_file(claims).manifest)),
        *(f"night.{name}" for name, field in Manifest.model_fields.items() if field.annotation in counts),
        *(f"part.{name}" for name, field in Part.model_fields.items() if field.annotation in counts),
        *shift_figures,
    ]
    assert sorted(found) == sorted(listed("Files"))


def writes_a_number(tree: ast.Module) -> bool:
    """Whether a number is put into a sentence for people: with its thousands apart, as a share, or by `number`."""
    return any(
        (
            isinstance(node, ast.FormattedValue)
            and node.format_spec is not None
            and re.search(r",|%'?$", ast.unparse(node.format_spec))
        )
        or (
            isinstance(node, ast.Call)
            and ast.unparse(node.func) in {"counted", "how_many", "number", "percent", "price"}
        )
        for node in ast.walk(tree)
    )


def test_every_module_that_writes_a_number_into_a_sentence_says_of_what() -> None:
    """A new one wants its row in docs/figures.md, "Counts in sentences"."""
    writing = [path for path, tree in SOURCES.items() if writes_a_number(tree)]
    assert sorted(writing) == sorted(listed("Counts in sentences"))


def test_only_one_function_draws_figures_of_claims_and_it_takes_nothing_else() -> None:
    drawing = [path for path, tree in SOURCES.items() if ".metric(" in ast.unparse(tree)]
    sale = ["components/record_sale/result.py", "components/record_sale/review.py"]
    assert drawing == ["components/claims/figure_view.py", *sale]
    function = next(
        node for node in SOURCES["components/claims/figure_view.py"].body if isinstance(node, ast.FunctionDef)
    )
    assert ast.unparse(function.args) == "figures: Sequence[Figure[Any]]"


WITHOUT_A_BASE = """
from datetime import UTC, datetime
from figures import Base, Figure

now = datetime.now(UTC)
base = Base(of="claims of any date", count=46, as_of=now, leaves_out=())


def draw(figure: Figure[int]) -> None: ...


draw(Figure(name="Claims", value=46, base=base))
draw(46)
draw(Figure(name="Claims", value=46))
draw(Figure(name="Claims", value=46, base=None))
Base(of="claims of any date", count=46, as_of=now)
"""


def test_a_number_without_a_base_does_not_pass_mypy(tmp_path: Path) -> None:
    shutil.copy(ROOT / "warranty" / "analysis" / "figures.py", tmp_path)
    (tmp_path / "snippet.py").write_text(WITHOUT_A_BASE)
    skipped = ["--follow-imports=skip", "--ignore-missing-imports", "--cache-dir=cache", "--no-error-summary"]
    run = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", *skipped, "snippet.py", "figures.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    found = [
        int(match[1]) for match in re.finditer(r"^snippet\.py:(\d+): error", run.stdout, flags=re.MULTILINE)
    ]
    lines = WITHOUT_A_BASE.splitlines()
    assert [lines[number - 1] for number in found] == lines[-4:], run.stdout
