"""Rules of the house that no linter knows; each is read off the source."""

import ast
import re
import subprocess
from collections.abc import Iterator
from inspect import signature
from pathlib import Path

import pytest

from components.navigation import SCREENS, Screen
from warranty.desk import Desk
from warranty.settings import Settings

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = sorted(path for path in (ROOT / "pages").glob("*.py") if path.name != "__init__.py")
PRODUCT = [
    path
    for folder in ("components", "pages", "warranty", "sandbox")
    for path in sorted((ROOT / folder).rglob("*.py"))
] + [ROOT / "app.py"]


def test_every_screen_is_in_the_registry_and_every_entry_has_its_screen() -> None:
    assert {page.stem for page in PAGES} == {screen.name for screen in SCREENS}


@pytest.mark.parametrize("screen", SCREENS, ids=lambda screen: screen.name)
def test_a_screen_opens_with_the_gate_of_its_own_permission(screen: Screen) -> None:
    source = (ROOT / "pages" / f"{screen.name}.py").read_text()
    statements = [
        node
        for node in ast.parse(source).body
        if not isinstance(node, ast.Import | ast.ImportFrom)
        and not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
    ]
    assert ast.unparse(statements[0]) == f"operator = require(Permission.{screen.permission.name})"


def test_what_runs_without_the_shell_asks_the_gate_first() -> None:
    """A fragment or a dialog may run long after a sign-out in another tab (docs/decisions/gate.md)."""
    unasked, asked = [], 0
    for path in PRODUCT:
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.FunctionDef):
                continue
            if not any(
                "st.fragment" in ast.unparse(d) or "st.dialog" in ast.unparse(d) for d in node.decorator_list
            ):
                continue
            body = [
                line
                for line in node.body
                if not (isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant))
            ]
            asked += 1
            if not ast.unparse(body[0]).startswith("recheck("):
                unasked.append(f"{path.name}: {node.name}")
    assert unasked == []
    assert asked


def test_files_built_when_their_button_is_pressed_ask_the_gate_then() -> None:
    unasked, asked = [], 0
    for path in PRODUCT:
        for node in ast.walk(ast.parse(path.read_text())):
            if not (isinstance(node, ast.Call) and ast.unparse(node.func) == "st.download_button"):
                continue
            data = [word.value for word in node.keywords if word.arg == "data"] or node.args[1:2]
            asked += 1
            if isinstance(data[0], ast.Lambda) or (
                isinstance(data[0], ast.Call) and ast.unparse(data[0].func) not in {"guarded", "taken_away"}
            ):
                unasked.append(f"{path.name}:{node.lineno}")
    assert unasked == []
    assert asked


def test_a_file_that_takes_data_away_is_written_down_in_the_audit_trail() -> None:
    """All that are built when their button is pressed, but papers of one customer and what tells of itself."""
    papers = {"components/submit_order/link_kit.py", "components/orders/confirmation.py"}
    # `Desk.attempts_to_export`, `Privacy.export`
    tells_itself = {"pages/activity.py", "components/audit/about_customer.py"}
    unnoted = {
        path.relative_to(ROOT).as_posix()
        for path in PRODUCT
        if path != ROOT / "components" / "gate.py"
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "guarded"
    }
    assert unnoted == papers | tells_itself


def test_what_gives_out_or_settles_writes_a_row_of_the_audit_trail() -> None:
    """Each use case that gives out, settles, or changes an account or a file of the shop, by its source."""
    asked = re.compile(
        r"\.acts\((what\.permission|Permission\.(EXPORT|MANAGE|IMPORT_PLANS))|Settlement\("
        r"|self\._write\((before|there|mine)|self\._put_in\(new|_known\.sign_out\("
    )
    unnoted = [
        f"{path.relative_to(ROOT)}: {function.name}"
        for path in PRODUCT
        if path.relative_to(ROOT).parts[0] == "warranty"
        for function in ast.walk(ast.parse(path.read_text()))
        if isinstance(function, ast.FunctionDef)
        and asked.search(source := ast.unparse(function))
        and not re.search(r"audit\.(note|noting)\(|take_away\(|self\._note\(", source)
    ]
    assert unnoted == []


