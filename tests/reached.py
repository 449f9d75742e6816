"""The tests that a change reaches, by who imports what: `python -m tests.reached [BASE]`, for `make quick`.

Prints files for pytest, those nearest to the change first; `tests` where that cannot be known. A screen is reached by
the tests that name it.
"""

import ast
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
PRODUCT: Final = ("app.py", "launch.py", "pages", "components", "warranty", "sandbox", "deploy")
SCREENS: Final = frozenset(path.stem for path in (ROOT / "pages").glob("*.py"))
ALWAYS: Final = "tests/rules"
"""Reads the source of everything."""


def changed(base: str) -> set[str]:
    """Files that differ from where this branch left `base`, those that git does not know yet too."""

    def git(*command: str) -> list[str]:
        run = subprocess.run(["git", *command], cwd=ROOT, capture_output=True, text=True, check=True)
        return run.stdout.split()

    (left,) = git("merge-base", base, "HEAD")
    return {*git("diff", "--name-only", left), *git("ls-files", "--others", "--exclude-standard")}


def files() -> dict[str, Path]:
    """Each module of the product and of the tests, by its dotted name."""
    found = [path for top in (*PRODUCT, "tests") for path in [ROOT / top, *(ROOT / top).rglob("*.py")]]
    return {_dotted(path): path for path in found if path.suffix == ".py"}


def _dotted(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def importers(modules: dict[str, Path]) -> dict[str, set[str]]:
    """Who is reached by a change of a module: those who import it or, of a screen, name it."""
    users: dict[str, set[str]] = defaultdict(set)
    for name, path in modules.items():
        for each in _named(path):
            parts = each.split(".")
            for end in range(1, len(parts) + 1):  # a package's __init__ runs with each of its modules
                users[".".join(parts[:end])].add(name)
        if path.name == "conftest.py":
            users[name] |= {other for other, file in modules.items() if path.parent in file.parents}
        if name.startswith("warranty.commands."):  # loaded by name
            users[name].add("warranty.__main__")
        if name.startswith("pages.") or name == "components.shell":
            users[name].add("app")
    users["app"] |= {"tests.dashboard", "tests.test_app"}
    return users


def _named(path: Path) -> set[str]:
    """The modules that a file imports, and the screens that a test draws."""
    named: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            named |= {node.module, *(f"{node.module}.{each.name}" for each in node.names)}
        elif isinstance(node, ast.Import):
            named |= {each.name for each in node.names}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and ROOT / "tests" in path.parents:
            named |= {f"pages.{node.value}"} if node.value in SCREENS else set()
    return named


def reached(paths: set[str]) -> list[str]:
    """The test files to run for these changed files."""
    modules = files()
    known = {path.relative_to(ROOT).as_posix(): name for name, path in modules.items()}
    begun: set[str] = set()
    folders: set[str] = {ALWAYS}
    for path in paths:
        if path in known:
            begun.add(known[path])
        elif path.startswith(("docs/", "benchmarks/")) or path.endswith(".md"):
            continue  # held by the rules
        elif (inside := _package(path)) in modules:  # a script or a style of a room
            begun |= {name for name in modules if name == inside or name.startswith(f"{inside}.")}
        elif path.startswith("deploy/"):
            folders.add("tests/deploy")
        else:
            return ["tests"]
    users, near_first = importers(modules), list(begun)
    for name in near_first:  # grows as it is walked
        near_first += sorted(users.get(name, set()) - set(near_first))
    tests = [modules[name].relative_to(ROOT).as_posix() for name in near_first if name in modules]
    return [*folders, *(path for path in tests if _is_test(path) and not path.startswith(tuple(folders)))]


def _is_test(path: str) -> bool:
    return path.startswith("tests/") and Path(path).name.startswith("test_")


def _package(path: str) -> str:
    return ".".join(Path(path).parent.parts)


if __name__ == "__main__":
    print("\n".join(reached(changed(sys.argv[1] if len(sys.argv) > 1 else "main"))))
