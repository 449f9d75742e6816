"""Where the house leans on the inside of what it stands on: all such places, and whether they still hold.

Of all that is drawn and served, components/platform alone does. What no test finds by itself carries a marker,
`platform: KIND WHAT`. After an upgrade the tests below say which of them are gone.

- `name`: names that are private, or in a module that the package does not document;
- `option`: a hidden option of Streamlit's configuration;
- `markup`: words of Streamlit's pages, beside the selectors of a file, which are found without it;
- `habit`: what a package does and nowhere promises; `HABITS` has a try of each.
"""

import ast
import inspect
import io
import re
import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module, metadata
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, Final, NamedTuple

import openpyxl
import pytest
import streamlit
import xlsxwriter
from streamlit import config

from components.platform.own_page.page import _TYPEFACES
from tests.rules.test_house_rules import PRODUCT, ROOT, tree_of
from warranty.files.printing.page import FONT
from warranty.files.workbooks import _Rows

OPTIONS: Final = ROOT / ".streamlit" / "config.toml"
PLATFORM: Final = ROOT / "components" / "platform"
DRAWN: Final = [
    *(ROOT / "app.py", ROOT / "launch.py", *(ROOT / "pages").glob("*.py")),
    *(path for kind in ("py", "html", "css", "js") for path in (ROOT / "components").rglob(f"*.{kind}")),
]
OURS: Final = [path for path in DRAWN if PLATFORM in path.parents]
FILES: Final = sorted({*PRODUCT, *OURS, OPTIONS})
_MARKER: Final = re.compile(r"platform: (name|option|markup|habit)\b ?([^\n]*?)(?: ?(?:-->|\*/))?\n")
_SELECTOR: Final = re.compile(
    r"""data-testid\$?="(\w+)|\.(st[A-Z]\w+)|(st-key-)|(gdg-[\w-]+)|(js-plotly-plot)|(data-(?!testid|density)[a-z]+)="""
    r"""|(aria-label)=|aria-label\^="([^"]+)|closest\("(details)|(kbd)\b|section\[role="(\w+)"""
    r"""|(st-emotion)|\.(dvn-[\w-]+)|\.(rc-[a-z]+)|(stMain)\b"""
)
_PUBLIC: Final = {"streamlit", "streamlit.delta_generator", "alembic.migration", "alembic.operations", "fpdf"} | {
    "fpdf.enums", "uvicorn", "plotly.graph_objects", "streamlit_authenticator"
}  # fmt: skip
_PACKAGES: Final = {"streamlit", "streamlit_authenticator", "plotly", "alembic", "uvicorn", "fpdf"}


class Marker(NamedTuple):
    path: Path
    kind: str
    what: str


def markers() -> list[Marker]:
    return [Marker(path, *found) for path in FILES for found in _MARKER.findall(path.read_text())]


def names() -> Iterator[tuple[Marker, str]]:
    return ((one, name) for one in markers() if one.kind == "name" for name in one.what.split())


def gone(package: str, what: str, path: Path) -> str:
    try:
        version = metadata.version({"fpdf": "fpdf2"}.get(package, package))
    except metadata.PackageNotFoundError:
        version = ""
    return f"{package} {version} no longer has {what}: look at {path.relative_to(ROOT)}"


def selectors(path: Path) -> set[str]:
    code = re.sub(r"^\s*#.*", "", path.read_text(), flags=re.MULTILINE)
    return {word for found in _SELECTOR.findall(code) for word in found if word}


def private_names(path: Path) -> Iterator[str]:
    """The names of a module that belong to the inside of a package: private ones, and all of a module inside."""
    for node in ast.walk(tree_of(path)) if path.suffix == ".py" else ():
        if isinstance(node, ast.ImportFrom) and node.module:
            if (node.module.split(".")[0] in _PACKAGES and node.module not in _PUBLIC) or "._" in node.module:
                yield from (f"{node.module}.{name.name}" for name in node.names)
        elif isinstance(node, ast.Import):
            yield from (
                one.name for one in node.names if one.name.split(".")[0] in _PACKAGES and one.name not in _PUBLIC
            )
        elif isinstance(node, ast.Attribute) and re.match(r"_[^_]", node.attr):
            yield from () if ast.unparse(node.value) in {"self", "cls"} else (f".{node.attr}",)


def test_what_is_private_to_a_package_carries_a_marker() -> None:
    told = [(one.path, name) for one, name in names()]
    unmarked = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in PRODUCT
        for name in private_names(path)
        if not any(path == where and f".{known}.".find(f"{name}.") >= 0 for where, known in told)
    ]
    assert unmarked == []