GUARDS = {"reporting_outage", "doing", "giving_out"}
"""What makes a callback ask who is signed in by then; the last two are People's, by way of the first."""
GUARD_BY_THEMSELVES = {"ask_first", "ask_in_dialog"}
ONLY_NOTES = {
    "in the tab": ["session.remember", "session.forget", "session.fill", "request", "press.request", "open_question"],
    "in the tab's draft, which is stored for who is still signed in (`DraftForm.try_to_store`)": [
        "form.put", "form.keep", "_add", "_remove", "_choose", "_undo", "_empty if is_made else _make",
        "group", "ungroup", "add_line", "choose", "remove", "self.typed",
    ],
    "the filter of claims, which the screen reads anew": [
        "tab_filter.fill_fields", "opening", "_open", "_take_options", "_take_range",
        "_take_columns", "_show",
    ],
    "what fields of a form hold": ["_fill", "_clear", "moved"],
    "that the screen is to read again, or that the tab waits no more": ["read_plans_again", "stop_waiting"],
    "nothing: it is handed on from where it is looked at": ["keep", "close"],
    "a question that opens, or one's own choices (`frame/actions.py`)": ["action.act"],
    "the end of a sign-in, or its beginning": ["sign_out", "st.login", "st.logout"],
}  # fmt: skip
"""Callbacks that send, settle, change and give out nothing."""


def test_a_callback_asks_who_is_signed_in_by_then_or_only_notes_something_in_its_tab() -> None:
    """It runs before the shell, in a tab that may be older than its person's sign-out (docs/security.md, H2)."""
    notes = {name for names in ONLY_NOTES.values() for name in names}
    unguarded, noted, asked = [], set(), 0
    for path in PRODUCT:
        tree = ast.parse(path.read_text())
        for where, callback in _callbacks(tree):
            asked += 1
            if _asks(callback, tree):
                continue
            said = ast.unparse(callback)
            if isinstance(callback, ast.Lambda) and isinstance(callback.body, ast.Call):
                said = ast.unparse(callback.body.func)
            noted.add(said)
            if said not in notes:
                unguarded.append(f"{path.relative_to(ROOT)}:{where}: {said}")
    assert unguarded == []
    assert notes - noted == set(), "no callback is called so any more"
    assert asked > 100


def _callbacks(tree: ast.Module) -> Iterator[tuple[int, ast.expr]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) not in GUARD_BY_THEMSELVES:
            yield from (
                (node.lineno, word.value) for word in node.keywords if word.arg in {"on_click", "on_change"}
            )
        if isinstance(node, ast.Dict):  # a widget's options, put together elsewhere
            yield from (
                (node.lineno, value)
                for key, value in zip(node.keys, node.values, strict=True)
                if isinstance(key, ast.Constant) and key.value in {"on_click", "on_change"}
            )


def _asks(callback: ast.expr, tree: ast.Module) -> bool:
    """Whether it is guarded, or no callback at all ("ignore", "rerun"); by its name, as that is made in the file."""
    if isinstance(callback, ast.Constant):
        return True
    if isinstance(callback, ast.Call):
        return ast.unparse(callback.func) in GUARDS
    if not isinstance(callback, ast.Name):
        return False
    made = [
        _asks(value, tree)
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        for name, value in _pairs(node)
        if name == callback.id
    ]
    made += [
        "reporting_outage" in {ast.unparse(each) for each in node.decorator_list}
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.name == callback.id
    ]
    return bool(made) and all(made)


def _pairs(node: ast.Assign) -> Iterator[tuple[str, ast.expr]]:
    """The names that an assignment gives, with their values: `a, b = x, y` is two."""
    for target in node.targets:
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            yield from zip(map(ast.unparse, target.elts), node.value.elts, strict=True)
        else:
            yield ast.unparse(target), node.value


