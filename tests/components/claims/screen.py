"""The screen Claims as tests look at it."""

from collections.abc import Mapping
from datetime import timedelta

from streamlit.testing.v1 import AppTest

from components.claims.claims_filter import ClaimsFilter
from components.words.days import service_today
from tests.builders import MANAGER
from tests.components.stage import Stage, shown
from warranty.access import Operator

LONG = timedelta(seconds=20)
FILES = {"Download CSV", "Download XLSX", "Download manifest"}


def opened(stage: Stage, query: Mapping[str, str] | None = None, *, operator: Operator = MANAGER) -> AppTest:
    """The screen once its claims are read, as a browser shows it by looking again itself."""
    address = query or {"period": "all"}
    test = stage.screen("claims", operator, query=address)
    asked = ClaimsFilter.from_address(address).query(service_today())
    stage.runtime.claims.wait(asked, longest=LONG)
    return shown(test.run())


def labels(test: AppTest) -> set[str]:
    return {element.proto.label for element in test.get("download_button")}


def with_files(test: AppTest) -> AppTest:
    """The screen with its files folded out."""
    test.session_state["claims-export"] = True
    return shown(test.run())


def press(test: AppTest, label: str) -> AppTest:
    next(button for button in test.button if button.label == label).click()
    return shown(test.run())


def field(test: AppTest, label: str) -> object:
    return next(each for each in test.text_input if each.label == label)