def test_one_folder_alone_leans_on_the_inside_of_the_platform() -> None:
    others = [path for path in DRAWN if path not in OURS and path.parent.name != "reader"]  # the camera's library
    for path in others:
        leans = {*selectors(path), *re.findall("platform:", path.read_text()), *private_names(path)}
        assert not leans, path


def test_hidden_options_carry_a_marker_and_all_options_are_known() -> None:
    known, asked = config.get_config_options(), tomllib.loads(OPTIONS.read_text())
    options = [f"{section}.{name}" for section in asked for name in asked[section]]
    marked = {one.what for one in markers() if one.kind == "option"}
    assert [gone("streamlit", name, OPTIONS) for name in marked if name not in known] == []
    assert [name for name in options if not any(each.startswith(name) for each in known)] == []
    assert {name for name in options if name in known and known[name].visibility == "hidden"} == marked


@pytest.mark.parametrize(("marker", "name"), list(names()), ids=str)
def test_a_private_name_is_still_there(marker: Marker, name: str) -> None:
    holder, _, last = name.rpartition(".")
    try:
        thing = resolve_name(holder)
    except (ImportError, AttributeError):
        thing = None
    is_there = hasattr(thing, last) or last in getattr(thing, "__annotations__", {})
    is_there = is_there or (inspect.isclass(thing) and f"self.{last} = " in inspect.getsource(thing))
    assert is_there, gone(name.split(".", maxsplit=1)[0], name, marker.path)


@pytest.mark.parametrize("path", OURS, ids=lambda path: path.name)
def test_the_markup_that_is_looked_for_is_still_in_the_platforms_scripts(path: Path) -> None:
    marked = (one.what.split() for one in markers() if one.kind == "markup" and one.path == path)
    wanted = selectors(path).union(*marked)
    assert [gone("streamlit", word, path) for word in sorted(wanted) if word not in _scripts()] == []


@cache
def _scripts() -> str:
    folder = Path(streamlit.__file__).parent / "static"
    files = [folder / "index.html", *sorted(folder.rglob("*.js"))]
    return "\n".join(path.read_text(encoding="utf-8") for path in files)


def _source(name: str) -> str:
    return inspect.getsource(resolve_name(name))


def _keeps_who_is_signed_in() -> bool:
    model = inspect.getsource(import_module("streamlit_authenticator.models.authentication_model"))
    return all(f"st.session_state['{name}']" in model for name in ("authentication_status", "username", "logout"))


def _asks_its_controller() -> bool:
    view = _source("streamlit_authenticator.Authenticate")
    return "self.authentication_controller.login(" in view and "self.cookie_controller " in view


def _signs_the_name_and_the_end() -> bool:
    model = _source("streamlit_authenticator.models.cookie_model.CookieModel._token_encode")
    return "'username'" in model and "'exp_date'" in model and "HS256" in model


def _tells_the_letters_of_a_font() -> bool:
    page: Any = import_module("fpdf").FPDF()
    page.add_font("DejaVu", fname=FONT)
    return ord("é") in page.fonts["dejavu"].cmap and ord("あ") not in page.fonts["dejavu"].cmap


def _tells_what_is_hidden() -> bool:
    content = io.BytesIO()
    with xlsxwriter.Workbook(content) as written:
        for name in ("First", "Second"):
            sheet = written.add_worksheet(name)
            sheet.write(0, 0, name)
            sheet.set_row(0, None, None, {"hidden": name == "Second"})
    hidden = [_Rows(sheet) for sheet in openpyxl.load_workbook(content, read_only=True).worksheets]
    return [(list(rows), [*rows.found.values()]) for rows in hidden] == [([(1, ["First"])], []), ([], [[1]])]


HABITS: Final[dict[str, Callable[[], bool]]] = {
    "streamlit_authenticator keeps who is signed in in the session": _keeps_who_is_signed_in,
    "streamlit_authenticator asks its controller": _asks_its_controller,
    "streamlit_authenticator signs the name and the end of a sign-in": _signs_the_name_and_the_end,
    "openpyxl tells what is hidden where it parses a sheet": _tells_what_is_hidden,
    "fpdf tells the letters of a font": _tells_the_letters_of_a_font,
    "streamlit has the typeface of its screens among its static files": lambda: len(_TYPEFACES) == 1,
}


def test_every_habit_that_is_relied_on_has_its_try() -> None:
    assert {one.what for one in markers() if one.kind == "habit"} == set(HABITS)


@pytest.mark.parametrize("marker", [one for one in markers() if one.kind == "habit"], ids=str)
def test_a_habit_that_is_relied_on_still_holds(marker: Marker) -> None:
    package, _, habit = marker.what.partition(" ")
    assert HABITS[marker.what](), gone(package, f"the habit that it {habit}", marker.path)