def test_screens_fit_on_a_page_and_modules_in_the_head() -> None:
    lengths = {path.relative_to(ROOT): len(path.read_text().splitlines()) for path in PRODUCT}
    assert {path: lines for path, lines in lengths.items() if lines > 450} == {}
    pages = {page.stem: lengths[page.relative_to(ROOT)] for page in PAGES}
    assert {name: lines for name, lines in pages.items() if not 25 <= lines <= 60} == {}


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.stem)
def test_a_page_imports_at_most_a_dozen_names(page: Path) -> None:
    imports = [
        node for node in ast.parse(page.read_text()).body if isinstance(node, ast.Import | ast.ImportFrom)
    ]
    names = [name.name for node in imports for name in node.names]
    words = {"_", "N_", "ngettext", "pgettext", "number", "price", "dated"}
    assert len([name for name in names if name not in words]) <= 12, names


def test_the_whole_runtime_is_handed_to_these_alone() -> None:
    """Others are given the values that they need."""
    handed = {
        path.relative_to(ROOT / "components").as_posix()
        for path in PRODUCT
        if "from components.wiring import Runtime\n" in path.read_text()
    }
    assert handed == {
        "activity/needs_a_person.py",
        "activity/order_timeline.py",
        "claim_trends/ageing.py",
        "claim_trends/outlook.py",
        "claim_trends/resolution.py",
        "notify_checkout/offer_picker.py",
        "sending/ending.py",
        "sending/own_drafts.py",
        "sending/settling.py",
    }


def test_every_field_that_takes_text_has_a_longest_text() -> None:
    """The server cuts off what the browser lets through."""
    fields = [
        (f"{path.name}:{node.lineno}", {word.arg for word in node.keywords})
        for path in PRODUCT
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in {"text_input", "text_area", "chat_input"}
    ]
    assert [where for where, words in fields if not words & {"max_chars", None}] == []
    assert len(fields) > 10
    drafts = (ROOT / "components" / "forms" / "draft_form.py").read_text()
    assert '{"max_chars": LONGEST_TEXT, ' in drafts  # the one that is given its options by others


def test_certificates_are_always_verified() -> None:
    never = re.compile(r"verify\s*=\s*False|CERT_NONE|check_hostname\s*=\s*False")
    assert [path for path in PRODUCT if never.search(path.read_text())] == []


def test_what_is_kept_is_read_through_the_desk_which_asks_for_the_right() -> None:
    """The server's own start and end have no operator: `app.py` and `wiring` may."""
    before_anyone = {"components/wiring.py"}
    around = re.compile(
        r"^from warranty\.journal.* import .*\b(Journal|open_journal)\b"
        r"|^(?!from ).*(\.journal\b|runtime(\(\))?\.claims\b(?!\.of\(operator\)))"
    )
    found = [
        f"{path.relative_to(ROOT)}: {line}"
        for path in PRODUCT
        if path.relative_to(ROOT).parts[0] in {"components", "pages"}
        and str(path.relative_to(ROOT)) not in before_anyone
        for line in ast.unparse(ast.parse(path.read_text())).splitlines()
        if around.search(line)
    ]
    assert found == []


def test_every_door_of_the_desk_is_told_who_comes_in() -> None:
    doors = [
        door
        for name, door in vars(Desk).items()
        if not name.startswith("_") and not isinstance(door, property)
    ]
    assert [door.__name__ for door in doors if list(signature(door).parameters)[1] != "operator"] == []
    assert len(doors) > 15


def test_session_state_has_one_door() -> None:
    elsewhere = [path for path in PRODUCT if path != ROOT / "components" / "session.py"]
    docstrings = re.compile(r'""".*?"""', flags=re.DOTALL)
    assert [path for path in elsewhere if "st.session_state" in docstrings.sub("", path.read_text())] == []


def test_only_known_html_is_drawn_as_html() -> None:
    """Text of customers or of the service must never meet Markdown with HTML switched on."""
    assert [path for path in PRODUCT if "unsafe_allow_html" in path.read_text()] == []


