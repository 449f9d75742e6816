"""The screen Claims as tests look at it."""

from collections.abc import Mapping
from datetime import timedelta

from streamlit.testing.v1 import AppTest

from components.claims.chart_view import OPENED
from components.claims.claims_filter import ClaimsFilter
from components.claims.claims_table import OpenedClaim
from components.claims.shown_rows import shown_places
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


def chips(test: AppTest) -> list[str]:
    """What narrows, each in words."""
    found = [button for button in test.button if (button.key or "").startswith("claims-chip")]
    return [button.label.replace("\\", "") for button in found]


def statuses(test: AppTest) -> set[str]:
    """The words on the chips of the table's statuses."""
    return {word for cell in test.dataframe[0].value["status"] for word in cell}


def open_row(stage: Stage, test: AppTest, row: int) -> AppTest:
    """What a click on a row of the table does."""
    chosen: ClaimsFilter = test.session_state["desk.claims.filter"]
    found = stage.runtime.claims.look(chosen.query(service_today()))
    kept = found.kept or found.part
    assert kept is not None
    opened = OpenedClaim.at(kept, shown_places(kept, chosen), row)
    test.session_state["desk.claims-table.opened"] = opened
    return shown(test.run())


def a_second_later(test: AppTest) -> None:
    """The screen looks again by itself: a tab's first chart comes after its table."""
    test.session_state[f"desk.{OPENED}"] -= 1
    shown(test.run())
