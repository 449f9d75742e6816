"""The screens of claims as tests look at them: Claims, and Trends, which has the same filter."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date, timedelta
from typing import Any, Final

from streamlit.testing.v1 import AppTest

from components.claims.screen.claims_filter import ClaimsFilter
from components.words.days import service_today
from tests.builders import MANAGER
from tests.components.stage import Stage, date_field, press_row, shown, table
from warranty.access import Operator
from warranty.claims.readings.readings import ClaimReadings
from warranty.claims.retrieval import ClaimSet, retrieve_claims
from warranty.client.resources import ClaimQuery
from warranty.language import Sentence

LONG: Final = timedelta(seconds=20)
FILES: Final = {"Download CSV", "Download XLSX", "Download file details"}


def opened(
    stage: Stage, query: Mapping[str, str] | None = None, screen: str = "claims", *, operator: Operator = MANAGER
) -> AppTest:
    address = query or {"period": "all"}
    return read(stage, stage.screen(screen, operator, query=address), ClaimsFilter.from_address(address))


def read(stage: Stage, test: AppTest, chosen: ClaimsFilter | None = None) -> AppTest:
    if chosen is None:
        shown(test.run())
        chosen = test.session_state["desk.claims.filter"]
    stage.runtime.claims.wait(chosen.query(service_today()), longest=LONG)
    return shown(test.run())


def read_by(stage: Stage, reader: Callable[..., ClaimSet], **how: Any) -> None:
    """From now on this reader reads the claims of the desk, which had read none."""
    stage.runtime.claims.close()
    stage.runtime = replace(stage.runtime, claims=ClaimReadings(read=reader, scope="a test", **how))


def in_part(stage: Stage) -> Callable[..., ClaimSet]:
    def read(query: ClaimQuery, **how: Any) -> ClaimSet:
        claims = retrieve_claims(stage.runtime.service.client, query, **how)
        return replace(claims, total=claims.received + 7, reasons=(Sentence("Some were not shown."),))

    return read


def folded_out(test: AppTest, key: str) -> AppTest:
    test.session_state[key] = True
    return shown(test.run())


def with_chart(test: AppTest) -> AppTest:
    return folded_out(test, "claims:chart")


def with_files(test: AppTest) -> AppTest:
    return folded_out(test, "claims-export")


def has_files(test: AppTest) -> bool:
    return labels(with_files(test)) == FILES


def labels(test: AppTest) -> set[str]:
    return {element.proto.label for element in test.get("download_button")}


def field(test: AppTest, label: str) -> Any:
    return next(each for each in test.text_input if each.label.startswith(label))


def claim_dates(test: AppTest) -> Any:
    """The menu of ranges; its value is the name of one, or empty for days of one's own."""
    return next(each for each in test.selectbox if each.label == "Claim date")


def pick_days(test: AppTest, first: date, last: date) -> None:
    claim_dates(test).set_value("")
    shown(test.run())
    date_field(test, "Claim date").set_value((first, last))


def chips(test: AppTest) -> list[str]:
    found = [button for button in test.button if (button.key or "").startswith("claims-chip")]
    return [button.label.replace("\\", "") for button in found]


def orders(test: AppTest) -> list[str]:
    return list(table(test)["order_id"])


def open_row(test: AppTest, row: int) -> AppTest:
    return press_row(test, str(row))
