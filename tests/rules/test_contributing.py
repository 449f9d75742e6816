"""CONTRIBUTING.md names the files that a new screen, setting, call or permission touches: a dummy of each is made."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.mutants.__main__ import ROOT, copied

Edit = tuple[str, str]
"""What stands there, and what takes its place; a new file where nothing stands."""

PAGE: Final = (
    '''"""A dummy."""

import streamlit as st

from components.gate import require
from components.shop.dummy.view import dummy_view
from warranty.access import Permission
from warranty.language import _

operator = require(Permission.CHECK_CONNECTION)

st.title(_("Dummy"), anchor=False)
dummy_view(operator)
'''
    + "#\n" * 14
)
ENDPOINT: Final = '''"""GET /api/dummy."""

from sandbox.service.service import Service
from sandbox.wire.answers import Answer, json_answer
from sandbox.wire.requests import Request


def dummy(_service: Service, _request: Request) -> Answer:
    """Answer."""
    return json_answer({})
'''
CATALOGUE: Final = (ROOT / "warranty/language/es/navigation.po").read_text().split("\n\n", maxsplit=1)[0] + (
    '\n\nmsgid "Dummy"\nmsgstr "Muestra"\n'
)
DUMMIES: Final[dict[str, dict[str, Edit]]] = {
    "screen": {
        "components/navigation.py": (
            '    Screen(\n        "connection",',
            '    Screen("dummy", "system", N_("Dummy"), N_("A dummy"), Permission.CHECK_CONNECTION, ""),\n'
            '    Screen(\n        "connection",',
        ),
        "pages/dummy.py": ("", PAGE),
        "components/shop/dummy/view.py": (
            "",
            '"""A dummy."""\n\nfrom warranty.access import Operator\n\n\n'
            'def dummy_view(operator: Operator) -> None:\n    """Draw nothing."""\n',
        ),
        "warranty/language/es/navigation.po": (
            'msgid "Connection"',
            'msgid "Dummy"\nmsgstr "Muestra"\n\nmsgid "A dummy"\nmsgstr "Una muestra"\n\nmsgid "Connection"',
        ),
        "warranty/language/es/dummy.po": ("", CATALOGUE),
    },
    "setting": {
        "warranty/settings/features.py": (
            "    shop_name: str", '    dummy: bool = setting(False, "A dummy")\n    shop_name: str',
        ),
        "docs/settings.md": ("| `WARRANTY_SHOP_NAME`", "| `WARRANTY_DUMMY` |\n| `WARRANTY_SHOP_NAME`"),
    },
    "call": {
        "warranty/client/operations.py": (
            "\n_ALL: Final",
            '\nDUMMY: Final[Operation[None]] = Operation(\n    name="dummy",\n    method="GET",\n'
            '    path="/api/dummy",\n'
            "    token=Token.PRIVATE,\n    repeatable=True,\n    read=answers.read_verification,\n)\n\n_ALL: Final",
        ),
        "warranty/client/client.py": (
            "    def verify_credentials(",
            '    def dummy(self) -> None:\n        """Make the dummy call."""\n'
            "        self._transport.send(operations.DUMMY)\n\n"
            "    def verify_credentials(",
        ),
        "warranty/desk/guidance.py": (
            '    "verify_credentials": _Call(',
            '    "dummy": _Call(it=N_("this check"), nothing=N_("nothing was checked"), '
            'doubt=N_("Nothing was checked"), look=N_("Try again in a moment.")),\n    "verify_credentials": _Call(',
        ),
        "components/system/connection/report.py": (
            '    "offers": N_("Looking for offers"),',
            '    "offers": N_("Looking for offers"),\n    "dummy": N_("Looking for offers"),',
        ),
        "sandbox/endpoints/dummy/endpoint.py": ("", ENDPOINT),
        "sandbox/api/operations.py": (
            "from sandbox.endpoints.orders",
            "from sandbox.endpoints.dummy.endpoint import dummy\nfrom sandbox.endpoints.orders",
        ),
    },
    "permission": {
        "warranty/access.py": (
            '    SUBMIT_ORDERS = "submit orders"', '    DUMMY = "see the dummy"\n    SUBMIT_ORDERS = "submit orders"',
        )
    },
}  # fmt: skip
ROUTE: Final[Edit] = (
    "OPERATIONS = (\n",
    'OPERATIONS = (\n    Operation("dummy", "GET", "/api/dummy", "private", dummy, error),\n',
)
TRY: Final = """
import ssl
from components.navigation import SCREENS
from sandbox import SandboxServer
from warranty.access import GRANTS, Permission, Role
from warranty.client import WarrantyClient
from warranty.settings import Settings

assert "dummy" in [screen.name for screen in SCREENS]
assert Settings.model_fields["dummy"].default is False
assert Permission.DUMMY in GRANTS[Role.MANAGER]
with SandboxServer(tokens="account") as sandbox:
    trust = ssl.create_default_context(cafile=sandbox.ca_file)
    tokens = {"private_token": sandbox.private_token, "public_token": sandbox.public_token}
    with WarrantyClient(sandbox.base_url, verify=trust, **tokens) as client:
        client.dummy()
"""


@pytest.mark.parametrize("kind", DUMMIES)
def test_the_files_that_a_new_thing_touches_are_named(kind: str) -> None:
    (row,) = re.findall(rf"^\| {kind} \|(.*)\|$", (ROOT / "CONTRIBUTING.md").read_text(), re.MULTILINE)
    names = [name.replace("dummy", "NAME") for name in DUMMIES[kind]]
    assert re.findall(r"`([\w./]+)`", row) == names


def applied(edit: Edit, path: Path) -> None:
    old, new = edit
    path.parent.mkdir(parents=True, exist_ok=True)
    if not old:
        if path.suffix == ".py":
            (path.parent / "__init__.py").touch()
        path.write_text(new)
        return
    whole = path.read_text()
    assert whole.count(old) == 1, f"{path.name}: {old!r}"
    path.write_text(whole.replace(old, new))


@pytest.mark.long
def test_a_dummy_of_each_works_and_breaks_no_rule(tmp_path: Path) -> None:
    tree = copied(tmp_path)
    subprocess.run(["git", "init", "--quiet"], cwd=tree, check=True)
    for edits in DUMMIES.values():
        for name, edit in edits.items():
            applied(edit, tree / name)
    applied(ROUTE, tree / "sandbox/api/operations.py")
    (tree / "components/shop/dummy/__init__.py").write_text('"""A dummy."""\n')
    (tree / "pages/__init__.py").unlink(missing_ok=True)
    rules = [f"tests/rules/test_{name}.py" for name in ("house_rules", "language", "documents")]
    rules += ["tests/components/test_gate.py"]
    rules += ["-k", "not every_link and not every_file and not the_manual_is_made"]  # the pictures are not copied
    held = ["-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *rules]
    for command in (["-c", TRY], ["-m", "tests.reference"], held):
        run = subprocess.run([sys.executable, *command], cwd=tree, capture_output=True, text=True, check=False)
        assert run.returncode == 0, (run.stdout + run.stderr)[-2000:]
