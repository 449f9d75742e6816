"""The sandbox's README says what there is, and nothing that there is not."""

import re
from pathlib import Path

from sandbox.__main__ import _parser
from sandbox.api.operations import OPERATION_NAMES
from sandbox.control import ControlRoutes
from sandbox.server import SandboxServer
from sandbox.service.faults import KINDS
from tests.sandbox.shop import Shop

README = (Path(__file__).resolve().parent.parent.parent / "sandbox" / "README.md").read_text(encoding="utf-8")


def test_every_option_is_described_with_its_default() -> None:
    options = {
        name for action in _parser()._actions for name in action.option_strings if name.startswith("--")
    }
    assert set(re.findall(r"`(--[a-z-]+)`", README)) == options - {"--help"}


def test_every_control_route_is_described_with_its_methods(shop: Shop) -> None:
    described = {
        (method, path)
        for methods, path in re.findall(r"^\| `([A-Z, ]+) (/_sandbox/\S+)`", README, re.MULTILINE)
        for method in methods.split(", ")
    }
    known = {
        (method, route.path)
        for route in ControlRoutes(shop.sandbox._service, shop.sandbox._control).routes()
        for method in (route.methods or set()) - {"HEAD"}
    }
    assert described == known


def test_every_fault_and_every_operation_is_described() -> None:
    assert set(re.findall(r"^\| `([a-z_]+)` \|", README, re.MULTILINE)) == set(KINDS)
    assert all(f"`{name}`" in README for name in OPERATION_NAMES)


def test_what_the_readme_calls_is_there() -> None:
    assert all(hasattr(SandboxServer, name) for name in re.findall(r"sandbox\.(\w+)\(", README))
