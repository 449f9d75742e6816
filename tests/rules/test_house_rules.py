"""Rules of the house that no linter knows; each is read off the source."""

import ast
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from inspect import signature
from pathlib import Path
from typing import Any, TypeVar

from components.navigation import SCREENS
from tests.mutants.__main__ import mutants
from warranty.desk import Desk
from warranty.desk.activity import Activity
from warranty.insight.insight import Insight

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = sorted(path for path in (ROOT / "pages").glob("*.py") if path.name != "__init__.py")
PRODUCT = [
    path for folder in ("components", "pages", "warranty", "sandbox") for path in sorted((ROOT / folder).rglob("*.py"))
] + [ROOT / "app.py"]


Found = TypeVar("Found", bound=ast.AST)


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


@cache
def _nodes() -> Mapping[Any, list[tuple[str, Any]]]:
    found: dict[Any, list[tuple[str, Any]]] = defaultdict(list)
    for path in PRODUCT:
        where = path.relative_to(ROOT).as_posix()
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.Call | ast.Dict | ast.FunctionDef):
                found[type(node)].append((where, node))
    return found


def nodes(kind: type[Found]) -> list[tuple[str, Found]]:
    """All calls, functions or dictionaries of the product, each with where it is."""
    return _nodes()[kind]


@cache
def _calls() -> Mapping[str, list[tuple[str, ast.Call]]]:
    found = defaultdict(list)
    for where, call in nodes(ast.Call):
        if isinstance(call.func, ast.Name | ast.Attribute):
            found[ast.unparse(call.func)].append((where, call))
    return found


def calls(name: str) -> list[tuple[str, ast.Call]]:
    return _calls()[name]


def first_line(body: Iterable[ast.stmt]) -> str:
    lines = (line for line in body if not isinstance(line, ast.Import | ast.ImportFrom))
    return next(
        ast.unparse(line) for line in lines if not (isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant))
    )


def test_every_screen_is_in_the_registry_and_opens_with_the_gate_of_its_own_permission() -> None:
    gates = {screen.name: f"operator = require(Permission.{screen.permission.name})" for screen in SCREENS}
    assert {page.stem: first_line(tree_of(page).body) for page in PAGES} == gates


def test_what_runs_without_the_shell_asks_the_gate_first() -> None:
    """A fragment or a dialog may run long after a sign-out in another tab (docs/decisions/gate.md)."""
    late = [
        (where, function)
        for where, function in nodes(ast.FunctionDef)
        if re.search(r"st\.(fragment|dialog)", " ".join(map(ast.unparse, function.decorator_list)))
    ]
    unasked = [(where, each.name) for where, each in late if not first_line(each.body).startswith("recheck(")]
    assert unasked == []
    assert late


def test_files_built_when_their_button_is_pressed_ask_the_gate_then_and_are_written_down() -> None:
    buttons = list(calls("st.download_button"))
    unasked = []
    for where, button in buttons:
        data = [word.value for word in button.keywords if word.arg == "data"] or button.args[1:2]
        by_call = isinstance(data[0], ast.Call) and ast.unparse(data[0].func) not in {"guarded", "taken_away"}
        if by_call or isinstance(data[0], ast.Lambda):
            unasked.append(f"{where}:{button.lineno}")
    assert unasked == []
    assert buttons
    papers = {"components/selling/submit_order/link_kit.py", "components/selling/orders/confirmation.py"}
    # `Activity.attempts_to_export`, `Privacy.export`
    tells_itself = {"components/shop/activity/attempts_table.py", "components/people/audit/listed.py"}
    assert {where for where, _ in calls("guarded")} - {"components/gate.py"} == papers | tells_itself


def test_what_gives_out_or_settles_writes_a_row_of_the_audit_trail() -> None:
    """Each use case that gives out, settles, or changes an account or a file of the shop, by its source."""
    asked = re.compile(
        r"\.acts\((what\.permission|Permission\.(EXPORT|MANAGE|IMPORT_PLANS))|Settlement\("
        r"|self\._write\((before|there|mine)|self\._put_in\(new|_known\.sign_out\("
    )
    noted = re.compile(r"audit\.(note|noting)\(|take_away\(|self\._note\(")
    sources = ((where, each.name, ast.unparse(each)) for where, each in nodes(ast.FunctionDef))
    giving = [each for each in sources if each[0].startswith("warranty/") and asked.search(each[2])]
    assert [f"{where}: {name}" for where, name, source in giving if not noted.search(source)] == []
    assert giving