def test_the_readme_tells_every_setting_and_no_other() -> None:
    told = set(re.findall(r"^\| `(WARRANTY_[A-Z_]+)`", (ROOT / "README.md").read_text(), flags=re.MULTILINE))
    assert told == {f"WARRANTY_{name.upper()}" for name in Settings.model_fields}


def test_the_readme_tells_every_command_of_the_makefile() -> None:
    readme = (ROOT / "README.md").read_text()
    targets = re.findall(r"^([a-z]+):.*##", (ROOT / "Makefile").read_text(), flags=re.MULTILINE)
    assert [target for target in targets if f"make {target}" not in readme] == []


DOCUMENTS = [
    ROOT / "README.md",
    ROOT / "CHANGELOG.md",
    *(ROOT / "docs").rglob("*.md"),
    *(path for room in ("components", "warranty", "sandbox") for path in (ROOT / room).glob("*.md")),
]


def test_every_link_of_the_documents_leads_to_a_file() -> None:
    links = [
        (document, link)
        for document in DOCUMENTS
        for link in re.findall(r"\]\(([^)#\s]+)\)", document.read_text())
    ]
    assert [(path.name, link) for path, link in links if not (path.parent / link).exists()] == []
    assert len(links) > 5


def test_every_file_that_a_document_names_is_there() -> None:
    named = re.compile(r"`((?:components|pages|warranty|sandbox|tests|benchmarks|docs)/[\w./-]+)`")
    names = [(path.name, name) for path in DOCUMENTS for name in named.findall(path.read_text())]
    assert [(where, name) for where, name in names if not (ROOT / name).exists()] == []
    assert len(names) > 15


def test_every_decision_and_platform_note_that_is_named_is_there() -> None:
    named = re.compile(r"docs/(?:decisions|platform-notes)/[\w-]+\.md")
    for path in [*PRODUCT, ROOT / "pyproject.toml", ROOT / ".streamlit" / "config.toml"]:
        for name in named.findall(path.read_text()):
            assert (ROOT / name).is_file(), f"{path.name}: {name}"


def test_every_decision_ends_with_what_would_change_it() -> None:
    decisions = [path for path in (ROOT / "docs" / "decisions").glob("*.md") if path.name != "README.md"]
    endings = {path.name: path.read_text().rstrip().rsplit("\n\n", 1)[-1] for path in decisions}
    assert [
        name for name, end in endings.items() if not end.startswith("**What would change our mind:**")
    ] == []
    assert len(decisions) > 15


def test_no_tracked_file_names_a_registry_or_a_path_of_a_developers_machine() -> None:
    words = ["pypi" + ".org", "pythonhosted" + ".org", "/work" + "/main", "/root" + "/", "/opt" + "/wheels"]
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    for name in filter(None, tracked.decode().split("\0")):
        path = ROOT / name
        if path.is_file() and path.suffix not in {".png", ".ttf", ".pdf", ".xlsx"}:
            content = path.read_text(encoding="utf-8", errors="replace")
            assert not [word for word in words if word in content], name


def test_components_read_no_file_of_the_sandbox() -> None:
    """By a path, which no contract of imports can see; what they need of it, `sandbox` gives the composition root."""
    by_path = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in PRODUCT
        if "components" in path.relative_to(ROOT).parts[:1]
        for node in ast.walk(ast.parse(path.read_text()))
        if (isinstance(node, ast.Constant) and re.fullmatch(r"(\S*/)?sandbox/\S*", str(node.value)))
        or (isinstance(node, ast.BinOp | ast.Call) and re.search(r"""(/|\() ?'sandbox'""", _outer(node)))
    ]
    assert by_path == []


def _outer(node: ast.BinOp | ast.Call) -> str:
    """A joining of paths, or a call that opens one, as text; empty for any other."""
    if isinstance(node, ast.BinOp):
        return ast.unparse(node) if isinstance(node.op, ast.Div) else ""
    return ast.unparse(node) if re.search(r"(Path|joinpath|files)$", ast.unparse(node.func)) else ""
