"""The sandbox's README says what there is, and nothing that there is not."""

import re
from pathlib import Path

from sandbox.__main__ import _parser
from sandbox.api.operations import OPERATION_NAMES
from sandbox.control import ControlRoutes
from sandbox.service.faults import KINDS
from tests.sandbox.shop import Shop

README = (Path(__file__).resolve().parent.parent.parent / "sandbox" / "README.md").read_text(encoding="utf-8")


def test_every_option_fault_and_operation_is_described() -> None:
    options = {name for action in _parser()._actions for name in action.option_strings if name.startswith("--")}
    assert set(re.findall(r"`(--[a-z-]+)`", README)) == options - {"--help"}
    assert set(re.findall(r"^\| `([a-z_]+)` \|", README, re.MULTILINE)) == set(KINDS)
    assert [name for name in OPERATION_NAMES if f"`{name}`" not in README] == []


def test_every_control_route_is_described_with_its_methods(shop: Shop) -> None:
    rows = re.findall(r"^\| `([A-Z, ]+) (/_sandbox/\S+)`", README, re.MULTILINE)
    routes = ControlRoutes(shop.sandbox._service, shop.sandbox._control).routes()
    known = {(method, route.path) for route in routes for method in (route.methods or set()) - {"HEAD"}}
    assert {(method, path) for methods, path in rows for method in methods.split(", ")} == known
