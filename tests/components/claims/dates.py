"""The dates that a person asks for on Claims and Trends."""

from datetime import date
from typing import Any

from streamlit.testing.v1 import AppTest

from tests.components.stage import pick_day, shown


def claim_dates(test: AppTest) -> Any:
    """The menu of ranges; its value is the name of one, or empty for days of one's own."""
    return next(each for each in test.selectbox if each.label == "Claim date")


def pick_days(test: AppTest, first: date, last: date) -> None:
    """Ask for days of one's own; the screen is not drawn yet."""
    claim_dates(test).set_value("")
    shown(test.run())
    pick_day(test, "Claim date, first day", first)
    pick_day(test, "Claim date, last day", last)