CALLED_BACK = {"on_click", "on_change"}
GUARDS = {"reporting_outage", "doing", "giving_out"}
"""What makes a callback ask who is signed in by then; the last two are People's, by way of the first."""
GUARD_BY_THEMSELVES = {"ask_first", "ask_in_dialog"}
ONLY_NOTES = {
    "in the tab": ["session.remember", "session.forget", "session.fill", "request", "open_question"],
    "in the tab's draft, which is stored for who is still signed in (`DraftForm.try_to_store`)": [
        "form.put", "form.keep", "_add", "add", "_open", "_count", "_undo", "_empty if is_made else _make",
        "_group", "_ungroup", "_ask", "choose", "remove", "self.typed", "_typed", "_typed_beside", "zipped",
    ],
    "the filter of claims, which the screen reads anew": [
        "tab_filter.fill_fields", "opening", "_open", "_take_arrangement", "_take_range",
        "_take_columns", "_show",
    ],
    "what fields of a form hold": ["_fill", "_clear"],
    "that the screen is to read again, or that the tab waits no more": ["read_plans_again", "stop_waiting"],
    "nothing: it is handed on from where it is looked at": ["close"],
    "a question that opens, or one's own choices (`frame/actions.py`)": ["action.act"],
    "the end of a sign-in, or its beginning": ["sign_out", "st.login", "st.logout"],
}  # fmt: skip
"""Callbacks that send, settle, change and give out nothing."""


def test_a_callback_asks_who_is_signed_in_by_then_or_only_notes_something_in_its_tab() -> None:
    """It runs before the shell, in a tab that may be older than its person's sign-out (docs/security.md, H2)."""
    notes = {name for names in ONLY_NOTES.values() for name in names}
    unguarded, noted, asked = [], set(), 0
    for where, callback in _callbacks():
        asked += 1
        if _asks(callback, tree_of(ROOT / where)):
            continue
        said = ast.unparse(callback)
        if isinstance(callback, ast.Lambda) and isinstance(callback.body, ast.Call):
            said = ast.unparse(callback.body.func)
        noted.add(said)
        if said not in notes:
            unguarded.append(f"{where}:{callback.lineno}: {said}")
    assert unguarded == []
    assert notes - noted == set(), "no callback is called so any more"
    assert asked > 100


def _callbacks() -> Iterator[tuple[str, ast.expr]]:
    """Those of widgets, and of widgets' options that are put together elsewhere."""
    for where, call in nodes(ast.Call):
        given = [(where, word.value) for word in call.keywords if word.arg in CALLED_BACK]
        if given and ast.unparse(call.func) not in GUARD_BY_THEMSELVES:
            yield from given
    for where, options in nodes(ast.Dict):
        for key, value in zip(options.keys, options.values, strict=True):
            if isinstance(key, ast.Constant) and key.value in CALLED_BACK:
                yield where, value


def _asks(callback: ast.expr, tree: ast.Module) -> bool:
    """Whether it is guarded, or no callback at all ("ignore", "rerun"); by its name, as that is made in the file."""
    if isinstance(callback, ast.Constant):
        return True
    if isinstance(callback, ast.Call):
        return ast.unparse(callback.func) in GUARDS
    if not isinstance(callback, ast.Name):
        return False
    made = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            made += [_asks(value, tree) for name, value in _pairs(node) if name == callback.id]
        if isinstance(node, ast.FunctionDef) and node.name == callback.id:
            made.append("reporting_outage" in map(ast.unparse, node.decorator_list))
    return bool(made) and all(made)


def _pairs(node: ast.Assign) -> Iterator[tuple[str, ast.expr]]:
    """The names that an assignment gives, with their values: `a, b = x, y` is two."""
    for target in node.targets:
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            yield from zip(map(ast.unparse, target.elts), node.value.elts, strict=True)
        else:
            yield ast.unparse(target), node.value


def test_screens_fit_on_a_page_and_modules_in_the_head() -> None:
    lengths = {path.relative_to(ROOT).as_posix(): len(path.read_text().splitlines()) for path in PRODUCT}
    assert {path: lines for path, lines in lengths.items() if lines > 450} == {}
    assert {path: lines for path, lines in lengths.items() if path.startswith("pages/") and lines > 60} == {}


def test_every_field_that_takes_text_has_a_longest_text() -> None:
    """The server cuts off what the browser lets through."""
    fields = [
        (f"{where}:{call.lineno}", {word.arg for word in call.keywords})
        for where, call in nodes(ast.Call)
        if isinstance(call.func, ast.Attribute) and call.func.attr in {"text_input", "text_area", "chat_input"}
    ]
    assert [where for where, words in fields if not words & {"max_chars", None}] == []
    assert len(fields) > 10
    drafts = (ROOT / "components" / "ui" / "forms" / "draft_form.py").read_text()
    assert '{"max_chars": LONGEST_TEXT, ' in drafts  # the one that is given its options by others


