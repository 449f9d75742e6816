"""Which screen a person begins with."""

from dataclasses import replace

import pytest

from components.navigation import first_screen
from tests.builders import ADMINISTRATOR, MANAGER, STAFF
from warranty.access import Operator, Station

SWITCHED_IN = replace(MANAGER, at=Station(till_id="1", switched_by="pin"))


@pytest.mark.parametrize(
    ("operator", "begins"),
    [
        pytest.param(STAFF, "submit_order", id="who sells, with the next order"),
        pytest.param(MANAGER, "overview", id="who sees it, with the answers"),
        pytest.param(SWITCHED_IN, "submit_order", id="a manager who was switched in at a till sells"),
        pytest.param(ADMINISTRATOR, "people", id="who lets people in, with them"),
    ],
)
def test_a_person_begins_with_what_they_are_there_for(operator: Operator, begins: str) -> None:
    assert first_screen(operator).name == begins