def test_certificates_are_always_verified_and_only_known_html_is_drawn_as_html() -> None:
    never = re.compile(r"verify\s*=\s*False|CERT_NONE|check_hostname\s*=\s*False")
    assert [path for path in PRODUCT if never.search(path.read_text())] == []
    assert [path for path in PRODUCT if "unsafe_allow_html" in path.read_text()] == []


def test_what_is_kept_is_read_through_the_desk_which_is_told_who_comes_in() -> None:
    """The server's own start and end have no operator: `app.py` and `wiring` may."""
    around = re.compile(
        r"^from warranty\..* import .*\b(Journal|open_journal)\b"
        r"|^(?!from ).*(\.journal\b|runtime(\(\))?\.claims\b(?!\.of\(operator\)))"
    )
    screens = [path for path in PRODUCT if path.relative_to(ROOT).parts[0] in {"components", "pages"}]
    lines = [(path, line) for path in screens for line in ast.unparse(tree_of(path)).splitlines()]
    found = [f"{path.relative_to(ROOT)}: {line}" for path, line in lines if around.search(line)]
    assert [each for each in found if not each.startswith("components/wiring.py: ")] == []
    faces = [each for face in (Desk, Activity, Insight) for each in vars(face).items()]
    doors = [door for name, door in faces if not name.startswith("_") and not isinstance(door, property)]
    assert [door.__name__ for door in doors if list(signature(door).parameters)[1] != "operator"] == []
    assert len(doors) > 25


DOCUMENTS = [
    ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md"),
    *(path for room in ("components", "warranty", "sandbox") for path in (ROOT / room).glob("*.md")),
]  # fmt: skip


def test_every_file_that_a_document_or_a_comment_names_is_there() -> None:
    named = re.compile(r"`((?:components|pages|warranty|sandbox|tests|benchmarks|docs)/[\w./-]+)`")
    links = [
        (document.name, document.parent / link)
        for document in DOCUMENTS
        for link in re.findall(r"\]\(([^)#\s]+)\)", document.read_text())
        if "://" not in link
    ]
    names = [(path.name, ROOT / name) for path in DOCUMENTS for name in named.findall(path.read_text())]
    notes = re.compile(r"docs/(?:decisions|platform-notes)/[\w-]+\.md")
    settings = [ROOT / "pyproject.toml", ROOT / ".streamlit" / "config.toml"]
    commented = [(path.name, ROOT / name) for path in PRODUCT + settings for name in notes.findall(path.read_text())]
    assert [(where, str(path)) for where, path in links + names + commented if not path.exists()] == []
    cited = re.compile(r"`((?:[a-z_]+/)*test_\w+)`")
    shown = [(path.name, name) for path in DOCUMENTS for name in cited.findall(path.read_text())]
    tests = [path.with_suffix("").as_posix() for path in (ROOT / "tests").rglob("test_*.py")]
    assert [each for each in shown if not any(test.endswith(f"/{each[1]}") for test in tests)] == []
    assert min(map(len, (links, names, commented, shown))) > 15


def test_no_file_names_a_registry_or_a_developers_path_and_components_no_file_of_the_sandbox() -> None:
    words = ["pypi" + ".org", "pythonhosted" + ".org", "/work" + "/main", "/root" + "/", "/opt" + "/wheels"]
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    for name in filter(None, tracked.decode().split("\0")):
        path = ROOT / name
        if path.is_file() and path.suffix not in {".png", ".ttf", ".pdf", ".xlsx"}:
            content = path.read_text(encoding="utf-8", errors="replace")
            assert not [word for word in words if word in content], name
    by_path = re.compile(r"""['"]\S*\bsandbox/[^'"\s]*['"]|[/(] ?['"]sandbox['"]\)""")
    paths = [path for path in PRODUCT if path.relative_to(ROOT).parts[0] == "components"]
    assert [path.name for path in paths if by_path.search(ast.unparse(tree_of(path)))] == []


def test_each_mistake_that_mutants_make_can_still_be_made() -> None:
    stale = {
        mutant["name"]
        for mutant in mutants()
        if (ROOT / mutant["file"]).read_text().count(mutant["old"]) != 1
        or not all((ROOT / test.partition("::")[0]).exists() for test in mutant["tests"].split())
    }
    assert stale == set()


def test_a_list_of_names_is_the_one_that_takes_the_exact_name_first() -> None:
    """The platform's chooses Alabama for `MA`: it is for words that filter or order what is seen."""
    of_the_platform = {
        "components/ui/in_address/filters.py", "components/claims/screen/filter_fields.py",
        "components/claims/screen/saved_views.py", "components/claims/trends/ageing.py",
        "components/claims/trends/notes.py", "components/people/administration/people.py",
        "components/selling/import_orders/upload.py", "components/system/connection/sandbox_panel.py",
    }  # fmt: skip
    found = {where for where, call in nodes(ast.Call) if ast.unparse(call.func).endswith("selectbox")}
    assert found == of_the_platform
